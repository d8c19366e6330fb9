"""The catalogue: enough for a client that knows no game."""

import random
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from domain.bots import BOTS
from domain.games import GAMES
from tests.support.api import SHORT, play


@pytest.mark.parametrize("game", GAMES)
def test_the_catalogue_says_all_of_a_game(public, game):
    shown = public.get(f"/v1/games/{game}").json

    assert (game, GAMES[game].title, GAMES[game].rules_version) == (
        shown["game"],
        shown["title"],
        shown["rules_version"],
    )
    assert list(GAMES[game].seats) == shown["seats"]
    assert list(BOTS) == shown["bots"]
    assert [facts.card for facts in GAMES[game].cards(GAMES[game].options())] == [
        card["card"] for card in shown["cards"]
    ]
    assert all(card["title"] and card["copies"] and card["facts"] for card in shown["cards"])
    assert shown in public.get("/v1/games").json["items"]


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_a_default_a_description_and_a_ruling(public, ada, game):
    options = public.get(f"/v1/games/{game}").json["options"]

    assert options["properties"]
    assert options["additionalProperties"] is False
    for option in options["properties"].values():
        assert "default" in option
        assert option["description"]
        assert option["x-ruling"]
        if "enum" in option:
            assert option["default"] == option["enum"][0]
    defaults = {name: option["default"] for name, option in options["properties"].items()}
    table = ada.table(game, "me", *["open"] * (min(GAMES[game].seats) - 1))
    assert defaults == table["options"]
    assert Draft202012Validator(options).is_valid(defaults)
    assert not Draft202012Validator(options).is_valid({**defaults, "nothing": 1})


def choices(schema: dict[str, Any]) -> list[Any]:
    """Give every value of a schema that lists its values."""
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [False, True]
    return [each for one in schema.get("anyOf", []) for each in choices(one)]


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_that_the_schema_offers_is_accepted(public, ada, game):
    properties = public.get(f"/v1/games/{game}").json["options"]["properties"]
    seats = ["me", *["open"] * (min(GAMES[game].seats) - 1)]
    for name, option in properties.items():
        for value in choices(option):
            more = {"advanced_b": True} if name == "perfect_match" else {}
            table = ada.table(game, *seats, options={**more, name: value})
            assert value == table["options"][name]


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_of_commands_takes_every_command_that_is_listed(public, ada, game):
    schema = Draft202012Validator(public.get(f"/v1/games/{game}").json["commands"])
    persons = [ada, *(ada.register(name) for name in "BCD")][: min(GAMES[game].seats)]
    table = ada.table(game, "me", *["open"] * (len(persons) - 1), options=SHORT[game], seed="catalogue")["id"]
    for person in persons[1:]:
        person.sit(table)
    seen: set[str] = set()

    def check() -> None:
        for person in persons:
            for command in person.commands(table):
                assert schema.is_valid(command), command
                assert not schema.is_valid({**command, "seat": 0})
                seen.add(command["type"])

    play(table, persons, random.Random(2), check, most=60)
    assert "resign" in seen
    assert len(seen) > 2


def test_an_unknown_game_is_404(public):
    assert "not_found" == public.get("/v1/games/chess", status=404).json["code"]
