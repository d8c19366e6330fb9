"""What one hint costs: RQ's forking worker against one that stays (workers/worker.py), on the real servers.

Each hint makes a built-in bot answer a person at a table with a history. The forking worker reads that history anew
for each job, since a child's tables end with it.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import rq

from domain.table_rules import Play
from domain.values import Seat
from service.application.handle import Attempt
from service.bootstrap import Services, connect
from service.config import load
from service.logs import set_up_logs
from service.queue import RqQueue, open_worker_client
from service.store.embedded import open_embedded
from tests.support.simulate import wish
from workers import turns
from workers.worker import TurnWorker

TABLES = 20
ROUNDS = 5
WARM_UP = 40
"""Moves of the person at each table before anything is measured."""


class Forking(TurnWorker):
    """The same worker with RQ's way to run a job."""

    fork_work_horse = rq.Worker.fork_work_horse
    monitor_work_horse = rq.Worker.monitor_work_horse
    wait_for_horse = rq.Worker.wait_for_horse
    kill_horse = rq.Worker.kill_horse
    execute_job = rq.Worker.execute_job
    _handle_stopped_job = rq.Worker._handle_stopped_job  # noqa: SLF001 - RQ's own, moved whole


def person_moves(services: Services, table: str) -> None:
    """Play the first legal command where the table waits for the person."""
    now = services.desk.table(table).table
    if Seat(0) in now.to_act:
        command = now.game.legal(now.play, Seat(0))[0]
        services.desk.handle(
            table, lambda _: (Play(Seat(0), command), Seat(0)), Attempt(command_id=os.urandom(8).hex())
        )


def seconds_a_hint(services: Services, worker: TurnWorker, prefix: str) -> tuple[float, int]:
    """Measure rounds in which every table gets one move and one hint; gives seconds and how many hints that were."""
    tables = [f"{prefix}{n}" for n in range(TABLES)]
    for table in tables:
        services.desk.create(table, wish("beam-me-up", "me", "greedy"), Attempt(command_id=f"c{table}"))
    queue = services.queue
    if not isinstance(queue, RqQueue):
        raise TypeError(type(queue))
    turns._job = turns.TurnJob(services, queue, lambda: False)  # noqa: SLF001 - as `turns.serve` does
    spent, hints = 0.0, 0
    for number in range(WARM_UP + ROUNDS):
        worker.work(burst=True, logging_level=None)
        for table in tables:
            person_moves(services, table)
        if number >= WARM_UP:
            hints += queue.waiting()
            began = time.perf_counter()
            worker.work(burst=True, logging_level=None)
            spent += time.perf_counter() - began
    return spent, hints


def main() -> int:
    """Measure both and print the ratio."""
    set_up_logs("error", "bench")
    with tempfile.TemporaryDirectory() as folder, open_embedded(Path(folder)) as servers:
        addresses = {"STARLEDGER_REDIS_URL": servers.events_url, "STARLEDGER_QUEUE_URL": servers.queue_url}
        config = load({**addresses, "STARLEDGER_DATA": folder})
        services = connect(config)
        cost = {}
        for kind in (TurnWorker, Forking):
            with open_worker_client(servers.queue_url) as client:
                spent, hints = seconds_a_hint(services, kind(client, kind.__name__, config.lease), kind.__name__)
                entries = services.desk.table(f"{kind.__name__}0").version
                cost[kind] = spent / hints
                print(
                    f"{kind.__name__:<12} {cost[kind] * 1000:6.1f} ms a hint ({hints} hints, {entries} entries a table)"
                )
        services.close()
    print(f"a worker that forks costs {cost[Forking] / cost[TurnWorker]:.1f} times as much")
    return 0


if __name__ == "__main__":
    sys.exit(main())
