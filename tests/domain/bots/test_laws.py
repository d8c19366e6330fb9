"""Laws of every bot: no leak, the same move everywhere, only allowed moves, and tables of bots that end."""

import dataclasses
import hashlib
import os
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from msgspec import structs

from domain.bots import BOTS, VERSION
from domain.bots.search import Plan, choose_by_search
from domain.chance import RandomChance
from domain.game import Seen
from domain.games import GAMES
from domain.games.universal_match.commands import DeclineMatch
from tests.domain.bots.playing import TIMES, bytes_of, decisions, moves, seen_by
from tests.domain.cases import CASES

ROOT = Path(__file__).parents[3]
SMALL = Plan(simulations=6, candidates=3, rounds=1)
MOMENTS = 4
"""At so many moments of a game the costly laws are asked."""


def small(game, seen, rng):
    return choose_by_search(game, seen, rng, SMALL)


def test_levels_are_listed_weakest_first():
    assert ["random", "easy", "greedy", "hard", "expert"] == list(BOTS)


@pytest.mark.parametrize("name", CASES)
def test_two_states_that_look_the_same_to_a_seat_get_the_same_move(name):
    game, rng = GAMES[name], random.Random(3)
    for number, options in enumerate(CASES[name].options * TIMES):
        seats = game.seats[number % len(game.seats)]
        found = list(decisions(game, options, seats, number, BOTS["greedy"], 60))
        for place in rng.sample(range(len(found)), min(MOMENTS, len(found))):
            state, seen, _ = found[place]
            other = game.resample(options, seats, seen.seat, seen.log, rng)
            elsewhere = seen_by(game, options, seats, other, seen.seat, seen.log)

            assert bytes_of(seen) == bytes_of(elsewhere)
            for choose in (BOTS["easy"], small):
                assert choose(game, seen, random.Random(place)) == choose(game, elsewhere, random.Random(place))
            del state


def _digests(_):
    return [moves(GAMES[name], "hard", 2, 5, 3) for name in GAMES]


def test_what_the_levels_choose_changes_with_their_version_only():
    """Where a change is meant: raise `domain.bots.VERSION`, and write the new version with the digest found here."""
    chosen = "".join(moves(GAMES[name], level, 2, 5, 2) for name in GAMES for level in BOTS)
    assert {3: "f674eac07a72cdc6"} == {VERSION: hashlib.sha256(chosen.encode()).hexdigest()[:16]}


def test_the_same_move_in_other_processes_with_other_hash_seeds_and_numbers_of_workers():
    here = _digests(0)
    code = "from tests.domain.bots.test_laws import _digests; print(*_digests(0))"
    for seed in ("0", "77"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert here == done.stdout.split()
    with ProcessPoolExecutor(2) as pool:
        assert [here, here] == list(pool.map(_digests, range(2)))


@pytest.mark.parametrize("name", CASES)
def test_tables_of_searching_bots_end_and_no_move_is_refused(name):
    game = GAMES[name]
    for number, options in enumerate(CASES[name].options[:3] * TIMES):
        seats = game.seats[number % len(game.seats)]
        last = None
        for _, seen, command in decisions(game, options, seats, number, small):
            assert command in seen.commands
            last = seen
        assert last is not None


GUARDED = {"cap_stall", "cap_rounds", "cap_tricks", "cap_no_launch"}
"""Ends that a stall guard brings about, since nothing else would."""


@pytest.mark.parametrize("name", CASES)
def test_a9_tables_of_bots_alone_end_and_hardly_ever_by_a_guard(name):
    """10 tables for each of `TIMES`: 3,334 asks for 10^5 in all games. A small deck of somebody's own may run dry (P49)."""
    game, guarded, count = GAMES[name], 0, 10 * TIMES
    for number in range(count):
        options = CASES[name].options[number % len(CASES[name].options)]
        last = None
        for state, seen, command in decisions(
            game, options, game.seats[number % len(game.seats)], number, quick, 5_000
        ):
            last = state, seen.seat, command
        assert last is not None
        ended = last[0]
        for event in game.decide(*last, RandomChance(random.Random(0))):
            ended = game.evolve(ended, event)
        assert () == tuple(game.to_act(ended)), number
        if getattr(options, "deck", "standard") == "standard":
            guarded += game.verdict(ended).reason in GUARDED
    assert guarded <= count // 1000


def quick(game, seen, rng):
    """Choose as a greedy bot, and now and then as another one, so that tables differ."""
    return BOTS[rng.choice(("greedy", "greedy", "greedy", "easy"))](game, seen, rng)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("level", ["hard", "expert"])
def test_each_level_chooses_what_is_allowed_at_every_kind_of_decision(name, level):
    game = GAMES[name]
    asked: dict[str, Seen] = {}
    for _, seen, _ in decisions(game, game.options(), max(game.seats), 11, BOTS["greedy"], 120):
        asked.setdefault(seen.view.phase if hasattr(seen.view, "phase") else "", seen)
    for seen in asked.values():
        assert BOTS[level](game, seen, random.Random(1)) in seen.commands


def test_a_game_that_brings_only_its_rules_can_be_searched():
    game = GAMES["beam-me-up"]
    bare = type(game)(
        **{field: getattr(game, field) for field in game.__slots__ if field not in ("evaluate", "imagine")}
    )
    for _, seen, _ in decisions(bare, bare.options(), 2, 4, BOTS["greedy"], 3):
        assert small(bare, seen, random.Random(1)) in seen.commands


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_u45_no_bot_takes_longer_for_an_offer_that_it_could_accept(level):
    game = GAMES["universal-match"]
    options = structs.replace(game.options(), advanced_b=True)

    def imagined(*_):
        raise AssertionError("it imagines worlds, for longer the more it may choose from")

    blind = dataclasses.replace(game, resample=imagined)
    many = 0
    for seed in range(12):
        for _, seen, _ in decisions(game, options, 3, seed, BOTS["greedy"], 300):
            if any(isinstance(each, DeclineMatch) for each in seen.commands):
                BOTS[level](blind, seen, random.Random(1))
                many += len(seen.commands) > 1
    assert many
