"""Whether a copied position can come from a game: its events, replayed by the rules with whatever chance they tell of.

A fork's record holds the origin's game events, not its secret. So the chance is read off the events themselves: a
shuffle is the order that its event shows, a pick is one that leads to what is told. All else must follow.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from domain.errors import Refusal
from domain.game import AnyGame
from domain.values import Event, Value

T = TypeVar("T")


_LONGEST: Final = 256
"""No command of any game causes more events."""


def position_fault(game: AnyGame, options: Any, seats: int, told: Sequence[Event]) -> str | None:
    """Say at which event a position can't come from a game with these options; None where it can.

    Forged events may raise anything on the way.
    """
    state = game.initial(options, seats)
    at = _deal(game, state, told[:_LONGEST])
    if not at:
        return "no deal leads to the copied position"
    state = _folded(game, state, told[:at])
    while at < len(told):
        following = told[at : at + _LONGEST]
        step = _next(game, state, following)
        if not step:
            return f"event {at} of the copied position can't follow from those before it"
        state = _folded(game, state, told[at : at + step])
        at += step
    return None


class _Marked(str):
    """A card that remembers where it lay before a shuffle that is not known yet."""

    __slots__ = ("place",)
    place: int


class _Told:
    """Chance as events tell of it: shuffles in their order, picks as tried; unknown ones are noted."""

    def __init__(self, picks: Sequence[int] = ()) -> None:
        self._picks = list(picks)
        self.orders: dict[int, tuple[Any, ...]] = {}
        self.unknown: dict[int, tuple[Any, ...]] = {}
        self.choices: list[int] = []

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:
        """Give the order told of, or the cards as they lie, each marked with its place."""
        if k in self.orders:
            return self.orders[k] if Counter(self.orders[k]) == Counter(cards) else tuple(cards)
        self.unknown[k] = tuple(cards)
        return tuple(_marked(card, place) for place, card in enumerate(cards))

    def pick(self, purpose: str, below: int) -> int:  # noqa: ARG002 - the protocol names picks
        """Give the next pick that is tried, else the first; notes how many there were to choose from."""
        self.choices.append(below)
        number = len(self.choices)
        return self._picks[number - 1] if number <= len(self._picks) else 0


def _deal(game: AnyGame, state: Any, told: Sequence[Event]) -> int:
    first = _Told()
    game.deal(state, first)
    return max(
        (
            _fitting(_decided(lambda chance: game.deal(state, chance), told, picks), told)
            for picks in _all(first.choices)
        ),
        default=0,
    )


def _next(game: AnyGame, state: Any, told: Sequence[Event]) -> int:
    """Give how many of the events told the next command has caused; 0 where none can have.

    Of the commands that are equally like the first event the one that causes most counts; less like ones are tried
    only where none of those fits.
    """
    moves = [(seat, command) for seat in game.to_act(state) for command in game.legal(state, seat)]
    longest, best = 0, -1
    for seat, command in sorted(moves, key=lambda move: -_likeness(move[1], told[0])):
        likeness = _likeness(command, told[0])
        if longest and likeness < best:
            break
        try:
            events = _decided(partial(game.decide, state, seat, command), told)
        except Refusal:
            continue
        longest, best = max(longest, _fitting(events, told)), likeness
    return longest


def _decided(
    decide: Callable[[_Told], tuple[Event, ...]], told: Sequence[Event], picks: Sequence[int] = ()
) -> tuple[Event, ...]:
    """Decide with the chance that is told of: again for each shuffle whose order was not known."""
    orders: dict[int, tuple[Any, ...]] = {}
    while True:
        chance = _Told(picks)
        chance.orders = orders
        events = decide(chance)
        found = {k: _order(k, cards, events, told) for k, cards in chance.unknown.items()}
        if not found:
            return events
        if any(order is None for order in found.values()):
            return ()
        orders |= {k: order for k, order in found.items() if order is not None}


def _order(k: int, cards: Sequence[Any], events: Iterable[Event], told: Iterable[Event]) -> tuple[Any, ...] | None:
    """Read the order of a shuffle off the event that tells it, by where the marked cards went."""
    decided, event = (next((e for e in each if getattr(e, "shuffle", None) == k), None) for each in (events, told))
    if decided is None or event is None or type(decided) is not type(event):
        return None
    order: list[Any] = [None] * len(cards)
    for marked, card in _pairs(decided, event):
        order[marked.place] = card
    return tuple(order) if Counter(order) == Counter(cards) else None


def _pairs(decided: Any, told: Any) -> Iterator[tuple[_Marked, Any]]:
    """Walk two values of one shape and give each marked card with what stands in its place."""
    match decided:
        case _Marked():
            yield decided, told
        case tuple() | list() if isinstance(told, tuple | list):
            for one, other in zip(decided, told, strict=False):
                yield from _pairs(one, other)
        case Value() | Event():
            for name in decided.__struct_fields__:
                yield from _pairs(getattr(decided, name), getattr(told, name, None))
        case _:
            pass


def _all(choices: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Give all ways to pick."""
    if not choices:
        yield ()
        return
    for rest in _all(choices[1:]):
        for first in range(choices[0]):
            yield (first, *rest)


def _marked(card: Any, place: int) -> Any:
    marked = _Marked(card)
    marked.place = place
    return marked


def _fitting(events: Sequence[Event], told: Sequence[Event]) -> int:
    """Give how many events there are, where they are the next that are told; else 0."""
    return len(events) if tuple(told[: len(events)]) == tuple(events) else 0


def _folded(game: AnyGame, state: Any, events: Iterable[Event]) -> Any:
    for event in events:
        state = game.evolve(state, event)
    return state


def _likeness(command: Any, event: Event) -> int:
    return sum(getattr(event, name, None) == getattr(command, name) for name in command.__struct_fields__)
