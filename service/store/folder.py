"""A data folder and its lock: one server at a time, for as long as that server lives."""

import contextlib
import fcntl
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

_LOCK_NAME: Final = "lock"
_RUN_PREFIX: Final = "starledger-"
_LONGEST_SOCKET_NAME: Final = len("/events.sock")
_LONGEST_SOCKET: Final = 103
"""Bytes of a socket's path: 107 on Linux, 103 on macOS."""
_LINGER_S: Final = 10.0
"""How long a server whose launcher is dead may take to write everything out and leave."""
_DYING_S: Final = 1.0
"""How long a launcher that was killed may still be seen alive."""
_POLL_S: Final = 0.02


class FolderInUse(Exception):
    """Another process serves from this data folder."""


class DataFolder:
    """The folder's lock file, held through a descriptor that is handed to the server.

    The lock belongs to the open file, so it lives until the last process that has the descriptor is gone: the server,
    not the launcher. The file names the launcher and its folder for sockets.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.events = self.path / "events"
        self.events.mkdir(parents=True, exist_ok=True, mode=0o700)

    def lock(self, cancelled: threading.Event | None = None) -> int:
        """Take the lock; gives the descriptor. Raises `FolderInUse` where a living process serves from here.

        A server whose launcher was killed is on its way out: it is waited for, unless the wait is cancelled.
        """
        cancelled = cancelled or threading.Event()
        fd = os.open(self.path / _LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        begin = time.monotonic()
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = _read(fd).get("pid")
                patience = _DYING_S if owner is not None and _is_alive(owner) else _LINGER_S
                if time.monotonic() < begin + patience and not cancelled.wait(_POLL_S):
                    continue
                reason = self._in_use(fd, owner)
                os.close(fd)
                raise FolderInUse(reason) from None
            else:
                return fd

    def _in_use(self, lock: int, launcher: int | None) -> str:
        """Say who has the lock: the launcher where it lives, else the process that it left behind."""
        holders = _holders(lock) if sys.platform == "linux" else []
        is_theirs = any(launcher in (pid, parent) for pid, parent, _ in holders)
        if launcher is not None and (is_theirs or (sys.platform != "linux" and _is_alive(launcher))):
            who = f"process {launcher}. Stop that process"
        elif holders:
            who = " and ".join(f"process {pid} ({name})" for pid, _, name in holders) + ". Stop that process"
        else:
            who = (
                "a process that can't be seen from here: another user's or another container's, perhaps. Find it as "
                f"the administrator by `lsof {self.path / _LOCK_NAME}` and stop it"
            )
        return f"The data folder {self.path} is in use by {who}, or choose another data folder."

    def run_folder(self, lock: int, run: Path | None = None) -> Path:
        """Make a folder for sockets that only this user may enter, and note it in the lock file.

        It is below the data folder, or in a temporary place where the socket's path would be too long. What a
        killed launcher left is removed. `run`: the one that this launcher has had, to be used again.
        """
        if (left := _read(lock).get("run")) and left != str(run):
            remove_run_folder(Path(left))
        if run is None:
            run = Path(tempfile.mkdtemp(prefix=_RUN_PREFIX, dir=self._place()))
        else:
            run.mkdir(mode=0o700, exist_ok=True)
        os.ftruncate(lock, 0)
        os.pwrite(lock, json.dumps({"pid": os.getpid(), "run": str(run)}).encode(), 0)
        return run

    def _place(self) -> Path:
        name = len(_RUN_PREFIX) + 8 + _LONGEST_SOCKET_NAME
        candidates = (self.path, Path(tempfile.gettempdir()), Path("/tmp"))  # noqa: S108 - mkdtemp is safe there
        for place in candidates:
            if _is_text(place) and len(os.fsencode(place)) + 1 + name <= _LONGEST_SOCKET:
                return place
        raise OSError(f"no folder with a path short enough for a socket: {', '.join(map(str, candidates))}")


def remove_run_folder(run: Path) -> None:
    """Remove a folder for sockets with what is in it; nothing else is ever removed."""
    if run.name.startswith(_RUN_PREFIX):
        shutil.rmtree(run, ignore_errors=True)


def _read(fd: int) -> dict[str, Any]:
    try:
        found = json.loads(os.pread(fd, 4096, 0))
    except ValueError:
        return {}  # a launcher has just taken the lock and not yet written
    return found if isinstance(found, dict) else {}


def _holders(lock: int) -> list[tuple[int, int, str]]:
    """Give the other processes that have the lock: number, parent's number, name. Linux; only who may be seen."""
    here = os.fstat(lock)
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            if int(process.name) != os.getpid() and any(_has_lock(entry, here) for entry in (process / "fd").iterdir()):
                found.append((int(process.name), int(_stat(process)[1]), (process / "comm").read_text().strip()))
    return sorted(found)


def _has_lock(descriptor: Path, file: os.stat_result) -> bool:
    with contextlib.suppress(OSError):  # it was closed meanwhile
        if os.path.samestat(descriptor.stat(), file):
            return "lock:" in (descriptor.parents[1] / "fdinfo" / descriptor.name).read_text()
    return False


def _stat(process: Path) -> list[str]:
    """Give what the kernel tells of a process, from its state on."""
    return (process / "stat").read_text(errors="replace").rpartition(")")[2].split()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = _stat(Path(f"/proc/{pid}"))[0]
    except OSError:
        return True  # no Linux
    return state != "Z"  # dead, and nobody has asked how it ended


def _is_text(path: Path) -> bool:
    """Tell whether the path can stand in a URL: redis-py reads it as UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True
