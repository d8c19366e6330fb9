"""Every game keeps every law: the kit over games × seats × option sets × seeds."""

import pytest

from domain.games import GAMES
from domain.testing import check_facts, check_game
from tests.domain.cases import CASES

SEEDS = (1, 2)


def test_every_game_is_examined():
    assert set(GAMES) == set(CASES)


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_facts_of_each_game_hold(name):
    check_facts(CASES[name])


@pytest.mark.parametrize(
    ("name", "options", "seats", "seed"),
    [
        pytest.param(name, number, seats, seed, id=f"{name}-options{number}-seats{seats}-seed{seed}")
        for name, case in sorted(CASES.items())
        for number, options in enumerate(case.options)
        for seats in case.game.seats
        for seed in (SEEDS if options == case.game.options() else SEEDS[:1])
    ],
)
def test_every_game_keeps_every_law(name, options, seats, seed):
    case = CASES[name]
    check_game(case, case.options[options], seats, seed)
