"""Limits: one of thinking, which interrupts a bot, and one of a whole job, which ends the process."""

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
    """Raise `TimeUp` inside after so many seconds of this process's own work; in the main thread only.

    The processor's time counts, and not the clock's: on a busy machine a slow answer is nobody's fault.
    """

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


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
