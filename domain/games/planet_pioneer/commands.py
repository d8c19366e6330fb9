"""What a seat may wish for."""

from typing import Annotated, Final

from msgspec import Meta

from domain.games.planet_pioneer.cards import CardName
from domain.games.planet_pioneer.grid import CELLS, Cell
from domain.values import Command, Seat

MAX_SEATS: Final = 4

OwnCell = Annotated[
    Cell,
    Meta(
        description="The cell of the own colony, `[row, column]`, both from 0: uncovered and side to side or top to "
        "bottom with a covered one (P9)."
    ),
]
Opponent = Annotated[
    Seat,
    Meta(
        ge=0,
        description="The seat whose colony is hit, never the own one.",
        extra_json_schema={"maximum": 99},  # no table has so many; what is above is refused by its ruling
    ),
]


class Build(Command, frozen=True, gc=False, tag="build"):
    """Lay a Level card (a structure or a defense) in the own colony."""

    card: Annotated[
        CardName,
        Meta(
            description="A Level card (P15) of the own hand (P51), its Level not above the round (P13), its name not "
            "living in the own colony (P20)."
        ),
    ]
    cell: OwnCell


class Visit(Command, frozen=True, gc=False, tag="visit"):
    """Lay an Alien Visit in the own colony and take one more turn at once (P32)."""

    cell: OwnCell


class Attack(Command, frozen=True, gc=False, tag="attack"):
    """Lay an Alien Attack in an opponent's colony; its owner skips the next turn (P30). From round 2 on (P14)."""

    opponent: Annotated[Opponent, Meta(description="Not a seat that is waiting already (P31).")]
    cell: Annotated[
        Cell,
        Meta(
            description="The cell of the opponent's colony, `[row, column]`, both from 0: uncovered and next to a "
            "covered one (P28), not next to a defense (P26)."
        ),
    ]


class Strike(Command, frozen=True, gc=False, tag="strike"):
    """Lay a Meteor Strike on a card in an opponent's colony, which is destroyed. From round 2 on (P14)."""

    opponent: Opponent
    cell: Annotated[
        Cell,
        Meta(
            description="The cell of the opponent's colony, `[row, column]`, both from 0: covered, but not by a Base, "
            "a defense, an Alien Visit or a crater (P35), and not next to a defense (P25)."
        ),
    ]


class Cap(Command, frozen=True, gc=False, tag="cap"):
    """Lay a Meteor Cap on a crater of the own colony. From round 2 on (P16)."""

    cell: Annotated[
        Cell, Meta(description="The cell of the crater in the own colony (P39), `[row, column]`, both from 0 (P38).")
    ]


class Discard(Command, frozen=True, gc=False, tag="discard"):
    """Put a card of the hand face up on the discard pile instead of laying one (P7)."""

    card: Annotated[
        CardName,
        Meta(
            description="A card of the own hand (P51). In a first round `until_all_placed` only who can lay nothing "
            "may discard (P56)."
        ),
    ]


PlanetPioneerCommand = Build | Visit | Attack | Strike | Cap | Discard

VISITS: Final = tuple(Visit(cell) for cell in CELLS)
CAPS: Final = tuple(Cap(cell) for cell in CELLS)
ATTACKS: Final = tuple(tuple(Attack(Seat(seat), cell) for cell in CELLS) for seat in range(MAX_SEATS))
STRIKES: Final = tuple(tuple(Strike(Seat(seat), cell) for cell in CELLS) for seat in range(MAX_SEATS))
