"""Apply what happened: no rule, no chance, no refusal. The commonest events stand first, because order is speed."""

from typing import TypeVar, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from domain.games.beam_me_up.cards import CARD, ORDER, Card, in_order
from domain.games.beam_me_up.events import (
    BeamMeUpEvent,
    CardCollected,
    CardPlayed,
    CardsDealt,
    LayerTied,
    PicksDeclined,
    RacerLaunched,
    TrickCleared,
    TrickVoided,
    TrickWon,
    TurnBegan,
)
from domain.games.beam_me_up.state import State
from domain.games.beam_me_up.trick import Laid, Trick
from domain.games.events import CardsDrawn, PileReshuffled

T = TypeVar("T")

_place = ORDER.__getitem__


def evolve(state: State, event: BeamMeUpEvent) -> State:
    """Give the state after the event; the event must be as stored, or as the seat saw it that is asked about."""
    match event:
        case TurnBegan():
            old = state.trick
            trick = Trick(event.trick, event.layer, old.layers, old.on_table)
            return replace(state, turn=event.seat, phase="play", trick=trick)
        case CardPlayed():
            return _lay(state, event)
        case CardsDrawn():
            cards = () if event.cards is UNSET else event.cards
            hand = tuple(sorted([*state.hands[event.seat], *[CARD[card] for card in cards]], key=_place))
            return replace(state, hands=_with(state.hands, event.seat, hand), draw=state.draw[event.count :])
        case TrickWon():
            old = state.trick
            trick = Trick(old.number, old.layer, old.layers, old.on_table, event.seat, event.picks)
            return replace(state, turn=event.seat, phase="pick", trick=trick)
        case TrickCleared() | TrickVoided():
            discard = state.discard + event.discarded
            trick = Trick(state.trick.number)
            return replace(state, turn=None, phase="play", trick=trick, leader=event.leader, discard=discard)
        case CardCollected():
            return _collect(state, event)
        case LayerTied():
            return state
        case PicksDeclined():
            return replace(state, trick=replace(state.trick, picks_left=0))
        case RacerLaunched():
            return _launch(state, event)
        case PileReshuffled():
            cards = () if event.cards is UNSET else event.cards
            pile = tuple([CARD[card] for card in cards])
            return replace(state, draw=pile, discard=(), shuffles=event.shuffle + 1)
        case CardsDealt():
            hands = tuple(() if dealt.cards is UNSET else dealt.cards for dealt in event.hands)
            pile = () if event.pile.cards is UNSET else event.pile.cards
            shuffles = event.shuffle + 1
            return replace(state, hands=hands, draw=pile, dealer=event.dealer, leader=event.leader, shuffles=shuffles)
        case _:
            assert_never(event)


def _lay(state: State, event: CardPlayed) -> State:
    card, seat, old = event.card, event.seat, state.trick
    laid = Laid(seat, card)
    begun = event.layer == len(old.layers)
    layers = (*old.layers[:-1], (*old.layers[-1], laid)) if begun else (*old.layers, (laid,))
    trick = Trick(old.number, old.layer, layers, (*old.on_table, card))
    hand = _without(state.hands[seat], card)
    return replace(state, hands=_with(state.hands, seat, hand), trick=trick)


def _collect(state: State, event: CardCollected) -> State:
    old, seat = state.trick, event.seat
    trick = replace(old, on_table=_without(old.on_table, event.card), picks_left=old.picks_left - 1)
    line, discard = state.lines[seat], state.discard
    if event.replaced is not UNSET:
        line, discard = _without(line, event.replaced), (*discard, event.replaced)
    return replace(
        state,
        lines=_with(state.lines, seat, in_order((*line, event.card))),
        discard=discard,
        trick=trick,
        phase="pick" if event.complete is UNSET else "launch",
    )


def _launch(state: State, event: RacerLaunched) -> State:
    seat, home, discard = event.seat, state.home, state.discard
    if event.to == "home":
        home += event.aliens
    else:
        discard += event.aliens
    return replace(
        state,
        lines=_with(state.lines, seat, tuple([card for card in state.lines[seat] if card not in event.aliens])),
        racers=_with(state.racers, seat, (*state.racers[seat], event.racer)),
        racers_left=tuple([racer for racer in state.racers_left if racer != event.racer]),
        home=home,
        discard=discard,
        phase="pick",
        last_launch=state.trick.number,
    )


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Take a card out; where it isn't known to be there (another's hand, as a seat saw it), nothing is taken."""
    return tuple([other for other in cards if other != card])


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
