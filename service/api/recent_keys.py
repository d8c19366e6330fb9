"""Which wish came under which key of late: so that a key used at one table is not taken for another wish at another.

A table's log knows the keys that were used there; this process remembers those of all tables for a day. It guards
against a mistake of a client, not the law that a wish counts once: that one the logs and the store keep.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from service.application.repeats import KEPT_S

MOST: Final = 50_000


class RecentKeys:
    """Keys of accepted requests with the hashes of their wishes, the oldest forgotten first; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def is_other(self, player: str, key: str, mark: int) -> bool:
        """Tell whether the key came with another wish."""
        until, held = self._held.get((player, key), (0.0, mark))
        return held != mark and self._clock() < until

    def keep(self, player: str, key: str, mark: int) -> None:
        """Remember an accepted request."""
        with self._lock:
            self._held.setdefault((player, key), (self._clock() + KEPT_S, mark))
            while len(self._held) > self._most:
                self._held.popitem(last=False)
