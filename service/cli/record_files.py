"""Files with records: one record, or many from an export; plain, or packed by zstd or gzip; never read beyond limits."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple, cast

import msgspec
import zstandard

from domain.record import MAX_RECORD_BYTES
from service.application.export import ExportTrailer, RecordLine

_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_GZIP: Final = b"\x1f\x8b"
_WINDOW: Final = 1 << 27
_BULK: Final = b'{"type":"record"'
_END: Final = b'{"type":"trailer"'
_MOST_LINE: Final = MAX_RECORD_BYTES + (1 << 20)

_record_line = msgspec.json.Decoder(RecordLine)
_trailer = msgspec.json.Decoder(ExportTrailer)


class FileWrong(Exception):
    """A file can't be read as records; the text says why."""


class Found(NamedTuple):
    """A record in a file; `label` names it among others of the same file."""

    label: str
    record: bytes


def records_in(path: str) -> Iterator[Found]:
    """Give the records of a file, `-` for standard input.

    Raises `FileWrong`. A file that is no export is given as one record, whatever it holds.
    """
    try:
        with _opened(path) as file:
            first = file.readline(_MOST_LINE + 1)
            if first.startswith((_BULK, _END)):
                yield from _bulk(first, file)
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
        yield Found(label=found.table, record=b"".join(bytes(each) + b"\n" for each in found.record))
        number += 1
        line = file.readline(_MOST_LINE + 1)


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
