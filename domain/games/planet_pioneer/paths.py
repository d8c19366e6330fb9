"""Where hidden cards may lie, in numbers: the ways in which a seat's log can have come about.

A card is hidden where it is in another's hand or in the draw pile. Copies of a name are alike, and a card that was
seen can get out of sight again by a reshuffle, so a card that another lays tells its name, not where it came from.
Three things are known of each hidden place in a hand:

- whose it is;
- its *deal*: 0, or the number of the reshuffle from which it was drawn. Which cards a deal hides is known;
- whether it is *bound*: in a first round `until_all_placed` who discards can lay nothing (P56), so none of the cards
  that he keeps is *early*, one that could be laid.

Where a card that is laid may have come from more than one kind of place, the paths divide. A path weighs as many
physical arrangements of the cards as go that way.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import factorial, perm
from typing import Final, TypeVar

from domain.games.planet_pioneer.cards import Card
from domain.values import Seat, Value

MAX_PATHS: Final = 2_000
"""Of more paths than that the lightest are left out; it takes several reshuffles to come near."""


K = TypeVar("K", Card, "Place")


class Place(Value, frozen=True, order=True):
    """A kind of hidden place in a hand."""

    seat: Seat
    deal: int
    bound: bool


class Path(Value, frozen=True):
    """One way: how many hidden places of each kind there are, and which cards each deal still hides.

    Both are sorted and hold no zeros, so that ways that have met again are equal.
    """

    held: tuple[tuple[Place, int], ...]
    left: tuple[tuple[tuple[Card, int], ...], ...]


Paths = Mapping[Path, int]
"""With the weight of each."""


def first_path(cards: Iterable[Card]) -> Paths:
    """Give the way before the deal: deal 0 hides all cards."""
    return {Path((), (_sorted(Counter(cards)),)): 1}


def reshuffled(paths: Paths, cards: Iterable[Card]) -> Paths:
    """Give the ways after these cards have become the draw pile: a new deal."""
    fresh = _sorted(Counter(cards))
    return {Path(path.held, (*path.left, fresh)): weight for path, weight in paths.items()}


def drawn_by_other(paths: Paths, seat: Seat, count: int) -> Paths:
    """Give the ways after a seat has drawn cards that nobody else saw."""
    ways: dict[Path, int] = {}
    for path, weight in paths.items():
        held = Counter(dict(path.held))
        held[Place(seat, len(path.left) - 1, bound=False)] += count
        ways[Path(_sorted(held), path.left)] = weight
    return ways


def drawn_by_self(paths: Paths, cards: Iterable[Card]) -> Paths:
    """Give the ways after these cards have come from the draw pile into the own hand."""
    for card in cards:
        ways: dict[Path, int] = {}
        for path, weight in paths.items():
            deal = len(path.left) - 1
            if copies := dict(path.left[deal]).get(card, 0):
                _add(ways, Path(path.held, _take(path.left, deal, card)), weight * copies)
        paths = ways
    return paths


def laid_by_other(paths: Paths, seat: Seat, card: Card, early: frozenset[Card]) -> Paths:
    """Give the ways after a seat has laid or discarded a card from its hand."""
    ways: dict[Path, int] = {}
    for path, weight in paths.items():
        for place, count in path.held:
            if place.seat != seat or (place.bound and card in early):
                continue
            if copies := dict(path.left[place.deal]).get(card, 0):
                held = Counter(dict(path.held))
                held[place] -= 1
                way = Path(_sorted(held), _take(path.left, place.deal, card))
                _add(ways, way, weight * count * copies)
    return ways


def bound(paths: Paths, seat: Seat, early: frozenset[Card]) -> Paths:
    """Give the ways after a seat has shown that it holds no early card."""
    ways: dict[Path, int] = {}
    for path, weight in paths.items():
        held: Counter[Place] = Counter()
        for place, count in path.held:
            held[Place(place.seat, place.deal, bound=place.bound or place.seat == seat)] += count
        way = Path(_sorted(held), path.left)
        if arrangements(way, early):
            _add(ways, way, weight)
    return ways


def pruned(paths: Paths, early: frozenset[Card]) -> Paths:
    """Leave out the lightest of too many ways."""
    if len(paths) <= MAX_PATHS:
        return paths
    heaviest = sorted(paths, key=lambda path: -paths[path] * arrangements(path, early))
    return {path: paths[path] for path in heaviest[:MAX_PATHS]}


def arrangements(path: Path, early: frozenset[Card]) -> int:
    """Count the ways to put the cards that are still hidden in their places."""
    product = 1
    for deal, cards in enumerate(path.left):
        tied = sum(count for place, count in path.held if place.deal == deal and place.bound)
        fitting = sum(count for card, count in cards if card not in early)
        product *= perm(fitting, tied) * factorial(sum(count for _, count in cards) - tied)
    return product


def _take(
    left: tuple[tuple[tuple[Card, int], ...], ...], deal: int, card: Card
) -> tuple[tuple[tuple[Card, int], ...], ...]:
    cards = Counter(dict(left[deal]))
    cards[card] -= 1
    return (*left[:deal], _sorted(cards), *left[deal + 1 :])


def _sorted(counter: Mapping[K, int]) -> tuple[tuple[K, int], ...]:
    return tuple(sorted((key, count) for key, count in counter.items() if count))


def _add(ways: dict[Path, int], path: Path, weight: int) -> None:
    ways[path] = ways.get(path, 0) + weight
