"""What may stand in the file of an event, and the plan that it makes."""

from typing import Any, Literal

import msgspec

from domain.clock import Clock
from domain.names import NAME_LENGTH
from domain.tournament.plan import TIE_BREAKS, Crowd, Format, NoShow, Plan, Points, Sprt, TieBreak
from domain.values import Value

Json = dict[str, Any]


class Entrant(Value, frozen=True, forbid_unknown_fields=True):
    """Who plays: a built-in bot or a program, so many times."""

    bot: str | None = None
    command: str | tuple[str, ...] | None = None
    name: str | None = None
    count: int = 1

    @property
    def words(self) -> tuple[str, ...]:
        """The program and its arguments."""
        return (self.command,) if isinstance(self.command, str) else tuple(self.command or ())


class EventFile(Value, frozen=True, forbid_unknown_fields=True):
    """What may stand in the file: the fields of `POST /v1/tournaments` but those about who may enter and when."""

    game: str
    format: Format
    seats_per_table: int
    entrants: tuple[Entrant, ...]
    name: str = ""
    options: Json = msgspec.field(default_factory=dict)
    rounds: int | None = None
    legs: int = 1
    advance: int | None = None
    duplicate: bool = False
    clock: Clock | None = None
    limits: Crowd | None = None
    no_show: NoShow | None = None
    byes: Literal["win", "half", "none"] = "win"
    points: Points = Points()
    tie_breaks: tuple[TieBreak, ...] = TIE_BREAKS
    rated: bool = False
    sprt: Sprt | None = None
    seed: str | None = None


def plan_of(event: EventFile, stem: str) -> Plan:
    """Give the plan of an event; `stem` names it where the file does not."""
    count = sum(max(0, each.count) for each in event.entrants)
    return Plan(
        name=event.name or stem[:NAME_LENGTH],
        game=event.game,
        options=event.options,
        format=event.format,
        seats_per_table=event.seats_per_table,
        rounds=event.rounds,
        legs=event.legs,
        advance=event.advance,
        duplicate=event.duplicate,
        entrants=event.limits or Crowd(min=2, max=max(2, count)),
        points=event.points,
        tie_breaks=event.tie_breaks,
        sprt=event.sprt,
    )
