"""The registry: the games of the tree, and those that packages bring by an entry point."""

import dataclasses
from importlib import import_module
from importlib.metadata import EntryPoint
from typing import Any, get_args

import pytest

from domain import games
from domain.games import GAMES, OWN
from domain.games.beam_me_up import BEAM_ME_UP

MOON_TRADE: Any = dataclasses.replace(BEAM_ME_UP, name="moon-trade", title="Moon Trade")
NO_GAME = "not a game"


def point(name, attribute):
    return EntryPoint(name=name, value=f"{__name__}:{attribute}", group=games.ENTRY_POINTS)


@pytest.fixture
def brought(monkeypatch):
    """Give a function that fills the registry with these entry points installed."""

    def bring(**points):
        found = {point(name.replace("_", "-"), value): value for name, value in points.items()}
        monkeypatch.setattr(games, "entry_points", lambda group: found if group == "starledger.games" else ())
        monkeypatch.setattr(EntryPoint, "load", lambda self: globals()[self.attr])
        return games.all_games()

    return bring


def test_the_tree_has_its_games_under_the_names_of_the_contract():
    assert {"beam-me-up"} <= {game.name for game in OWN} <= {"beam-me-up", "planet-pioneer", "universal-match"}
    assert all(name == game.name for name, game in GAMES.items())


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_each_event_of_a_game_and_nothing_else_can_be_applied(game):
    evolve = import_module(game.evolve.__module__)
    assert set(get_args(game.events)) == set(evolve._APPLY)


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError):
        GAMES["another"] = BEAM_ME_UP  # type: ignore[index]


def test_a_package_brings_a_game_by_an_entry_point(brought):
    assert [*(game.name for game in OWN), "moon-trade"] == list(brought(moon_trade="MOON_TRADE"))


def test_an_entry_point_that_is_no_game_is_named(brought):
    with pytest.raises(TypeError, match=r"'broken' of starledger\.games is no domain\.game\.Game"):
        brought(broken="NO_GAME")


def test_a_game_cannot_be_brought_twice(brought):
    with pytest.raises(ValueError, match="brings 'beam-me-up' a second time"):
        brought(another="BEAM_ME_UP")
