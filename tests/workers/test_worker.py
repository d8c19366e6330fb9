"""The worker process around a job: limits, stopping, and what goes wrong at one table is no other table's matter."""

import contextlib
import dataclasses
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rq.exceptions import StopRequested

from domain.bots import BOTS
from service.application.choosing import LATE, Thinking, TimeUp
from service.application.closing import Closing
from service.application.ports import Unavailable
from service.bootstrap import in_memory
from service.config import load
from service.queue import open_worker_client
from tests.workers.conftest import LEASE_S
from workers import turns
from workers.limits import thinking_limit
from workers.worker import TurnWorker

ROOT = Path(__file__).parents[2]


@pytest.fixture
def worker(servers):
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    with open_worker_client(servers.queue_url) as client:
        yield TurnWorker(client, f"test-{os.getpid()}", LEASE_S)
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.fixture
def work(rig, queue, worker, monkeypatch):
    """Gives a function that works off the queue, with other bots or another closing if wanted."""
    services = dataclasses.replace(in_memory(load({"STARLEDGER_LEASE": str(LEASE_S)})), store=rig.store)

    def go(thinking=None, stop=lambda: False, steps=()):
        mine = dataclasses.replace(services, closing=Closing(rig.store, steps))
        monkeypatch.setattr(turns, "_job", turns.TurnJob(mine, queue, stop, thinking))
        worker.work(burst=True, logging_level=None)

    return go


def quick(bot, name="easy"):
    return Thinking(bots={**BOTS, name: bot}, limit=lambda: thinking_limit(0.05))


def test_a_hint_makes_a_worker_play_a_table_to_its_end(rig, queue, work):
    queue.enqueue(rig.table("beam-me-up", "greedy", "greedy"), 1)
    work()

    assert "finished" == rig.desk.table("t").table.status
    assert rig.store.mark("t") is None


def test_finished_jobs_leave_nothing_in_the_queue(rig, queue, queue_client, work):
    queue.enqueue(rig.table("beam-me-up", "greedy", "greedy"), 1)
    work()

    assert [] == queue_client.keys("rq:job:*")
    assert [] == queue_client.keys("turns:*")


def test_hints_for_nothing_cost_nothing(rig, queue, work):
    table = rig.table("universal-match", "me", "greedy")
    for version in (1, 1, 5, 0):
        queue.enqueue(table, version)
    queue.enqueue("nowhere", 1)
    work()

    assert 2 == rig.desk.table(table).version


def loops(game, seen, rng):
    while True:
        with contextlib.suppress(Exception):  # a bot that swallows what it can
            sum(range(1000))


def test_a_bot_that_hangs_is_ended_tried_again_and_then_replaced(rig, queue, work):
    queue.enqueue(rig.table("planet-pioneer", "easy", "greedy", chosen_seed="1"), 1)
    queue.enqueue(rig.table("beam-me-up", "greedy", "greedy", name="other"), 1)
    only_once = iter([True])
    work(quick(lambda *args: loops(*args) if next(only_once, rig.desk.table("t").version < 3) else BOTS["easy"](*args)))

    replaced = rig.events("t", "bot_replaced")
    assert LATE in {event.reason for event in replaced}
    assert "finished" == rig.desk.table("t").table.status
    assert "finished" == rig.desk.table("other").table.status


def test_a_table_whose_store_is_away_waits_and_others_go_on(rig, queue, work, monkeypatch):
    rig.table("beam-me-up", "greedy", "greedy")
    rig.table("beam-me-up", "greedy", "greedy", name="other")
    load_ = rig.store.load

    def away(table):
        if table == "t":
            raise Unavailable("full disk")
        return load_(table)

    monkeypatch.setattr(rig.store, "load", away)
    for name in ("t", "other"):
        queue.enqueue(name, 1)
    work()

    assert "finished" == rig.desk.table("other").table.status
    assert rig.store.mark("t") is not None
    assert 0 == queue.begin("t", 1)  # that was no try of a bot


def test_a_mistake_in_our_own_code_leaves_a_failed_job_and_a_worker_that_goes_on(rig, queue, queue_client, work):
    def broken(live):
        if live.id == "t":
            raise ZeroDivisionError

    for name in ("t", "other"):
        queue.enqueue(rig.table("beam-me-up", "greedy", "greedy", name=name), 1)
    work(steps=[broken])

    assert ("finished", "finished") == tuple(rig.desk.table(name).table.status for name in ("t", "other"))
    assert 1 == queue_client.zcard("rq:failed:turns")
    assert [] == queue_client.keys("turns:*")
    assert rig.store.mark("t") is not None
    assert rig.store.mark("other") is None


def test_a_table_of_bots_gives_way_to_others_and_goes_on_later(rig, queue, queue_client, work, monkeypatch):
    monkeypatch.setattr(turns, "SLICE_S", 0.02)
    queue.enqueue(rig.table("beam-me-up", "greedy", "easy", "greedy", "easy"), 1)
    work()

    assert "finished" == rig.desk.table("t").table.status
    assert int(queue_client.hget("rq:worker:" + f"test-{os.getpid()}", "successful_job_count")) > 2


def test_who_is_to_stop_leaves_a_hint_for_another_worker(rig, queue, queue_client, work):
    queue.enqueue(rig.table("beam-me-up", "greedy", "greedy"), 1)
    asked = iter([False] * 4 + [True] * 2)
    work(stop=lambda: next(asked, False))

    assert "finished" == rig.desk.table("t").table.status


def test_a_signal_ends_an_idle_worker_at_once(worker):
    worker.register_birth()
    with pytest.raises(StopRequested):
        worker.request_stop(signal.SIGTERM, None)

    assert worker.is_stopping


def test_thinking_is_interrupted_and_the_clock_is_off_afterwards():
    before = signal.getsignal(signal.SIGPROF)
    with pytest.raises(TimeUp), thinking_limit(0.02):
        loops(None, None, None)

    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_PROF)
    assert before == signal.getsignal(signal.SIGPROF)


def test_code_that_never_gives_the_interpreter_back_ends_with_its_process():
    code = "from workers.limits import HardLimit\nwith HardLimit(0.3): sum(range(10 ** 13))"
    began = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", code], check=False, cwd=ROOT, capture_output=True, text=True, timeout=30
    )

    assert 1 == ended.returncode
    assert re.search(r"Timeout.*\n.*File \"<string>\", line 2", ended.stderr, re.DOTALL)
    assert time.monotonic() - began < 20
