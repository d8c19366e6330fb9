"""Commands: those of every table, and those of a game as its own structs say them."""

import functools
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from domain.game import AnyGame
from domain.table import Table
from domain.table_rules import AskPause, Play, Resign, TableCommand, check_command
from domain.values import Command, Seat
from service.api.problems import Problem, invalid_fields
from service.api.struct_fields import load_rest, shapes_of

PlainType = Literal["resign", "pause_clock", "resume_clock"]


class ResignCommand(Command, frozen=True, tag="resign"):
    """Give up (G6). Whoever sits at a table that is being played may, also when it is another's turn."""


class PauseClock(Command, frozen=True, tag="pause_clock"):
    """Want the clocks to stop; they do when all seats want it (G7)."""


class ResumeClock(Command, frozen=True, tag="resume_clock"):
    """Want the clocks to go on; they do when all seats want it (G7)."""


PlainCommand = ResignCommand | PauseClock | ResumeClock


class AnyCommand:
    """Stands in the contract for the commands of all games."""


def parse_command(table: Table, body: Mapping[str, Any]) -> Command:
    """Give the command that a body holds, checked as far as the table's game, options and seats go.

    Raises `Problem` `unknown_command`, `validation_failed`; marshmallow's `ValidationError`; `Refusal`.
    """
    kind = body.get("type")
    if not isinstance(kind, str):
        raise invalid_fields({"type": "Must name a command, like resign."})
    shapes = _shapes(table.game)
    if kind not in shapes:
        raise Problem(
            "unknown_command", f"{table.game.title} has no command {kind!a}; it has {', '.join(sorted(shapes))}."
        )
    struct, schema, names = shapes[kind]
    command = _strictly(struct, names, body)
    if command is None:
        command = msgspec.convert(load_rest(schema, body, "type"), struct)
    if not isinstance(command, PlainCommand):
        check_command(table, command)
    return command


def _strictly(struct: Any, names: frozenset[str], body: Mapping[str, Any]) -> Command | None:
    """Give the command where the body is exactly one; the schema says what is wrong with all others, in words.

    Takes nothing that the schema would not take, at less than a tenth of its cost: the way of every good move.
    """
    if not body.keys() <= names:
        return None
    try:
        command: Command = msgspec.convert(body, struct)
    except msgspec.ValidationError:
        return None
    return command


def from_seat(seat: Seat, command: Command) -> TableCommand:
    """Give the wish at a table that a command from a seat is."""
    match command:
        case ResignCommand():
            return Resign(seat)
        case PauseClock():
            return AskPause(seat, go_on=False)
        case ResumeClock():
            return AskPause(seat, go_on=True)
        case _:
            return Play(seat, command, by_player=True)


@functools.cache
def _shapes(game: AnyGame) -> Mapping[str, tuple[Any, Any, frozenset[str]]]:
    _, plain = shapes_of(PlainCommand)
    _, own = shapes_of(game.commands)
    return {
        tag: (struct, schema, frozenset({"type", *(field.encode_name for field in msgspec.structs.fields(struct))}))
        for tag, (struct, schema) in {**own, **plain}.items()
    }
