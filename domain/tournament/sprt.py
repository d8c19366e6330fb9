"""A sequential probability ratio test over blocks of games with the same deals: stop as soon as a bot is shown better.

The generalised test of Van den Bergh: the log-likelihood ratio of two means with the variance as it is found, of the
first entrant's share of points in each block. A share s and Elo: `s = 1 / (1 + 10^(-elo/400))`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal

from domain.tournament.plan import Sprt
from domain.tournament.points import played
from domain.tournament.state import Tournament
from domain.values import Value

LEAST_BLOCKS = 24
"""Before, a variance says too little: with 8 both risks were 5.3 % in simulation where 5 % was asked for (bench/sprt.py)."""


class Ratio(Value, frozen=True):
    """The test so far: the ratio, its two bounds, and what is accepted."""

    llr: float
    lower: float
    upper: float
    blocks: int
    mean: float
    verdict: Literal["go_on", "h0", "h1"]


def ratio(shares: Iterable[Fraction], test: Sprt) -> Ratio:
    """Give the test for the first entrant's shares (0 to 1) of blocks; takes no time for any input."""
    return ratio_of(Counter(shares), test)


def ratio_of(counts: Mapping[Fraction, int], test: Sprt) -> Ratio:
    """Give the test from how often each share came; their order does not matter."""
    alpha, beta = test.alpha_permille / 1000, test.beta_permille / 1000
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    count = sum(counts.values())
    total = sum((share * times for share, times in counts.items()), Fraction(0))
    squares = sum((share * share * times for share, times in counts.items()), Fraction(0))
    # A virtual half block of each outcome keeps the variance above nothing where all blocks went the same way.
    weight = count + Fraction(3, 2)
    mean = (total + Fraction(3, 4)) / weight
    variance = float((squares + Fraction(5, 8)) / weight - mean * mean)
    s0, s1 = _share(test.elo0), _share(test.elo1)
    real = float(total / count) if count else 0.5
    llr = count * (s1 - s0) * (2 * real - s0 - s1) / (2 * variance) if variance > 0 else 0.0
    verdict: Literal["go_on", "h0", "h1"] = "go_on"
    if count >= LEAST_BLOCKS and llr >= upper:
        verdict = "h1"
    elif count >= LEAST_BLOCKS and llr <= lower:
        verdict = "h0"
    return Ratio(llr=llr, lower=lower, upper=upper, blocks=count, mean=real, verdict=verdict)


def blocks(t: Tournament) -> tuple[Fraction, ...]:
    """Give the first entrant's share of each closed round."""
    first = t.roster[0]
    shares: list[Fraction] = []
    for one in t.rounds:
        if one.closed and one.tables:
            hows = [how for each in played(t.plan, [one]) if each.entry == first for _, how in each.versus]
            shares.append(Fraction(sum(hows), 2 * len(hows)))
    return tuple(shares)


def _share(elo: int) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))
