"""Each bot against the one a level below, in every game: wins with 95 % intervals over blocks of rotated seats.

    python bench/ladder.py [--blocks 40] [--game beam-me-up] [--seats 2 4] [--pairs hard:greedy] [--seed 1] [--workers 2]

A block is one deal played once for each seat: one seat has the stronger bot, all others the weaker one, and the
stronger one sits in each seat once. All games of a block have the same seed. The measure of a block is the stronger
one's mean share of the win (a shared win counts as its share), and even is 1/seats. The interval is that of the mean
over blocks (Student's t for few of them is not far from 1.96 at 40).
"""

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from typing import Any

from domain.bots import BOTS
from domain.chance import RandomChance
from domain.game import Seen
from domain.games import GAMES
from domain.values import Event, Seat


def play(name: str, seed: int, levels: Sequence[str]) -> tuple[list[float], dict[str, list[float]]]:
    """Play a game of these bots by seat; gives each seat's share of the win and each level's thinking times in s."""
    game = GAMES[name]
    chance = RandomChance(random.Random(seed))
    thoughts = [random.Random(f"{seed}/{seat}") for seat in range(len(levels))]
    options, seats = game.options(), len(levels)
    state: Any = game.initial(options, seats)
    logs: list[list[Event]] = [[] for _ in levels]
    times: dict[str, list[float]] = {level: [] for level in levels}

    def happened(events: Iterable[Event]) -> None:
        nonlocal state
        for event in events:
            state = game.evolve(state, event)
            for seat, log in enumerate(logs):
                log.append(game.redact(event, Seat(seat)))

    happened(game.deal(state, chance))
    while to_act := game.to_act(state):
        seat = to_act[0]
        view = game.view(state, seat, over=False, shown=False)
        commands = game.legal(state, seat)
        seen = Seen(options=options, seats=seats, seat=seat, view=view, commands=commands, log=tuple(logs[seat]))
        began = time.process_time()
        command = BOTS[levels[seat]](game, seen, thoughts[seat])
        times[levels[seat]].append(time.process_time() - began)
        happened(game.decide(state, seat, command, chance))
    ranks = game.verdict(state).ranks
    best = max(ranks)
    return [1 / ranks.count(best) if rank == best else 0.0 for rank in ranks], times


def block(task: tuple[str, int, int, str, str]) -> tuple[float, list[float]]:
    """Play one deal in all rotations; gives the stronger one's mean share and its thinking times."""
    name, seats, seed, strong, weak = task
    shares, times = [], []
    for place in range(seats):
        won, thought = play(name, seed, [strong if seat == place else weak for seat in range(seats)])
        shares.append(won[place])
        times += thought[strong]
    return statistics.fmean(shares), times


def main() -> None:
    """Print one line a game, number of seats and pair of levels."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=40, help="deals of each (default: 40)")
    parser.add_argument("--game", nargs="*", choices=sorted(GAMES), help="only these")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 4], help="numbers of seats (default: 2 4)")
    parser.add_argument("--pairs", nargs="*", help="as hard:greedy (default: each level with the one below)")
    parser.add_argument("--seed", type=int, default=1, help="of the first deal (default: 1)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    asked = parser.parse_args()
    pairs = [pair.split(":") for pair in asked.pairs] if asked.pairs else [[b, a] for a, b in pairwise(BOTS)]
    with ProcessPoolExecutor(asked.workers) as pool:
        for strong, weak in pairs:
            for name in asked.game or GAMES:
                for seats in asked.seats:
                    tasks = [(name, seats, asked.seed + i, strong, weak) for i in range(asked.blocks)]
                    results = list(pool.map(block, tasks))
                    print(row(name, seats, strong, weak, results))
                    sys.stdout.flush()


def row(name: str, seats: int, strong: str, weak: str, results: Sequence[tuple[float, list[float]]]) -> str:
    """Write what was measured as a row of a Markdown table."""
    means = [mean for mean, _ in results]
    mean = statistics.fmean(means)
    half = 1.96 * statistics.stdev(means) / math.sqrt(len(means))
    times = sorted(thought for _, thoughts in results for thought in thoughts)
    p95 = times[int(len(times) * 0.95)]
    verdict = "yes" if mean - half > 1 / seats else "no"
    return (
        f"| {name} | {seats} | {strong} | {weak} | {len(means)} x {seats} | {100 * mean:.1f} % "
        f"({100 * (mean - half):.1f} to {100 * (mean + half):.1f}) | {100 / seats:.0f} % | {verdict} "
        f"| {1000 * statistics.fmean(times):.1f} | {1000 * p95:.1f} |"
    )


if __name__ == "__main__":
    main()
