"""Opening a store: checks, its recorded number of buckets, hygiene, a trial commit."""

import redis

from domain.values import Value
from service.store.boot import Hygiene
from service.store.checks import Fsync, check_server, probe
from service.store.keys import DEFAULT_BUCKETS, recorded_keys
from service.store.redis_store import RedisStore

HYGIENE_WAIT_S = 60.0
"""How long a start waits for the rewrite of the append-only file; a request waits less (boot.py)."""


class Opened(Value, frozen=True):
    """A store that may be served on, and what its operator must be told at every start."""

    store: RedisStore
    warnings: tuple[str, ...]


def open_store(client: redis.Redis, *, fsync: Fsync = "always", buckets: int = DEFAULT_BUCKETS) -> Opened:
    """Open the event store behind `client`, whoever runs it.

    `buckets` counts only when the store is first set up. Raises `Unfit`, `Unavailable`, `Damaged`.
    """
    warnings = check_server(client, fsync)
    keys = recorded_keys(client, buckets)
    probe(RedisStore(client, keys, Hygiene(client, wait_s=HYGIENE_WAIT_S)), client, keys)
    return Opened(store=RedisStore(client, keys), warnings=warnings)
