"""What a match is, when it is perfect, and which cards could make it so."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.games.universal_match.cards import BIT, CARDS, RANK, RANKS, SUIT, SUITS, VALUE, Card
from domain.games.universal_match.options import PerfectMatch
from domain.values import Value

Kind = Annotated[
    Literal["three_of_a_kind", "suited_run", "rainbow_run"],
    Meta(
        description="Three cards of one rank; three ranks in a row in one suit; or three ranks in a row in three "
        "different suits (U5, U6)."
    ),
]

PERFECT_BONUS: Final = 7
"""What a perfect match earns on top of its cards' points (U34, U52)."""


class MatchFacts(Value, frozen=True):
    """What is true of three cards that are a match, whoever holds them."""

    kind: Literal["three_of_a_kind", "suited_run", "rainbow_run"]
    points: int


def points_of(cards: Sequence[Card]) -> int:
    """Add up the cards' values (U28)."""
    return sum(VALUE[card] for card in cards)


def kind_of(cards: Sequence[Card]) -> Literal["three_of_a_kind", "suited_run", "rainbow_run"] | None:
    """Tell what kind of match three different cards are; None where they are none (U5, U6, U7)."""
    ranks = sorted(RANK[card] for card in cards)
    suits = {SUIT[card] for card in cards}
    if ranks[0] == ranks[2]:
        return "three_of_a_kind"
    if ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]:
        if len(suits) == 1:
            return "suited_run"
        if len(suits) == len(ranks):
            return "rainbow_run"
    return None


def is_perfect(cards: Sequence[Card], definition: PerfectMatch) -> bool:
    """Tell whether a match is perfect: a three of a kind or a rainbow run whose suits the definition likes.

    The sheet names the perfect match and does not say what it is; the definition is this project's (U34). A
    suited run is never perfect, since no switch of one card for another of its rank could lead to one.
    """
    if len({SUIT[card] for card in cards}) == 1:
        return False
    if definition == "one_of_each_value":
        return sorted(VALUE[card] for card in cards) == [1, 2, 3]
    suits = sorted(SUIT[card] for card in cards)
    return suits == [suits[0], suits[0] + 1, suits[0] + 2]


def bits_of(cards: Sequence[Card]) -> int:
    """Give a board's key in `MATCHES`; the cards' order is irrelevant (U7)."""
    one, two, three = cards
    return BIT[one] | BIT[two] | BIT[three]


def _triples() -> Iterator[tuple[Card, ...]]:
    """Give every match once, by construction: of 34,220 triples 200, 48 and 960 are one."""
    by_place = {(RANK[card], SUIT[card]): card for card in CARDS}
    for rank in range(len(RANKS)):
        for suits in combinations(range(len(SUITS)), 3):
            yield tuple(by_place[rank, suit] for suit in suits)
    for top in range(len(RANKS) - 2):
        for suit in range(len(SUITS)):
            yield tuple(by_place[top + i, suit] for i in range(3))
        for suits in permutations(range(len(SUITS)), 3):
            yield tuple(by_place[top + i, suit] for i, suit in enumerate(suits))


MATCHES: Final[Mapping[int, MatchFacts]] = {
    bits_of(cards): MatchFacts(kind=kind, points=points_of(cards))
    for cards in _triples()
    if (kind := kind_of(cards)) is not None
}
"""All 1,208 matches by the sum of their cards' bits."""


@cache
def takings(cards: tuple[Card, ...], definition: PerfectMatch, *, restrained: bool) -> tuple[tuple[Card, Card], ...]:
    """List how one card of the same rank could make a match perfect: (card put in, card taken out).

    Wherever the card may be: everybody can work this out. Empty for a perfect match and for a suited run (U40),
    and under A (`restrained`) where no card that is worth enough would do (U43).
    """
    if kind_of(cards) in (None, "suited_run") or is_perfect(cards, definition):
        return ()
    return tuple(
        (give, take)
        for take in cards
        for give in CARDS
        if RANK[give] == RANK[take]
        and give not in cards
        and (VALUE[give] >= VALUE[take] or not restrained)
        and kind_of(new := replaced(cards, take, give)) is not None
        and is_perfect(new, definition)
    )


def replaced(cards: tuple[Card, ...], old: Card, new: Card) -> tuple[Card, ...]:
    """Give the cards on a board after `new` was laid in the place of `old`: the last card laid stands last."""
    changed = [*cards, new]
    changed.remove(old)
    return tuple(changed)
