"""`starledger export`: the records of many tables into a folder, in parts, going on where it was stopped.

A part is written beside its place and moved there when it is whole; then the state is written, so that whatever is
killed, each table is in exactly one part. When all is done the state becomes `trailer.json`, with the counts.
"""

import hashlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, Protocol

import msgspec

from domain.errors import Refusal
from domain.values import Value
from service.application.directory import Place
from service.application.export import Exported, Selected

STATE: Final = "export.state.json"
TRAILER: Final = "trailer.json"
PART_TABLES: Final = 500

Format = Literal["jsonl", "parquet"]


class Part(Value, frozen=True):
    """One file of an export; `sha256` in hex."""

    file: str
    tables: int
    entries: int
    bytes: int
    sha256: str


class State(Value, frozen=True):
    """How far an export has come: what was asked for, and the parts that are whole."""

    type: Literal["trailer"]
    format: Format
    selected: Selected
    tables: int = 0
    entries: int = 0
    complete: bool = False
    cursor: Place | None = None
    parts: tuple[Part, ...] = ()


class Walk(Protocol):
    """Gives tables behind a place, newest first."""

    def walk(self, selected: Selected, before: Place | None) -> Iterator[Exported]:
        """Give them one by one."""
        ...


class Writer(Protocol):
    """Writes one part as one or more files."""

    def write(self, tables: Iterable[Exported], number: int, folder: Path) -> list[tuple[Path, str]]:
        """Write to files beside their places; gives each with the name that it shall have."""
        ...


def begin(folder: Path, format_: Format, selected: Selected, *, has_end: bool) -> State:
    """Give the state to go on from; raises `Refusal` where the folder holds an export of something else.

    Without `has_end` the end in time is just the moment of asking, and the kept one counts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in (TRAILER, STATE):
        kept = folder / name
        if kept.exists():
            state = msgspec.json.decode(kept.read_bytes(), type=State)
            kept_end = selected.to_ms if has_end else state.selected.to_ms
            asked = msgspec.structs.replace(selected, to_ms=kept_end)
            if (state.format, _comparable(state.selected)) != (format_, _comparable(asked)):
                raise Refusal(
                    "validation_failed",
                    f"{folder} holds an export of something else ({name}); choose another folder, or ask for the same.",
                )
            return state
    return State(type="trailer", format=format_, selected=selected)


def export(
    walk: Walk,
    writer: Writer,
    folder: Path,
    state: State,
    advance: Callable[[int], None],
    part_tables: int = PART_TABLES,
) -> State:
    """Write all parts that are missing; `advance` is told of each table that was read."""
    tables = walk.walk(state.selected, state.cursor)
    while (first := next(tables, None)) is not None:
        count = _Counted(itertools.chain([first], itertools.islice(tables, part_tables - 1)), advance)
        number = 1 + len({part.file.rpartition("-")[2] for part in state.parts})
        state = _with_part(state, folder, writer.write(count, number, folder), count)
    done = msgspec.structs.replace(state, complete=True, cursor=None)
    _keep(folder / TRAILER, done)
    (folder / STATE).unlink(missing_ok=True)
    return done


class _Counted:
    """Tables on their way into a part, counted as they go."""

    def __init__(self, tables: Iterable[Exported], advance: Callable[[int], None]) -> None:
        self._source = tables
        self._advance = advance
        self.tables = 0
        self.entries = 0
        self.last: Place | None = None

    def __iter__(self) -> Iterator[Exported]:
        for each in self._source:
            self.tables += 1
            self.entries += each.entries
            self.last = each.place
            yield each
            self._advance(1)


def _with_part(state: State, folder: Path, written: list[tuple[Path, str]], count: _Counted) -> State:
    parts = []
    for path, name in written:
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
            os.fsync(file.fileno())
        size = path.stat().st_size
        path.replace(folder / name)
        parts.append(Part(file=name, tables=count.tables, entries=count.entries, bytes=size, sha256=digest.hexdigest()))
    state = msgspec.structs.replace(
        state,
        tables=state.tables + count.tables,
        entries=state.entries + count.entries,
        cursor=count.last,
        parts=(*state.parts, *parts),
    )
    _keep(folder / STATE, state)
    return state


def _keep(path: Path, state: State) -> None:
    beside = path.with_suffix(".new")
    with beside.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(state), indent=2) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _comparable(selected: Selected) -> bytes:
    return msgspec.json.encode(selected)
