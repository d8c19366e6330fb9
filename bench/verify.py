"""What it costs to verify records: entries a second, against the hash chain alone over the same entries.

    python bench/verify.py [--tables 4] [--seed 1]

Bots' games of each kind; every entry is decided again by the rules, every shuffle made again from the seed.
"""

import argparse
import time
from collections.abc import Callable, Sequence

from domain.games import GAMES
from domain.history import Entry, first_broken
from domain.record import encode_record, lines_of
from domain.verify import verify
from tests.support.simulate import TABLE, Simulation, played


def seconds(work: Callable[[], object]) -> float:
    """Give the best of three times."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What it costs to verify records.")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    print(f"{options.tables} tables of 2 random bots each; best of 3")
    print(f"{'game':<16} {'entries':>8} {'MB':>6} {'chain/s':>9} {'verify/s':>9} {'of floor':>9}")
    for game in GAMES:
        tables: Sequence[Simulation] = [played(game, 2, options.seed + n) for n in range(options.tables)]
        records = [encode_record(table.table, TABLE, table.entries, {}) for table in tables]
        logs: list[list[Entry]] = [table.entries for table in tables]
        count = sum(map(len, logs))
        floor = count / seconds(lambda logs=logs: [first_broken(log) for log in logs])  # type: ignore[misc]
        full = count / seconds(lambda records=records: [verify(lines_of(each), GAMES) for each in records])  # type: ignore[misc]
        size = sum(map(len, records)) / 1e6
        print(f"{game:<16} {count:>8} {size:>6.1f} {floor:>9.0f} {full:>9.0f} {full / floor:>9.3f}")


if __name__ == "__main__":
    main()
