"""A number of places, for what holds a thread for long; the last of them are kept for who holds few."""

import threading
from collections import Counter
from types import TracebackType
from typing import Final

FEW: Final = 64
"""Who holds less than one place in so many holds few."""
KEPT: Final = 8
"""One place in so many is kept for who holds few."""


class Places:
    """So many places; safe between threads. Of fewer than 64 none is kept for anybody."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._few = most // FEW
        self._kept = most // KEPT if self._few else 0
        self._taken = 0
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """How many are taken now."""
        return self._taken

    def take(self, who: str) -> "Place | None":
        """Take a place for a caller; None where none is left for him."""
        with self._lock:
            if self.most - self._taken <= (self._kept if self._held[who] >= self._few else 0):
                return None
            self._taken += 1
            self._held[who] += 1
            return Place(self, who)

    def _give_back(self, who: str) -> None:
        with self._lock:
            self._taken -= 1
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]


class Place:
    """A place that is held; given back at the end of a `with`, or by hand."""

    def __init__(self, places: Places, who: str) -> None:
        self._places: Places | None = places
        self._who = who

    def give_back(self) -> None:
        """Give it back; a second time does nothing."""
        places, self._places = self._places, None
        if places is not None:
            places._give_back(self._who)  # noqa: SLF001 - its other half

    def __enter__(self) -> None:
        """Hold it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()
