"""How long a person waits for a bot's answer on two workers: alone, and beside 64 tables of bots that never rest.

The answer counts when its entry is committed; the floor is the same question to workers that have nothing else to do.
"""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from domain.table_rules import Play
from domain.values import Seat
from service.application.handle import Attempt
from service.bootstrap import Services, connect
from service.config import child_environment, load
from service.logs import set_up_logs
from service.store.embedded import open_embedded
from tests.support.simulate import wish

WORKERS = 2
BOT_TABLES = 64
ASKED = 100
PAUSE_S = 0.05
GIVE_UP_S = 60.0


def ask(services: Services, table: str) -> float | None:
    """Move for the person and wait for the bot; gives the seconds, None where no bot was to answer."""
    now = services.desk.table(table).table
    if Seat(0) not in now.to_act:
        return None
    command = now.game.legal(now.play, Seat(0))[-1]
    done = services.desk.handle(
        table, lambda _: (Play(Seat(0), command), Seat(0)), Attempt(command_id=os.urandom(8).hex())
    )
    began, version = time.perf_counter(), done.entry.version
    if Seat(1) not in done.table.to_act:
        return None
    while not services.store.wait({table: version}, 1000):
        if time.perf_counter() - began > GIVE_UP_S:
            raise TimeoutError(table)
    return time.perf_counter() - began


def answers(services: Services, prefix: str) -> list[float]:
    """Ask until there are enough answers, at as many tables as it takes."""
    waits: list[float] = []
    for number in range(ASKED):
        table = f"{prefix}{number}"
        services.desk.create(table, wish("universal-match", "me", "greedy"), Attempt(command_id=table))
        while len(waits) < ASKED and services.desk.table(table).table.status == "playing":
            waited = ask(services, table)
            if waited is not None:
                waits.append(waited)
            time.sleep(PAUSE_S)
        if len(waits) >= ASKED:
            break
    return sorted(waits)


def crowd(services: Services, number: int) -> None:
    """Make a table of bots."""
    bots = ("hard", "greedy", "hard", "greedy")
    services.desk.create(f"bots{number}", wish("beam-me-up", *bots), Attempt(command_id=f"bots{number}"))


@contextlib.contextmanager
def processes(environment: dict[str, str]) -> Iterator[None]:
    """Run the workers and a relay."""
    roles = ["relay", *(["worker"] * WORKERS)]
    started = [subprocess.Popen([sys.executable, "-m", "workers", role], env=environment) for role in roles]
    try:
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


def main() -> int:
    """Measure both and print the ratio of the medians."""
    set_up_logs("error", "bench")
    with tempfile.TemporaryDirectory() as folder, open_embedded(Path(folder)) as servers:
        addresses = {"STARLEDGER_REDIS_URL": servers.events_url, "STARLEDGER_QUEUE_URL": servers.queue_url}
        config = load({**addresses, "STARLEDGER_DATA": folder, "STARLEDGER_LOG": "error"})
        services = connect(config)
        with contextlib.closing(services), processes(child_environment(config)):
            while services.workers_seen() < WORKERS:
                time.sleep(PAUSE_S)
            alone = answers(services, "alone")
            for number in range(BOT_TABLES):
                crowd(services, number)
            beside = answers(services, "beside")
            left = sum(table.startswith("bots") for table in services.store.running())
    for name, waits in (("alone", alone), (f"beside {BOT_TABLES}", beside)):
        p99 = waits[int(len(waits) * 0.99) - 1]
        print(
            f"{name:<10} median {statistics.median(waits) * 1000:6.0f} ms, p99 {p99 * 1000:6.0f} ms ({len(waits)} answers)"
        )
    ratio = statistics.median(beside) / statistics.median(alone)
    print(f"beside tables of bots a person waits {ratio:.1f} times as long ({left} of them still ran at the end)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
