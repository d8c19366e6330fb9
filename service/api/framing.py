"""How a live log is written on the wire: as Server-Sent Events, or as JSON Lines. The entries are the same bytes."""

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

import msgspec

EVENT_STREAM: Final = "text/event-stream"
JSON_LINES: Final = "application/x-ndjson"
RETRY_MS: Final = 2000
"""How long an EventSource waits before it comes back."""

_encode: Final = msgspec.json.Encoder(order="deterministic").encode

Taken = Iterable[tuple[int, bytes]]
"""Versions with their entries in JSON."""


class Framing(Protocol):
    """Writes the parts of a stream."""

    media: str
    opening: bytes
    heartbeat: bytes

    def entries(self, taken: Taken) -> bytes:
        """Write entries."""
        ...

    def end(self, facts: Mapping[str, object]) -> bytes:
        """Write that the table has ended and all was sent."""
        ...

    def reset(self, facts: Mapping[str, object], *, forget: bool) -> bytes:
        """Write that the stream can't go on; `forget`: what was sent does not count any more."""
        ...


class EventStream:
    """Server-Sent Events: a message an entry, its id the version; comments as heartbeats."""

    media = EVENT_STREAM
    opening = f"retry: {RETRY_MS}\n\n".encode()
    heartbeat = b": still here\n\n"

    def entries(self, taken: Taken) -> bytes:
        """Write entries as messages without a name."""
        return b"".join([b"id: %d\ndata: %b\n\n" % each for each in taken])

    def end(self, facts: Mapping[str, object]) -> bytes:
        """Write the message `end`."""
        return b"event: end\ndata: %b\n\n" % _encode(facts)

    def reset(self, facts: Mapping[str, object], *, forget: bool) -> bytes:
        """Write the message `reset`; an empty id makes an EventSource come back without one."""
        return b"event: reset\n%bdata: %b\n\n" % (b"id:\n" if forget else b"", _encode(facts))


class JsonLines:
    """One entry a line; empty lines as heartbeats; nothing after the last entry, for the stream just ends."""

    media = JSON_LINES
    opening = b""
    heartbeat = b"\n"

    def entries(self, taken: Taken) -> bytes:
        """Write entries as lines."""
        return b"".join([entry + b"\n" for _, entry in taken])

    def end(self, facts: Mapping[str, object]) -> bytes:  # noqa: ARG002 - the shape of a framing
        """Write nothing."""
        return b""

    def reset(self, facts: Mapping[str, object], *, forget: bool) -> bytes:  # noqa: ARG002 - the shape of a framing
        """Write a line that is no entry: an object with `reset` alone."""
        return _encode({"reset": facts}) + b"\n"


FRAMINGS: Final[Mapping[str, Framing]] = {EVENT_STREAM: EventStream(), JSON_LINES: JsonLines()}
