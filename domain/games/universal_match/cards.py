"""The 60 cards: ten ranks in six suits, written rank then suit (G13), with all that the rules use of them.

Card order is rank from high to low, then suit from high to low: `GE` is the first card and `1V` the last.
"""

from bisect import insort
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta

from domain.game import CardFacts

CardName = Literal[
    "GE", "GJ", "GM", "GN", "GS", "GV",
    "SE", "SJ", "SM", "SN", "SS", "SV",
    "ME", "MJ", "MM", "MN", "MS", "MV",
    "7E", "7J", "7M", "7N", "7S", "7V",
    "6E", "6J", "6M", "6N", "6S", "6V",
    "5E", "5J", "5M", "5N", "5S", "5V",
    "4E", "4J", "4M", "4N", "4S", "4V",
    "3E", "3J", "3M", "3N", "3S", "3V",
    "2E", "2J", "2M", "2N", "2S", "2V",
    "1E", "1J", "1M", "1N", "1S", "1V",
]  # fmt: skip
"""A card by its name; no other string is a card."""

Card = Annotated[
    CardName,
    Meta(description="A card: its rank (`G` Galaxy, `S` Sun, `M` Moon, 7 to 1), then its suit (E, J, M, N, S, V)."),
]
Cards = tuple[Card, ...]

CARDS: Final[tuple[CardName, ...]] = get_args(CardName)
"""All cards in card order."""
RANKS: Final[Mapping[str, str]] = {"G": "Galaxy", "S": "Sun", "M": "Moon"} | {n: n for n in "7654321"}
"""The ranks from high to low; Galaxy does not follow 1 (U5)."""
SUITS: Final[Mapping[str, str]] = {
    "E": "Earth",
    "J": "Jupiter",
    "M": "Mars",
    "N": "Neptune",
    "S": "Saturn",
    "V": "Venus",
}
"""The suits from high to low."""
SUIT_VALUES: Final[Mapping[str, int]] = {"E": 3, "J": 2, "M": 1, "N": 3, "S": 2, "V": 1}
"""What a card of each suit counts (U28); ranks never count."""

ORDER: Final[Mapping[Card, int]] = {card: i for i, card in enumerate(CARDS)}
RANK: Final[Mapping[Card, int]] = {card: list(RANKS).index(card[0]) for card in CARDS}
"""The place of each card's rank, 0 for the Galaxy to 9 for the 1."""
SUIT: Final[Mapping[Card, int]] = {card: list(SUITS).index(card[1]) for card in CARDS}
"""The place of each card's suit, 0 for Earth to 5 for Venus."""
VALUE: Final[Mapping[Card, int]] = {card: SUIT_VALUES[card[1]] for card in CARDS}
"""The points that each card counts."""
BIT: Final[Mapping[Card, int]] = {card: 1 << i for i, card in enumerate(CARDS)}
"""A bit for each card, so that a set of cards is the sum of its bits."""

_order = ORDER.__getitem__


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort cards into card order."""
    return tuple(sorted(cards, key=_order))


def with_card(cards: list[Card], card: Card) -> tuple[Card, ...]:
    """Put one more card in its place among cards that lie in card order."""
    insort(cards, card, key=_order)
    return tuple(cards)


def title(card: Card) -> str:
    """Give a card's name in words: `Galaxy of Earth`, `6 of Venus`."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


CARD_FACTS: Final[tuple[CardFacts, ...]] = tuple(
    CardFacts(
        card=card,
        title=title(card),
        copies=1,
        facts={"rank": RANKS[card[0]], "suit": SUITS[card[1]], "value": VALUE[card]},
    )
    for card in CARDS
)
"""The catalogue: each card is there once."""
