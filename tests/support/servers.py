"""Real embedded servers for tests: one pair for each session (and so for each worker of pytest-xdist).

A conftest takes what it needs by name: `from tests.support.servers import events_client, servers  # noqa: F401`.
However many conftests do so, it is the same pair of servers.
"""

from collections.abc import Iterator

import pytest
import redis

from service.store.connect import open_client
from service.store.embedded import EmbeddedServers, open_embedded
from service.store.opening import open_store
from service.store.redis_store import RedisStore

_SERVERS = pytest.StashKey[EmbeddedServers]()


@pytest.fixture(scope="session")
def servers(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> EmbeddedServers:
    """The running pair; it ends with the session, and with the process if that is killed."""
    if _SERVERS not in pytestconfig.stash:
        started = open_embedded(tmp_path_factory.mktemp("embedded"))
        pytestconfig.add_cleanup(started.stop)
        pytestconfig.stash[_SERVERS] = started
    return pytestconfig.stash[_SERVERS]


@pytest.fixture
def events_client(servers: EmbeddedServers) -> Iterator[redis.Redis]:
    """A client of the events server, which is empty."""
    with open_client(servers.events_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def queue_client(servers: EmbeddedServers) -> Iterator[redis.Redis]:
    """A client of the queue's server, which is empty."""
    with open_client(servers.queue_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def real_store(events_client: redis.Redis) -> RedisStore:
    """An empty event store on the real server."""
    return open_store(events_client).store
