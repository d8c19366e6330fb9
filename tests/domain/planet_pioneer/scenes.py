"""Scenes: a game brought to the point that a rule is about, then commands from there.

What came before is told by events alone, which apply without rules; so a scene can be any position, and the cards in
it need not add up to a deck.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import pytest

from domain.errors import Refusal
from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.commands import PlanetPioneerCommand
from domain.games.planet_pioneer.events import (
    AttackLaid,
    CapLaid,
    CardBuilt,
    CardsDealt,
    DealtHand,
    DealtPile,
    PlanetPioneerEvent,
    RoundBegan,
    StrikeLaid,
    TurnBegan,
    TurnSkipped,
    VisitLaid,
)
from domain.games.planet_pioneer.grid import CELLS, Cell
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.state import State
from domain.games.planet_pioneer.views import PlanetPioneerView, SeatView
from domain.values import PUBLIC, Seat

T = TypeVar("T")

A, B, C, D = (Seat(seat) for seat in range(4))
BASE: Cell = (0, 2)

DULL = ("mine", "school", "factory", "hospital", "city_hall")
"""A hand with nothing for the first two rounds."""
NAMES = (
    *("oxygen", "water", "crops", "shelter", "solar_panel", "storage", "rover"),
    *("greenhouse", "workshop", "landing_pad", "comms_tower", "medical_bay"),
    *("laboratory", "mine", "power_plant", "habitat_dome", "factory", "observatory", "school", "water_works"),
)
"""Structures of the standard deck by Level."""


class InOrder:
    """A chance that leaves the cards as they are, and the first seat to seat 0."""

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:
        return tuple(cards)

    def pick(self, purpose: str, below: int) -> int:
        return 0


class Scene:
    """A position in the making; the turn is that of seat A unless `turn` says another."""

    def __init__(
        self,
        seats: int = 2,
        *,
        round: int = 6,  # noqa: A002 - the game's word
        hands: Mapping[Seat, Sequence[str]] | None = None,
        pile: Sequence[str] = ("rover",) * 30,
        options: Options | None = None,
        first: Seat = A,
    ) -> None:
        self.options = options or Options()
        self.seats = seats
        self.state: State = PLANET_PIONEER.initial(self.options, seats)
        held = {Seat(seat): DULL for seat in range(seats)} | dict(hands or {})
        self.happened(
            CardsDealt(
                shuffle=0,
                first_seat=first,
                hands=tuple(DealtHand(seat, len(cards), tuple(sorted(cards))) for seat, cards in held.items()),
                pile=DealtPile(len(pile), tuple(pile)),
            ),
            RoundBegan(round, 1),
        )
        self.turn(first)

    def happened(self, *events: PlanetPioneerEvent) -> "Scene":
        for event in events:
            self.state = PLANET_PIONEER.evolve(self.state, event)
        return self

    def turn(self, seat: Seat) -> "Scene":
        return self.happened(TurnBegan(seat, extra=False, final=False))

    def colony(self, seat: Seat, cards: Mapping[Cell, str | Sequence[str]]) -> "Scene":
        """Cover cells of a colony; a list is what lies there from bottom to top."""
        turn = self.state.turn
        other = next(Seat(number) for number in range(self.seats) if number != seat)
        for cell, stack in cards.items():
            for card in [stack] if isinstance(stack, str) else stack:
                self._lay(seat, other, cell, card)
        return self if turn is None else self.turn(turn)

    def _lay(self, seat: Seat, other: Seat, cell: Cell, card: str) -> None:
        deck, stock = self.state.setup.deck, self.state.stock
        event: PlanetPioneerEvent
        owner = seat
        match deck.kind[card]:
            case "visit":
                event = VisitLaid(seat, cell)
            case "cap":
                event = CapLaid(seat, cell)
            case "attack":
                event, owner = AttackLaid(other, seat, cell), other
            case "strike":
                destroyed = self.state.colonies[seat].top(CELLS.index(cell))
                event, owner = StrikeLaid(other, seat, cell, destroyed), other
            case _:
                event = CardBuilt(seat, card, cell)
        # the card comes from nowhere: drawn, with the pile put back as it was
        self.happened(CardsDrawn(owner, 1, (card,)), event)
        if deck.kind[card] == "attack":
            self.happened(TurnSkipped(seat, "attacked"))
        self.happened(
            PileReshuffled(stock.shuffles - 1, stock.draw_count, stock.pile[stock.drawn :]),
        )

    def full_but(self, seat: Seat, *free: Cell) -> "Scene":
        """Cover a whole colony but some cells."""
        cells = [cell for cell in CELLS if cell != BASE and cell not in free]
        return self.colony(seat, dict(zip(cells, NAMES, strict=False)))

    def does(self, command: PlanetPioneerCommand) -> tuple[PlanetPioneerEvent, ...]:
        """Let the seat in turn do it and give all that follows."""
        assert self.state.turn is not None
        events = PLANET_PIONEER.decide(self.state, self.state.turn, command, InOrder())
        self.happened(*events)
        return events

    def refuses(self, command: PlanetPioneerCommand) -> str | None:
        """Give the ruling by which the command of the seat in turn is refused."""
        assert self.state.turn is not None
        assert command not in self.listed()
        before = self.state
        with pytest.raises(Refusal) as refusal:
            PLANET_PIONEER.decide(self.state, self.state.turn, command, InOrder())
        assert "illegal_command" == refusal.value.code
        assert before == self.state
        return refusal.value.ruling

    def allows(self, command: PlanetPioneerCommand) -> bool:
        """Tell whether the command is listed; what is listed must be accepted."""
        if command not in self.listed():
            return False
        assert self.state.turn is not None
        PLANET_PIONEER.decide(self.state, self.state.turn, command, InOrder())
        return True

    def listed(self) -> tuple[PlanetPioneerCommand, ...]:
        assert self.state.turn is not None
        return PLANET_PIONEER.legal(self.state, self.state.turn)

    def view(self) -> PlanetPioneerView:
        view = PLANET_PIONEER.view(self.state, PUBLIC, over=False, shown=False)
        assert isinstance(view, PlanetPioneerView)
        return view

    def seat(self, seat: Seat) -> SeatView:
        return self.view().seats[seat]

    def cell(self, seat: Seat, cell: Cell) -> tuple[tuple[str, ...], int] | None:
        """Give what lies on a cell, from bottom to top, and what it counts."""
        return next(((found.cards, found.level) for found in self.seat(seat).colony if found.cell == cell), None)

    def scores(self) -> tuple[int, ...]:
        return PLANET_PIONEER.verdict(self.state).scores


def kinds(events: Sequence[PlanetPioneerEvent]) -> list[str]:
    """Give the types of events, as on the wire."""
    return [str(event.__struct_config__.tag) for event in events]


def turns(events: Sequence[PlanetPioneerEvent]) -> list[Seat]:
    """Give the seats whose turns began."""
    return [event.seat for event in events if isinstance(event, TurnBegan)]
