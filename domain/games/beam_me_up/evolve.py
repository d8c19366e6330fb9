"""Apply what happened: no rule, no chance, no refusal."""

from bisect import insort
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

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
from domain.values import Seat

T = TypeVar("T")

_place = ORDER.__getitem__


def evolve(state: State, event: BeamMeUpEvent) -> State:
    """Give the state after the event; the event must be as stored, or as the seat saw it that is asked about."""
    return _APPLY[type(event)](state, event)


def _dealt(state: State, event: CardsDealt) -> State:
    return replace(
        state,
        hands=tuple(() if dealt.cards is UNSET else dealt.cards for dealt in event.hands),
        draw=() if event.pile.cards is UNSET else event.pile.cards,
        dealer=event.dealer,
        leader=event.leader,
        shuffles=event.shuffle + 1,
    )


def _began(state: State, event: TurnBegan) -> State:
    trick = state.trick
    if event.layer != trick.layer or event.trick != trick.number:
        trick = Trick(event.trick, event.layer, trick.layers, trick.on_table)
    return replace(state, turn=event.seat, phase="play", trick=trick)


def _drawn(state: State, event: CardsDrawn) -> State:
    if event.cards is UNSET:
        return state
    hands = list(state.hands)
    hand = list(hands[event.seat])
    for card in event.cards:
        insort(hand, CARD[card], key=_place)
    hands[event.seat] = tuple(hand)
    return replace(state, hands=tuple(hands), draw=state.draw[event.count :])


def _reshuffled(state: State, event: PileReshuffled) -> State:
    cards = () if event.cards is UNSET else event.cards
    return replace(state, draw=tuple([CARD[card] for card in cards]), discard=(), shuffles=event.shuffle + 1)


def _played(state: State, event: CardPlayed) -> State:
    card, seat, old = event.card, event.seat, state.trick
    layers, laid = old.layers, Laid(seat, card)
    layers = (*layers, (laid,)) if event.layer > len(layers) else (*layers[:-1], (*layers[-1], laid))
    hands = list(state.hands)
    hands[seat] = _without(hands[seat], card)
    return replace(state, hands=tuple(hands), trick=Trick(old.number, old.layer, layers, (*old.on_table, card)))


def _tied(state: State, event: LayerTied) -> State:  # noqa: ARG001 - the next turn says it all
    return state


def _won(state: State, event: TrickWon) -> State:
    old = state.trick
    trick = Trick(old.number, old.layer, old.layers, old.on_table, event.seat, event.picks)
    return replace(state, turn=event.seat, phase="pick", trick=trick)


def _swept(state: State, event: TrickCleared | TrickVoided) -> State:
    return replace(
        state,
        turn=None,
        phase="play",
        trick=Trick(state.trick.number),
        leader=event.leader,
        discard=state.discard + event.discarded,
    )


def _collected(state: State, event: CardCollected) -> State:
    old, seat = state.trick, event.seat
    line, discard = state.lines[seat], state.discard
    if event.replaced is not UNSET:
        line, discard = _without(line, event.replaced), (*discard, event.replaced)
    return replace(
        state,
        lines=_with(state.lines, seat, in_order((*line, event.card))),
        discard=discard,
        trick=replace(old, on_table=_without(old.on_table, event.card), picks_left=old.picks_left - 1),
        phase="pick" if event.complete is UNSET else "launch",
    )


def _declined(state: State, event: PicksDeclined) -> State:
    return replace(state, trick=replace(state.trick, picks_left=state.trick.picks_left - event.declined))


def _launched(state: State, event: RacerLaunched) -> State:
    seat, is_home = event.seat, event.to == "home"
    return replace(
        state,
        lines=_with(state.lines, seat, tuple([card for card in state.lines[seat] if card not in event.aliens])),
        racers=_with(state.racers, seat, (*state.racers[seat], event.racer)),
        racers_left=tuple([racer for racer in state.racers_left if racer != event.racer]),
        home=state.home + event.aliens if is_home else state.home,
        discard=state.discard if is_home else state.discard + event.aliens,
        phase="pick",
        last_launch=state.trick.number,
    )


_APPLY: Final[Mapping[type[BeamMeUpEvent], Callable[[State, Any], State]]] = {
    CardsDealt: _dealt,
    TurnBegan: _began,
    CardsDrawn: _drawn,
    PileReshuffled: _reshuffled,
    CardPlayed: _played,
    LayerTied: _tied,
    TrickWon: _won,
    TrickVoided: _swept,
    CardCollected: _collected,
    PicksDeclined: _declined,
    RacerLaunched: _launched,
    TrickCleared: _swept,
}
"""A table instead of a `match`: of a struct each `case` that does not fit costs a tenth of a microsecond."""


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Take a card out; of another's hand, as a seat saw it, nothing is known and nothing is taken."""
    if not cards:
        return cards
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[seat] = value
    return tuple(changed)
