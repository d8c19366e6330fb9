"""A server that is started again when it ends by itself (killed for its memory, crashed), until it is told to stop."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from service.store.server import Server

_log = logging.getLogger(__name__)

_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 30.0


class Supervised:
    """Begins a server, and again and again on the same socket; clients only see it gone for a moment.

    One thread starts every server and lives as long as it: the kernel ends a server with the thread that started it.
    `begin` starts a ready server; it raises `NotStarted` soon after the event that it is given is set. What it raises
    at the first start is raised here.
    """

    def __init__(self, name: str, begin: Callable[[threading.Event], Server]) -> None:
        self._name = name
        self._begin = begin
        self._stopped = threading.Event()
        first: Future[Server] = Future()
        self._thread = threading.Thread(target=self._run, args=(first,), name=f"{name}-supervisor", daemon=True)
        self._thread.start()
        try:
            self.server = first.result()
        except BaseException:  # also a signal that breaks the wait off
            self._stopped.set()
            self._thread.join()
            raise

    def stop(self) -> None:
        """End the server for good."""
        self._stopped.set()
        self.server.stop()
        self._thread.join()

    def _run(self, first: Future[Server]) -> None:
        try:
            server = self._begin(self._stopped)
        except BaseException as reason:  # noqa: BLE001 - it is the caller's
            first.set_exception(reason)
            return
        self.server = server
        first.set_result(server)
        if self._stopped.is_set():  # the caller may not have seen it
            server.stop()
        self._watch()

    def _watch(self) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            code = self.server.wait()
            if self._stopped.is_set():
                return
            _log.error("The embedded %s server ended by itself (exit code %s); it is started again", self._name, code)
            while not self._stopped.is_set():
                try:
                    self.server = self._begin(self._stopped)
                except Exception:  # noqa: BLE001 - without this thread no server would ever come back
                    _log.exception("The embedded %s server can't be started; next try in %.1f s", self._name, pause)
                    self._stopped.wait(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE_S)
                else:
                    pause = _FIRST_PAUSE_S
                    break
            if self._stopped.is_set():  # `stop` may have looked at the server before
                self.server.stop()
                return
