"""The cards as data: what kinds there are and the standard deck (rulings, section 5)."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.values import Value

Card = str
"""A card's name: copies of a name are alike (G13)."""

CARD_PATTERN: Final = r"^[a-z][a-z0-9_]{0,39}$"
CardName = Annotated[Card, Meta(pattern=CARD_PATTERN)]

Kind = Literal["structure", "defense", "visit", "attack", "strike", "cap"]
LEVEL_KINDS: Final[tuple[Kind, ...]] = ("structure", "defense")
"""The kinds whose cards are Level cards: cap, no-repeat and scoring apply to them (P15, P20)."""
SINGLE_KINDS: Final[tuple[Kind, ...]] = ("visit", "attack", "strike", "cap")
"""The kinds of which a deck has exactly one name."""
KINDS: Final[tuple[Kind, ...]] = (*LEVEL_KINDS, *SINGLE_KINDS)

BASE_STATION: Final[Card] = "base_station"
BASE_STATIONS: Final = 4
"""How many Base Stations the box has; those that nobody needs leave the game (P3)."""

MAX_LEVEL: Final = 9
MAX_COPIES: Final = 20


class DeckCard(Value, frozen=True, forbid_unknown_fields=True):
    """One name of a deck list."""

    name: Annotated[
        Card,
        Meta(
            pattern=CARD_PATTERN,
            description="The card's name in snake_case; each name once, not `base_station`, which lies in every colony.",
        ),
    ]
    kind: Annotated[
        Kind,
        Meta(
            description="`structure` and `defense` are Level cards (P15), a defense also protects (P24, P25); `visit`, "
            "`attack`, `strike` and `cap` are Alien Visit, Alien Attack, Meteor Strike and Meteor Cap, one name each."
        ),
    ]
    level: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_LEVEL,
            description="1 to 9 for a structure or a defense, 1 for a cap (P38), 0 for the rest (P17).",
        ),
    ]
    copies: Annotated[int, Meta(ge=1, le=MAX_COPIES, description="How many such cards the deck has.")]


def _structures(level: int, *names: str) -> tuple[DeckCard, ...]:
    return tuple(DeckCard(name, "structure", level, 3) for name in names)


STANDARD: Final[tuple[DeckCard, ...]] = (
    *_structures(1, "oxygen", "water", "crops", "shelter", "solar_panel", "storage", "rover"),
    *_structures(2, "greenhouse", "workshop", "landing_pad", "comms_tower", "medical_bay"),
    DeckCard("defense_battery", "defense", 2, 3),
    *_structures(3, "laboratory", "mine", "power_plant", "habitat_dome"),
    DeckCard("force_field", "defense", 3, 3),
    *_structures(4, "factory", "observatory", "school", "water_works"),
    *_structures(5, "spaceport", "research_centre", "hospital"),
    *_structures(6, "city_hall", "terraformer"),
    DeckCard("alien_visit", "visit", 0, 6),
    DeckCard("alien_attack", "attack", 0, 5),
    DeckCard("meteor_strike", "strike", 0, 7),
    DeckCard("meteor_cap", "cap", 1, 5),
)
"""104 cards; with the four Base Stations 108."""


def title(card: Card) -> str:
    """Write a card's name as a person reads it: `solar_panel` is Solar Panel."""
    return card.replace("_", " ").title()
