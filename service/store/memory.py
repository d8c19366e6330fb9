"""The event store and its outbox in memory: the same answers as Redis, for fast tests; nothing lasts."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from domain.history import Entry
from service.application.ports import (
    Answer,
    Committed,
    Conflict,
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


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class MemoryStore:
    """`EventStore` and `Outbox` in dicts under one lock.

    `clock` gives the store's time in ms; `beside` gives what a key that is no stream holds, for proofs.
    """

    def __init__(
        self, clock: Callable[[], int] = _now_ms, beside: Callable[[str], bytes | None] = lambda _: None
    ) -> None:
        self._clock = clock
        self._beside = beside
        self._changed = threading.Condition()
        self._streams: dict[str, list[Entry]] = {}
        self._secrets: dict[str, bytes] = {}
        self._marks: dict[str, int] = {}
        self._running: set[str] = set()
        self._wakes = 0

    # ---- streams

    def create(self, table: str, entry: Entry, secret: bytes, due: Due | None, *, running: bool) -> Answer:
        """Write the first entry with secret and marks, all or nothing."""
        return self._write(table, Head(version=0, hash=""), [(entry, due)], secret, running=running)

    def commit(
        self, table: str, expected: Head, entry: Entry, due: Due | None, *, running: bool, proof: Proof | None = None
    ) -> Answer:
        """Write one entry behind `expected` with its marks, all or nothing."""
        if proof is not None and self._beside(proof.key) != proof.held:
            raise Unproven
        return self._write(table, expected, [(entry, due)], b"", running=running)

    def commit_all(
        self, table: str, expected: Head, entries: Sequence[Entry], due: Due | None, *, running: bool
    ) -> Answer:
        """Write entries that follow each other as one commit, all or nothing."""
        return self._write(table, expected, with_dues(entries, due), b"", running=running)

    def write_whole(self, table: str, entries: Sequence[Entry], secret: bytes) -> bool:
        """Write a table that has ended, all or nothing, with no mark; False where there is such a table already."""
        check_versions(entries)
        with self._changed:
            if table in self._streams:
                return False
            self._streams[table] = [msgspec.structs.replace(entry, due="") for entry in entries]
            self._secrets[table] = secret
            self._changed.notify_all()
            return True

    def load(self, table: str) -> Stream | None:
        """Give all entries and the secret."""
        with self._changed:
            entries = self._streams.get(table)
            return Stream(entries=tuple(entries), secret=self._secrets.get(table, b"")) if entries else None

    def read(self, table: str, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Give the entries behind version `after`, at most `limit`."""
        with self._changed:
            tail = self._streams.get(table, [])[after:]
        return tuple(tail[:limit])

    def last(self, table: str) -> Entry | None:
        """Give the last entry; None where there is no such table."""
        with self._changed:
            entries = self._streams.get(table)
            return entries[-1] if entries else None

    def heads(self, tables: Sequence[str]) -> tuple[Head | None, ...]:
        """Give how long the logs of tables are; None for one that is not there."""
        with self._changed:
            found = [self._streams.get(table) for table in tables]
            return tuple(Head(version=len(each), hash=each[-1].hash) if each else None for each in found)

    def wait(self, after: dict[str, int], timeout_ms: int) -> dict[str, tuple[Entry, ...]]:
        """Block until one of the tables has newer entries, for the time given, or until `wake`."""

        def news() -> dict[str, tuple[Entry, ...]]:
            tails = {table: tuple(self._streams.get(table, [])[version:]) for table, version in after.items()}
            return {table: tail for table, tail in tails.items() if tail}

        with self._changed:
            self._changed.wait_for(lambda: news() or self._wakes, timeout_ms / 1000)
            self._wakes = 0
            return news()

    def wake(self) -> None:
        """Make a blocked `wait` return now, or else the next one."""
        with self._changed:
            self._wakes = 1
            self._changed.notify_all()

    # ---- outbox

    def due(self, limit: int) -> Sequence[Mark]:
        """Give marks whose time has come, oldest first."""
        with self._changed:
            now = self._clock()
            marks = [Mark(table=table, due_ms=due_ms) for table, due_ms in self._marks.items() if due_ms <= now]
        return sorted(marks, key=lambda mark: mark.due_ms)[:limit]

    def lease(self, mark: Mark, for_ms: int) -> bool:
        """Move a mark into the future if it is still the one that was seen."""
        with self._changed:
            is_same = self._marks.get(mark.table) == mark.due_ms
            if is_same:
                self._marks[mark.table] = self._clock() + for_ms
            return is_same

    def clear(self, mark: Mark) -> bool:
        """Remove a mark if it is still the one that was seen."""
        with self._changed:
            is_same = self._marks.get(mark.table) == mark.due_ms
            if is_same:
                del self._marks[mark.table]
            return is_same

    def running(self) -> Sequence[str]:
        """Give the ids of all tables that have not ended."""
        with self._changed:
            return list(self._running)

    def repair(self, table: str, due: Due | None, head: Head, *, running: bool) -> bool:
        """Rebuild a table's marks from its last entry, if that is still `head`."""
        with self._changed:
            entries = self._streams.get(table, [])
            if not entries or Head(version=len(entries), hash=entries[-1].hash) != head:
                return False
            if due is None:
                self._marks.pop(table, None)
            else:
                self._marks.setdefault(table, min(self._clock(), entries[-1].time_ms) + due.delay_ms)
            self._set_running(table, running=running)
            return True

    # ---- what fsck looks at

    def tables(self) -> Iterator[str]:
        """Give every table of the store."""
        with self._changed:
            return iter(list(self._streams))

    def mark(self, table: str) -> Mark | None:
        """Give a table's mark."""
        with self._changed:
            due_ms = self._marks.get(table)
        return None if due_ms is None else Mark(table=table, due_ms=due_ms)

    def is_running(self, table: str) -> bool:
        """Tell whether a table stands in the set of running tables."""
        with self._changed:
            return table in self._running

    # ---- inside

    def _write(
        self, table: str, expected: Head, written: Sequence[tuple[Entry, Due | None]], secret: bytes, *, running: bool
    ) -> Answer:
        check_follow(expected, [entry for entry, _ in written])
        with self._changed:
            if refused := _refused(self._streams.get(table, []), expected, written[0][0].command_id):
                return refused
            kept = [msgspec.structs.replace(entry, due=each.encode() if each else "") for entry, each in written]
            due = written[-1][1]
            self._streams.setdefault(table, []).extend(kept)
            if secret:
                self._secrets[table] = secret
            if due is None:
                self._marks.pop(table, None)
            else:
                self._marks[table] = self._clock() + due.delay_ms
            self._set_running(table, running=running)
            self._changed.notify_all()
            return Committed()

    def _set_running(self, table: str, *, running: bool) -> None:
        if running:
            self._running.add(table)
        else:
            self._running.discard(table)


def _refused(entries: Sequence[Entry], expected: Head, command_id: str) -> Answer | None:
    """Why an entry may not stand behind `expected`, in the order of commit.lua; None where it may."""
    if not entries and expected.version > 0:
        return Gone()
    if len(entries) < expected.version:
        return Diverged()
    if expected.version > 0 and entries[expected.version - 1].hash != expected.hash:
        return Diverged()
    tail = tuple(entries[expected.version :])
    if not tail:
        return None
    for entry in tail:
        if entry.command_id == command_id:
            return Duplicate(version=entry.version, tail=tail)
    return Conflict(tail=tail)
