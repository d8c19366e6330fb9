"""What a replay costs: frames a second as JSON Lines, against folding the same log and showing nothing.

    python bench/replay.py [--seed 1]

One long game of each kind, through a seat's eyes and as everything.
"""

import argparse
import time
from collections.abc import Callable, Iterator

import msgspec

from domain.games import GAMES
from domain.record import encode_record, lines_of
from domain.values import ALL, Seat, Viewer
from domain.verify import verify
from service.application.frames import frames
from service.application.live import Live
from service.application.records import stream_of
from tests.support.simulate import TABLE, played


def rate(count: int, work: Callable[[], Iterator[object]]) -> float:
    """Give how many a second, in the best of three runs."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        for _ in work():
            pass
        times.append(time.perf_counter() - begin)
    return count / min(times)


def lines(live: Live, viewer: Viewer) -> Iterator[bytes]:
    """Give a replay's lines."""
    return (msgspec.json.encode(frame) for frame in frames(live, viewer, 1, live.version))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What a replay costs.")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    print("one game of 3 random bots each; best of 3")
    print(f"{'game':<16} {'frames':>7} {'fold/s':>9} {'seat/s':>9} {'all/s':>9} {'seat of floor':>14}")
    for game in GAMES:
        table = played(game, 3, options.seed)
        record = encode_record(table.table, TABLE, table.entries, {})
        live = Live(TABLE, GAMES, stream_of(verify(lines_of(record), GAMES)))
        floor = rate(live.version, lambda live=live: live.tables(1, live.version))  # type: ignore[misc]
        seat = rate(live.version, lambda live=live: lines(live, Seat(0)))  # type: ignore[misc]
        whole = rate(live.version, lambda live=live: lines(live, ALL))  # type: ignore[misc]
        print(f"{game:<16} {live.version:>7} {floor:>9.0f} {seat:>9.0f} {whole:>9.0f} {seat / floor:>14.2f}")


if __name__ == "__main__":
    main()
