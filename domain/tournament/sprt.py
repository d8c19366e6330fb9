"""A sequential probability ratio test over blocks of games with the same deals: stop as soon as a bot is shown better.

The generalised test of Van den Bergh: the log-likelihood ratio of two means with the variance as it is found, of the
first entrant's share of points in each block. A share s and Elo: `s = 1 / (1 + 10^(-elo/400))`.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from domain.tournament.plan import Sprt
from domain.tournament.points import played
from domain.tournament.state import Tournament
from domain.values import Value

LEAST_BLOCKS = 8
"""Before, a variance says nothing."""


class Ratio(Value, frozen=True):
    """The test so far: the ratio, its two bounds, and what is accepted."""

    llr: float
    lower: float
    upper: float
    blocks: int
    mean: float
    verdict: Literal["go_on", "h0", "h1"]


def ratio(shares: Sequence[Fraction], test: Sprt) -> Ratio:
    """Give the test for the first entrant's shares (0 to 1) of blocks, in their order; takes no time for any input."""
    alpha, beta = test.alpha_permille / 1000, test.beta_permille / 1000
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    count = len(shares)
    # A virtual half block of each outcome keeps the variance above nothing where all blocks went the same way.
    total = sum(shares, Fraction(1, 2) * (0 + Fraction(1, 2) + 1))
    weight = count + Fraction(3, 2)
    mean = total / weight
    squares = sum((share * share for share in shares), Fraction(1, 2) * (Fraction(1, 4) + 1))
    variance = float(squares / weight - mean * mean)
    s0, s1 = _share(test.elo0), _share(test.elo1)
    real = float(sum(shares, Fraction(0)) / count) if count else 0.5
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
