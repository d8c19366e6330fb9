"""Files with records: one record, many from an export, or a whole event; plain, or packed by zstd or gzip; never read beyond limits."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

import msgspec
import zstandard

from domain.record import MAX_RECORD_BYTES
from domain.values import Value
from service.application.export import ExportTrailer, RecordLine

_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_GZIP: Final = b"\x1f\x8b"
_WINDOW: Final = 1 << 27
_BULK: Final = b'{"type":"record"'
_END: Final = b'{"type":"trailer"'
_EVENT: Final = (b'{"tournament"', b'{"type":"tournament"')
_NAMES: Final = (".jsonl", ".jsonl.zst", ".jsonl.gz")
_MOST_EVENT_LINE: Final = 256 << 20
"""The standings of two thousand entrants, each with the working of its tie-breaks, stand in one line."""
_MOST_LINE: Final = MAX_RECORD_BYTES + (1 << 20)


class _TableLine(Value, frozen=True):
    record: tuple[msgspec.Raw, ...]


_table_line = msgspec.json.Decoder(_TableLine)
_record_line = msgspec.json.Decoder(RecordLine)
_trailer = msgspec.json.Decoder(ExportTrailer)


class FileWrong(Exception):
    """A file can't be read as records; the text says why."""


class Found(NamedTuple):
    """A record in a file; `label` names it among others of the same file, in which it stands at line `number`."""

    label: str
    record: bytes
    number: int = 1


class EventLine(NamedTuple):
    """A line of a whole event that is no record: `row` is whatever JSON it holds."""

    number: int
    row: Any


def files_of(path: str) -> Sequence[str]:
    """Give the files that a path means: itself, or all with records in a folder and its `records/`; raises `FileWrong`."""
    folder = Path(path)
    if path == "-" or not folder.is_dir():
        return [path]
    try:
        files = [*folder.iterdir(), *(folder / "records").glob("*")]
        found = sorted(str(each) for each in files if each.name.endswith(_NAMES) and each.is_file())
    except OSError as failed:
        raise FileWrong(f"can't be read: {failed.strerror}") from failed
    if not found:
        raise FileWrong(f"is a folder without records; their names end in {', '.join(_NAMES)}")
    return found


def records_in(path: str) -> Iterator[Found]:
    """Give the records of a file, `-` for standard input.

    Raises `FileWrong`. A file that is neither an export nor an event is given as one record, whatever it holds.
    """
    return (part for part in parts_in(path) if isinstance(part, Found))


def parts_in(path: str) -> Iterator[Found | EventLine]:
    """Give the records of a file, and of a whole event all other lines too; raises `FileWrong`."""
    try:
        with _opened(path) as file:
            first = file.readline(_MOST_LINE + 1)
            if first.startswith((_BULK, _END)):
                yield from _bulk(first, file)
            elif first.startswith(_EVENT):
                yield from _event(first, file)
            else:
                rest = file.read(max(0, MAX_RECORD_BYTES + 1 - len(first)))
                yield Found(label="", record=first + rest)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as failed:
        reason = getattr(failed, "strerror", None) or str(failed)
        raise FileWrong(f"can't be read: {reason}") from failed


def _bulk(first: bytes, file: IO[bytes]) -> Iterator[Found]:
    line, number, tables = first, 1, 0
    while line:
        if not line.endswith(b"\n"):
            raise FileWrong(f"line {number} is cut off, or longer than {_MOST_LINE} bytes")
        try:
            if line.startswith(_END):
                trailer = _trailer.decode(line)
                if trailer.tables != tables:
                    raise FileWrong(f"line {number} counts {trailer.tables} tables; the file has {tables}")
                return
            found = _record_line.decode(line)
        except (msgspec.MsgspecError, RecursionError) as wrong:
            raise FileWrong(f"line {number} is no line of an export: {wrong}") from wrong
        tables += 1
        yield Found(found.table, b"".join(bytes(each) + b"\n" for each in found.record), number)
        number += 1
        line = file.readline(_MOST_LINE + 1)


def _event(first: bytes, file: IO[bytes]) -> Iterator[Found | EventLine]:
    line, number = first, 1
    while line:
        if not line.endswith(b"\n"):
            raise FileWrong(f"line {number} of the event is cut off, or longer than {_MOST_EVENT_LINE} bytes")
        try:
            row = msgspec.json.decode(line)
            match row:
                case {"type": "table", "table": str(table), "record": list()}:
                    record = _table_line.decode(line).record
                    yield Found(table, b"".join(bytes(each) + b"\n" for each in record), number)
                case _:
                    yield EventLine(number, row)
        except (msgspec.MsgspecError, RecursionError) as wrong:
            raise FileWrong(f"line {number} is no line of an event: {wrong}") from wrong
        number += 1
        line = file.readline(_MOST_EVENT_LINE + 1)


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    with sys.stdin.buffer if path == "-" else Path(path).open("rb") as source:
        file = cast("io.BufferedReader", source)
        magic = file.peek(4)[:4]
        if magic.startswith(_ZSTD):
            unpacker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
            yield io.BufferedReader(unpacker.stream_reader(file, read_across_frames=True))
        elif magic.startswith(_GZIP):
            yield io.BufferedReader(gzip.GzipFile(fileobj=file))
        else:
            yield file
