"""Limits of time: one that interrupts a bot's thinking, and one that ends the process."""

import faulthandler
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from rq.timeouts import BaseDeathPenalty

from service.application.choosing import TimeUp

_STDERR: Final = 2
"""The descriptor, whatever `sys.stderr` has become."""


@contextmanager
def thinking_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside after so many seconds; in the main thread only."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class HardLimit(BaseDeathPenalty):
    """RQ's limit for a job: the process prints where it hangs, and ends.

    A thread of the interpreter's own watches, so that code which never gives the interpreter back is ended as well.
    An exception thrown in from outside, as RQ does it, could tear a commit in two; so it is all or nothing.
    """

    def __init__(self, timeout: float, exception: type[BaseException] = TimeUp, **more: Any) -> None:
        super().__init__(timeout, exception, **more)  # type: ignore[no-untyped-call]
        self._seconds = timeout

    def setup_death_penalty(self) -> None:
        """Start to watch."""
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=_STDERR)

    def cancel_death_penalty(self) -> None:
        """Stop watching."""
        faulthandler.cancel_dump_traceback_later()
