"""One part dies at a time: the table goes on within the lease and a period, and a bot that failed is replaced."""

import functools
import os
import random
import signal
import time

import pytest

from domain.log import decode_events
from domain.table_events import BotReplaced
from service.application.choosing import LATE
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.queue import RqQueue
from service.queue import alive as seen
from service.queue_sends import SENDS
from tests.chaos.conftest import LEASE_S, PERIOD_S, SLACK_S
from tests.support.running import wait_for
from tests.support.simulate import wish
from workers.sender import THREADS

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(240)]

KILLS = int(os.environ.get("STARLEDGER_KILLS", "1"))
"""How many workers are killed at work; 200 for A4 (bots.md)."""
BOUND_S = LEASE_S + PERIOD_S + SLACK_S


def table(services, name="t", game="beam-me-up", bots=("greedy",) * 4, *, hints=True):
    """Make a table; without hints only the relay can find it."""
    desk = services.desk if hints else Desk(services.store, NoHints(), services.games, os.urandom)
    desk.create(name, wish(game, *bots), Attempt(command_id=f"create {name}"))
    return name


def version(services, name="t"):
    return services.store.last(name).version


def ended(services, name="t"):
    return services.desk.table(name).table.status == "finished"


def busy(queue: RqQueue):
    return [worker for worker in queue.workers() if worker.state == "busy"]


def the_one_at_work(queue: RqQueue, workers):
    """Give the worker that plays the table; a second hint may keep another one for a moment, and the dead stay listed."""

    def only():
        found = [each for each in busy(queue) if workers[each.pid].poll() is None]
        return found if len(found) == 1 else None

    return wait_for(only, "one worker at work")[0]


def alive(services, count):
    return wait_for(lambda: len(services.queue.workers()) >= count, f"{count} workers")


def replaced(services, name="t"):
    live = services.desk.table(name)
    every = [event for entry in live.entries for event in decode_events(live.game, entry.events)]
    return [event.reason for event in every if isinstance(event, BotReplaced)]


def wait_for_the_end(services, name="t"):
    wait_for(lambda: ended(services, name), f"the end of {name}", 60)


def goes_on(services, since, name="t"):
    """Wait until the table moves; gives how long that took."""
    began = time.monotonic()
    wait_for(lambda: version(services, name) > since or ended(services, name), "the table goes on", BOUND_S)
    return time.monotonic() - began


def test_the_relay_alone_finds_what_nobody_hinted_at(parts, services):
    parts.start("workers", "relay")
    parts.start("workers", "worker")
    alive(services, 1)
    table(services, hints=False)

    assert goes_on(services, 1) < PERIOD_S + SLACK_S
    wait_for_the_end(services)


def test_two_relays_do_no_harm(parts, services):
    for role in ("relay", "relay", "worker", "worker"):
        parts.start("workers", role)
    alive(services, 2)
    for n in range(4):
        table(services, f"t{n}", hints=False)

    for n in range(4):
        wait_for_the_end(services, f"t{n}")
        assert [] == replaced(services, f"t{n}")


@pytest.mark.timeout(120 + 60 * KILLS)
def test_a4_a_worker_that_is_killed_at_work_is_replaced_by_another_one(parts, services):
    """Killed at some move of each table, with a searching bot among its four; `STARLEDGER_KILLS` tables."""
    rng = random.Random(KILLS)
    parts.start("workers", "relay")
    started = [parts.start("workers", "worker")]
    workers = {process.pid: process for process in started}
    for number in range(KILLS):
        fresh = parts.start("workers", "worker")
        workers[fresh.pid] = fresh
        alive(services, 2)
        name = table(services, f"t{number}", bots=("hard", "easy", "random", "random"))
        move = rng.randrange(40)
        wait_for(lambda: version(services, name) >= move, f"move {move} of {name}")  # noqa: B023 - at once
        at_work = the_one_at_work(services.queue, workers)
        workers[at_work.pid].kill()
        workers[at_work.pid].wait()
        since = version(services, name)

        assert goes_on(services, since, name) < BOUND_S
        wait_for_the_end(services, name)
        assert [] == replaced(services, name)


def test_a_worker_that_stands_still_holds_up_its_table_for_a_lease_only(parts, services):
    parts.start("workers", "relay")
    workers = {process.pid: process for process in (parts.start("workers", "worker"), parts.start("workers", "worker"))}
    alive(services, 2)
    table(services, bots=("easy", "random", "random", "random"))
    at_work = the_one_at_work(services.queue, workers)
    workers[at_work.pid].send_signal(signal.SIGSTOP)
    since = version(services)

    assert goes_on(services, since) < BOUND_S
    wait_for_the_end(services)
    workers[at_work.pid].send_signal(signal.SIGCONT)  # it finds that others were faster, and harms nothing
    wait_for(lambda: services.store.mark("t") is None, "the closing")
    assert [] == replaced(services)


def test_a_queue_that_is_flushed_loses_nothing(parts, services):
    parts.start("workers", "relay")
    for n in range(3):
        table(services, f"t{n}", "planet-pioneer")
    wait_for(lambda: services.queue.waiting() == 3, "the hints")
    services.queue_client.flushall()
    parts.start("workers", "worker")
    alive(services, 1)
    for n in range(3):
        goes_on(services, 1, f"t{n}")

    services.queue_client.flushall()
    for n in range(3):
        wait_for_the_end(services, f"t{n}")
        assert [] == replaced(services, f"t{n}")


def test_what_stood_due_while_there_was_no_worker_is_played_by_its_own_bots(parts, services):
    parts.start("workers", "relay")
    table(services)
    wait_for(lambda: services.queue.waiting() == 1, "the hint")
    leased = services.store.mark("t").due_ms
    for _ in range(4):  # more leases than a bot has tries
        before = leased
        leased = wait_for(functools.partial(_moved, services, before), "another lease", LEASE_S + SLACK_S)
    assert 1 == services.queue.waiting()

    parts.start("workers", "worker")
    wait_for_the_end(services)
    assert [] == replaced(services)


def _moved(services, before):
    mark = services.store.mark("t")
    return mark.due_ms if mark.due_ms != before else None


def test_lost_marks_are_found_by_the_sweep_of_a_relay_that_starts(parts, services):
    table(services, hints=False)
    for key in services.store_client.keys("ob:*"):
        services.store_client.delete(key)
    parts.start("workers", "worker")
    alive(services, 1)
    parts.start("workers", "relay")

    wait_for_the_end(services)


def test_a_bot_that_never_gives_the_interpreter_back_costs_its_worker_and_is_replaced(parts, services):
    parts.start("workers", "relay")
    table(services, bots=("easy", "greedy"), game="planet-pioneer")
    stubborn = [parts.start("tests/chaos/stubborn_worker.py")]

    def again():
        if stubborn[-1].poll() is not None:
            stubborn.append(parts.start("tests/chaos/stubborn_worker.py"))
        return LATE in replaced(services)

    wait_for(again, "the fallback moves", 80)
    assert len(stubborn) > 3
    assert "Timeout" in parts.log.read_text()


@pytest.mark.parametrize("which", ["worker", "sender", "relay"])
def test_a_signal_ends_a_process_in_order_and_soon(parts, services, which):
    parts.start("workers", "relay")
    process = parts.start("workers", which)
    if which == "worker":
        alive(services, 1)
        table(services, bots=("random",) * 4)
        wait_for(lambda: busy(services.queue), "the worker at work")
    elif which == "sender":
        wait_for(lambda: len(seen(services.queue_client, SENDS)) == THREADS[SENDS], "all threads are at work")
    else:
        wait_for(lambda: parts.log.read_text().count("handing out what is due") == 2, "both relays are at work")
    began = time.monotonic()
    process.terminate()

    assert 0 == process.wait(10), parts.log.read_text()
    assert time.monotonic() - began < 5
    assert "Traceback" not in parts.log.read_text()
    assert which != "sender" or () == seen(services.queue_client, SENDS)
