"""The HTTP server: granian's WSGI worker in this process, and an orderly stop.

`python -m service.api.server` is the API as a process of its own.
"""

import atexit
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, NoReturn

from granian.constants import HTTPModes, Interfaces, RuntimeModes
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.net import SocketHolder  # type: ignore[attr-defined]  # it stands there
from granian.server import mt
from granian.server.common import AbstractServer
from granian.server.mt import MTServer

from service.api import readiness
from service.api.app import create_app
from service.api.at_hand import AT_ONCE, AtHand
from service.api.gateway import gateway
from service.api.intake import MOST, Intake
from service.api.listening import BACKLOG, CantListen, listen
from service.bootstrap import NotStarted, connect
from service.config import Config, ConfigError, load
from service.logs import set_up_logs
from service.web import web_page

STOP_S: Final = 10.0
"""How long requests at hand may take to end after a stop was asked for; then the process leaves them."""
_IDLE_MS: Final = 30_000
"""A connection on which no request comes for so long is closed."""
_CONNECTIONS: Final = 10_000
_SPARE_FILES: Final = 256
"""Files that are no connections of clients: the store's connections, logs."""
_GARBAGE: Final = 20_000
"""So many new objects before young garbage is looked for: a request makes hundreds that count references free."""
_HURRY: Final = 130
"""The exit code after a second Ctrl-C."""

_log = logging.getLogger("starledger.server")


mt._wsgi_call_wrap = gateway  # type: ignore[attr-defined, assignment]  # noqa: SLF001 - granian offers no other way to put one in


class Server(MTServer):
    """Serves a WSGI application on a socket from this process's own threads, up to `threads` at once.

    Besides those, `bodies` threads at most wait for the bodies of requests.
    `stopping` is called once, first of all when a stop is asked for: it makes readiness false and ends the streams.
    """

    # granian runs WSGI in child processes where Python has a GIL, and keeps its in-process server for Pythons without
    # one. For one worker that server does as well with a GIL (bench/streams.py), and there is no second process that
    # could be left behind when the first is killed.

    def __init__(
        self,
        app: Callable[..., Any],
        listener: socket.socket,
        threads: int,
        stopping: Callable[[], None] = lambda: None,
        stop_s: float = STOP_S,
        bodies: int = MOST,
    ) -> None:
        super().__init__(
            "service.api",
            interface=Interfaces.WSGI,
            runtime_mode=RuntimeModes.mt,
            blocking_threads=threads + bodies,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=_IDLE_MS),
            websockets=False,
            backlog=BACKLOG,
            backpressure=_most_connections(),
            log_level=LogLevels.warning,
            log_dictconfig={"loggers": {"_granian": {"propagate": True}}},
        )
        self._at_hand = AtHand(app, min(AT_ONCE, threads), Intake(bodies))
        self._listener = listener
        self._stopping = stopping
        self._stop_s = stop_s
        self.is_clean = True

    def run(self) -> bool:
        """Serve until `stop`; in the main thread also until SIGTERM, SIGINT or SIGHUP.

        False: some requests did not end in time. granian's threads are still there in any case; a process that was
        busy is best left by `leave`, for an ordinary exit would wait for them or crash in them.
        """
        with _signals(self._heard):
            AbstractServer.serve(self, target_loader=lambda: self._at_hand, wrap_loader=False)
        if self.interrupt_children:
            raise RuntimeError("the HTTP server ended by itself")
        return self.is_clean

    def stop(self) -> None:
        """Ask for a stop, from any thread."""
        self.signal_handler_interrupt()

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT and self.interrupt_signal:
            os._exit(_HURRY)
        self.stop()

    # ---- granian's hooks

    def startup(self, spawn_target: Any, target_loader: Any) -> None:
        """Begin to serve."""
        self._init_shared_socket()
        self._spawn_workers(spawn_target, target_loader)

    def shutdown(self, exit_code: int = 0) -> None:  # noqa: ARG002 - granian's signature
        """Stop in order: no longer ready, streams end, no new connection, requests at hand are answered."""
        self._stopping()
        end = time.monotonic() + self._stop_s
        self._at_hand.hurry(self._stop_s / 5)
        for worker in self.wrks:
            worker.terminate()
        for worker in self.wrks:
            worker.inner.join(max(0.0, end - time.monotonic()))
            self.is_clean = self.is_clean and not worker.inner.is_alive()
        # Requests whose client has gone may still be worked on.
        self.is_clean = self._at_hand.end(end - time.monotonic()) and self.is_clean
        if not self.is_clean:
            _log.warning("some requests did not end within %g s and are left", self._stop_s)
        self.wrks.clear()

    def _check_gil(self) -> None:
        """Accept a GIL."""

    def _init_shared_socket(self) -> None:
        holder: Any = SocketHolder
        is_unix = False
        self._shd = holder(self._listener.detach(), is_unix, BACKLOG)  # which closes it at the end


def serve(config: Config) -> None:
    """Serve the API until a signal comes; raises `NotStarted`, `CantListen`, `ConfigError`."""
    services = connect(config)
    try:
        listener = listen(config.host, config.port)
        _log.info("serving on %s:%s with %s threads", *listener.getsockname()[:2], config.threads)
        gc.freeze()  # what stays for good is looked through no more
        gc.set_threshold(_GARBAGE, 20, 50)

        def stopping() -> None:
            readiness.stopping.set()
            services.watch.close()
            services.feed_watch.close()

        Server(create_app(services, [web_page()]), listener, config.threads, stopping).run()
        _log.info("stopped")
    finally:
        services.close()


def main() -> int:
    """Run the API with the settings of the environment; gives the exit code."""
    try:
        config = load()
        set_up_logs(config.log, "api")
        serve(config)
    except (NotStarted, CantListen, ConfigError) as reason:
        print(reason, file=sys.stderr)  # noqa: T201 - the last word of a program that can't start
        return 1
    return 0


def leave(code: int) -> NoReturn:
    """End the process at once, after what is to be done at an exit.

    Python's own end takes the GIL away for ever; a thread of granian's that asks for it then aborts the process.
    """
    atexit._run_exitfuncs()  # noqa: SLF001 - what an ordinary exit calls
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@contextlib.contextmanager
def _signals(heard: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Give these signals to `heard`, and back afterwards; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.signal(each, heard) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _most_connections() -> int:
    """Raise this process's limit of open files as far as it may, and give how many can be connections."""
    if sys.platform == "win32":
        return _CONNECTIONS
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return _CONNECTIONS if soft == resource.RLIM_INFINITY else max(_SPARE_FILES, min(wanted, soft) - _SPARE_FILES)


if __name__ == "__main__":
    leave(main())
