"""T7: what the sequential test promises, over simulated matches: its two risks, and how many blocks it saves.

A block is two games with the same deal, each won or lost. `null`: both are as strong; `better`: the first is by `elo1`.
Ends with 1 where a goal is missed: risks of 5 % within three standard errors of the simulation, at least 35 % of the
blocks of a test of fixed size saved, one look at 10,000 lost blocks in less than a millisecond.
"""

import argparse
import math
import random
import statistics
import sys
import time
from collections import Counter
from fractions import Fraction

from domain.tournament.plan import Sprt
from domain.tournament.sprt import ratio_of

TEST = Sprt(elo0=0, elo1=60)
RISK, SAVED, LOOK_MS = 0.05, 0.35, 1.0
MOST = 20_000


def match(rng: random.Random, elo: float) -> tuple[str, int]:
    """Play blocks, with a look after each, until the test stops; gives the verdict and how many it took."""
    wins = 1 / (1 + 10 ** (-elo / 400))
    counts: Counter[Fraction] = Counter()
    for number in range(1, MOST):
        counts[Fraction((rng.random() < wins) + (rng.random() < wins), 2)] += 1
        found = ratio_of(counts, TEST)
        if found.verdict != "go_on":
            return found.verdict, number
    return "go_on", MOST


def fixed_size() -> float:
    """Give the blocks that a test of fixed size with the same risks needs."""
    share = 1 / (1 + 10 ** (-TEST.elo1 / 400))
    quantile = statistics.NormalDist().inv_cdf(1 - RISK)
    return float((2 * quantile) ** 2 * (0.25 / 2) / (share - 0.5) ** 2)


def main() -> int:
    """Simulate and print; gives 1 where a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=2000, help="of each kind")
    matches: int = parser.parse_args().matches
    rng = random.Random(7)
    error = 3 * math.sqrt(RISK * (1 - RISK) / matches)
    missed = False
    for kind, elo, wrong in (("null", 0, "h1"), ("better", TEST.elo1, "h0")):
        found = [match(rng, elo) for _ in range(matches)]
        risk = sum(verdict == wrong for verdict, _ in found) / matches
        saved = 1 - statistics.mean(blocks for _, blocks in found) / fixed_size()
        print(
            f"{kind:7} {matches} matches: wrong {risk:6.2%} (goal {RISK:.0%} + {error:.1%}), blocks saved {saved:4.0%}"
        )
        missed = missed or risk > RISK + error or saved < SAVED
    lost = Counter({Fraction(0): 10_000})
    began = time.perf_counter()
    for _ in range(1000):
        ratio_of(lost, TEST)
    look = time.perf_counter() - began
    print(f"a look at 10,000 lost blocks takes {look:.3f} ms ({ratio_of(lost, TEST).verdict})")
    return int(missed or look > LOOK_MS)


if __name__ == "__main__":
    sys.exit(main())
