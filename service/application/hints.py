"""Queues without a server: none at all, and one that does the work at once."""

import threading
from collections.abc import Callable


class NoHints:
    """Loses every hint: for who plays on himself, and for tests of the outbox."""

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Lose a hint."""


class AtOnce:
    """Plays what is due in the thread that asks, one table at a time: for services in memory."""

    def __init__(self, play_on: Callable[[str, int], object]) -> None:
        self._play_on = play_on
        self._lock = threading.Lock()

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:  # noqa: ARG002 - there is but one try
        """Play on at a table."""
        with self._lock:
            self._play_on(table, version)
