"""An entry as the fields of a stream entry, and back; the same names in every entry, binary-safe."""

from collections.abc import Iterable
from typing import Any, Final

from domain.history import Entry
from domain.values import Seat
from service.application.ports import Damaged, Due

FIELDS: Final = ("c", "b", "k", "p", "d", "s", "h", "n", "t")
"""Command id, body's HMAC, version it was based on, seat, events, salt, head hash, what is due next, time in ms.

`commit.lua` writes them under the same names.
"""


def values(entry: Entry, due: Due | None) -> tuple[bytes | str | int, ...]:
    """Give the values of `FIELDS`, in their order; the hash is stored as 32 bytes."""
    return (
        entry.command_id,
        entry.body,
        entry.base,
        "" if entry.seat is None else entry.seat,
        entry.events,
        entry.salt,
        bytes.fromhex(entry.hash),
        due.encode() if due else "",
        entry.time_ms,
    )


def encode(entry: Entry, due: Due | None) -> list[bytes | str | int]:
    """Give names and values in turn, as XADD takes them."""
    return [part for pair in zip(FIELDS, values(entry, due), strict=True) for part in pair]


def decode(entry_id: bytes, fields: Any) -> Entry:
    """Read one stream entry, its fields as a dict or as names and values in turn.

    Raises `Damaged` where it is none of ours.
    """
    named = fields if isinstance(fields, dict) else dict(zip(fields[::2], fields[1::2], strict=True))
    try:
        seat = named[b"p"]
        return Entry(
            version=int(entry_id.partition(b"-")[0]),
            time_ms=int(named[b"t"]),
            seat=Seat(int(seat)) if seat else None,
            events=named[b"d"],
            salt=named[b"s"],
            hash=named[b"h"].hex(),
            command_id=named[b"c"].decode(),
            body=named[b"b"].decode(),
            base=int(named[b"k"]),
            due=named[b"n"].decode(),
        )
    except (KeyError, ValueError) as error:
        raise Damaged(f"entry {entry_id.decode()} of a stream can't be read: {error!r}") from error


def decode_all(rows: Iterable[Any]) -> tuple[Entry, ...]:
    """Read rows of `(id, fields)`."""
    return tuple(decode(entry_id, fields) for entry_id, fields in rows)
