"""Tables made for searches keep the rules, to the letter: the same moves lead to the same state, and choose alike."""

import random

import pytest

from domain.bots.imagined import ByTheRules
from domain.chance import RandomChance
from domain.game import Seen
from domain.games import GAMES
from domain.luck import Luck
from tests.domain.cases import CASES

ALIKE = ("beam-me-up", "planet-pioneer")
"""The games whose tables choose as the heuristic does, for every decision."""
GAMES_PLAYED = 6


def begun(game, options, seats, rng):
    state = game.initial(options, seats)
    for event in game.deal(state, RandomChance(rng)):
        state = game.evolve(state, event)
    return state


def fast_of(game, state, seed=0):
    return game.imagine(state, Luck(seed))


def has_ended(fast):
    """A table may end with the hand, where the game goes on with the next deal."""
    return fast.over if hasattr(fast, "over") else False


@pytest.mark.parametrize("name", CASES)
def test_a_fast_table_follows_the_rules_move_by_move_and_judges_alike(name):
    game = GAMES[name]
    rng = random.Random(7)
    for number in range(GAMES_PLAYED):
        options = CASES[name].options[number % len(CASES[name].options)]
        seats = game.seats[number % len(game.seats)]
        slow = ByTheRules(game, options, seats, begun(game, options, seats, rng), Luck(number))
        fast = fast_of(game, slow.state, number)
        for _ in range(400):
            to_act = game.to_act(slow.state)
            if fast is None or not to_act:
                break
            seat = to_act[0]
            command = rng.choice(game.legal(slow.state, seat))
            slow.play(seat, command)
            fast.play(seat, command)
            if has_ended(fast) and game.to_act(slow.state):
                assert list(fast.values()) == list(slow.state.series.totals)
                fast = fast_of(game, slow.state)
                continue
            assert fast_of(game, slow.state).key() == fast.key()
            assert game.evaluate is not None
            assert list(game.evaluate(slow.state)) == pytest.approx(list(fast.values()))


@pytest.mark.parametrize("name", ALIKE)
def test_a_fast_table_chooses_as_the_heuristic_does(name):
    game = GAMES[name]
    rng = random.Random(8)
    for number in range(GAMES_PLAYED):
        options = game.options()
        seats = game.seats[number % len(game.seats)]
        slow = ByTheRules(game, options, seats, begun(game, options, seats, rng), Luck(number))
        fast = fast_of(game, slow.state, number)
        while to_act := game.to_act(slow.state):
            slow.step(to_act[0])
            fast.step()
            assert fast_of(game, slow.state).key() == fast.key()


@pytest.mark.parametrize("options", [{}, {"advanced_a": True}])
def test_a_fast_table_of_universal_match_chooses_one_of_the_heuristics_best(options):
    game = GAMES["universal-match"]
    rng = random.Random(9)
    options = game.options(**options)
    for seats in game.seats:
        slow = ByTheRules(game, options, seats, begun(game, options, seats, rng), Luck(1))
        for _ in range(60):
            seat = game.to_act(slow.state)[0]
            commands = game.legal(slow.state, seat)
            view = game.view(slow.state, seat, over=False, shown=False)
            rates = game.rate(Seen(options=options, seats=seats, seat=seat, view=view, commands=commands, log=()))
            fast = fast_of(game, slow.state)
            fast.step()
            rated = []
            for command, rate in zip(commands, rates, strict=True):
                tried = fast_of(game, slow.state)
                tried.play(seat, command)
                if tried.key() == fast.key():
                    rated.append(rate)
            assert pytest.approx(max(rates)) == max(rated)
            slow.step(seat)


def test_advanced_version_b_is_searched_by_its_rules():
    game = GAMES["universal-match"]
    assert fast_of(game, begun(game, game.options(advanced_b=True), 2, random.Random(1))) is None
