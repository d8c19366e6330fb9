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
    draft = _Draft(initial(options, seats), seat)
    ended = next((event for event in reversed(log[:start]) if isinstance(event, HandEnded)), None)
    if ended is not None:
        draft.state = evolve(draft.state, ended)
    for event in log[start:]:
        draft.see(event)
    return Knowledge(
        state=draft.state,
        unknown=tuple(draft.unknown),
        laid=tuple(draft.laid),
        stock=draft.stock,
        blind=draft.blind,
    )


class _Draft:
    """Knowledge while it is folded."""

    def __init__(self, state: State, viewer: Seat) -> None:
        self.state = state
        self.viewer = viewer
        self.unknown = [0] * state.series.seats
        self.laid: list[Seat] = []
        self.stock = 0
        self.blind = False

    def see(self, event: UniversalMatchEvent) -> None:
        match event:
            case HandDealt():
                event = self._deal(event)
            case BoardChosen() if event.cards is UNSET:
                self.unknown[event.seat] -= event.count
                self.laid.append(event.seat)
                return
            case BoardsRevealed():
                self.laid = []
            case CardsDrawn():
                self.stock -= event.count
                if event.cards is UNSET:
                    self._draw_blind(event.seat)
                    return
                self.state = replace(self.state, stock=event.cards)
            case BoardRefilled():
                self.stock -= len(event.cards)
            case CardDiscarded():
                self._show(event.seat, event.card)
                self.blind = False
            case HandSwitched() | OwnSwitched():
                self._show(event.seat, event.give)
            case MatchTaken() if event.place == "hand":
                self._show(event.seat, event.give)
            case _:
                pass
        self.state = evolve(self.state, event)

    def _deal(self, event: HandDealt) -> HandDealt:
        self.unknown = [0 if hand.seat == self.viewer else hand.count for hand in event.hands]
        self.stock = event.stock.count
        hands = tuple(
            hand if hand.seat == self.viewer else DealtHand(seat=hand.seat, count=hand.count, cards=())
            for hand in event.hands
        )
        return replace(event, hands=hands, stock=DealtStock(count=event.stock.count, cards=()))

    def _draw_blind(self, seat: Seat) -> None:
        self.unknown[seat] += 1
        self.blind = True
        self.state = replace(self.state, phase="discard", dry_turns=0, forced_draw=False)

    def _show(self, seat: Seat, card: Card) -> None:
        """Note that a card was in a hand: it was known to be there, or it was one of the unknown."""
        if card not in self.state.hands[seat]:
            hands = list(self.state.hands)
            hands[seat] = in_order((*hands[seat], card))
            self.state = replace(self.state, hands=tuple(hands))
            self.unknown[seat] -= 1
