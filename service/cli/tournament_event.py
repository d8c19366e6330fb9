"""The file of an event: read and checked whole before anything is written, each fault with its line and field."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import msgspec

from domain.names import in_one_line
from domain.values import Value
from service.cli.event_faults import event_faults
from service.cli.event_file import Entrant, EventFile, Json, plan_of

_CLOCK: Final[Json] = {"kind": "turn", "seconds": 30, "on_expiry": "resign"}
"""The clock of an event with programs from outside whose file names none: who hangs, forfeits."""
_GRACE_S: Final = 30


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
    text = _text(file)
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise _bad(_no_toml(file, text, wrong)) from wrong
    faults = event_faults(raw, file.stem)
    if faults:
        where = lines_of(text)
        said = sorted(
            (_line(where, field), in_one_line(field) or '""', in_one_line(why)) for field, why in faults.items()
        )
        raise _bad("\n".join(f"{file}:{line}: {field}: {why}" for line, field, why in said))
    return _event(msgspec.convert(raw, EventFile), raw, file.stem)


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as wrong:
        raise _bad(f"{file} can't be read: {wrong.strerror}.") from wrong
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        raise _bad(f"{file}:{line}: This is not UTF-8; save the file in that encoding.") from wrong


def _bad(said: str) -> BadFile:
    return BadFile(f"{said}\nNothing was started, nothing was written.")


def _no_toml(file: Path, text: str, wrong: Exception) -> str:
    """Say why a text is no TOML, with the line where that is known."""
    if isinstance(wrong, RecursionError):
        return f"{file}: This is no TOML that can be read: its lists or sections lie too deep in each other."
    if "integer string conversion" in str(wrong):
        long = re.search(r"[0-9_]{4300,}", text)
        line = 1 if long is None else text.count("\n", 0, long.start()) + 1
        return f"{file}:{line}: A number has thousands of digits; none may have more than 4300."
    place = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(wrong))
    if place is None:
        return f"{file}: This is no TOML: {wrong}."
    return f"{file}:{place[2] or 'end'}: This is no TOML: {place[1]}."


def _event(event: EventFile, raw: Json, stem: str) -> Event:
    wish: Json = {name: value for name, value in raw.items() if name not in {"entrants", "limits"}}
    plan = plan_of(event, stem)
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
