"""Entries as the bytes that a viewer is sent: encoded once, shared by all who watch, the same for ever."""

import threading
from collections import OrderedDict
from typing import Final

import msgspec

from domain.history import Entry
from domain.log import shown
from domain.values import Viewer
from service.application.live import Live

MOST_BYTES: Final = 32 << 20
_OVERHEAD: Final = 256
"""What a key and its place cost beside the bytes themselves, roughly."""

_encode: Final = msgspec.json.Encoder(order="deterministic").encode
"""As all answers are encoded: an entry is the same bytes wherever it stands."""


class EntryBytes:
    """The JSON of entries by table, entry and viewer, the least recently used dropped first; safe between threads.

    An entry's hash is part of its key: after a loss of history another entry may bear the same version.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._held: OrderedDict[tuple[str, str, Viewer], bytes] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def of(self, live: Live, entry: Entry, viewer: Viewer) -> bytes:
        """Give an entry as `viewer` may see it, in JSON, without a line break."""
        key = (live.id, entry.hash, viewer)
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
                return held
        encoded = _encode(shown(live.game, entry, viewer))
        with self._lock:
            if key not in self._held:
                self._held[key] = encoded
                self._size += len(encoded) + _OVERHEAD
            while self._size > self._most:
                _, dropped = self._held.popitem(last=False)
                self._size -= len(dropped) + _OVERHEAD
        return encoded
