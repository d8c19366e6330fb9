"""T7: the sequential test keeps its risks, and saves games."""

import random
import time
from fractions import Fraction

from domain.tournament.plan import Sprt
from domain.tournament.sprt import ratio

TEST = Sprt(elo0=0, elo1=60)
MOST = 1500


def match(rng: random.Random, elo: float) -> tuple[str, int]:
    """Play blocks of two games until the test stops."""
    share = 1 / (1 + 10 ** (-elo / 400))
    shares: list[Fraction] = []
    while len(shares) < MOST:
        shares += [Fraction(sum(rng.random() < share for _ in range(2)), 2) for _ in range(40)]
        found = ratio(shares, TEST)
        if found.verdict != "go_on":
            return found.verdict, len(shares)
    return "go_on", MOST


def test_t7_few_matches_are_decided_wrongly():
    rng = random.Random(5)
    null = [match(rng, 0)[0] for _ in range(80)]
    better = [match(rng, 60)[0] for _ in range(80)]
    assert 0.125 > null.count("h1") / len(null)  # 5 % and three standard errors
    assert 0.125 > better.count("h0") / len(better)


def test_t7_all_losses_are_decided_at_once():
    began = time.process_time()
    assert "h0" == ratio([Fraction(0)] * 500, TEST).verdict
    assert "h1" == ratio([Fraction(1)] * 500, TEST).verdict
    assert 0.1 > time.process_time() - began
    assert "go_on" == ratio([], TEST).verdict
