"""What a commit costs: commits a second and their times, against a bare script that only appends the same bytes.

    python bench/store.py [--fsync always|everysec|no] [--seconds 2] [--rounds 3]

One embedded server; each client is a process with a table of its own. Commits and the floor take turns in rounds, so
that both meet the same machine; a ratio of 1 would mean that checks, outbox and idempotency are free.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from domain.history import GENESIS, Entry, chain
from domain.values import Seat
from service.application.ports import Committed, Due, Head
from service.store.codec import encode
from service.store.connect import open_client
from service.store.embedded import open_embedded
from service.store.opening import open_store
from service.store.redis_store import RedisStore

FLOOR = "return redis.call('XADD', KEYS[1], ARGV[1], unpack(ARGV, 2))"
EVENTS = (
    b'[{"card":"earth_3","layer":1,"seat":2,"type":"card_played"},{"layer":2,"seat":3,"trick":4,"type":"turn_began"}]'
)
SALT = bytes(16)
DUE = Due(what="ai:3")
WARM = 50


class Measured(NamedTuple):
    """What one way did in all its rounds."""

    per_second: float
    p50_ms: float
    p99_ms: float


def entry(version: int, before: str) -> Entry:
    """An entry of usual size."""
    at = 1_700_000_000_000 + version
    return Entry(
        version=version,
        time_ms=at,
        seat=Seat(2),
        events=EVENTS,
        salt=SALT,
        hash=chain(before, version, at, Seat(2), EVENTS, SALT),
        command_id=f"{version:032x}",
        body="0" * 64,
        base=version - 1,
    )


def timed(seconds: float, each: Callable[[], None]) -> list[float]:
    """Do a thing again and again for so long; gives the times it took in ms."""
    for _ in range(WARM):
        each()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while (begin := time.perf_counter()) < end:
        each()
        times.append((time.perf_counter() - begin) * 1000)
    return times


def commits(url: str, table: str, seconds: float) -> list[float]:
    """Commit to one table; gives the times in ms."""
    with open_client(url) as client:
        store = RedisStore(client)
        last = entry(1, GENESIS)
        if store.create(table, last, b"secret", DUE, running=True) != Committed():
            raise RuntimeError(f"the table {table} is there already")

        def each() -> None:
            nonlocal last
            following = entry(last.version + 1, last.hash)
            answer = store.commit(table, Head(version=last.version, hash=last.hash), following, DUE, running=True)
            if answer != Committed():
                raise RuntimeError(f"{answer}")
            last = following

        return timed(seconds, each)


def appends(url: str, table: str, seconds: float) -> list[float]:
    """Append the same bytes to a stream by a script that checks nothing; gives the times in ms."""
    with open_client(url) as client:
        script = client.script_load(FLOOR)
        command: Callable[..., Any] = client.execute_command
        last = entry(1, GENESIS)

        def each() -> None:
            nonlocal last
            last = entry(last.version + 1, last.hash)
            command("EVALSHA", script, 1, f"floor:{table}", f"{last.version}-0", *encode(last, DUE))

        return timed(seconds, each)


def measure(url: str, clients: int, seconds: float, rounds: int) -> dict[str, Measured]:
    """Let both ways take turns."""
    ways = {"floor": appends, "commit": commits}
    times: dict[str, list[float]] = {name: [] for name in ways}
    with ProcessPoolExecutor(clients, mp_context=get_context("spawn")) as pool:
        for turn in range(rounds):
            for name, way in ways.items():
                jobs = [pool.submit(way, url, f"{clients}-{turn}-{n}", seconds) for n in range(clients)]
                for job in jobs:
                    times[name] += job.result()
    return {
        name: Measured(len(all_) / (seconds * rounds), statistics.median(all_), statistics.quantiles(all_, n=100)[98])
        for name, all_ in times.items()
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What a commit costs against a bare append.")
    parser.add_argument("--fsync", choices=("always", "everysec", "no"), default="always")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    print(f"fsync {options.fsync}; {options.rounds} rounds of {options.seconds:g} s each way, in turn")
    print(f"{'clients':>7}  {'way':<7} {'commits/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'of floor':>9}")
    with tempfile.TemporaryDirectory() as data, open_embedded(Path(data), options.fsync) as servers:
        with open_client(servers.events_url) as client:
            open_store(client, fsync=options.fsync)
        for clients in (1, 4):
            found = measure(servers.events_url, clients, options.seconds, options.rounds)
            for name, each in found.items():
                ratio = each.per_second / found["floor"].per_second
                print(
                    f"{clients:>7}  {name:<7} {each.per_second:>10.0f} {each.p50_ms:>8.2f} {each.p99_ms:>8.2f}"
                    f" {ratio:>9.2f}"
                )


if __name__ == "__main__":
    main()
