"""Laws of the record itself: names, options, catalogue, descriptions."""

import re
from typing import Any, Final

import msgspec

from domain.game import AnyGame
from domain.options import options_dict, parse_options
from domain.testing.case import Case, expect

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RULING: Final = re.compile(r"[A-Z][0-9]+")


def check_facts(case: Case) -> None:
    """Check what a catalogue says of the game."""
    game = case.game
    expect(_NAME.fullmatch(game.name), f"the name {game.name!r} is not lower-case words joined by hyphens")
    expect(game.title.strip(), "the game has no title")
    expect(game.rules_version >= 1, "rules_version counts from 1")
    expect(game.seats == tuple(sorted(set(game.seats))), f"seats {game.seats} are not ascending, each once")
    expect(min(game.seats) >= 1, f"seats {game.seats}: a game needs at least one")
    _check_options(case)
    cards = game.cards(game.options())
    names = [facts.card for facts in cards]
    expect(len(names) == len(set(names)), "a card stands twice in the catalogue")
    expect(all(facts.title for facts in cards), "a card has no title")
    check_described(game)


def _check_options(case: Case) -> None:
    game = case.game
    default = game.options()
    expect(default in case.options, "the option sets of the case lack the defaults")
    for options in case.options:
        raw = options_dict(options)
        expect(parse_options(game.options, raw) == options, f"options do not survive JSON: {options}")
        for seats in game.seats:
            wrong = game.check_options(options, seats)
            expect(not wrong, f"options of the case are refused at {seats} seats: {dict(wrong)}")
    properties = _definitions(game.options)[game.options.__name__].get("properties", {})
    for name, schema in properties.items():
        ruling = schema.get("x-ruling", "")
        expect(_RULING.fullmatch(ruling), f"option {name!r} names no ruling: Meta(extra_json_schema={{'x-ruling': …}})")
        expect("default" in schema, f"option {name!r} has no default")


def check_described(game: AnyGame) -> None:
    """Each field of options, commands, events and views says what it means; it is the manual of the contract."""
    for kinds in (game.options, game.commands, game.events, game.views):
        for name, schema in _definitions(kinds).items():
            for field, its in schema.get("properties", {}).items():
                said = "const" in its or its.get("enum") == [name] or field in {"type", "game"} or _described(its)
                expect(said, f"{name}.{field} has no description: Annotated[…, Meta(description=…)]")


def _described(schema: dict[str, Any]) -> bool:
    return bool(schema.get("description")) or any(_described(one) for one in schema.get("anyOf", ()))


def _definitions(kind: Any) -> dict[str, dict[str, Any]]:
    _, definitions = msgspec.json.schema_components([kind])
    return definitions
