"""What follows a table's end: steps that may run as often as they like, then the mark is taken away."""

from collections.abc import Callable, Sequence
from typing import Protocol

from service.application.live import Live
from service.application.ports import Mark

Step = Callable[[Live], None]
"""Does one thing for a table that has ended (enters it in the lists, rates it, tells webhooks); run again, it
changes nothing. Raises `Unavailable` where it should be tried again later."""


class Marks(Protocol):
    """The marks of the outbox, one by one."""

    def mark(self, table: str) -> Mark | None:
        """Give a table's mark."""
        ...

    def clear(self, mark: Mark) -> bool:
        """Remove a mark if it is still the one that was seen."""
        ...


class Closing:
    """Runs all steps in order; only when the last is done the table is due no more."""

    def __init__(self, marks: Marks, steps: Sequence[Step]) -> None:
        self._marks = marks
        self._steps = tuple(steps)

    def __call__(self, live: Live) -> None:
        """Close a table that has ended."""
        for step in self._steps:
            step(live)
        mark = self._marks.mark(live.id)
        if mark is not None:
            self._marks.clear(mark)
