"""A number of places, for what holds a thread for long."""

import threading


class Places:
    """So many places; safe between threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken = 0
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """How many are taken now."""
        return self._taken

    def take(self) -> bool:
        """Take a place; tell whether there was one."""
        with self._lock:
            if self._taken >= self.most:
                return False
            self._taken += 1
            return True

    def give_back(self) -> None:
        """Give a place back, exactly once for each that was taken."""
        with self._lock:
            self._taken -= 1
