"""Apply what happened: no rule, no chance, no refusal.

Every event that ends a turn leaves `turn` None; the `turn_began` that follows in the same entry sets it again, and
where none follows the game is over. The most frequent events stand first, since searches fold millions of them.
"""

from bisect import insort
from typing import assert_never

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
    match event:
        case TurnBegan():
            return replace(state, turn=event.seat, extra=event.extra)
        case CardsDrawn():
            return _drawn(state, event)
        case CardBuilt():
            seat, card = event.seat, event.card
            colony = built(state.colonies[seat], state.setup.deck, NUMBER[event.cell], card)
            return _laid(state, seat, card, seat, colony)
        case RoundBegan():
            return _next_round(state, event)
        case CardDiscarded():
            return _discarded(state, event)
        case VisitLaid(seat=seat, cell=cell):
            deck = state.setup.deck
            return _laid(state, seat, deck.visit, seat, visited(state.colonies[seat], deck, NUMBER[cell]))
        case CapLaid(seat=seat, cell=cell):
            deck = state.setup.deck
            return _laid(state, seat, deck.cap, seat, capped(state.colonies[seat], deck, NUMBER[cell]))
        case StrikeLaid(seat=seat, opponent=opponent, cell=cell, destroyed=destroyed):
            deck = state.setup.deck
            colony = struck(state.colonies[opponent], deck, NUMBER[cell], destroyed)
            return _laid(state, seat, deck.strike, opponent, colony)
        case AttackLaid(seat=seat, opponent=opponent, cell=cell):
            deck = state.setup.deck
            colony = attacked(state.colonies[opponent], deck, NUMBER[cell])
            state = _laid(state, seat, deck.attack, opponent, colony)
            return replace(state, flow=replace(state.flow, waiting=state.flow.waiting | 1 << opponent))
        case TurnSkipped(seat=seat, reason=reason):
            flow = _finished(state.flow, seat)
            served = 1 << seat if reason == "attacked" else 0
            return replace(state, turn=None, flow=replace(flow, waiting=flow.waiting & ~served))
        case PileReshuffled(shuffle=shuffle, cards=cards):
            return replace(state, stock=Stock(_known(cards), 0, (), shuffle + 1))
        case FinalRoundBegan(full=full, order=order):
            return replace(state, flow=replace(state.flow, final=FinalRound(full, order)))
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
