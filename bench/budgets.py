"""What a search gains by more simulations: `hard` at one, two, four and eight times its budget, on the same deals.

    python bench/budgets.py [--blocks 200] [--game beam-me-up] [--seats 2] [--seed 1]

Each budget plays the same blocks (bench/ladder.py) against `greedy`. The gain of a budget is its share of wins less that of
the single budget, block by block, with the 95 % interval of the mean: no gain may lie below 0 beyond doubt.
"""

import argparse
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from msgspec.structs import replace

from bench.ladder import Rung, block, half_width, interval
from domain.bots import BOTS
from domain.bots.levels import HARD
from domain.bots.search import choose_by_search
from domain.games import GAMES

TIMES = (1, 2, 4, 8)
LEVEL = "searching"
WEAK = "greedy"


def share(game: str, seats: int, times: int, seed: int) -> float:
    """Play a block with so many times the budget; gives the mean share of the win."""
    plan = replace(HARD[game], simulations=times * HARD[game].simulations)
    bots = {**BOTS, LEVEL: lambda rules, seen, rng: choose_by_search(rules, seen, rng, plan)}
    return statistics.fmean(block((Rung(LEVEL, WEAK, game, seats), seed), bots).shares)


def main() -> int:
    """Measure; ends with 1 where a larger budget is worse beyond doubt."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=200, help="deals (default: 200)")
    parser.add_argument("--game", nargs="*", choices=sorted(GAMES), default=sorted(GAMES), help="only these")
    parser.add_argument("--seats", type=int, default=2, help="number of seats (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the first deal (default: 1)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    asked = parser.parse_args()
    is_worse = False
    deals = range(asked.seed, asked.seed + asked.blocks)
    with ProcessPoolExecutor(asked.workers) as pool:
        for game in asked.game:
            single: list[float] = []
            for times in TIMES:
                shares = list(pool.map(partial(share, game, asked.seats, times), deals))
                single = single or shares
                mean, low, high = interval(shares)
                line = f"{game:16} {times} x budget: {100 * mean:.1f} % of wins ({100 * low:.1f} to {100 * high:.1f})"
                if times > 1:
                    gains = [more - one for more, one in zip(shares, single, strict=True)]
                    gain, half = statistics.fmean(gains), half_width(gains)
                    line += (
                        f", gain {100 * gain:+.1f} ({100 * (gain - half):+.1f} to {100 * (gain + half):+.1f}) points"
                    )
                    is_worse = is_worse or gain + half < 0
                print(line, flush=True)
    return int(is_worse)


if __name__ == "__main__":
    sys.exit(main())
