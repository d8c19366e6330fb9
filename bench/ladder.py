"""Each bot against the one a level below, in every game: wins with 95 % intervals over blocks of rotated seats.

    python bench/ladder.py [--out FILE] [--blocks 40] [--game beam-me-up] [--seats 2 4] [--pairs hard:greedy]
    python bench/ladder.py [--out FILE] --table

A block is one deal played once for each seat: one seat has the stronger bot, all others the weaker one, and the
stronger one sits in each seat once. All games of a block have the same shuffles. The measure of a block is the stronger
one's mean share of the win (a shared win counts as its share), and even is 1/seats. The interval is Student's over
the blocks. Fix the number of blocks before: a number that grows until the interval pleases proves nothing.

Each block is written to FILE as it ends, one line of JSON; what stands there already, of this version of the bots and
these plans of their searches, is not played again. So a run may be stopped and begun anew, and `--table` prints all
that FILE holds. After a change of a heuristic raise `domain.bots.VERSION`.
"""

import argparse
import json
import math
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from domain.bots import BOTS, VERSION, Bot
from domain.bots.levels import EXPERT, HARD
from domain.chance import SeededChance
from domain.game import Seen
from domain.games import GAMES
from domain.values import Event, Seat

KEPT = Path(tempfile.gettempdir()) / "starledger-ladder.jsonl"
SURE = 0.975
"""Two-sided 95 %."""
HEAD = """| game | seats | bot | against | blocks x games | share of wins, 95 % interval | even | shown | mean, ms | p95, ms |
|---|---|---|---|---|---|---|---|---|---|"""


class Rung(NamedTuple):
    """One line of the table."""

    strong: str
    weak: str
    game: str
    seats: int


class Block(NamedTuple):
    """One deal in all rotations: the stronger one's shares by its seat, and its thinking times in ms of CPU."""

    rung: Rung
    seed: int
    shares: list[float]
    ms: list[float]


def play(
    name: str, seed: int, levels: Sequence[str], timed: int, bots: Mapping[str, Bot] = BOTS
) -> tuple[list[float], list[float]]:
    """Play a game of these bots by seat; gives each seat's share of the win, and one seat's thinking times in ms."""
    game = GAMES[name]
    chance = SeededChance(seed.to_bytes(32, "big"))
    thoughts = [random.Random(f"{seed}/{seat}") for seat in range(len(levels))]
    options, seats = game.options(), len(levels)
    state: Any = game.initial(options, seats)
    logs: list[list[Event]] = [[] for _ in levels]
    times: list[float] = []

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
        command = bots[levels[seat]](game, seen, thoughts[seat])
        if seat == timed:
            times.append((time.process_time() - began) * 1000)
        happened(game.decide(state, seat, command, chance))
    ranks = game.verdict(state).ranks
    best = max(ranks)
    return [1 / ranks.count(best) if rank == best else 0.0 for rank in ranks], times


def block(task: tuple[Rung, int], bots: Mapping[str, Bot] = BOTS) -> Block:
    """Play one deal in all rotations."""
    rung, seed = task
    shares, times = [], []
    for place in range(rung.seats):
        levels = [rung.strong if seat == place else rung.weak for seat in range(rung.seats)]
        won, thought = play(rung.game, seed, levels, place, bots)
        shares.append(won[place])
        times += thought
    return Block(rung, seed, shares, [round(thought, 2) for thought in times])


def plans(rung: Rung) -> list[str]:
    """Say how both bots search, where they do."""
    by_level = {"hard": HARD, "expert": EXPERT}
    return [str(by_level.get(level, {}).get(rung.game, "")) for level in (rung.strong, rung.weak)]


def stored(path: Path) -> list[Block]:
    """Read the blocks of this version of the bots and these plans."""
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
    return [
        Block(Rung(*line["rung"]), line["seed"], line["shares"], line["ms"])
        for line in lines
        if line["version"] == VERSION and line.get("plans") == plans(Rung(*line["rung"]))
    ]


def main() -> None:
    """Play what is asked for and not yet stored; then print a line for each game, number of seats and pair of levels."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=Path, default=KEPT, metavar="FILE", help=f"where blocks are kept (default: {KEPT})"
    )
    parser.add_argument("--table", action="store_true", help="play nothing: print the table of what FILE holds")
    parser.add_argument("--blocks", type=int, default=40, help="deals of each (default: 40)")
    parser.add_argument("--game", nargs="*", choices=sorted(GAMES), help="only these")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 4], help="numbers of seats (default: 2 4)")
    parser.add_argument("--pairs", nargs="*", help="as hard:greedy (default: each level with the one below)")
    parser.add_argument("--seed", type=int, default=1, help="of the first deal (default: 1)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    asked = parser.parse_args()
    if not asked.table:
        pairs = [pair.split(":") for pair in asked.pairs] if asked.pairs else [[b, a] for a, b in pairwise(BOTS)]
        rungs = [
            Rung(strong, weak, name, seats)
            for strong, weak in pairs
            for name in asked.game or GAMES
            for seats in asked.seats
        ]
        run([(rung, asked.seed + i) for rung in rungs for i in range(asked.blocks)], asked.out, asked.workers)
    print(HEAD)
    by_rung: dict[Rung, list[Block]] = defaultdict(list)
    for done in stored(asked.out):
        by_rung[done.rung].append(done)
    order = list(BOTS)
    for rung in sorted(by_rung, key=lambda rung: (order.index(rung.strong), order.index(rung.weak), rung)):
        print(row(rung, by_rung[rung]))


def run(tasks: Sequence[tuple[Rung, int]], path: Path, workers: int) -> None:
    """Play blocks that are not stored yet and store each as it ends."""
    done = {(block.rung, block.seed) for block in stored(path)}
    left = [task for task in tasks if task not in done]
    with path.open("a", encoding="utf-8") as out, ProcessPoolExecutor(workers) as pool:
        for number, got in enumerate(pool.map(block, left), 1):
            line = {
                "version": VERSION,
                "plans": plans(got.rung),
                "rung": got.rung,
                "seed": got.seed,
                "shares": got.shares,
                "ms": got.ms,
            }
            out.write(json.dumps(line) + "\n")
            out.flush()
            print(f"\r{number} of {len(left)} blocks", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def row(rung: Rung, blocks: Sequence[Block]) -> str:
    """Write what was measured as a row of a Markdown table."""
    mean, low, high = interval([statistics.fmean(block.shares) for block in blocks])
    times = sorted(thought for block in blocks for thought in block.ms)
    p95 = times[int(len(times) * 0.95)]
    even = 1 / rung.seats
    shown = "yes" if low > even else "no"
    return (
        f"| {rung.game} | {rung.seats} | {rung.strong} | {rung.weak} | {len(blocks)} x {rung.seats} "
        f"| {100 * mean:.1f} % ({100 * low:.1f} to {100 * high:.1f}) | {100 * even:.0f} % | {shown} "
        f"| {statistics.fmean(times):.1f} | {p95:.1f} |"
    )


def interval(means: Sequence[float]) -> tuple[float, float, float]:
    """Give the mean over blocks with its 95 % interval; where no block differs, what n of n leave open."""
    count, mean = len(means), statistics.fmean(means)
    if count == 1:
        return mean, 0.0, 1.0
    spread = statistics.stdev(means)
    if not spread:
        room = 1 - (1 - SURE) ** (1 / count)
        return mean, max(0.0, mean - room), min(1.0, mean + room)
    half = half_width(means)
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def half_width(values: Sequence[float]) -> float:
    """Give half the width of Student's 95 % interval of a mean; at least two values."""
    return student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))


def student(freedom: int) -> float:
    """Give the 97.5 % point of Student's t: between 0 and 13 by halving, its density integrated by Simpson's rule."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def below(x: float, steps: int = 400) -> float:
        heights = [(1 + (x * i / steps) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(steps + 1)]
        weights = [1, *[4, 2] * (steps // 2 - 1), 4, 1]
        area: float = sum(w * h for w, h in zip(weights, heights, strict=True)) * x / steps / 3
        return 0.5 + scale * area

    low, high = 0.0, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < SURE else (low, middle)
    return low


if __name__ == "__main__":
    main()
