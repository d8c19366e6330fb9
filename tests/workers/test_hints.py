"""Who decides a command never waits for the queue."""

import threading
import time

from service.application.hints import MOST_WAITING, Behind, NoHints
from tests.support.running import wait_for


class Slow:
    """A queue that answers only when it may."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.taken: list[tuple[str, int, int]] = []

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        self.may.wait(30)
        self.taken.append((table, version, attempt))


def test_hints_are_handed_on_in_order():
    queue = Slow()
    queue.may.set()
    hints = Behind(queue)
    for version in range(100):
        hints.enqueue("t", version)
    hints.close()

    assert [("t", version, 0) for version in range(100)] == queue.taken


def test_a_queue_that_stands_still_holds_nobody_up_and_is_not_flooded():
    queue = Slow()
    hints = Behind(queue)
    began = time.monotonic()
    for version in range(MOST_WAITING + 500):
        hints.enqueue("t", version)
    assert time.monotonic() - began < 5

    queue.may.set()
    wait_for(lambda: len(queue.taken) >= MOST_WAITING, "all are handed on")
    hints.close()
    assert MOST_WAITING <= len(queue.taken) <= MOST_WAITING + 1


def test_closing_waits_a_moment_only():
    queue = Slow()
    hints = Behind(queue)
    hints.enqueue("t", 1)
    began = time.monotonic()
    hints.close()
    hints.close()

    assert time.monotonic() - began < 5
    queue.may.set()


def test_no_hints_lose_all():
    NoHints().enqueue("t", 1)
