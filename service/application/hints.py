"""Ways to hint: not at all, at once in the same thread, or behind the back of who decides commands."""

import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from service.application.ports import Queue


class NoHints:
    """Loses every hint: for who plays on himself, and for tests of the outbox."""

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Lose a hint."""


class AtOnce:
    """Plays what is due in the thread that asks, one table at a time: for services in memory."""

    def __init__(self, play_on: Callable[[str, int], object]) -> None:
        self._play_on = play_on
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._waiting: deque[tuple[str, int]] = deque()

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:  # noqa: ARG002 - there is but one try
        """Play on at a table; what is asked for while playing comes after."""
        if self._owner == threading.get_ident():
            self._waiting.append((table, version))
            return
        with self._lock:
            self._owner = threading.get_ident()
            try:
                self._play_on(table, version)
                while self._waiting:
                    self._play_on(*self._waiting.popleft())
            finally:
                self._owner = None
                self._waiting.clear()


MOST_WAITING: Final = 10_000
_CLOSE_S: Final = 1.0


class Behind:
    """Hands hints on in a thread of its own, so that no command waits for the queue; too many are lost."""

    def __init__(self, queue_: Queue) -> None:
        self._queue = queue_
        self._waiting: queue.SimpleQueue[tuple[str, int, int] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Take a hint."""
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put((table, version, attempt))
        if self._thread is None:
            self._start()

    def close(self) -> None:
        """Hand on what waits, for a moment at most."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join(_CLOSE_S)

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._hand_on, name="hints", daemon=True)
                self._thread.start()

    def _hand_on(self) -> None:
        while (hint := self._waiting.get()) is not None:
            self._queue.enqueue(*hint)
