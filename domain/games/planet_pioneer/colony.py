"""A colony: what lies where, and what follows from it for the rules, kept as sets of cells."""

from typing import Final

from domain.games.planet_pioneer.cards import BASE_STATION, Card
from domain.games.planet_pioneer.deck import Deck
from domain.games.planet_pioneer.grid import ALL_CELLS, BASE, NEIGHBOURS, CellSet
from domain.values import Value


class Colony(Value, frozen=True, gc=False):
    """One player's colony.

    `laid` are all its cards in the order laid, each with the number of its cell before it and with what it counts as
    long as it lives behind it; the rest follows from them: `frontier` are the free cells next to a covered one, where a card may go (P9, P10); `shielded` the cells of
    living defenses and all beside them (P25, P26); `targets` the cells whose top card a Strike may hit if it is
    not shielded (P35); `living` the Level cards that live, by `Deck.bit`; `level` their sum with the caps (P46).
    """

    laid: tuple[tuple[int, Card, int], ...]
    covered: CellSet
    frontier: CellSet
    shielded: CellSet
    targets: CellSet
    craters: CellSet
    living: int
    level: int

    @property
    def is_full(self) -> bool:
        """Tell whether all 20 cells are covered (P37, P40)."""
        return self.covered == ALL_CELLS

    def top(self, number: int) -> Card:
        """Give the top card of a covered cell."""
        return next(card for cell, card, _ in reversed(self.laid) if cell == number)


FOUNDED: Final = Colony(
    laid=((BASE, BASE_STATION, 0),),
    covered=1 << BASE,
    frontier=NEIGHBOURS[BASE],
    shielded=0,
    targets=0,
    craters=0,
    living=0,
    level=0,
)
"""A colony with its Base only."""


def built(colony: Colony, deck: Deck, number: int, card: Card) -> Colony:
    """Give the colony with a Level card on a free cell."""
    cell, level = 1 << number, deck.level[card]
    covered = colony.covered | cell
    defends = deck.kind[card] == "defense"
    return Colony(
        (*colony.laid, (number, card, level)),
        covered,
        (colony.frontier | NEIGHBOURS[number]) & ~covered,
        colony.shielded | cell | NEIGHBOURS[number] if defends else colony.shielded,
        colony.targets if defends else colony.targets | cell,
        colony.craters,
        colony.living | deck.bit[card],
        colony.level + level,
    )


def visited(colony: Colony, deck: Deck, number: int) -> Colony:
    """Give the colony with an Alien Visit on a free cell; a Strike can't hit it (P35)."""
    return _covered(colony, number, deck.visit, colony.targets)


def attacked(colony: Colony, deck: Deck, number: int) -> Colony:
    """Give the colony with an Alien Attack on a free cell, which stays (P29) and can be hit (P35)."""
    return _covered(colony, number, deck.attack, colony.targets | 1 << number)


def struck(colony: Colony, deck: Deck, number: int, destroyed: Card) -> Colony:
    """Give the colony with a crater in the place of the destroyed card; its name is free again (P22, P36)."""
    cell = 1 << number
    return Colony(
        (*colony.laid, (number, deck.strike, 0)),
        colony.covered,
        colony.frontier,
        colony.shielded,
        colony.targets & ~cell,
        colony.craters | cell,
        colony.living & ~deck.bit[destroyed],
        colony.level - deck.level[destroyed],
    )


def capped(colony: Colony, deck: Deck, number: int) -> Colony:
    """Give the colony with a Meteor Cap on a crater: it counts its Level and can be hit again (P35, P38)."""
    cell, level = 1 << number, deck.level[deck.cap]
    return Colony(
        (*colony.laid, (number, deck.cap, level)),
        colony.covered,
        colony.frontier,
        colony.shielded,
        colony.targets | cell,
        colony.craters & ~cell,
        colony.living,
        colony.level + level,
    )


def _covered(colony: Colony, number: int, card: Card, targets: CellSet) -> Colony:
    covered = colony.covered | 1 << number
    return Colony(
        (*colony.laid, (number, card, 0)),
        covered,
        (colony.frontier | NEIGHBOURS[number]) & ~covered,
        colony.shielded,
        targets,
        colony.craters,
        colony.living,
        colony.level,
    )
