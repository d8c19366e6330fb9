"""What a hand that nobody sees has to do with what its owner did: true hands go with it, and made-up ones less so."""

import random

from domain.bots import BOTS
from domain.games import GAMES
from domain.games.planet_pioneer.suspicion import suspect
from tests.domain.bots.playing import decisions, seen_by


def test_true_hands_of_greedy_players_are_less_strange_than_those_that_only_agree_with_the_log():
    game, rng = GAMES["planet-pioneer"], random.Random(4)
    true = imagined = 0.0
    for seats in (2, 4):
        for state, seen, _ in decisions(game, game.options(), seats, seats, BOTS["greedy"]):
            strange = suspect(seen)
            true += strange(state)
            imagined += strange(game.resample(seen.options, seats, seen.seat, seen.log, rng))
    assert 3 * true < imagined


def test_what_is_strange_depends_on_what_the_seat_saw_and_on_the_imagined_world_alone():
    game, rng = GAMES["planet-pioneer"], random.Random(5)
    for state, seen, _ in decisions(game, game.options(), 3, 6, BOTS["easy"], 30):
        world = game.resample(seen.options, 3, seen.seat, seen.log, rng)
        elsewhere = seen_by(game, seen.options, 3, world, seen.seat, seen.log)
        assert suspect(seen)(world) == suspect(elsewhere)(world)
        assert suspect(seen)(state) >= 0


def test_before_anybody_has_moved_nothing_is_strange():
    game = GAMES["planet-pioneer"]
    state, seen, _ = next(decisions(game, game.options(), 2, 1, BOTS["greedy"]))
    assert 0 == suspect(seen)(state)
