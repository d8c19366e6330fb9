"""The event store and its outbox on Redis or Valkey: one stream a table, one script a commit (store.md)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import redis

from domain.history import Entry
from service.application.ports import (
    Answer,
    Committed,
    Conflict,
    Damaged,
    Diverged,
    Due,
    Duplicate,
    Gone,
    Head,
    Mark,
    Proof,
    Stream,
    Unproven,
    check_follow,
    check_versions,
    with_dues,
)
from service.store.boot import Boot, Hygiene
from service.store.codec import FIELDS, decode_all, encode, values
from service.store.errors import foreign_errors
from service.store.keys import Keys
from service.store.scripts import CLEAR, COMMIT, LEASE, REPAIR, WHOLE, Scripts
from service.store.waiting import Waiter

TAIL_LIMIT: Final = 200
"""Entries of a tail that come with the verdict; the rest is fetched in pages of the same size."""
NOTHING: Final = Head(version=0, hash="")


class RedisStore:
    """`EventStore` and `Outbox` over redis-py; safe to share between threads.

    `keys` are those of the store (`recorded_keys`); `boot` lets scripts in, by default after the hygiene that a
    restarted server needs.
    """

    def __init__(
        self, client: redis.Redis, keys: Keys | None = None, boot: Boot | None = None, tail_limit: int = TAIL_LIMIT
    ) -> None:
        self._client = client
        self._command: Callable[..., Any] = client.execute_command
        self._keys = keys or Keys()
        self._scripts = Scripts(client, boot or Hygiene(client))
        self._tail_limit = tail_limit
        self._waiter = Waiter(client)

    # ---- streams

    def create(self, table: str, entry: Entry, secret: bytes, due: Due | None, *, running: bool) -> Answer:
        """Write the first entry with secret and marks, all or nothing."""
        return self._write(table, NOTHING, [(entry, due)], secret, running=running)

    def commit(
        self, table: str, expected: Head, entry: Entry, due: Due | None, *, running: bool, proof: Proof | None = None
    ) -> Answer:
        """Write one entry behind `expected` with its marks, all or nothing, in one round trip."""
        return self._write(table, expected, [(entry, due)], b"", running=running, proof=proof)

    def commit_all(
        self, table: str, expected: Head, entries: Sequence[Entry], due: Due | None, *, running: bool
    ) -> Answer:
        """Write entries that follow each other as one commit, all or nothing, in one round trip."""
        return self._write(table, expected, with_dues(entries, due), b"", running=running)

    def write_whole(self, table: str, entries: Sequence[Entry], secret: bytes) -> bool:
        """Write a table that has ended, all or nothing, with no mark; False where there is such a table already."""
        check_versions(entries)
        keys = [self._keys.stream(table), self._keys.secret(table)]
        fields = [part for entry in entries for part in encode(entry, None)]
        return bool(self._scripts.call(WHOLE, keys, [secret, 2 * len(FIELDS), *fields]))

    def load(self, table: str) -> Stream | None:
        """Give all entries and the secret in one round trip."""
        with foreign_errors():
            pipeline: Any = self._client.pipeline(transaction=False)
            pipeline.execute_command("XRANGE", self._keys.stream(table), "-", "+")
            pipeline.execute_command("GET", self._keys.secret(table))
            rows, secret = pipeline.execute()
        return Stream(entries=decode_all(rows), secret=secret or b"") if rows else None

    def read(self, table: str, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Give the entries behind version `after`, at most `limit`."""
        count = () if limit is None else ("COUNT", limit)
        with foreign_errors():
            rows = self._command("XRANGE", self._keys.stream(table), f"{after + 1}-0", "+", *count)
        return decode_all(rows)

    def last(self, table: str) -> Entry | None:
        """Give the last entry; None where there is no such table."""
        with foreign_errors():
            rows = self._command("XREVRANGE", self._keys.stream(table), "+", "-", "COUNT", 1)
        return next(iter(decode_all(rows)), None)

    def heads(self, tables: Sequence[str]) -> tuple[Head | None, ...]:
        """Give how long the logs of tables are, in one round trip; None for one that is not there."""
        with foreign_errors():
            pipeline: Any = self._client.pipeline(transaction=False)
            for table in tables:
                pipeline.execute_command("XREVRANGE", self._keys.stream(table), "+", "-", "COUNT", 1)
            found = pipeline.execute()
        return tuple(_head(rows) for rows in found)

    def wait(self, after: dict[str, int], timeout_ms: int) -> dict[str, tuple[Entry, ...]]:
        """Block until one of the tables has newer entries, for the time given, or until `wake`."""
        streams = {self._keys.stream(table): version for table, version in after.items()}
        found = self._waiter.wait(streams, timeout_ms)
        return {self._keys.table_of(stream): decode_all(rows) for stream, rows in found.items()}

    def wake(self) -> None:
        """Make this process's blocked `wait` return now."""
        self._waiter.wake()

    # ---- outbox

    def due(self, limit: int) -> Sequence[Mark]:
        """Give marks whose time has come by the store's own clock, oldest first.

        It looks for the scripts too: as relays ask once a second, a restarted server is made safe within that time
        even where nobody commits. What else is written before that could be lost with a torn block before it.
        """
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            pipeline.time()
            pipeline.script_exists(COMMIT.sha)
            for bucket in self._keys.all_buckets():
                pipeline.zrange(self._keys.outbox(bucket), 0, limit - 1, withscores=True)
            (seconds, micros), [is_loaded], *buckets = pipeline.execute()
        if not is_loaded:
            self._scripts.admit()
        now = seconds * 1000 + micros // 1000
        marks = (Mark(table=table.decode(), due_ms=int(score)) for rows in buckets for table, score in rows)
        return sorted((mark for mark in marks if mark.due_ms <= now), key=lambda mark: mark.due_ms)[:limit]

    def lease(self, mark: Mark, for_ms: int) -> bool:
        """Move a mark into the future if it is still the one that was seen."""
        return bool(self._scripts.call(LEASE, [self._outbox(mark.table)], [mark.table, mark.due_ms, for_ms]))

    def clear(self, mark: Mark) -> bool:
        """Remove a mark if it is still the one that was seen."""
        return bool(self._scripts.call(CLEAR, [self._outbox(mark.table)], [mark.table, mark.due_ms]))

    def running(self) -> Sequence[str]:
        """Give the ids of all tables that have not ended."""
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            for bucket in self._keys.all_buckets():
                pipeline.smembers(self._keys.running(bucket))
            return [table.decode() for members in pipeline.execute() for table in members]

    def repair(self, table: str, due: Due | None, head: Head, *, running: bool) -> bool:
        """Rebuild a table's marks from its last entry, if that is still `head`."""
        keys = [*self._keys.of_table(table)[:3]]
        args = [head.version, bytes.fromhex(head.hash), _delay(due), _flag(running=running), table]
        return bool(self._scripts.call(REPAIR, keys, args))

    # ---- what fsck looks at

    def tables(self) -> Iterator[str]:
        """Give every table of the store, each once, in no order; tables made meanwhile may be left out."""
        with foreign_errors():
            seen: set[bytes] = set()
            for stream in self._client.scan_iter(match=self._keys.streams_pattern(), count=1000):
                if stream not in seen:
                    seen.add(stream)
                    yield self._keys.table_of(stream)

    def mark(self, table: str) -> Mark | None:
        """Give a table's mark."""
        with foreign_errors():
            score = self._client.zscore(self._outbox(table), table)
        return None if score is None else Mark(table=table, due_ms=int(score))

    def is_running(self, table: str) -> bool:
        """Tell whether a table stands in the set of running tables."""
        with foreign_errors():
            return bool(self._client.sismember(self._running(table), table))

    # ---- inside

    def _outbox(self, table: str) -> str:
        return self._keys.of_table(table).outbox

    def _running(self, table: str) -> str:
        return self._keys.of_table(table).running

    def _write(
        self,
        table: str,
        expected: Head,
        written: Sequence[tuple[Entry, Due | None]],
        secret: bytes,
        *,
        running: bool,
        proof: Proof | None = None,
    ) -> Answer:
        check_follow(expected, [entry for entry, _ in written])
        keys = [*self._keys.of_table(table)]
        if proof is not None:
            keys.append(proof.key)
        args = [
            expected.version,
            bytes.fromhex(expected.hash),
            self._tail_limit,
            _delay(written[-1][1]),
            _flag(running=running),
            secret,
            table,
            b"" if proof is None else proof.held,
            *(value for entry, due in written for value in values(entry, due)),
        ]
        reply: list[Any] = self._scripts.call(COMMIT, keys, args)
        match reply:
            case [b"COMMITTED"]:
                return Committed()
            case [b"DUPLICATE", int(version), tail]:
                return Duplicate(version=version, tail=self._whole(table, tail))
            case [b"CONFLICT", tail, 0]:
                return Conflict(tail=decode_all(tail))
            case [b"CONFLICT", tail, 1]:
                return _found(written[0][0].command_id, self._whole(table, tail))
            case [b"DIVERGED"]:
                return Diverged()
            case [b"GONE"]:
                return Gone()
            case [b"UNPROVEN"]:
                raise Unproven
            case _:
                raise Damaged(f"the commit script gave an answer that it hasn't: {reply!r}")

    def _whole(self, table: str, tail: list[Any]) -> tuple[Entry, ...]:
        """Go on behind a tail that may have been cut."""
        entries = decode_all(tail)
        page = entries
        while len(page) == self._tail_limit:
            page = self.read(table, page[-1].version, self._tail_limit)
            entries += page
        return entries


def _found(command_id: str, tail: tuple[Entry, ...]) -> Answer:
    for entry in tail:
        if entry.command_id == command_id:
            return Duplicate(version=entry.version, tail=tail)
    return Conflict(tail=tail)


def _head(rows: Any) -> Head | None:
    entry = next(iter(decode_all(rows)), None)
    return None if entry is None else Head(version=entry.version, hash=entry.hash)


def _delay(due: Due | None) -> int | str:
    return "" if due is None else due.delay_ms


def _flag(*, running: bool) -> str:
    return "1" if running else "0"
