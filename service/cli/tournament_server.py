"""The server of an event's own: serves on a free port with its data in the event's folder, and ends with the event."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx

from service.bootstrap import NotStarted
from service.cli.roles import environment_of, module_argv
from service.cli.tournament_programs import end, kept_argv
from service.config import load
from service.settings import PREFIX

SERVER: Final = "server.json"
LOG: Final = "server.log"
READY_S: Final = 90.0
_LOOK_S: Final = 0.25


@contextlib.contextmanager
def own_server(folder: Path, workers: int) -> Iterator[str]:
    """Give the address of a server of the event's own, which ends with this process, however that ends.

    Nothing is played while no run looks after the programs: what they would lose is not theirs to lose.
    """
    _await_end(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    inherited = environment_of(load())
    environment = {
        **{name: value for name, value in inherited.items() if not name.endswith(("_REDIS_URL", "_QUEUE_URL"))},
        f"{PREFIX}RATE_LIMITS": "off",
    }
    arguments = ["run", "--host", "127.0.0.1", "--port", str(port), "--data", str(_data(folder))]
    with (folder / LOG).open("ab") as log:
        server = subprocess.Popen(  # noqa: S603 - our own program
            kept_argv(sys.executable, module_argv("service.cli", *arguments, "--workers", str(workers))),
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C ends this program, which then ends the server in order
        )
        try:
            (folder / SERVER).write_text(json.dumps({"base": base, "pid": server.pid}), encoding="utf-8")
            _await(base, server, folder)
            yield base
        finally:
            server.terminate()
            end(server)
            (folder / SERVER).unlink(missing_ok=True)


def _await_end(folder: Path) -> None:
    """Wait for the end of a server whose run was killed: it has been told to stop, and has the data until it has."""
    try:
        pid = int(json.loads((folder / SERVER).read_bytes())["pid"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return
    until = time.monotonic() + READY_S
    while _is_ours(pid, folder):
        if time.monotonic() > until:
            raise NotStarted(
                f"The event's server of an earlier run, process {pid}, does not end; the end of {folder / LOG} may say why."
            )
        time.sleep(_LOOK_S)
    (folder / SERVER).unlink(missing_ok=True)


def _data(folder: Path) -> Path:
    return (folder / "data").resolve()


def _is_ours(pid: int, folder: Path) -> bool:
    """Tell whether a process is this event's server, as far as can be seen: after a reboot another has its number."""
    if sys.platform != "linux":
        return _is_alive(pid)
    try:
        return os.fsencode(_data(folder)) in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _answers(base: str) -> bool:
    try:
        return httpx.get(f"{base}/healthz", timeout=1.0, trust_env=False).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def _await(base: str, server: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until and server.poll() is None:
        if _answers(base):
            return
        time.sleep(_LOOK_S)
    raise NotStarted(f"The event's own server does not come up; the end of {folder / LOG} says why.")
