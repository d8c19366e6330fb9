"""Apply what happened: no rule, no chance, no refusal.

Every event that ends a turn leaves `turn` None; the `turn_began` that follows in the same entry sets it again, and
where none follows the game is over.
"""

from bisect import insort
from typing import TypeVar, assert_never

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
from domain.games.planet_pioneer.grid import number_of
from domain.games.planet_pioneer.state import FinalRound, Flow, State, Stock
from domain.values import Seat

T = TypeVar("T")


def evolve(state: State, event: PlanetPioneerEvent) -> State:
    """Give the state after an event."""
    match event:
        case TurnBegan(seat=seat, extra=extra):
            return replace(state, flow=replace(state.flow, turn=seat, extra=extra))
        case CardsDrawn():
            return _drawn(state, event)
        case CardBuilt(seat=seat, card=card, cell=cell):
            return _laid(state, seat, card, seat, built(state.colonies[seat], state.setup.deck, number_of(cell), card))
        case CardDiscarded(seat=seat, card=card):
            stock = state.stock
            return replace(
                state,
                flow=replace(state.flow, turn=None),
                stock=Stock(stock.pile, stock.drawn, (*stock.discard, card), stock.shuffles),
                hands=_with(state.hands, seat, _without(state.hands[seat], card)),
                final=_finished(state.final, seat),
            )
        case RoundBegan():
            return replace(state, flow=_next_round(state.flow, event))
        case VisitLaid(seat=seat, cell=cell):
            deck = state.setup.deck
            return _laid(state, seat, deck.visit, seat, visited(state.colonies[seat], deck, number_of(cell)))
        case CapLaid(seat=seat, cell=cell):
            deck = state.setup.deck
            return _laid(state, seat, deck.cap, seat, capped(state.colonies[seat], deck, number_of(cell)))
        case StrikeLaid(seat=seat, opponent=opponent, cell=cell, destroyed=destroyed):
            deck = state.setup.deck
            colony = struck(state.colonies[opponent], deck, number_of(cell), destroyed)
            return _laid(state, seat, deck.strike, opponent, colony)
        case AttackLaid(seat=seat, opponent=opponent, cell=cell):
            deck = state.setup.deck
            colony = attacked(state.colonies[opponent], deck, number_of(cell))
            state = _laid(state, seat, deck.attack, opponent, colony)
            return replace(state, waiting=state.waiting | 1 << opponent)
        case TurnSkipped(seat=seat, reason=reason):
            served = 1 << seat if reason == "attacked" else 0
            return replace(
                state,
                flow=replace(state.flow, turn=None),
                waiting=state.waiting & ~served,
                final=_finished(state.final, seat),
            )
        case PileReshuffled(shuffle=shuffle, cards=cards):
            return replace(state, stock=Stock(_known(cards), 0, (), shuffle + 1))
        case FinalRoundBegan(full=full, order=order):
            return replace(state, final=FinalRound(full, order))
        case CardsDealt():
            return replace(
                state,
                flow=replace(state.flow, first_seat=event.first_seat),
                stock=Stock(_known(event.pile.cards), 0, (), event.shuffle + 1),
                hands=tuple(_known(dealt.cards) for dealt in event.hands),
            )
        case _:
            assert_never(event)


def _drawn(state: State, event: CardsDrawn) -> State:
    stock = state.stock
    hand = [*state.hands[event.seat]]
    for card in _known(event.cards):
        insort(hand, card)
    return replace(
        state,
        stock=Stock(stock.pile, stock.drawn + event.count, stock.discard, stock.shuffles),
        hands=_with(state.hands, event.seat, tuple(hand)),
    )


def _laid(state: State, seat: Seat, card: Card, owner: Seat, colony: Colony) -> State:
    """A card left a hand for a colony; whoever lays in the first round has placed (P11)."""
    flow = state.flow
    return State(
        state.setup,
        Flow(flow.first_seat, flow.round, flow.lap, None, flow.extra, True, flow.dry_rounds),  # noqa: FBT003
        state.stock,
        _with(state.hands, seat, _without(state.hands[seat], card)),
        _with(state.colonies, owner, colony),
        state.waiting,
        state.placed | 1 << seat if flow.round == 1 else state.placed,
        _finished(state.final, seat),
    )


def _next_round(flow: Flow, event: RoundBegan) -> Flow:
    if event.round == flow.round:
        return replace(flow, lap=event.lap)
    dry = 0 if flow.laid or flow.round == 0 else flow.dry_rounds + 1
    return replace(flow, round=event.round, lap=event.lap, laid=False, dry_rounds=dry)


def _finished(final: FinalRound | None, seat: Seat) -> FinalRound | None:
    if final is None:
        return None
    return FinalRound(final.full, tuple(other for other in final.still_to_play if other != seat))


def _known(cards: tuple[Card, ...] | UnsetType) -> tuple[Card, ...]:
    if isinstance(cards, UnsetType):
        raise TypeError("A redacted event can't be applied: it does not say its cards.")
    return cards


def _with(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    changed = [*items]
    changed[place] = item
    return tuple(changed)


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    left = [*hand]
    left.remove(card)
    return tuple(left)
