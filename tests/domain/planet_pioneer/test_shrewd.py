"""The second heuristic: what a turn is worth to it, where it is wiser than the first, and what it may know."""

import random

import pytest

from domain.bots import BOTS
from domain.bots.greedy import best_of
from domain.bots.levels import choose_expert
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.cards import STANDARD
from domain.games.planet_pioneer.commands import Build, Discard
from domain.games.planet_pioneer.deck import deck_of
from domain.games.planet_pioneer.grid import CELLS
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.shrewd import rate, tail_of, turns_worth
from domain.values import Seat
from tests.domain.bots.playing import decisions, seen_by
from tests.domain.planet_pioneer.scenes import A, Scene
from tests.domain.planet_pioneer.test_heuristic import seen_by as seen_in

NOTHING = (0.0,) * 20


@pytest.mark.parametrize(
    ("turns", "gains", "worth"),
    [(1, (12, 4), 12), (2, (12, 4), 4), (3, (12, 4), 1), (2, (6, 6, 6), 6)],
)
def test_a_turn_is_worth_what_the_least_of_those_left_brings(turns, gains, worth):
    assert worth <= turns_worth(NOTHING, turns, gains) < worth + 1


def test_with_more_good_cards_to_come_a_turn_is_worth_more():
    worths = [turns_worth((share,) * 13 + (0.0,) * 7, 4, (6, 2, 2, 2)) for share in (0.0, 0.3, 0.6)]
    assert sorted(worths) == worths
    assert worths[0] < worths[-1]


def test_a_draw_brings_so_much_by_what_the_deck_has():
    tail = tail_of(deck_of(Options()))
    cards = sum(card.copies for card in STANDARD)
    assert tail[2] / tail[12] == pytest.approx(81 / 6)
    assert 0 == tail[14]
    assert tail[2] < 81 / cards


def test_shortly_before_the_end_a_high_card_that_is_dead_goes_before_a_low_one_is_laid():
    colony = dict(zip([cell for cell in CELLS if cell != (0, 2)][:17], ("terraformer", *["oxygen"] * 16), strict=True))
    scene = Scene(hands={A: ("terraformer", "water", "meteor_strike")}).colony(A, colony)
    seen = seen_in(scene)
    assert Discard("terraformer") == best_of(seen, rate(seen))
    assert isinstance(best_of(seen, PLANET_PIONEER.rate(seen)), Build)


def test_of_two_copies_one_is_thrown_away_before_another_card():
    scene = Scene(hands={A: ("hospital", "hospital", "school")}, round=1)
    seen = seen_in(scene)
    rates = dict(zip(seen.commands, rate(seen), strict=True))
    assert rates[Discard("hospital")] > rates[Discard("school")]


@pytest.mark.parametrize("seats", PLANET_PIONEER.seats)
def test_it_rates_alike_what_looks_alike_to_the_seat(seats):
    rng = random.Random(3)
    for _, seen, _ in decisions(PLANET_PIONEER, PLANET_PIONEER.options(), seats, 1, BOTS["easy"], 30):
        other = PLANET_PIONEER.resample(seen.options, seats, seen.seat, seen.log, rng)
        elsewhere = seen_by(PLANET_PIONEER, seen.options, seats, other, Seat(seen.seat), seen.log)
        assert rate(seen) == rate(elsewhere)


def test_expert_follows_it():
    for _, seen, _ in decisions(PLANET_PIONEER, PLANET_PIONEER.options(), 2, 2, BOTS["easy"], 20):
        assert best_of(seen, rate(seen)) == choose_expert(PLANET_PIONEER, seen, random.Random(1))
