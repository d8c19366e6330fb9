"""Drawn tables show what a person needs to play, in every phase of every game, and commands can be told apart."""

import io
import itertools
from typing import Any

import msgspec
import pytest
from rich.console import Console

from domain.games import GAMES
from domain.games.planet_pioneer.cards import STANDARD
from domain.table_rules import TakeSeat
from service.application.present import commands_shown, view_of
from service.cli.draw import Plain
from service.cli.play import DRAWERS, _in_order, _menu
from tests.support.simulate import Simulation, wish

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "beam-me-up": [{}, {"lines": "hidden"}],
    "planet-pioneer": [{}],
    "universal-match": [{}, {"advanced_a": True, "advanced_b": True}],
}


def text(drawn, width=100) -> str:
    written = io.StringIO()
    Console(file=written, width=width, color_system=None).print(drawn)
    return written.getvalue()


def plain(value):
    return msgspec.json.decode(msgspec.json.encode(value))


def drawer(game, options=None):
    cards = [plain(card) for card in GAMES[game].cards(wish(game, "me", "open", options=options).options)]
    return DRAWERS[game]({"cards": cards}, options or {})


def moments(game, options, seed):
    """Give a table at many of its moments, with the seat that is to act."""
    simulated = Simulation(wish(game, "me", "open", "open", options=options), seed)
    for player in ("p_b", "p_c"):
        simulated.do(TakeSeat(player=player))
    while simulated.table.status == "playing" and len(simulated.entries) < 400:
        yield simulated.table, simulated.table.to_act[0]
        simulated.move()
    yield simulated.table, 0


@pytest.mark.parametrize(("game", "options"), [(game, each) for game in GAMES for each in OPTIONS.get(game, [{}])])
def test_every_moment_of_a_table_can_be_drawn_and_shows_the_own_hand(game, options):
    how, phases = drawer(game, options), set()
    for number, (table, seat) in enumerate(moments(game, options, 5)):
        view = plain(view_of(table, seat))
        if view["phase"] in phases and number % 10:
            continue
        phases.add(view["phase"])
        drawn = text(how.draw(view, seat), width=200)
        for card in view["seats"][seat]["hand"]:
            assert card.replace("_", " ").title().upper() in drawn.upper()
        assert f"Seat {seat} (you)" in drawn
        assert text(how.draw(view, None))

    assert len(phases) > 1


@pytest.mark.parametrize("game", GAMES)
def test_every_command_has_its_own_words(game):
    for options in OPTIONS.get(game, [{}]):
        how = drawer(game, options)
        for number, (table, seat) in enumerate(moments(game, options, 6)):
            if number % 5 == 0 and table.status == "playing":
                moves = [each for each in plain(commands_shown(table, seat)) if each["type"] != "resign"]
                said = [how.say(command) for command in moves]
                assert len(said) == len(set(said))


@pytest.mark.parametrize("game", GAMES)
def test_the_menu_numbers_every_command_once(game):
    how = drawer(game)
    table, seat = next(iter(moments(game, {}, 7)))
    commands = plain(commands_shown(table, seat))
    drawn = text(_menu(how, commands))

    for number in range(1, len(commands) + 1):
        assert str(number) in drawn.split()
    assert "resign" in drawn


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_of_a_menu_run_on_from_line_to_line(game):
    for options in OPTIONS.get(game, [{}]):
        how = drawer(game, options)
        for number, (table, seat) in enumerate(moments(game, options, 8)):
            if number % 10 == 0:
                said = [how.say(each)[0] for each in _in_order(how, plain(commands_shown(table, seat)))]
                assert len(set(said)) == len(list(itertools.groupby(said)))


@pytest.mark.parametrize("name", [*(card.name for card in STANDARD), "a" * 40, "ab_" + "c" * 37])
def test_no_name_in_a_colony_is_cut(name):
    covered = {"cell": [0, 2], "cards": [name], "level": 9}
    seat = {"seat": 0, "hand_count": 0, "colony": [covered], "colony_level": 9, "waiting": False}
    piles = {"draw_count": 9, "discard_count": 0, "discard_top": None}
    view = {"round": 1, "lap": 1, "turn": None, "final": None, "seats": [seat] * 2, **piles}
    drawn = text(drawer("planet-pioneer").draw(view, None), width=110)
    letters = "".join(
        line.split("│")[4].strip().removesuffix("-") for line in drawn.splitlines() if line.count("│") > 4
    )

    assert f"{name.replace('_', '')}l9" in letters.replace(" ", "").lower()


def test_the_levels_of_an_own_deck_are_shown():
    catalogue = {"cards": [{"card": "oxygen", "facts": {"level": 1}}]}
    how = DRAWERS["planet-pioneer"](catalogue, {"deck": [{"name": "space_bar", "level": 7}]})

    seat = {"seat": 0, "hand": ["space_bar"], "hand_count": 1, "colony": [], "colony_level": 0, "waiting": False}
    piles = {"draw_count": 9, "discard_count": 0, "discard_top": None}
    view = {"round": 1, "lap": 1, "turn": None, "final": None, "seats": [seat], **piles}

    assert "Level 7" in text(how.draw(view, 0))


def test_a_game_from_outside_the_tree_is_drawn_plainly():
    how = Plain({}, {})
    view = {"game": "moon-trade", "seats": [{"seat": 0, "hand": ["x1", "x2"]}]}

    assert "x1 x2" in text(how.draw(view, 0))
    assert "moon-trade" in text(how.draw(view, None))
    assert ("sell card", "card x1, price 3") == how.say({"type": "sell_card", "card": "x1", "price": 3})
