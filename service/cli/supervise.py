"""Keeps child processes running: starts a dead one again, ends all together, leaves none behind."""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Final

import service.store

_KEEPER: Final = Path(service.store.__file__).with_name("keeper.py")
_FIRST_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 10.0
_STEADY_S: Final = 10.0
"""Who has run so long is sound: the next pause is the first one again."""
_LOOK_S: Final = 0.1

_log = logging.getLogger("starledger.run")


class Child:
    """One process to be kept running: its name, and the program with its arguments."""

    def __init__(
        self, name: str, argv: Sequence[str], environment: Mapping[str, str], log: BinaryIO | None = None
    ) -> None:
        """`log`: where its output goes, by default where ours does."""
        self.name = name
        self.failures = 0
        self._argv = tuple(argv)
        self._environment = dict(environment)
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._next = 0.0

    @property
    def pid(self) -> int | None:
        """Its process id, None while it does not run."""
        return None if self._process is None else self._process.pid

    def keep(self, now: float) -> None:
        """Start it where it does not run and its pause is over; note where it has ended by itself."""
        if self._process is None:
            if now >= self._next:
                self._start(now)
            return
        code = self._process.poll()
        if code is None:
            return
        self._process = None
        self.failures = 1 if now - self._began > _STEADY_S else self.failures + 1
        pause = min(_FIRST_PAUSE_S * 2 ** (self.failures - 1), _LONGEST_PAUSE_S)
        self._next = now + pause
        _log.error("%s ended by itself (%s); it is started again in %.1f s", self.name, _words(code), pause)

    def terminate(self) -> None:
        """Ask it to end."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def has_ended(self) -> bool:
        """Tell whether it is gone."""
        return self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        """End it without asking, with all that it has started."""
        if self._process is not None and self._process.poll() is None:
            _log.error("%s did not end in time and is killed", self.name)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _start(self, now: float) -> None:
        """Start it as the leader of a session of its own, which Ctrl-C does not reach; it ends when this process does."""
        mode = "exec" if sys.platform == "linux" else "watch"
        self._process = subprocess.Popen(  # noqa: S603 - our own programs
            [sys.executable, "-I", "-S", str(_KEEPER), mode, str(os.getpid()), "", self._argv[0], *self._argv],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        self._began = now


def keep_running(children: Sequence[Child], stop: Callable[[float], bool]) -> None:
    """Keep all children running until `stop`, which is given the seconds it may wait, says so.

    To be called from the main thread: the kernel then ends the children with this process, however it ends.
    """
    while True:
        now = time.monotonic()
        for child in children:
            child.keep(now)
        if stop(_LOOK_S):
            return


@contextlib.contextmanager
def handled(signals: Sequence[signal.Signals], handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let these signals be handled so, and as before afterwards.

    Who was started to live on when the terminal is closed (nohup) does not hear of that.
    """
    heard = [each for each in signals if each != signal.SIGHUP or signal.getsignal(each) != signal.SIG_IGN]
    before = [signal.signal(each, handler) for each in heard]
    try:
        yield
    finally:
        for each, old in zip(heard, before, strict=True):
            signal.signal(each, old)


def end_all(children: Sequence[Child], within_s: float) -> None:
    """Ask all to end, and kill who has not after the time given."""
    for child in children:
        child.terminate()
    end = time.monotonic() + within_s
    while time.monotonic() < end and not all(child.has_ended() for child in children):
        time.sleep(0.02)
    for child in children:
        child.kill()


def _words(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"
