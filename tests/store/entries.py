"""Entries for store tests, chained as the application chains them."""

import msgspec

from domain.history import GENESIS, Entry, chain
from domain.values import Seat
from service.application.ports import Head

SALT = bytes(range(240, 256))
T0 = 1_700_000_000_000


def entry(
    version: int, before: str = "", command_id: str | None = None, *, seat: int | None = 0, events: bytes = b"[]"
) -> Entry:
    """The entry of this version behind the hash `before`."""
    at, who = T0 + version, None if seat is None else Seat(seat)
    return Entry(
        version=version,
        time_ms=at,
        seat=who,
        events=events,
        salt=SALT,
        hash=chain(before or GENESIS, version, at, who, events, SALT),
        command_id=f"c{version}" if command_id is None else command_id,
        body="body",
        base=version - 1,
    )


def entries(count: int, **changes) -> list[Entry]:
    """A chain of so many entries."""
    made: list[Entry] = []
    for version in range(1, count + 1):
        made.append(entry(version, made[-1].hash if made else "", **changes))
    return made


def head(of: Entry) -> Head:
    """The concurrency token behind an entry."""
    return Head(version=of.version, hash=of.hash)


def due(of: Entry, text: str) -> Entry:
    """The entry as it is read back where this was due next."""
    return msgspec.structs.replace(of, due=text)
