"""The 56 aliens and the 9 Space Racers, with the tables that the rules look things up in."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, get_args

from domain.game import CardFacts

# fmt: off
Card = Literal[
    "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "A13", "A14",
    "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E11", "E12", "E13", "E14",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "F13", "F14",
    "W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W11", "W12", "W13", "W14",
]
# fmt: on
"""An alien: its elemental (Air, Earth, Fire, Water) and its number; one of each."""

Racer = Literal["mercury", "venus", "earth", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto"]
"""A Space Racer, named after its planet."""

Elemental = Literal["A", "E", "F", "W"]

CARDS: Final[tuple[Card, ...]] = get_args(Card)
"""All aliens in card order: A, E, F, W, then by number."""

RACERS: Final[tuple[Racer, ...]] = get_args(Racer)
"""All Space Racers by distance from the Sun."""

ELEMENTALS: Final[tuple[Elemental, ...]] = get_args(Elemental)

CARD: Final[Mapping[str, Card]] = {card: card for card in CARDS}
"""From a name to the one card of that name."""
ORDER: Final[Mapping[str, int]] = {card: place for place, card in enumerate(CARDS)}
NUMBER: Final[Mapping[Card, int]] = {card: int(card[1:]) for card in CARDS}
ELEMENTAL: Final[Mapping[Card, Elemental]] = {card: ELEMENTALS[ORDER[card] // 14] for card in CARDS}

BEARS: Final[Mapping[Racer, tuple[Elemental, ...]]] = {
    "mercury": ("A",),
    "venus": ("E",),
    "earth": ELEMENTALS,
    "mars": ("F",),
    "jupiter": ("F",),
    "saturn": ("E",),
    "uranus": ("A",),
    "neptune": ("W",),
    "pluto": ("W",),
}
"""The elementals on each Space Racer: two Racers bear each elemental, Earth bears all four (rulings, section 1)."""

RACERS_FOR: Final[Mapping[Elemental, tuple[Racer, ...]]] = {
    elemental: tuple(racer for racer in RACERS if elemental in BEARS[racer]) for elemental in ELEMENTALS
}

ELEMENTAL_TITLE: Final[Mapping[Elemental, str]] = {"A": "Air", "E": "Earth", "F": "Fire", "W": "Water"}

STANDS: Final = 3
"""The length of a full line (B8)."""


def title(card: Card) -> str:
    """Write an alien in words: `Fire 7`."""
    return f"{ELEMENTAL_TITLE[ELEMENTAL[card]]} {NUMBER[card]}"


def in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Put aliens in card order."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def alike(line: Sequence[Card]) -> Elemental | None:
    """Give the elemental of a line of three of a kind, None for any other line."""
    if len(line) != STANDS:
        return None
    first = ELEMENTAL[line[0]]
    return first if ELEMENTAL[line[1]] == first and ELEMENTAL[line[2]] == first else None


def matching(elemental: Elemental, left: Sequence[Racer]) -> tuple[Racer, ...]:
    """Give the Racers of `left` that bear the elemental, by distance from the Sun (B24)."""
    return tuple(racer for racer in left if elemental in BEARS[racer])


def catalogue(*, earth_racer: bool) -> tuple[CardFacts, ...]:
    """Every card in the game: the aliens in card order, then the Space Racers by distance from the Sun."""
    aliens = (
        CardFacts(
            card=card,
            title=title(card),
            copies=1,
            facts={"kind": "alien", "elemental": ELEMENTAL_TITLE[ELEMENTAL[card]].lower(), "number": NUMBER[card]},
        )
        for card in CARDS
    )
    racers = (
        CardFacts(
            card=racer,
            title=racer.title(),
            copies=1,
            facts={
                "kind": "racer",
                "elemental": "all" if len(BEARS[racer]) > 1 else ELEMENTAL_TITLE[BEARS[racer][0]].lower(),
                "number": place,
            },
        )
        for place, racer in enumerate(RACERS, 1)
        if earth_racer or racer != "earth"
    )
    return (*aliens, *racers)
