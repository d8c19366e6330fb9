"""The slow sweep: goes over the running tables and repairs what lags behind their entries, a few tables at a time."""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from service.application.due import CLOSE, STALE
from service.application.ports import Due, Head, Outbox
from workers.relay import Heads

STEP: Final = 100
PAUSE_S: Final = 30.0
"""The least time between the beginnings of two rounds."""

_log = logging.getLogger("starledger.sweep")


class Swept(Outbox, Heads, Protocol):
    """A store as the sweep uses it."""


class Sweep:
    """Goes over all running tables again and again; `step` does a part of a round.

    Lost marks are rebuilt from the last entry. `record` enters a table in the lists; it is called for a table that
    this process has not seen yet, or that may stand otherwise in the lists since (seats, its start).
    """

    def __init__(
        self,
        store: Swept,
        record: Callable[[str], None] = lambda _: None,
        now_s: Callable[[], float] = time.monotonic,
        pause_s: float = PAUSE_S,
        also: Callable[[str, int], None] = lambda _table, _version: None,
    ) -> None:
        """`also` is told each table with its version, for repairs of its own."""
        self._store = store
        self._also = also
        self._record = record
        self._now_s = now_s
        self._pause_s = pause_s
        self._round: Iterator[str] | None = None
        self._began = float("-inf")
        self._known: dict[str, int] = {}
        self._seen: dict[str, int] = {}

    def step(self, most: int = STEP) -> int:
        """Look at `most` more tables, beginning a round where it is time for one; gives how many were looked at.

        Raises `Unavailable`.
        """
        if self._round is None:
            if self._now_s() < self._began + self._pause_s:
                return 0
            self._began = self._now_s()
            self._round = iter(self._store.running())
            self._known, self._seen = self._seen, {}
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
        is_open = due is not None and due.what == STALE
        listed = last.version if is_open else 0  # what a list shows changes with each entry before the start, then not
        if self._known.get(table) != listed:
            self._record(table)
        self._seen[table] = listed
        self._also(table, last.version)
