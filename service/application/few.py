"""What costs much of the processor: few at once, so that moves always find it free; the callers that wait take turns."""

import threading
from collections import deque
from typing import Final

AT_ONCE: Final = 2
"""One would do as much, for they share a GIL, but one that waits for the store would hold up all others."""


class Crowded(Exception):
    """Too many wait already."""


class _Waiter:
    """One who waits: for its place, or to be told that it gets none."""

    __slots__ = ("is_called", "is_patient", "is_refused")

    def __init__(self, *, is_patient: bool) -> None:
        self.is_patient = is_patient
        self.is_called = False
        self.is_refused = False


class Few:
    """So many places, for which callers wait in turn: each has one request called before anyone has a second.

    Where too many wait, the newest of the caller that has the most is refused, so that nobody can crowd others out.
    """

    def __init__(self, most: int = AT_ONCE, most_waiting: int = 1) -> None:
        self._free = most
        self._most_waiting = most_waiting
        self._changed = threading.Condition()
        self._lines: dict[str, deque[_Waiter]] = {}
        self._waiting = 0

    @property
    def waiting(self) -> int:
        """How many wait now."""
        return self._waiting

    def try_take(self) -> bool:
        """Take a place if one is free; tell whether there was one."""
        with self._changed:
            if not self._free:
                return False
            self._free -= 1
            return True

    def take(self, caller: str, *, is_patient: bool = False) -> None:
        """Wait for a place; raises `Crowded`, but not for a patient caller, who is in the middle of an answer."""
        with self._changed:
            if self._free:
                self._free -= 1
                return
            waiter = _Waiter(is_patient=is_patient)
            self._lines.setdefault(caller, deque()).append(waiter)
            self._waiting += 1
            if not is_patient:
                self._refuse_one_too_many(caller)
            self._changed.wait_for(lambda: waiter.is_called or waiter.is_refused)
        if waiter.is_refused:
            raise Crowded

    def give_back(self) -> None:
        """Give a place back, exactly once for each that was taken: it goes to whoever's turn it is."""
        with self._changed:
            caller = next(iter(self._lines), None)
            if caller is None:
                self._free += 1
                return
            line = self._lines.pop(caller)
            line.popleft().is_called = True
            if line:
                self._lines[caller] = line  # behind all others
            self._waiting -= 1
            self._changed.notify_all()

    def _refuse_one_too_many(self, caller: str) -> None:
        """Refuse the newest of the longest line, of this caller's where others are as long; he has just come."""
        impatient = {who: [each for each in line if not each.is_patient] for who, line in self._lines.items()}
        if sum(map(len, impatient.values())) <= self._most_waiting:
            return
        most = max(impatient, key=lambda who: (len(impatient[who]), who == caller))
        victim = impatient[most][-1]
        victim.is_refused = True
        self._lines[most].remove(victim)
        if not self._lines[most]:
            del self._lines[most]
        self._waiting -= 1
        self._changed.notify_all()


__all__ = ["Crowded", "Few"]
