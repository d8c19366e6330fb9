"""The slow sweep: rebuilds lost marks of running tables from their last entries, a few tables at a time."""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from service.application.due import CLOSE
from service.application.ports import Due, Head, Outbox
from workers.relay import Heads

STEP: Final = 100
PAUSE_S: Final = 30.0
"""The least time between the beginnings of two rounds."""

_log = logging.getLogger("starledger.sweep")


class Swept(Outbox, Heads, Protocol):
    """A store as the sweep uses it."""


class Sweep:
    """Goes over all running tables again and again; `step` does a part of a round."""

    def __init__(self, store: Swept, now_s: Callable[[], float] = time.monotonic, pause_s: float = PAUSE_S) -> None:
        self._store = store
        self._now_s = now_s
        self._pause_s = pause_s
        self._round: Iterator[str] | None = None
        self._began = float("-inf")

    def step(self, most: int = STEP) -> int:
        """Look at `most` more tables, beginning a round where it is time for one; gives how many were looked at.

        Raises `Unavailable`.
        """
        if self._round is None:
            if self._now_s() < self._began + self._pause_s:
                return 0
            self._began = self._now_s()
            self._round = iter(self._store.running())
        for count in range(most):
            table = next(self._round, None)
            if table is None:
                self._round = None
                return count
            self._repair(table)
        return most

    def _repair(self, table: str) -> None:
        last = self._store.last(table)
        if last is None:
            _log.error("table %s is running, but it has no entries", table)
            return
        due = Due.decode(last.due)
        running = due is None or due.what != CLOSE
        self._store.repair(table, due, Head(last.version, last.hash), running=running)
