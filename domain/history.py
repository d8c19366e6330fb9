"""The log of a table as stored: entries, their canonical bytes and the hash chain (fairness.md)."""

import datetime as dt
import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from domain.values import Event, Seat, Value

GENESIS: Final = bytes(32).hex()
"""h_0: what the first entry's hash stands on."""
SALT_BYTES: Final = 16

Raw = dict[str, Any]
"""One event as stored: a JSON object with its `type` and, above 1, its version `v`."""

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """Encode as JCS (RFC 8785); values here hold no floats, and keys are ASCII."""
    return _encoder.encode(value)


class Entry(Value, frozen=True):
    """One accepted command with the events that it caused, as it stands in the stream.

    `events` are canonical JSON bytes as stored, never upcast; `salt` 16 bytes; `hash` hex. `command_id`,
    `body`, `base` and `due` are the service's own bookkeeping: they stand in no answer and no record.
    """

    version: int
    time_ms: int
    seat: Seat | None
    events: bytes
    salt: bytes
    hash: str
    command_id: str = ""
    body: str = ""
    base: int = 0
    due: str = ""


def rfc3339(time_ms: int) -> str:
    """Write a time in ms since 1970 as RFC 3339 in UTC with milliseconds."""
    seconds, milli = divmod(time_ms, 1000)
    return f"{_second(seconds)}.{milli:03d}Z"


@functools.lru_cache(maxsize=256)
def _second(seconds: int) -> str:
    """Write a second; most entries of a moment share it."""
    return f"{dt.datetime.fromtimestamp(seconds, dt.UTC):%Y-%m-%dT%H:%M:%S}"


def ms_of(moment: str) -> int:
    """Read a time as `rfc3339` writes it, in ms since 1970."""
    return round(dt.datetime.fromisoformat(moment).timestamp() * 1000)


def chain(before: str, version: int, time_ms: int, seat: Seat | None, events: bytes, salt: bytes) -> str:
    """Give h_v in hex: `SHA-256(h_(v-1) ‖ JCS({version, time, seat, events, salt}))`; `seat` null if nobody's."""
    sealed = (
        b'{"events":'
        + events
        + b',"salt":"'
        + salt.hex().encode()
        + b'","seat":'
        + (b"null" if seat is None else str(seat).encode())
        + b',"time":"'
        + rfc3339(time_ms).encode()
        + b'","version":'
        + str(version).encode()
        + b"}"
    )
    return hashlib.sha256(bytes.fromhex(before) + sealed).hexdigest()


def encode_events(events: Iterable[Event]) -> bytes:
    """Encode events as they are stored."""
    return canonical(list(events))


Upcaster = Callable[[Raw], Raw]

UPCASTERS: Final[Mapping[tuple[str, int], Upcaster]] = {}
"""For each event type and version the step to the next version, pure and additive first; never edited."""


def upcast(raw: Raw, upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS) -> Raw:
    """Bring a stored event to the newest version of its type; the stored bytes stay as they are."""
    while step := upcasters.get((raw["type"], raw.get("v", 1))):
        raw = step(raw)
    return {name: value for name, value in raw.items() if name != "v"}


def first_broken(entries: Iterable[Entry]) -> tuple[int, str] | None:
    """Give the first version at which the chain is broken, with the reason; None where it holds."""
    before = GENESIS
    for version, entry in enumerate(entries, start=1):
        if entry.version != version:
            return version, f"entry {version} is missing: entry {entry.version} stands in its place"
        if chain(before, entry.version, entry.time_ms, entry.seat, entry.events, entry.salt) != entry.hash:
            return version, f"the hash of entry {version} is not that of its content behind entry {version - 1}"
        before = entry.hash
    return None
