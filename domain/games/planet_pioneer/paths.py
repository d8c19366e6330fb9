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

A path is two numbers, which add, compare and hash fast: `held` has four bits for each kind of place, how many such
there are; `left` has five bits for each name in each deal, how many the deal still hides.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import factorial, perm
from typing import Final, NamedTuple

from domain.games.planet_pioneer.cards import Card
from domain.values import Seat, Value

MAX_PATHS: Final = 2_000
"""Of more paths than that the lightest are left out; it takes several reshuffles to come near."""
_PLACE_BITS: Final = 4
_CARD_BITS: Final = 5
_PLACES: Final = (1 << _PLACE_BITS) - 1
_CARDS: Final = (1 << _CARD_BITS) - 1


class Path(NamedTuple):
    """One way."""

    held: int
    left: int


class Paths(Value, frozen=True):
    """All ways with their weights: `names` are the deck's in card order, `early` those that a bound place can't hold."""

    names: tuple[Card, ...]
    early: frozenset[Card]
    seats: int
    deals: int
    ways: Mapping[Path, int]


def first_path(cards: Iterable[Card], early: frozenset[Card], seats: int) -> Paths:
    """Give the way before the deal: deal 0 hides all cards."""
    names = tuple(sorted(set(cards)))
    start = Paths(names, early, seats, 0, {Path(0, 0): 1})
    return reshuffled(start, cards)


def reshuffled(paths: Paths, cards: Iterable[Card]) -> Paths:
    """Give the ways after these cards have become the draw pile: a new deal."""
    deal = paths.deals
    fresh = sum(1 << _card(paths, deal, card) for card in cards)
    ways = {Path(held, left + fresh): weight for (held, left), weight in paths.ways.items()}
    return Paths(paths.names, paths.early, paths.seats, deal + 1, ways)


def drawn_by_other(paths: Paths, seat: Seat, count: int) -> Paths:
    """Give the ways after a seat has drawn cards that nobody else saw."""
    more = count << _place(paths, seat, paths.deals - 1, bound=False)
    return _with(paths, {Path(held + more, left): weight for (held, left), weight in paths.ways.items()})


def drawn_by_self(paths: Paths, cards: Iterable[Card]) -> Paths:
    """Give the ways after these cards have come from the draw pile into the own hand."""
    for card in cards:
        at = _card(paths, paths.deals - 1, card)
        ways = {
            Path(held, left - (1 << at)): weight * (left >> at & _CARDS)
            for (held, left), weight in paths.ways.items()
            if left >> at & _CARDS
        }
        paths = _with(paths, ways)
    return paths


def laid_by_other(paths: Paths, seat: Seat, card: Card) -> Paths:
    """Give the ways after a seat has laid or discarded a card from its hand."""
    sources = [
        (_place(paths, seat, deal, bound=bound), _card(paths, deal, card))
        for deal in range(paths.deals)
        for bound in ((False,) if card in paths.early else (False, True))
    ]
    ways: dict[Path, int] = {}
    for (held, left), weight in paths.ways.items():
        for place, at in sources:
            odds = (held >> place & _PLACES) * (left >> at & _CARDS)
            if odds:
                path = Path(held - (1 << place), left - (1 << at))
                ways[path] = ways.get(path, 0) + weight * odds
    return _with(paths, ways)


def bound(paths: Paths, seat: Seat) -> Paths:
    """Give the ways after a seat has shown that it holds no early card."""
    moves = [
        (_place(paths, seat, deal, bound=False), _place(paths, seat, deal, bound=True)) for deal in range(paths.deals)
    ]
    ways: dict[Path, int] = {}
    for (held, left), weight in paths.ways.items():
        tied = held
        for free, fast in moves:
            count = held >> free & _PLACES
            tied += (count << fast) - (count << free)
        path = Path(tied, left)
        if arrangements(paths, path):
            ways[path] = ways.get(path, 0) + weight
    return _with(paths, ways)


def arrangements(paths: Paths, path: Path) -> int:
    """Count the ways to put the cards that are still hidden in their places."""
    product = 1
    for deal in range(paths.deals):
        total = fitting = 0
        for card, count in hidden_cards(paths, path, deal):
            total += count
            fitting += 0 if card in paths.early else count
        tied = sum(count for _, count in hidden_places(paths, path, deal, bound=True))
        product *= perm(fitting, tied) * factorial(total - tied)
    return product


def hidden_cards(paths: Paths, path: Path, deal: int) -> Iterator[tuple[Card, int]]:
    """Give the cards that a deal still hides, with their numbers, in card order."""
    size = len(paths.names) * _CARD_BITS
    bits = path.left >> deal * size & ((1 << size) - 1)
    for name in paths.names:
        if bits & _CARDS:
            yield name, bits & _CARDS
        bits >>= _CARD_BITS


def hidden_places(paths: Paths, path: Path, deal: int, *, bound: bool) -> Iterator[tuple[Seat, int]]:
    """Give the seats that hold cards of a deal, with how many such places each has."""
    for number in range(paths.seats):
        count = path.held >> _place(paths, Seat(number), deal, bound=bound) & _PLACES
        if count:
            yield Seat(number), count


def _place(paths: Paths, seat: Seat, deal: int, *, bound: bool) -> int:
    return ((deal * 2 + bound) * paths.seats + seat) * _PLACE_BITS


def _card(paths: Paths, deal: int, card: Card) -> int:
    return (deal * len(paths.names) + paths.names.index(card)) * _CARD_BITS


def _with(paths: Paths, ways: Mapping[Path, int]) -> Paths:
    """Keep the ways, but for the lightest of too many."""
    made = Paths(paths.names, paths.early, paths.seats, paths.deals, ways)
    if len(ways) <= MAX_PATHS:
        return made
    heaviest = sorted(ways, key=lambda path: -ways[path] * arrangements(made, path))
    return Paths(
        paths.names, paths.early, paths.seats, paths.deals, {path: ways[path] for path in heaviest[:MAX_PATHS]}
    )
