"""The named schemas of the contract: what the API's answers, the domain's values and the games are made of."""

import re
from collections.abc import Iterable
from typing import Any, Final

from domain.game import AnyGame
from domain.games import GAMES
from domain.table_events import TableEvent
from service.api.json_schemas import Parts, closed, components, hoisted, ref
from service.api.operation import Operation
from service.api.problem_codes import PROBLEMS
from service.api.request_schemas import all_kinds, object_schema
from service.api.schemas.commands import PlainCommand

_NAMES: Final = {"ShownEntry": "Entry", "ShownDeadline": "EventDeadline"}
_ANY_EVENT: Final = "Event"

_OPEN: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "view": ({}, {"anyOf": [ref("View"), {"type": "null"}]}),
    "commands": ({"type": "array"}, {"type": "array", "items": ref("Command")}),
    "options": ({"type": "object"}, ref("Options")),
}
"""Members whose type depends on the table's game, which the structs leave open: how msgspec describes them, and what
they are."""
_JSON_SCHEMAS: Final = "Game"
"""The part whose members of these names are JSON Schemas themselves."""


def schemas(operations: Iterable[Operation]) -> tuple[Parts, dict[Any, dict[str, Any]]]:
    """Give all named schemas, and for each type of an answer or a request the schema that stands for it."""
    operations = tuple(operations)
    bodies = [each.body.schema for each in operations if each.body is not None and each.body.schema is not None]
    kinds = [
        *dict.fromkeys(
            answer.kind
            for each in operations
            for answer in each.answers.values()
            if answer.kind is not None and answer.kind is not str
        ),
        *all_kinds(bodies),
        TableEvent,
        PlainCommand,
    ]
    found, shared = components(kinds, _shared_name)
    by_kind = dict(zip(kinds, found, strict=True))
    by_kind[str] = {"type": "string"}
    parts: Parts = {name: _opened(name, part) for name, part in shared.items()}
    requests = {each.__name__.removesuffix("Schema"): object_schema(each, by_kind) for each in bodies}
    for name in _reachable(shared, [*map(by_kind.get, all_kinds(bodies)), by_kind[PlainCommand]]):
        parts[name] = closed(parts[name])
    for name, part in requests.items():
        parts[name] = _opened(name, part)
    parts["TableEvent"] = {"description": "An event that every table has.", **by_kind[TableEvent]}
    parts["TableCommand"] = {"description": "A command that every table has.", **by_kind[PlainCommand]}
    for game in GAMES.values():
        parts |= _of_game(game)
    parts |= _of_all_games()
    parts["Problem"] = _problem()
    return dict(sorted(parts.items())), by_kind


def prefix_of(game: AnyGame) -> str:
    """Give what the names of a game's parts begin with: `beam-me-up` gives `BeamMeUp`."""
    return "".join(word.title() for word in re.split(r"[^a-zA-Z0-9]+", game.name))


def _shared_name(name: str) -> str:
    return _NAMES.get(name, name.removesuffix("Shown"))


def _opened(name: str, part: dict[str, Any]) -> dict[str, Any]:
    if name == _JSON_SCHEMAS or "properties" not in part:
        return part
    properties = {member: _told(member, inner) for member, inner in part["properties"].items()}
    if name == "PositionCopied":
        properties["events"] = {"type": "array", "items": ref("GameEvent")}
    return {**part, "properties": properties}


def _told(member: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Give what an open member really holds."""
    if member not in _OPEN:
        return schema
    left_open, told = _OPEN[member]
    words = {"description": schema["description"]} if "description" in schema else {}
    return {**told, **words} if schema == {**left_open, **words} else schema


def _of_game(game: AnyGame) -> Parts:
    prefix = prefix_of(game)

    def rename(name: str) -> str:
        return name if name.startswith(prefix) else prefix + name

    (options, commands), inputs = components([game.options, game.commands], rename)
    (events, view), outputs = components([game.events, game.views], rename)
    parts = {**{name: closed(part) for name, part in inputs.items()}, **outputs}
    whole: Parts = {
        f"{prefix}Options": options,
        f"{prefix}Command": {"description": f"A command of {game.title}.", **commands},
        f"{prefix}Event": {"description": f"An event of {game.title}.", **events},
        f"{prefix}View": view,
    }
    cards: Parts = {}
    named = {**{name: part for name, part in whole.items() if part != ref(name)}, **parts}
    return {**hoisted(named, f"{prefix}Card", cards), **cards}


def _of_all_games() -> Parts:
    prefixes = {game.name: prefix_of(game) for game in GAMES.values()}

    def each(kind: str) -> list[dict[str, Any]]:
        return [ref(f"{prefix}{kind}") for prefix in prefixes.values()]

    return {
        "Options": {"description": "The options of the table's game, defaults included.", "anyOf": each("Options")},
        "Command": {
            "description": "A command of the table's game, or one that every table has.",
            "anyOf": [ref("TableCommand"), *each("Command")],
        },
        "GameEvent": {"description": "An event of the table's game.", "anyOf": each("Event")},
        _ANY_EVENT: {
            "description": "An event of the table or of its game. What the viewer may not see is left out of it.",
            "anyOf": [ref("TableEvent"), *each("Event")],
        },
        "View": {
            "description": "What the viewer may see of the game. `game` tells the shapes apart.",
            "oneOf": each("View"),
            "discriminator": {
                "propertyName": "game",
                "mapping": {name: ref(f"{prefix}View")["$ref"] for name, prefix in prefixes.items()},
            },
        },
    }


def _problem() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "A failure (RFC 9457). `code` is stable; `detail` is for people and may change.",
        "properties": {
            "type": {"type": "string", "description": "The address of a page that explains the problem."},
            "title": {"type": "string", "description": "What kind of problem it is, in words."},
            "status": {"type": "integer", "description": "The status of the answer."},
            "detail": {"type": "string", "description": "What was wrong this time, and what to do."},
            "code": {"enum": list(PROBLEMS), "description": "What kind of problem it is, for programs."},
            "errors": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "What is wrong by field, dotted and indexed: `seats[1].bot`.",
            },
            "ruling": {"type": "string", "description": "The id of the ruling that forbids the command."},
            "version": {"type": "integer", "description": "The table's version; of a wrong record the entry's."},
            "entries": {
                "type": "array",
                "items": {"anyOf": [ref("Entry"), ref("ShownTournamentEntry")]},
                "description": "The entries that the caller has missed, of a table or a tournament, 200 at most.",
            },
            "scope": {"type": "string", "description": "The scope that the token lacks."},
            "line": {"type": "integer", "description": "The first line of a record that is wrong."},
            "reason": {"type": "string", "description": "Why that line is wrong."},
            "retryable": {"type": "boolean", "description": "True: the same request may be sent again later."},
            "request_id": {"type": "string", "description": "The request's id in the service's log."},
            "checks": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Of `/readyz`: each check with `ok`, or with what is wrong.",
            },
        },
        "required": ["type", "title", "status", "detail", "code"],
    }


def _reachable(parts: Parts, roots: Iterable[Any]) -> set[str]:
    """Give the names of the parts that these schemas refer to, directly or not."""
    found: set[str] = set()
    waiting = [name for root in roots for name in _references(root)]
    while waiting:
        name = waiting.pop()
        if name not in found and name in parts:
            found.add(name)
            waiting += _references(parts[name])
    return found


def _references(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for each in schema for name in _references(each)]
    if isinstance(schema, dict):
        own = [schema["$ref"].rpartition("/")[2]] if isinstance(schema.get("$ref"), str) else []
        return own + [name for inner in schema.values() for name in _references(inner)]
    return []
