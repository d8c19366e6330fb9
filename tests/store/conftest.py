"""The stores that the contract suite runs on, each with the same back door."""

import shutil
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path

import fakeredis
import msgspec
import pytest
import redis

from domain.history import Entry
from service.application.ports import Due, Mark
from service.store.boot import NoHygiene
from service.store.codec import encode
from service.store.connect import open_client
from service.store.keys import Keys
from service.store.memory import MemoryStore
from service.store.opening import open_store
from service.store.redis_store import RedisStore
from tests.support.servers import events_client, queue_client, real_store, servers  # noqa: F401 - fixtures

REDIS = shutil.which("redis-server")
"""A Redis server where the system has one (Debian's redis-server): the same suite runs on it too."""
KINDS = ("memory", "fakeredis", "embedded", *(("redis",) if REDIS else ()))
TAIL_LIMIT = 5


class Rig(ABC):
    """A store under test, and a back door to harm it by."""

    store: RedisStore | MemoryStore

    @abstractmethod
    def forget(self, table: str) -> None:
        """Remove a table's stream."""

    @abstractmethod
    def forget_marks(self) -> None:
        """Lose the outbox and the set of running tables."""

    @abstractmethod
    def put_mark(self, mark: Mark) -> None:
        """Set a mark by hand."""

    @abstractmethod
    def hold(self, key: str, value: bytes) -> None:
        """Set a key that is no stream."""

    @abstractmethod
    def put(self, table: str, entries: Iterable[Entry]) -> None:
        """Set a table's entries by hand."""

    def take_out(self, table: str, version: int) -> None:
        """Remove one entry."""
        self.put(table, [each for each in self.store.read(table) if each.version != version])

    def change(self, table: str, version: int, **changes) -> None:
        """Forge one entry and leave its hash."""
        self.put(
            table,
            [
                msgspec.structs.replace(each, **changes) if each.version == version else each
                for each in self.store.read(table)
            ],
        )

    def lose_behind(self, table: str, version: int) -> None:
        """Take back all entries behind a version, as a failover does."""
        self.put(table, self.store.read(table, 0, version))


class MemoryRig(Rig):
    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.memory = self.store = MemoryStore(beside=self.held.get)

    def hold(self, key: str, value: bytes) -> None:
        self.held[key] = value

    def put(self, table: str, entries: Iterable[Entry]) -> None:
        self.memory._streams[table] = list(entries)

    def put_mark(self, mark: Mark) -> None:
        self.memory._marks[mark.table] = mark.due_ms

    def forget(self, table: str) -> None:
        del self.memory._streams[table]

    def forget_marks(self) -> None:
        self.memory._marks.clear()
        self.memory._running.clear()


class RedisRig(Rig):
    def __init__(self, client: redis.Redis, *, fake: bool = False) -> None:
        self.client = client
        self.keys = Keys()
        boot = NoHygiene(client) if fake else None
        self.store = RedisStore(client, self.keys, boot, tail_limit=TAIL_LIMIT)

    def hold(self, key: str, value: bytes) -> None:
        self.client.set(key, value)

    def put(self, table: str, entries: Iterable[Entry]) -> None:
        kept = list(entries)
        self.forget(table)
        for each in kept:
            fields = encode(each, Due.decode(each.due))
            self.client.execute_command("XADD", self.keys.stream(table), f"{each.version}-0", *fields)

    def put_mark(self, mark: Mark) -> None:
        self.client.zadd(self.keys.outbox(self.keys.bucket(mark.table)), {mark.table: mark.due_ms})

    def forget(self, table: str) -> None:
        self.client.delete(self.keys.stream(table))

    def forget_marks(self) -> None:
        self.client.delete(*(key for b in range(16) for key in (self.keys.outbox(b), self.keys.running(b))))


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis server of the system, as an operator would set it up."""
    assert REDIS
    folder: Path = tmp_path_factory.mktemp("redis")
    settings = ("--port", "0", "--unixsocket", str(folder / "s"), "--dir", str(folder), "--save", "")
    with subprocess.Popen(
        [REDIS, *settings, "--appendonly", "yes", "--appendfsync", "always"], stdout=subprocess.DEVNULL
    ) as server:
        try:
            wait_for((folder / "s").exists)
            yield f"unix://{folder / 's'}"
        finally:
            server.terminate()


@pytest.fixture(params=KINDS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    match request.param:
        case "memory":
            yield MemoryRig()
        case "fakeredis":
            yield RedisRig(fakeredis.FakeRedis(), fake=True)
        case "embedded":
            yield RedisRig(request.getfixturevalue("events_client"))
        case "redis":
            with open_client(request.getfixturevalue("redis_url")) as client:
                client.flushall()
                open_store(client)
                yield RedisRig(client)


@pytest.fixture
def store(rig: Rig) -> RedisStore | MemoryStore:
    return rig.store


def wait_for(condition, limit_s: float = 20):
    """Wait until a condition holds and give what it gave; fails after the limit."""
    end = time.monotonic() + limit_s
    while not (found := condition()):
        assert time.monotonic() < end, "the condition did not come true in time"
        time.sleep(0.005)
    return found
