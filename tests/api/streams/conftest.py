"""A real HTTP server in this process, over a store in memory, with a heartbeat that tests can wait for."""

import dataclasses
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from httpx import Headers

from service.api.app import create_app
from service.api.listening import listen
from service.api.server import Server
from service.application.accounts import Caller
from service.application.handle import Desk
from service.application.live import Live
from service.application.places import Places
from service.application.watch import Watch
from service.bootstrap import Services, in_memory
from service.config import load
from tests.support import contract
from tests.support.desks import desk_on, move, new_table
from tests.support.servers import events_client, real_store, servers  # noqa: F401
from tests.support.wire import Connection

HEARTBEAT_S = 0.15
EVENTS = {"Accept": "text/event-stream"}
LINES = {"Accept": "application/x-ndjson"}


@dataclass
class House:
    """A served API with its services."""

    services: Services
    port: int

    @property
    def desk(self) -> Desk:
        return self.services.desk

    def ask(self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", body: Any = None):
        """Open a request; its answer is read by the caller."""
        sent = b"" if body is None else msgspec.json.encode(body)
        more = {} if body is None else {"Content-Type": "application/json"}
        return Connection(self.port, path, {**more, **(headers or {})}, method, sent)

    def get(self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", body: Any = None):
        """Give status, headers and the whole body."""
        with self.ask(path, headers, method, body) as connection:
            content = connection.until()
            _check(method, path, connection, content)
            return connection.status, connection.headers, content

    def json(self, path: str, headers: Mapping[str, str] | None = None) -> Any:
        return msgspec.json.decode(self.get(path, headers)[2])

    def lines(self, table: str, headers: Mapping[str, str] | None = None, **query: object) -> list[bytes]:
        """Give the log as JSON Lines."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        content: bytes = self.get(f"/v1/tables/{table}/events?{asked}", {**LINES, **(headers or {})})[2]
        return content.splitlines()

    def player(self, name: str = "Ada") -> tuple[str, dict[str, str]]:
        """Register a player; gives the id and the header with the token."""
        made = self.services.players.register(name, "human", None)
        return made.player.id, {"Authorization": f"Bearer {made.token}"}

    def caller(self, token: Mapping[str, str]) -> Caller:
        caller = self.services.players.authenticate(token["Authorization"].removeprefix("Bearer "))
        assert caller is not None
        return caller

    def table(self, *seats: str, game: str = "beam-me-up") -> Live:
        return new_table(self.desk, *seats, game=game)

    def move(self, table: str, moves: int = 1) -> int:
        return move(self.desk, table, moves)

    def played(self, *seats: str) -> Live:
        """Give a table that was played to its end."""
        live = self.table(*(seats or ("random", "random")))
        self.move(live.id, 10_000)
        return self.desk.table(live.id)


def _check(method: str, path: str, answered: Connection, content: bytes) -> None:
    """Hold an answer against the contract."""
    place = path.partition("?")[0]
    template = re.sub(r"/v1/(table|tournament)s/[^/]+", r"/v1/\1s/{\1}", place)
    contract.check(method, template, answered.status, Headers(answered.headers), content)


@contextmanager
def open_house(services: Services, threads: int = 24) -> Iterator[House]:
    """Serve in this process until the end of the block."""
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]

    def stopping() -> None:
        services.watch.close()
        services.feed_watch.close()

    server = Server(create_app(services), listener, threads, stopping, stop_s=5)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield House(services, port)
    finally:
        server.stop()
        thread.join()
        services.close()
        assert server.is_clean


def services_for_tests(streams: int = 16, waits: int = 4, **more: Any) -> Services:
    """Give services in memory with few places and a fast heartbeat, whose bots move only when a test says so."""
    services = in_memory(load({"STARLEDGER_RATE_LIMITS": "off"}))
    desk = desk_on(services.store)
    watch = Watch(services.store, desk.forget, Places(streams), Places(waits), **{"heartbeat_s": HEARTBEAT_S, **more})
    return dataclasses.replace(services, desk=desk, watch=watch)


@pytest.fixture
def house() -> Iterator[House]:
    """A served API over a store in memory."""
    with open_house(services_for_tests()) as opened:
        yield opened


@pytest.fixture
def open_houses() -> Iterator[Callable[..., House]]:
    """Make houses with settings of their own."""
    with ExitStack() as stack:
        yield lambda threads=24, **more: stack.enter_context(open_house(services_for_tests(**more), threads))
