"""The relay: hands out what is due, again and again until an entry has satisfied it.

It knows nothing but the outbox. It may die between any two steps, and several of them do no harm.
"""

import logging
from typing import Final, Protocol

from domain.history import Entry
from service.application.ports import Mark, Outbox

BATCH: Final = 500

_log = logging.getLogger("starledger.relay")


class Heads(Protocol):
    """The last entry of a table."""

    def last(self, table: str) -> Entry | None:
        """Give it; None where there is no such table."""
        ...


class Reminder(Protocol):
    """The queue as the relay uses it."""

    def remind(self, table: str, version: int) -> bool:
        """Ask for a table unless it is asked for or played already; tell whether the queue could be reached."""
        ...


class Relay:
    """Moves marks that are due into the queue; each then rests for the lease."""

    def __init__(self, outbox: Outbox, heads: Heads, queue: Reminder, lease_s: float) -> None:
        self._outbox = outbox
        self._heads = heads
        self._queue = queue
        self._lease_ms = round(lease_s * 1000)

    def step(self) -> int:
        """Hand out what is due now, oldest first, at most `BATCH`; gives how many tables that were.

        First the hint, then the lease: whoever dies in between leaves a hint too many, never one too few. While the
        queue is away nothing is leased, so that all goes out as soon as it is back. Raises `Unavailable`.
        """
        handed = 0
        for mark in self._outbox.due(BATCH):
            last = self._heads.last(mark.table)
            if last is None:
                self._forget(mark)
            elif self._queue.remind(mark.table, last.version):
                handed += self._outbox.lease(mark, self._lease_ms)
            else:
                break
        return handed

    def _forget(self, mark: Mark) -> None:
        if self._outbox.clear(mark):
            _log.warning("table %s is due, but there is no such table; its mark is taken away", mark.table)
