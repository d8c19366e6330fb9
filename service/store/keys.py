"""The names of keys: everything of a table and the outbox of its bucket share one hash slot."""

import functools
import hashlib
from collections.abc import Iterator
from typing import Final, NamedTuple

import redis

from domain.values import Value
from service.application.ports import Damaged
from service.store.errors import foreign_errors

DEFAULT_BUCKETS: Final = 16
MOST_BUCKETS: Final = 9999
"""The tag has four digits."""
_KNOWN_TABLES: Final = 4096
BUCKETS_KEY: Final = "starledger:buckets"


class TableKeys(NamedTuple):
    """The keys of one table: its stream, the outbox and the set of running tables of its bucket, its secret."""

    stream: str
    outbox: str
    running: str
    secret: str


class Keys(Value, frozen=True):
    """The key names of a store with so many buckets (store.md, Keys)."""

    buckets: int = DEFAULT_BUCKETS

    def bucket(self, table: str) -> int:
        """The bucket of a table: SHA-256 of its id, as a number, modulo the number of buckets."""
        return int.from_bytes(hashlib.sha256(table.encode()).digest(), "big") % self.buckets

    def stream(self, table: str) -> str:
        """The stream of a table's entries, the only truth."""
        return f"g:{_tag(self.bucket(table))}:{table}:ev"

    def secret(self, table: str) -> str:
        """The string with a table's secret."""
        return f"g:{_tag(self.bucket(table))}:{table}:secret"

    def outbox(self, bucket: int) -> str:
        """The sorted set of a bucket's tables by the time at which something is due."""
        return f"ob:{_tag(bucket)}"

    def running(self, bucket: int) -> str:
        """The set of a bucket's tables that have not ended."""
        return f"act:{_tag(bucket)}"

    def of_table(self, table: str) -> TableKeys:
        """All keys of a table, worked out once for those in play."""
        return _of_table(self, table)

    def all_buckets(self) -> Iterator[int]:
        """The numbers of all buckets."""
        return iter(range(self.buckets))

    @staticmethod
    def streams_pattern() -> str:
        """The pattern that SCAN finds every stream with."""
        return "g:{b*}:*:ev"

    @staticmethod
    def table_of(stream: bytes) -> str:
        """The table whose stream has this key."""
        return stream.decode().removesuffix(":ev").split(":", 2)[2]


@functools.lru_cache(maxsize=_KNOWN_TABLES)
def _of_table(keys: Keys, table: str) -> TableKeys:
    bucket = keys.bucket(table)
    return TableKeys(
        stream=keys.stream(table),
        outbox=keys.outbox(bucket),
        running=keys.running(bucket),
        secret=keys.secret(table),
    )


def recorded_keys(client: redis.Redis, buckets: int = DEFAULT_BUCKETS) -> Keys:
    """Give the key names of this store; the first call for a new store fixes its number of buckets for ever.

    Raises `Damaged` where the record is no number, `ValueError` where `buckets` can't be a number of buckets.
    """
    if not 1 <= buckets <= MOST_BUCKETS:
        raise ValueError(f"a store has 1 to {MOST_BUCKETS} buckets, not {buckets}")
    with foreign_errors():
        client.set(BUCKETS_KEY, buckets, nx=True)
        recorded = client.get(BUCKETS_KEY)
    if not isinstance(recorded, bytes) or not recorded.isdigit():
        raise Damaged(f"{BUCKETS_KEY} must hold the store's number of buckets, and holds {recorded!r}")
    return Keys(buckets=int(recorded))


def _tag(bucket: int) -> str:
    return f"{{b{bucket:04d}}}"
