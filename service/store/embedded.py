"""The embedded servers: one for events that keeps everything, one for the queue that keeps nothing."""

import atexit
import os
import threading
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from service.store import aof
from service.store.checks import Fsync
from service.store.folder import DataFolder, FolderInUse, remove_run_folder
from service.store.server import NotStarted, Server, find_binary, start
from service.store.supervised import Supervised

_MOST_LOG_BYTES: Final = 4 << 20

__all__ = ["EmbeddedServers", "FolderInUse", "NotStarted", "open_embedded"]


def open_embedded(data: Path, fsync: Fsync = "always") -> "EmbeddedServers":
    """Start both servers on a data folder, which is made where it is not there.

    They end with this process, however it ends. Raises `FolderInUse`, `NotStarted`, `aof.BadLog`, `OSError`.
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
        self._run: Path | None = None
        with ExitStack() as undo:
            undo.callback(self._remove_run_folder)
            self._events = Supervised("events", self._start_events)
            undo.callback(self._events.stop)
            self._queue = Supervised("queue", self._start_queue)
            undo.pop_all()
        self.events_url = self._events.server.url
        self.queue_url = self._queue.server.url
        atexit.register(self.stop)

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
            self._remove_run_folder()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start_events(self, cancelled: threading.Event) -> Server:
        lock = self._folder.lock(cancelled)
        try:
            self._run = self._folder.run_folder(lock, self._run)
            try:
                return self._try_events(self._run, lock, cancelled)
            except NotStarted:
                if cancelled.is_set() or not aof.is_torn(self._binary, self._folder.events):
                    raise
            aof.repair(self._binary, self._folder.events)
            return self._try_events(self._run, lock, cancelled)
        finally:
            os.close(lock)  # the server has it now: the lock lives as long as the server

    def _try_events(self, run: Path, lock: int, cancelled: threading.Event) -> Server:
        settings = {
            **_behind(run / "events.sock"),
            "dir": self._folder.events,
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "aof-load-truncated": "no",  # a torn end is cut by aof.repair, which knows of MULTI blocks
            "save": "",
        }
        return _ready(start(self._binary, settings, _fresh(self._folder.path / "events.log"), lock), cancelled)

    def _start_queue(self, cancelled: threading.Event) -> Server:
        if self._run is None:
            raise NotStarted("the queue's server starts after the events' server")
        settings = {**_behind(self._run / "queue.sock"), "dir": self._run, "appendonly": "no", "save": ""}
        return _ready(start(self._binary, settings, _fresh(self._folder.path / "queue.log")), cancelled)

    def _remove_run_folder(self) -> None:
        if self._run is not None:
            remove_run_folder(self._run)


def _behind(socket: Path) -> dict[str, str | Path]:
    return {"port": "0", "unixsocket": socket, "unixsocketperm": "700", "maxmemory-policy": "noeviction"}


def _ready(server: Server, cancelled: threading.Event) -> Server:
    try:
        server.wait_until_ready(cancelled)
    except BaseException:
        server.stop()
        raise
    return server


def _fresh(log: Path) -> Path:
    """Put a log that has grown long aside, over the one before it."""
    if log.exists() and log.stat().st_size > _MOST_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    return log
