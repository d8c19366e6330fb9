"""Whether a store holds what it should: every table's ids without a gap, its chain, its rules, its marks."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from domain.history import first_broken
from domain.values import Value
from service.application.ports import Damaged, Due, Head, Mark, Stream

CLOSE = "close"
"""What is due at a table that has ended: a mark that no event clears, so it may be there or not."""

Replay = Callable[[str, Stream], tuple[int, str] | None]
"""Replay a table by the rules; gives the first version that they don't allow, with the reason, or None."""


class Fault(Value, frozen=True):
    """What is wrong at a table, from `version` on (0: with the table as a whole)."""

    table: str
    version: int
    reason: str


class Inspected(Protocol):
    """What is looked at: a store's streams and marks."""

    def tables(self) -> Iterator[str]:
        """Give every table."""
        ...

    def load(self, table: str) -> Stream | None:
        """Give a table's stream."""
        ...

    def mark(self, table: str) -> Mark | None:
        """Give a table's mark."""
        ...

    def is_running(self, table: str) -> bool:
        """Tell whether a table stands in the set of running tables."""
        ...


def check_store(
    store: Inspected, tables: Iterable[str] | None = None, replay: Replay | None = None
) -> Iterator[tuple[str, tuple[Fault, ...]]]:
    """Give each table looked at with its faults, as it goes; `tables`: a sample, else all.

    The store may be in use. Raises `Unavailable`.
    """
    for table in store.tables() if tables is None else tables:
        yield table, tuple(check_table(store, table, replay))


def check_table(store: Inspected, table: str, replay: Replay | None = None) -> Iterator[Fault]:
    """Give what is wrong at one table: at most one fault of its entries and one of its marks."""
    try:
        stream = store.load(table)
    except Damaged as error:
        yield Fault(table=table, version=0, reason=str(error))
        return
    if stream is None:
        return
    if broken := first_broken(stream.entries) or (replay and replay(table, stream)):
        yield Fault(table, *broken)
    if wrong := _marks_at_rest(store, table, stream):
        yield Fault(table=table, version=stream.entries[-1].version, reason=wrong)


def _marks_at_rest(store: Inspected, table: str, stream: Stream) -> str | None:
    """What is wrong with a table's marks; they are read beside its entries, so a commit between is waited out."""
    while True:
        wrong = _wrong_marks(store, table, stream)
        if wrong is None:
            return None
        again = store.load(table)
        if again is None or _head(again) == _head(stream):
            return wrong
        stream = again


def _wrong_marks(store: Inspected, table: str, stream: Stream) -> str | None:
    asked = Due.decode(stream.entries[-1].due)
    mark, is_running = store.mark(table), store.is_running(table)
    if asked is None and mark is not None:
        return "it is marked as due, and its last entry asks for nothing"
    if asked is not None and mark is None and is_running:
        return f"its last entry asks for {asked.what}, and it is not marked as due"
    if asked is not None and asked.what != CLOSE and not is_running:
        return f"its last entry asks for {asked.what}, and it is not among the running tables"
    return None


def _head(stream: Stream) -> Head:
    last = stream.entries[-1]
    return Head(version=last.version, hash=last.hash)
