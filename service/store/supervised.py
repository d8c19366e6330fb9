"""A server that is started again when it ends by itself (killed for its memory, crashed), until it is told to stop."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from service.store.aof import BadLog
from service.store.folder import FolderInUse
from service.store.server import NotStarted, Server

_log = logging.getLogger(__name__)

_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 30.0


class Supervised:
    """Begins a server, and again and again on the same socket; clients only see it gone for a moment.

    `begin` starts a ready server; it raises `NotStarted` soon after the event that it is given is set.
    """

    def __init__(self, name: str, begin: Callable[[threading.Event], Server]) -> None:
        self._name = name
        self._begin = begin
        self._stopped = threading.Event()
        self.server = begin(self._stopped)
        self._thread = threading.Thread(target=self._watch, name=f"{name}-supervisor", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the server for good."""
        self._stopped.set()
        self.server.stop()
        self._thread.join()

    def _watch(self) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            code = self.server.process.wait()
            if self._stopped.is_set():
                return
            _log.error("The embedded %s server ended by itself (exit code %s); it is started again", self._name, code)
            while not self._stopped.is_set():
                try:
                    self.server = self._begin(self._stopped)
                except (NotStarted, FolderInUse, BadLog, OSError):
                    _log.exception("The embedded %s server can't be started; next try in %.1f s", self._name, pause)
                    self._stopped.wait(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE_S)
                else:
                    pause = _FIRST_PAUSE_S
                    break
            if self._stopped.is_set():  # `stop` may have looked at the server before
                self.server.stop()
                return
