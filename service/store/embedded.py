"""The embedded servers: one for events that keeps everything, one for the queue that keeps nothing."""

import atexit
import os
import threading
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from service.store import aof
from service.store.checks import Fsync
from service.store.folder import DataFolder, FolderInUse, remove_run_folder
from service.store.server import NotStarted, Server, find_binary, start

__all__ = ["EmbeddedServers", "FolderInUse", "NotStarted", "open_embedded"]


def open_embedded(data: Path, fsync: Fsync = "always") -> "EmbeddedServers":
    """Start both servers on a data folder, which is made where it is not there.

    Call it from the main thread: the kernel then ends the servers with this process, however it ends. Raises
    `FolderInUse`, `NotStarted`, `aof.BadLog`, `OSError`.
    """
    return EmbeddedServers(DataFolder(data), fsync)


class EmbeddedServers:
    """Two running servers; `events_url` and `queue_url` are for redis-py, here and in child processes."""

    def __init__(self, folder: DataFolder, fsync: Fsync) -> None:
        self._folder = folder
        self._fsync = fsync
        self._binary = find_binary()
        self._owner = os.getpid()
        self._stopping = threading.Lock()
        with ExitStack() as undo:
            lock = folder.lock()
            undo.callback(os.close, lock)
            self._run = folder.run_folder(lock)
            undo.callback(remove_run_folder, self._run)
            self._events = self._start_events(lock)
            undo.callback(self._events.stop)
            self._queue = self._start_queue()
            undo.pop_all()
        os.close(lock)  # the server has it now: the lock lives as long as the server
        self.events_url = self._events.url
        self.queue_url = self._queue.url
        atexit.register(self.stop)

    @property
    def pids(self) -> tuple[int, int]:
        """The process ids that keep the events server and the queue server running."""
        return self._events.process.pid, self._queue.process.pid

    def stop(self) -> None:
        """End both servers, the queue first; everything is written out. A second call does nothing.

        A forked child is not the owner: nothing happens there.
        """
        if os.getpid() != self._owner:
            return
        with self._stopping:
            atexit.unregister(self.stop)
            self._queue.stop()
            self._events.stop()
            remove_run_folder(self._run)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start_events(self, lock: int) -> Server:
        try:
            return self._try_events(lock)
        except NotStarted:
            if not aof.is_torn(self._binary, self._folder.events):
                raise
        aof.repair(self._binary, self._folder.events)
        return self._try_events(lock)

    def _try_events(self, lock: int) -> Server:
        settings = {
            **_behind(self._run / "events.sock"),
            "dir": self._folder.events,
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "aof-load-truncated": "no",  # a torn end is cut by aof.repair, which knows of MULTI blocks
            "save": "",
        }
        return _ready(start(self._binary, settings, _fresh(self._folder.path / "events.log"), lock))

    def _start_queue(self) -> Server:
        settings = {**_behind(self._run / "queue.sock"), "dir": self._run, "appendonly": "no", "save": ""}
        return _ready(start(self._binary, settings, _fresh(self._folder.path / "queue.log")))


def _behind(socket: Path) -> dict[str, str | Path]:
    return {"port": "0", "unixsocket": socket, "unixsocketperm": "700", "maxmemory-policy": "noeviction"}


def _ready(server: Server) -> Server:
    try:
        server.wait_until_ready()
    except BaseException:
        server.stop()
        raise
    return server


_MOST_LOG_BYTES = 4 << 20


def _fresh(log: Path) -> Path:
    """Put a log that has grown long aside, over the one before it."""
    if log.exists() and log.stat().st_size > _MOST_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    return log
