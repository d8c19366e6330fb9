"""Planet Pioneer's second heuristic with other constants against the first, to see which are better.

    python bench/shrewd.py [--blocks 500] [--seats 2] [--seed 1] [ATTACK=1.7 ORDER=0.1 ...]

Prints the share of wins as `bench/ladder.py` does, with the constants of `domain/games/planet_pioneer/shrewd.py` and
then with those given, on the same deals. Some 10,000 blocks tell half a point; take other deals to confirm.
"""

import argparse
import statistics

from bench.ladder import Rung, block, interval
from domain.games.planet_pioneer import shrewd


def measured(seats: int, seed: int, blocks: int) -> str:
    """Play the blocks and say how they went."""
    rung = Rung("expert", "greedy", "planet-pioneer", seats)
    shares = [statistics.fmean(block((rung, seed + number)).shares) for number in range(blocks)]
    mean, low, high = interval(shares)
    return f"{100 * mean:.2f} % ({100 * low:.2f} to {100 * high:.2f})"


def main() -> None:
    """Play with the constants as they are, then with those given."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("constants", nargs="*", metavar="NAME=VALUE", help="what to change")
    parser.add_argument("--blocks", type=int, default=500, help="deals (default: 500)")
    parser.add_argument("--seats", type=int, default=2, help="number of seats (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the first deal (default: 1)")
    asked = parser.parse_args()
    print(f"as they are: {measured(asked.seats, asked.seed, asked.blocks)}", flush=True)
    for constant in asked.constants:
        name, _, value = constant.partition("=")
        if not isinstance(getattr(shrewd, name, None), int | float):
            parser.error(f"{name} is no constant of the heuristic; see domain/games/planet_pioneer/shrewd.py.")
        setattr(shrewd, name, float(value))
    if asked.constants:
        print(f"{' '.join(asked.constants)}: {measured(asked.seats, asked.seed, asked.blocks)}")


if __name__ == "__main__":
    main()
