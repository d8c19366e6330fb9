"""Bodies on their way in: each has a limit of time, and where too many come at once, the slowest is given up."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from werkzeug.exceptions import RequestTimeout

MOST: Final = 256
"""So many bodies may be on their way at once; each holds a thread meanwhile, and about 100 KB."""
SECONDS: Final = 15.0
"""So long a body may take, and one second more for each `PIECE` that has come."""
PIECE: Final = 64 * 1024
"""Bytes."""
_LOOK_S: Final = 0.5
_STOPPING_LOOK_S: Final = 0.05


class Incoming:
    """One body: where it comes from, until when it has time, and how to end its request from another thread.

    `since`: when its newest piece came. Times are those of `time.monotonic`, in seconds.
    """

    def __init__(self, address: str, give_up: Callable[[str], None]) -> None:
        self.address = address
        self.give_up = give_up
        self.since = time.monotonic()
        self.until = self.since + SECONDS
        self.is_given_up = False

    def take(self, stream: Any, size: int) -> bytes:
        """Read `size` bytes of the body or, where it is negative, all; fewer: it has ended.

        Raises `RequestTimeout` for a body that was given up.
        """
        pieces: list[bytes] = []
        left = size
        while left:
            wanted = PIECE if left < 0 else min(left, PIECE)
            piece: bytes = stream.read(wanted)
            if self.is_given_up:
                raise RequestTimeout
            pieces.append(piece)
            if len(piece) < wanted:
                break
            left -= len(piece) if left > 0 else 0
            self.since = time.monotonic()
            self.until += len(piece) / PIECE
        return b"".join(pieces)


class Intake:
    """All bodies that threads wait for.

    The one that is given up for another is of the address that has the most, so that nobody can crowd others out.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._waiting: defaultdict[str, dict[Incoming, None]] = defaultdict(dict)
        self._count = 0
        self._watch: threading.Thread | None = None
        self._last: float | None = None

    @contextmanager
    def waiting(self, incoming: Incoming) -> Iterator[None]:
        """Wait for a body, or for a part of it."""
        with self._changed:
            victim = self._slowest() if self._count >= self._most else None
            if victim is not None:
                self._forget(victim)
            self._waiting[incoming.address][incoming] = None
            self._count += 1
            if self._watch is None:
                self._watch = threading.Thread(target=self._look, name="bodies", daemon=True)
                self._watch.start()
        if victim is not None:
            _end(victim, f"More than {self._most} bodies were on their way at once, and this one was the slowest.")
        try:
            yield
        finally:
            with self._changed:
                self._forget(incoming)

    def hurry(self, seconds: float) -> None:
        """Give no body more time than this, from now on: the server stops."""
        with self._changed:
            self._last = time.monotonic() + seconds
            self._changed.notify_all()

    def _slowest(self) -> Incoming:
        most = max(self._waiting.values(), key=len)
        return min(most, key=lambda each: each.since)

    def _forget(self, incoming: Incoming) -> None:
        group = self._waiting.get(incoming.address)
        if group is not None and incoming in group:
            del group[incoming]
            self._count -= 1
            if not group:
                del self._waiting[incoming.address]

    def _look(self) -> None:
        """Give up, from time to time, what has taken too long."""
        is_over = False
        while not is_over:
            with self._changed:
                self._changed.wait_for(lambda: self._last is not None, _LOOK_S)
                now = time.monotonic()
                is_last = self._last is not None and self._last < now
                late = [
                    each
                    for group in self._waiting.values()
                    for each in group
                    if not each.is_given_up and (is_last or each.until < now)
                ]
                is_over = self._last is not None and self._count == 0
                if is_over:
                    self._watch = None
            for each in late:
                # In a thread of its own: a client who takes no answer must not keep the others waiting for theirs.
                threading.Thread(target=_end, args=(each, "The body took too long."), daemon=True).start()
            if self._last is not None:
                time.sleep(_STOPPING_LOOK_S)


def _end(incoming: Incoming, why: str) -> None:
    if not incoming.is_given_up:
        incoming.is_given_up = True
        incoming.give_up(why)
