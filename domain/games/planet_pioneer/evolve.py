"""Apply what happened: no rule, no chance, no refusal.

Every event that ends a turn leaves `turn` None; the `turn_began` that follows in the same entry sets it again, and
where none follows the game is over.
"""

from bisect import insort
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UnsetType
from msgspec.structs import replace

from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.colony import Colony, attacked, built, capped, struck, visited
from domain.games.planet_pioneer.events import (
    AttackLaid,
    CapLaid,
    CardBuilt,
    CardDiscarded,
    CardsDealt,
    FinalRoundBegan,
    PlanetPioneerEvent,
    RoundBegan,
    StrikeLaid,
    TurnBegan,
    TurnSkipped,
    VisitLaid,
)
from domain.games.planet_pioneer.grid import NUMBER
from domain.games.planet_pioneer.state import FinalRound, Flow, State, Stock
from domain.values import Seat

Hands = tuple[tuple[Card, ...], ...]


def evolve(state: State, event: PlanetPioneerEvent) -> State:
    """Give the state after an event."""
    return _APPLY[type(event)](state, event)


def _began(state: State, event: TurnBegan) -> State:
    return replace(state, turn=event.seat, extra=event.extra)


def _built(state: State, event: CardBuilt) -> State:
    seat, card = event.seat, event.card
    colony = built(state.colonies[seat], state.setup.deck, NUMBER[event.cell], card)
    return _laid(state, seat, card, seat, colony)


def _visited(state: State, event: VisitLaid) -> State:
    deck, seat = state.setup.deck, event.seat
    return _laid(state, seat, deck.visit, seat, visited(state.colonies[seat], deck, NUMBER[event.cell]))


def _capped(state: State, event: CapLaid) -> State:
    deck, seat = state.setup.deck, event.seat
    return _laid(state, seat, deck.cap, seat, capped(state.colonies[seat], deck, NUMBER[event.cell]))


def _struck(state: State, event: StrikeLaid) -> State:
    deck, opponent = state.setup.deck, event.opponent
    colony = struck(state.colonies[opponent], deck, NUMBER[event.cell], event.destroyed)
    return _laid(state, event.seat, deck.strike, opponent, colony)


def _attacked(state: State, event: AttackLaid) -> State:
    deck, opponent = state.setup.deck, event.opponent
    colony = attacked(state.colonies[opponent], deck, NUMBER[event.cell])
    state = _laid(state, event.seat, deck.attack, opponent, colony)
    return replace(state, flow=replace(state.flow, waiting=state.flow.waiting | 1 << opponent))


def _skipped(state: State, event: TurnSkipped) -> State:
    flow = _finished(state.flow, event.seat)
    served = 1 << event.seat if event.reason == "attacked" else 0
    return replace(state, turn=None, flow=replace(flow, waiting=flow.waiting & ~served))


def _reshuffled(state: State, event: PileReshuffled) -> State:
    return replace(state, stock=Stock(_known(event.cards), 0, (), event.shuffle + 1))


def _ending(state: State, event: FinalRoundBegan) -> State:
    return replace(state, flow=replace(state.flow, final=FinalRound(event.full, event.order)))


def _dealt(state: State, event: CardsDealt) -> State:
    return replace(
        state,
        flow=replace(state.flow, first_seat=event.first_seat),
        stock=Stock(_known(event.pile.cards), 0, (), event.shuffle + 1),
        hands=tuple(_known(dealt.cards) for dealt in event.hands),
    )


def _drawn(state: State, event: CardsDrawn) -> State:
    stock, seat, cards = state.stock, event.seat, event.cards
    hands = [*state.hands]
    hand = [*hands[seat]]
    for card in cards if isinstance(cards, tuple) else _known(cards):
        insort(hand, card)
    hands[seat] = tuple(hand)
    stock = Stock(stock.pile, stock.drawn + event.count, stock.discard, stock.shuffles)
    return replace(state, stock=stock, hands=tuple(hands))


def _laid(state: State, seat: Seat, card: Card, owner: Seat, colony: Colony) -> State:
    """A card left a hand for a colony; whoever lays in the first round has placed (P11)."""
    flow = state.flow
    if flow.round == 1:
        flow = replace(flow, placed=flow.placed | 1 << seat)
    if flow.final is not None:
        flow = _finished(flow, seat)
    colonies = [*state.colonies]
    colonies[owner] = colony
    hands = _without(state.hands, seat, card)
    return State(state.setup, flow, None, state.extra, True, state.stock, hands, tuple(colonies))  # noqa: FBT003


def _discarded(state: State, event: CardDiscarded) -> State:
    flow, stock = state.flow, state.stock
    if flow.final is not None:
        flow = _finished(flow, event.seat)
    return replace(
        state,
        flow=flow,
        turn=None,
        stock=Stock(stock.pile, stock.drawn, (*stock.discard, event.card), stock.shuffles),
        hands=_without(state.hands, event.seat, event.card),
    )


def _without(hands: Hands, seat: Seat, card: Card) -> Hands:
    changed = [*hands]
    hand = [*changed[seat]]
    hand.remove(card)
    changed[seat] = tuple(hand)
    return tuple(changed)


def _next_round(state: State, event: RoundBegan) -> State:
    flow = state.flow
    if event.round == flow.round:
        return replace(state, flow=replace(flow, lap=event.lap))
    dry = 0 if state.laid or flow.round == 0 else flow.dry_rounds + 1
    flow = Flow(flow.first_seat, event.round, event.lap, dry, flow.waiting, flow.placed, flow.final)
    return replace(state, flow=flow, laid=False)


def _finished(flow: Flow, seat: Seat) -> Flow:
    """A seat has finished its final turn, or lost it (P42, P43)."""
    final = flow.final
    if final is None:
        return flow
    left = tuple(other for other in final.still_to_play if other != seat)
    return replace(flow, final=FinalRound(final.full, left))


def _known(cards: tuple[Card, ...] | UnsetType) -> tuple[Card, ...]:
    if isinstance(cards, UnsetType):
        raise TypeError("A redacted event can't be applied: it does not say its cards.")
    return cards


_APPLY: Final[Mapping[type[PlanetPioneerEvent], Callable[[State, Any], State]]] = {
    TurnBegan: _began,
    CardsDrawn: _drawn,
    CardBuilt: _built,
    RoundBegan: _next_round,
    CardDiscarded: _discarded,
    VisitLaid: _visited,
    CapLaid: _capped,
    StrikeLaid: _struck,
    AttackLaid: _attacked,
    TurnSkipped: _skipped,
    PileReshuffled: _reshuffled,
    FinalRoundBegan: _ending,
    CardsDealt: _dealt,
}
"""A table instead of a `match`: of a struct each `case` that does not fit costs a tenth of a microsecond."""
