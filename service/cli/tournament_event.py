"""The file of an event: read and checked whole before anything is written, each fault with its line and field."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

import click
import msgspec
from msgspec import structs

from domain.bots import BOTS
from domain.clock import Clock, ExpiryPolicy, TurnClock
from domain.errors import Refusal
from domain.game import AnyGame
from domain.games import GAMES
from domain.names import NAME_LENGTH, name_fault
from domain.options import parse_options
from domain.tournament.plan import (
    MOST_ENTRANTS,
    TIE_BREAKS,
    Crowd,
    Format,
    NoShow,
    Plan,
    Points,
    Sprt,
    TieBreak,
    check_plan,
)
from domain.values import Value

Json = dict[str, Any]

_SEED: Final = 64
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "format": get_args(Format),
    "tie_breaks": get_args(TieBreak),
    "byes": ("win", "half", "none"),
    "no_show.policy": ("forfeit", "bot"),
    "clock.on_expiry": get_args(ExpiryPolicy),
}
_CLOCK: Final[Json] = {"kind": "turn", "seconds": 30, "on_expiry": "resign"}
"""The clock of an event with programs from outside whose file names none: who hangs, forfeits."""
_GRACE_S: Final = 30


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


class BadFile(click.ClickException):
    """The file of an event is not what it should be."""


class Event(Value, frozen=True):
    """An event that can be played: the wish for its tournament, and who enters, in order."""

    wish: Json
    entrants: tuple[Entrant, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.wish["name"])

    @property
    def words(self) -> str:
        """Say what is played."""
        wish, count = self.wish, len(self.entrants)
        rounds = f", {wish['rounds']} rounds" if wish.get("rounds") else ""
        test = " a test between two," if wish.get("sprt") else ""
        seats = f"{wish['seats_per_table']} at a table"
        return f"{self.name}:{test} {wish['format'].replace('_', ' ')} of {wish['game']}, {count} entrants, {seats}{rounds}."

    @property
    def programs(self) -> tuple[Entrant, ...]:
        """The programs from outside."""
        return tuple(each for each in self.entrants if each.command is not None)


def read_event(file: Path) -> Event:
    """Read the file of an event; raises `BadFile` with every fault by line and field."""
    try:
        text = file.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except (OSError, ValueError) as wrong:
        place = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", str(wrong))
        why = f"{file}:{place[2]}: {place[1]}." if place else f"{file}: {wrong}."
        raise BadFile(f"{why}\nNothing was written.") from wrong
    faults = dict(_faults(raw, file.stem))
    if faults:
        where = lines_of(text)
        said = sorted((_line(where, field), field, why) for field, why in faults.items())
        raise BadFile(
            "\n".join([*(f"{file}:{line}: {field}: {why}" for line, field, why in said), "Nothing was written."])
        )
    return _event(msgspec.convert(raw, EventFile), raw, file.stem)


def _faults(raw: Json, stem: str) -> Iterator[tuple[str, str]]:
    known = {field.name for field in structs.fields(EventFile)}
    for name in set(raw) - known:
        yield name, "There is no such field."
    event: EventFile | None = None
    try:
        event = msgspec.convert({name: value for name, value in raw.items() if name in known}, EventFile)
    except msgspec.ValidationError as wrong:
        reason, _, path = str(wrong).partition(" - at `$")
        missing = re.fullmatch(r"Object missing required field `(\w+)`", reason)
        inside = path.removesuffix("`").removeprefix(".")
        field = missing[1] if missing and not inside else inside or "file"
        choices = _CHOICES.get(re.sub(r"\[.*?\]$", "", field))
        yield field, f"Must be one of: {', '.join(choices)}." if choices and "enum" in reason else f"{reason}."
    if event is None:
        return
    clock = TurnClock if event.clock is None else type(event.clock)
    kinds = (("limits", Crowd), ("no_show", NoShow), ("points", Points), ("sprt", Sprt), ("clock", clock))
    for name, kind in kinds:
        tag = {"kind"} if name == "clock" else set()
        for key in set(raw.get(name) or {}) - {field.name for field in structs.fields(kind)} - tag:
            yield f"{name}.{key}", "There is no such field."
    yield from _entrant_faults(event)
    game = GAMES.get(event.game)
    if game is None:
        yield "game", f"Must be one of: {', '.join(GAMES)}."
        return
    plan = _plan(event, stem)
    for name, why in check_plan(plan, game.seats).items():
        yield name.replace("entrants.", "limits."), why
    count = sum(each.count for each in event.entrants)
    if count > MOST_ENTRANTS:
        yield "entrants", f"{count} play; there can be at most {MOST_ENTRANTS}."
    elif not plan.entrants.min <= count <= plan.entrants.max:
        yield "entrants", f"{count} play; there must be {plan.entrants.min} to {plan.entrants.max}."
    if event.duplicate and any(each.command for each in event.entrants) and (event.legs > 1 or event.seed is not None):
        yield "duplicate", "With programs it goes with one leg and no seed: none may be dealt the same cards twice."
    yield from _option_faults(game, event)


def _entrant_faults(event: EventFile) -> Iterator[tuple[str, str]]:
    if not event.entrants:
        yield "entrants", "There must be [[entrants]], each with a bot or a command."
    for number, each in enumerate(event.entrants):
        where = f"entrants[{number}]"
        if (each.bot is None) == (each.command is None):
            yield where, "Must have either a bot or a command."
        if each.bot is not None and each.bot not in BOTS:
            yield f"{where}.bot", f"Must be one of: {', '.join(BOTS)}."
        if each.command is not None and not each.command:
            yield f"{where}.command", "Must name a program."
        if each.count < 1:
            yield f"{where}.count", "Must be at least 1."
        if each.name is not None and (fault := name_fault(each.name.strip())):
            yield f"{where}.name", fault
    if event.clock is not None and (event.clock.on_expiry == "bot") != (event.clock.bot in BOTS):
        yield "clock.bot", "Goes with on_expiry: bot, and must be a built-in bot."
    if event.no_show is not None and event.no_show.bot not in BOTS:
        yield "no_show.bot", f"Must be one of: {', '.join(BOTS)}."
    if event.name and (fault := name_fault(event.name.strip())):
        yield "name", fault
    if event.seed is not None and not 1 <= len(event.seed) <= _SEED:
        yield "seed", f"Must have 1 to {_SEED} characters."


def _option_faults(game: AnyGame, event: EventFile) -> Iterator[tuple[str, str]]:
    kind: Any = game.options
    try:
        options = parse_options(kind, event.options)
    except Refusal as refused:
        yield from refused.errors.items()
        return
    for seats in game.seats:
        if seats <= event.seats_per_table:
            for name, why in game.check_options(options, seats).items():
                yield f"options.{name}", why


def _plan(event: EventFile, stem: str) -> Plan:
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


def _event(event: EventFile, raw: Json, stem: str) -> Event:
    wish: Json = {name: value for name, value in raw.items() if name not in {"entrants", "limits"}}
    plan = _plan(event, stem)
    wish["name"] = plan.name
    if any(each.command is not None for each in event.entrants):
        wish.setdefault("clock", _CLOCK)
        wish["no_show"] = {"grace": _GRACE_S, **wish.get("no_show", {})}
    wish["entrants"] = {"min": plan.entrants.min, "max": plan.entrants.max}
    wish["entry"] = {"kind": "listed"}
    return Event(wish, tuple(each for each in event.entrants for _ in range(each.count)))


_TABLE: Final = re.compile(r"\s*(\[\[?)\s*([\w.\"' -]+?)\s*\]\]?")
_KEY: Final = re.compile(r"""\s*["']?([\w-]+)["']?\s*(?:\.\s*([\w-]+)\s*)?=""")


def lines_of(text: str) -> Mapping[str, int]:
    """Give the line, from 1, at which each field of a TOML file stands: `clock.seconds`, `entrants[1].bot`."""
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    prefix = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if table := _TABLE.match(line):
            prefix = table[2]
            if table[1] == "[[":
                counts[prefix] = counts.get(prefix, -1) + 1
                found.setdefault(prefix, number)
                prefix = f"{prefix}[{counts[prefix]}]"
            found.setdefault(prefix, number)
            prefix += "."
        elif key := _KEY.match(line):
            found.setdefault(prefix + key[1], number)
            if key[2]:
                found.setdefault(f"{prefix}{key[1]}.{key[2]}", number)
    return found


def _line(where: Mapping[str, int], field: str) -> int:
    """Give a field's line; where it stands within another's, or is missing, the line of that, or the first."""
    while field:
        if field in where:
            return where[field]
        field = field[: max(field.rfind("."), field.rfind("["))] if re.search(r"[.\[]", field) else ""
    return 1
