"""What a seat knows of the hand being played, from its own log: cards seen, and how many it has not seen where.

A card that was switched from a board or the discard pile into a hand is known to be there until it leaves (U48).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from domain.games.events import CardsDrawn
from domain.games.universal_match.cards import Card, in_order
from domain.games.universal_match.events import (
    BoardChosen,
    BoardRefilled,
    BoardsRevealed,
    CardDiscarded,
    DealtHand,
    DealtStock,
    HandDealt,
    HandEnded,
    HandSwitched,
    MatchTaken,
    OwnSwitched,
    UniversalMatchEvent,
)
from domain.games.universal_match.evolve import evolve
from domain.games.universal_match.options import Options
from domain.games.universal_match.state import State, initial
from domain.values import Seat, Value


class Knowledge(Value, frozen=True):
    """A state in which only the cards known to a seat lie, and the places of those that it does not know.

    `state.hands` holds the cards known to be there, `unknown` how many more each hand has; `laid` are the seats
    whose chosen board lies face down; `stock` is the stock's size; `blind` tells that a seat has drawn unseen.
    An answer that the seat may not know is `UNSET` in `state.offer.answers`.
    """

    state: State
    unknown: tuple[int, ...]
    laid: tuple[Seat, ...] = ()
    stock: int = 0
    blind: bool = False


def know(options: Options, seats: int, seat: Seat, log: Sequence[UniversalMatchEvent]) -> Knowledge:
    """Fold what a seat saw (its own redacted log) into what it knows.

    A search asks for the same log a thousand times, so the last few answers are kept for logs that can't change.
    """
    if isinstance(log, tuple):
        return _kept(options, seats, seat, _Same(log))
    return _fold(options, seats, seat, log)


class _Same:
    """A log compared by identity: hashing all its events would cost more than folding them."""

    __slots__ = ("log",)

    def __init__(self, log: tuple[UniversalMatchEvent, ...]) -> None:
        self.log = log

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.log is self.log

    def __hash__(self) -> int:
        return id(self.log)


_KEPT: Final = 16


@lru_cache(maxsize=_KEPT)
def _kept(options: Options, seats: int, seat: Seat, same: _Same) -> Knowledge:
    return _fold(options, seats, seat, same.log)


def _fold(options: Options, seats: int, seat: Seat, log: Sequence[UniversalMatchEvent]) -> Knowledge:
    """Fold the hand being played; of the hands before only the totals matter, since all 60 cards come back (U4)."""
    start = next((i for i in range(len(log) - 1, -1, -1) if isinstance(log[i], HandDealt)), 0)
    known = Knowledge(state=initial(options, seats), unknown=(0,) * seats)
    ended = next((event for event in reversed(log[:start]) if isinstance(event, HandEnded)), None)
    if ended is not None:
        known = replace(known, state=evolve(known.state, ended))
    for event in log[start:]:
        known = _see(known, seat, event)
    return known


def _see(known: Knowledge, viewer: Seat, event: UniversalMatchEvent) -> Knowledge:
    match event:
        case HandDealt():
            return _dealt(known, viewer, event)
        case BoardChosen() if event.cards is UNSET:
            unknown = _add(known.unknown, event.seat, -event.count)
            return replace(known, unknown=unknown, laid=(*known.laid, event.seat))
        case CardsDrawn():
            return _drawn(known, event)
        case BoardRefilled():
            return replace(known, state=evolve(known.state, event), stock=known.stock - len(event.cards))
        case CardDiscarded():
            return replace(_leaves(known, event.seat, event.card, event), blind=False)
        case HandSwitched() | OwnSwitched():
            return _leaves(known, event.seat, event.give, event)
        case MatchTaken() if event.place == "hand":
            return _leaves(known, event.seat, event.give, event)
        case BoardsRevealed():
            return replace(known, state=evolve(known.state, event), laid=())
        case _:
            return replace(known, state=evolve(known.state, event))


def _dealt(known: Knowledge, viewer: Seat, event: HandDealt) -> Knowledge:
    hands = tuple(
        hand if hand.seat == viewer else DealtHand(seat=hand.seat, count=hand.count, cards=()) for hand in event.hands
    )
    seen = replace(event, hands=hands, stock=DealtStock(count=event.stock.count, cards=()))
    return Knowledge(
        state=evolve(known.state, seen),
        unknown=tuple(0 if hand.seat == viewer else hand.count for hand in event.hands),
        stock=event.stock.count,
    )


def _drawn(known: Knowledge, event: CardsDrawn) -> Knowledge:
    stock = known.stock - event.count
    if event.cards is not UNSET:
        ahead = replace(known.state, stock=event.cards)
        return replace(known, state=evolve(ahead, event), stock=stock)
    state = replace(known.state, phase="discard", dry_turns=0, forced_draw=False)
    return replace(known, state=state, unknown=_add(known.unknown, event.seat, 1), stock=stock, blind=True)


def _leaves(known: Knowledge, seat: Seat, card: Card, event: UniversalMatchEvent) -> Knowledge:
    """Apply an event that shows a card leaving a hand: it was known to be there, or it was one of the unknown."""
    state, unknown = known.state, known.unknown
    if card not in state.hands[seat]:
        hands = list(state.hands)
        hands[seat] = in_order((*hands[seat], card))
        state, unknown = replace(state, hands=tuple(hands)), _add(unknown, seat, -1)
    return replace(known, state=evolve(state, event), unknown=unknown)


def _add(counts: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    new = list(counts)
    new[seat] += change
    return tuple(new)
