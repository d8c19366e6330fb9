"""The queue on its real server, empty; and what workers need beside it."""

from collections.abc import Iterator

import pytest

from service.queue import RqQueue, open_queue_client
from service.store.embedded import EmbeddedServers
from tests.support.servers import events_client, queue_client, real_store, servers  # noqa: F401 - fixtures
from tests.workers.tables import Rig

LEASE_S = 3.0


@pytest.fixture
def rig() -> Rig:
    return Rig()


@pytest.fixture
def queue(servers: EmbeddedServers, queue_client) -> Iterator[RqQueue]:  # noqa: F811
    """The queue; `queue_client` empties it."""
    client = open_queue_client(servers.queue_url)
    with client:
        yield RqQueue(client, LEASE_S)
