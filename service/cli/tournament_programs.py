"""The programs of an event's entrants from outside: started together, looked after, ended together."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import service.store
from service.cli.client import Json
from service.cli.event_file import Entrant
from service.cli.roles import environment_of
from service.cli.tournament_event import Event
from service.cli.tournament_telling import Quiet
from service.config import load
from service.settings import PREFIX

STOP_S: Final = 20.0
_KEEPER: Final = Path(service.store.__file__).with_name("keeper.py")
_MODE: Final = "exec" if sys.platform == "linux" else "watch"
_MOST_LOG_BYTES: Final = 64 << 20


class Program:
    """A program that runs, or could not be started; what it prints goes to a log that is never larger than 64 MiB."""

    def __init__(self, number: int, entrant: Entrant, environment: dict[str, str], folder: Path, tell: Quiet) -> None:
        self.name = f"Program {number} ({entrant.name or entrant.words[0]})"
        self._log = folder / f"program-{number}.log"
        self._tell = tell
        self._process: subprocess.Popen[bytes] | None = None
        program = shutil.which(entrant.words[0])
        if program is None:
            self._tell.warn(
                f"{self.name} can't be started: there is no program {entrant.words[0]}. Its games are lost."
            )
            return
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - the file's wish
                kept_argv(program, entrant.words),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C ends the run, which then ends its programs in order
            )

    def look(self) -> None:
        """Tell if it has ended, once; begin its log anew where that has grown too large."""
        if self._process is None:
            return
        if (code := self._process.poll()) is not None:
            self._process = None
            self._tell.warn(
                f"{self.name} has ended ({_words(code)}) and is not started again; its games are lost as no-shows or by "
                f"the clock. {self._log} has what it said."
            )
        elif self._log.stat().st_size > _MOST_LOG_BYTES:
            os.truncate(self._log, 0)
            self._tell.wait(f"{self.name} has printed {_MOST_LOG_BYTES >> 20} MiB; {self._log} begins anew.")

    def terminate(self) -> None:
        """Ask it to end."""
        if self._process is not None:
            self._process.terminate()

    def end(self) -> None:
        """Wait until it has ended; kill it, with all that it has started, where it does not."""
        if self._process is not None:
            end(self._process)


@contextlib.contextmanager
def programs(
    event: Event, tokens: Sequence[str], settings: Json, folder: Path, tell: Quiet
) -> Iterator[Callable[[], None]]:
    """Run the programs of entrants from outside, each with its token; gives what looks after them.

    They end with this process, however it ends. One that ends is not started again, its seats forfeit by rule.
    `settings` are told to each, by names without prefix.
    """
    inherited = {name: value for name, value in environment_of(load()).items() if not name.startswith(PREFIX)}
    told = {f"{PREFIX}{name}": str(value) for name, value in settings.items()}
    running: list[Program] = []

    def look() -> None:
        for each in running:
            each.look()

    try:
        for number, (each, token) in enumerate(zip(event.programs, tokens, strict=True), start=1):
            environment = {**inherited, **told, f"{PREFIX}TOKEN": token}
            running.append(Program(number, each, environment, folder, tell))
        yield look
    finally:
        for program in running:
            program.terminate()
        for program in running:
            program.end()


def kept_argv(program: str, argv: Sequence[str]) -> list[str]:
    """Give the command line under which a program never outlives this process."""
    return [sys.executable, "-I", "-S", str(_KEEPER), _MODE, str(os.getpid()), "", program, *argv]


def end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process that leads a session and was asked to end; kill the session where it does not."""
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _words(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"
