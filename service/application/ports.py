"""What the application asks of the outside: a store of streams, an outbox, a queue.

Ports are as small as their users; adapters stand in `service/store` and `service/queue.py`.
"""

from collections.abc import Sequence
from typing import Protocol

from domain.history import Entry
from domain.values import Value


class Head(Value, frozen=True):
    """The concurrency token: how many entries a stream has and the hash of the last (0 and `""`: none)."""

    version: int
    hash: str


class Due(Value, frozen=True):
    """What must happen next at a table, and in how many milliseconds from the commit.

    `what` names it (`ai:2`, `timeout:1`, `close`); it is stored in the entry's field `n` as `what@+delay`.
    """

    what: str
    delay_ms: int = 0

    def encode(self) -> str:
        """Write it as it stands in an entry."""
        return f"{self.what}@+{self.delay_ms}"

    @classmethod
    def decode(cls, text: str) -> "Due | None":
        """Read an entry's `due`; None where it is empty: nothing is due behind that entry."""
        if not text:
            return None
        what, _, delay = text.rpartition("@+")
        return cls(what=what, delay_ms=int(delay))


class Proof(Value, frozen=True):
    """What a commit rests on besides its stream: a key of the same store, and the bytes that it must hold then."""

    key: str
    held: bytes


class Committed(Value, frozen=True):
    """The entry is in the stream."""


class Duplicate(Value, frozen=True):
    """This command id is in the stream already, at `version`; `tail`: all entries after the expected version."""

    version: int
    tail: tuple[Entry, ...]


class Conflict(Value, frozen=True):
    """Others were faster; `tail`: all entries after the expected version."""

    tail: tuple[Entry, ...]


class Diverged(Value, frozen=True):
    """The stream is not the one that was read: history was lost or is another."""


class Gone(Value, frozen=True):
    """There is no such stream (any more)."""


Answer = Committed | Duplicate | Conflict | Diverged | Gone


class Unproven(Exception):
    """The key of a commit's proof holds something else; nothing was written."""


class Unavailable(Exception):
    """The store can't serve now (down, loading, full, read-only, just restarted); trying again may help."""


class Damaged(Exception):
    """The store holds what it can't hold (a key of another type, an entry without its fields): work for a person."""


class Stream(Value, frozen=True):
    """A whole stream as stored."""

    entries: tuple[Entry, ...]
    secret: bytes


def check_versions(entries: Sequence[Entry]) -> None:
    """Insist that a whole stream's entries are 1, 2, 3 …; raises `ValueError`: it is the caller's mistake."""
    for version, entry in enumerate(entries, start=1):
        if entry.version != version:
            raise ValueError(f"entry {entry.version} can't stand in the place of entry {version}")


def check_follow(expected: Head, entries: Sequence[Entry]) -> None:
    """Insist that there are entries, and that they are the next ones behind `expected`; raises `ValueError`."""
    if not entries:
        raise ValueError("there is no entry to commit")
    for version, entry in enumerate(entries, start=expected.version + 1):
        if entry.version != version:
            raise ValueError(f"entry {entry.version} can't stand behind version {version - 1}")


def with_dues(entries: Sequence[Entry], last: Due | None) -> list[tuple[Entry, Due | None]]:
    """Pair each entry with what is due behind it: its own word, but of the last one `last`."""
    return [*((entry, Due.decode(entry.due)) for entry in entries[:-1]), *((entry, last) for entry in entries[-1:])]


class Mark(Value, frozen=True):
    """A table in the outbox: due at `due_ms` of the store's clock."""

    table: str
    due_ms: int


class EventStore(Protocol):
    """One stream for each table; every method may raise `Unavailable` (try again) or `Damaged` (don't)."""

    def create(self, table: str, entry: Entry, secret: bytes, due: Due | None, *, running: bool) -> Answer:
        """Write the first entry, the secret and the marks at once.

        A second time with the same command id is `Duplicate`, with another one `Conflict`.
        """
        ...

    def commit(
        self, table: str, expected: Head, entry: Entry, due: Due | None, *, running: bool, proof: Proof | None = None
    ) -> Answer:
        """Write one entry behind `expected` and set or clear the table's mark, all or nothing.

        The entry's own `due` is not read: `due` says it, and stands in the entry afterwards.
        `running=False` takes the table out of the set of running tables. Raises `Unproven` where there
        is a `proof` and it does not hold.
        """
        ...

    def commit_all(
        self, table: str, expected: Head, entries: Sequence[Entry], due: Due | None, *, running: bool
    ) -> Answer:
        """Write entries that follow each other as one commit, all or nothing; `due` is what is due behind the last.

        The others keep their own `due`. A second time it is `Duplicate`, known by the first entry's command id.
        """
        ...

    def write_whole(self, table: str, entries: Sequence[Entry], secret: bytes) -> bool:
        """Write a table that has ended, all or nothing, with no mark; False where there is such a table already."""
        ...

    def load(self, table: str) -> Stream | None:
        """Give all entries and the secret in one round trip; None where there is no such table."""
        ...

    def read(self, table: str, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Give the entries behind version `after`, at most `limit`."""
        ...

    def wait(self, after: dict[str, int], timeout_ms: int) -> dict[str, tuple[Entry, ...]]:
        """Block until one of the tables has entries behind the version named, or for the time given."""
        ...

    def wake(self) -> None:
        """Make this process's blocked `wait` return now: the set of tables to watch has changed."""
        ...


class Outbox(Protocol):
    """What is due, written by the same script as the events."""

    def due(self, limit: int) -> Sequence[Mark]:
        """Give marks whose time has come, oldest first."""
        ...

    def lease(self, mark: Mark, for_ms: int) -> bool:
        """Move a mark into the future if it is still the one that was seen; tell whether it was."""
        ...

    def clear(self, mark: Mark) -> bool:
        """Remove a mark if it is still the one that was seen (for a `close`, which no event follows)."""
        ...

    def running(self) -> Sequence[str]:
        """Give the ids of all tables that have not ended."""
        ...

    def repair(self, table: str, due: Due | None, head: Head, *, running: bool) -> bool:
        """Rebuild a table's marks from its last entry, if that is still `head` (the slow sweep)."""
        ...


class Queue(Protocol):
    """Hints to workers that a table is due; all of it may be lost at any moment."""

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Ask for a table to be looked at; never raises, a lost hint is the outbox's business."""
        ...
