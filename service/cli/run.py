"""`starledger run`: everything on one machine, in one command, ended by one signal."""

import contextlib
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Final

import click
import httpx
import msgspec

from service.bootstrap import NotStarted, connect
from service.cli.roles import Role, argv_of, environment_of
from service.cli.supervise import Child, end_all, handled, keep_running
from service.config import Config, server_key
from service.logs import set_up_logs
from service.store.aof import BadLog
from service.store.embedded import FolderInUse, open_embedded
from service.store.embedded import NotStarted as NoServer

STOP_S: Final = 15.0
"""How long the processes may take to end; a request or a move at hand needs far less."""
LOG_NAME: Final = "starledger.log"
_MOST_LOG_BYTES: Final = 16 << 20
_READY_S: Final = 60.0
_GIVE_UP: Final = 3
"""An API that ends so often before it ever answered will not come up."""


def run(config: Config) -> None:
    """Serve until a signal comes; raises `NotStarted` where something is in the way."""
    _check_port(config)
    config = msgspec.structs.replace(config, data=config.data.resolve())
    with _signals() as stopping, ExitStack() as opened:
        _make_folder(config.data)
        log = opened.enter_context(_log_file(config))
        config = _with_servers(config, opened)
        server_key(config)
        connect(config).close()  # what is wrong with the store is said once, and here
        environment = environment_of(config)
        roles: list[tuple[str, Role]] = [("api", "api"), ("relay", "relay"), ("sender", "sender")]
        roles += [(f"worker {n}", "worker") for n in range(1, config.workers + 1)]
        children = [Child(name, argv_of(role), environment, log) for name, role in roles]
        stopping.is_starting = False
        try:
            _serve(config, children, stopping, log)
        finally:
            click.echo("Stopping …")
            end_all(children, STOP_S)
    click.echo(f"Stopped. Everything is kept in {config.data}.")


@contextlib.contextmanager
def _log_file(config: Config) -> Iterator[BinaryIO | None]:
    """Give the file for log lines where a person looks at the terminal; else they go to stderr, for who collects them.

    Warnings of this process itself are said on the terminal in any case.
    """
    if not sys.stderr.isatty():
        set_up_logs(config.log, "run")
        yield None
        return
    logging.basicConfig(level="WARNING", format="%(message)s", force=True)
    path = config.data / LOG_NAME
    if path.exists() and path.stat().st_size > _MOST_LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))
    with path.open("ab") as log:
        yield log


def address(config: Config) -> str:
    """Give the base URL under which this machine reaches the API."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(config.host, config.host)  # noqa: S104 - where it listens
    return f"http://[{host}]:{config.port}" if ":" in host else f"http://{host}:{config.port}"


def _serve(config: Config, children: Sequence[Child], stopping: threading.Event, log: BinaryIO | None) -> None:
    """Keep the children running; says where to find what as soon as the API answers."""
    api = children[0]
    base = address(config)
    give_up = time.monotonic() + _READY_S
    is_ready = False

    def stop(wait_s: float) -> bool:
        nonlocal is_ready
        if not is_ready and _answers(base):
            is_ready = True
            _say(config, base, log)
        if not is_ready and (api.failures >= _GIVE_UP or time.monotonic() > give_up):
            where = "the lines above say" if log is None else f"the end of {log.name} says"
            raise NotStarted(f"The API does not come up; {where} why.")
        return stopping.wait(wait_s)

    keep_running(children, stop)


def _say(config: Config, base: str, log: BinaryIO | None) -> None:
    click.echo(f"Starledger serves on {base}")
    click.echo(f"  web page   {base}/")
    click.echo(f"  reference  {base}/docs")
    click.echo(f"  data       {config.data}")
    if log is not None:
        click.echo(f"  log        {log.name}")
    click.echo(f"  workers    {config.workers}" + ("" if config.workers else " (built-in bots will not move)"))
    click.echo("  stop       Ctrl-C")


def _answers(base: str) -> bool:
    try:
        return httpx.get(f"{base}/healthz", timeout=1.0, trust_env=False).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def _with_servers(config: Config, servers: ExitStack) -> Config:
    """Start the embedded servers unless both addresses are given."""
    if config.redis_url is not None and config.queue_url is not None:
        return config
    try:
        pair = servers.enter_context(open_embedded(config.data, config.fsync))
    except (FolderInUse, NoServer, BadLog) as reason:
        raise NotStarted(str(reason)) from reason
    return msgspec.structs.replace(
        config, redis_url=config.redis_url or pair.events_url, queue_url=config.queue_url or pair.queue_url
    )


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data / ".writable").touch()
        (data / ".writable").unlink()
    except OSError as failed:
        raise NotStarted(
            f"The data folder {data} can't be written: {failed.strerror}. Let this user write there, or set "
            "STARLEDGER_DATA to another folder."
        ) from failed


def _check_port(config: Config) -> None:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
    except OSError as failed:
        raise NotStarted(
            f"The address {config.host}:{config.port} can't be served on: {failed.strerror}. Is Starledger running "
            "there already? Stop it, or set STARLEDGER_PORT (or --port) to another port."
        ) from failed


class Stopping(threading.Event):
    """Set by a signal; until the first child runs, the signal also breaks off what is being started."""

    is_starting = True

    def heard(self, _signal: int, _frame: FrameType | None) -> None:
        """Take a signal."""
        self.set()
        if self.is_starting:
            raise KeyboardInterrupt


@contextlib.contextmanager
def _signals() -> Iterator[Stopping]:
    """Give an event that SIGINT, SIGTERM and SIGHUP set; what they did before comes back afterwards."""
    stopping = Stopping()
    with handled((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), stopping.heard):
        yield stopping
