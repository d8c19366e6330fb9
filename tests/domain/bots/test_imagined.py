"""Tables made for searches keep the rules, to the letter: the same moves lead to the same state, and choose alike."""

import random

import pytest

from domain.bots.imagined import ByTheRules
from domain.chance import RandomChance
from domain.games import GAMES
from tests.domain.cases import CASES

FAST = [name for name, game in GAMES.items() if game.imagine is not None]
GAMES_PLAYED = 6


def sides(game, options, seats, state, seed):
    slow = ByTheRules(game, options, seats, state, random.Random(seed))
    return slow, game.imagine(state, random.Random(seed))


def begun(game, options, seats, rng):
    state = game.initial(options, seats)
    for event in game.deal(state, RandomChance(rng)):
        state = game.evolve(state, event)
    return state


@pytest.mark.parametrize("name", FAST)
def test_a_fast_table_follows_the_rules_move_by_move(name):
    game = GAMES[name]
    rng = random.Random(7)
    for number in range(GAMES_PLAYED):
        options = CASES[name].options[number % len(CASES[name].options)]
        seats = game.seats[number % len(game.seats)]
        slow, fast = sides(game, options, seats, begun(game, options, seats, rng), number)
        for _ in range(600):
            to_act = game.to_act(slow.state)
            if not to_act:
                break
            seat = to_act[0]
            command = rng.choice(game.legal(slow.state, seat))
            slow.play(seat, command)
            fast.play(seat, command)
            assert game.imagine(slow.state, random.Random(0)).key() == fast.key()
            assert list(game.evaluate(slow.state)) == pytest.approx(list(fast.values()))


@pytest.mark.parametrize("name", FAST)
def test_a_fast_table_chooses_as_the_heuristic_does(name):
    game = GAMES[name]
    rng = random.Random(8)
    for number in range(GAMES_PLAYED):
        options = game.options()
        seats = game.seats[number % len(game.seats)]
        slow, fast = sides(game, options, seats, begun(game, options, seats, rng), number)
        while game.to_act(slow.state):
            slow.play_on(1)
            fast.step()
            assert game.imagine(slow.state, random.Random(0)).key() == fast.key()
