"""Commands decided behind the head of a table that the store does not hold yet, to be committed as one.

A built-in bot needs no answer between its moves, so a stretch of them costs one round trip and one write to the disk.
Until it is committed nothing of it was accepted: where others were faster, or the process dies, it never was, and bots
choose the same again from the same seed.
"""

from collections.abc import Callable

from domain.history import Entry, encode_events
from domain.table import Table
from domain.table_rules import TableCommand, admit, decide
from domain.values import Seat
from service.application.due import due_of
from service.application.entries import entry_behind
from service.application.live import Live
from service.application.ports import Head


class Ahead:
    """A table as it will stand: `table`, `head` and `entries` with what was added; `added` has each step."""

    def __init__(self, live: Live, random: Callable[[int], bytes], now_ms: Callable[[], int]) -> None:
        self._random = random
        self._now_ms = now_ms
        self.live = live
        with live.lock:
            self.base = self.head = live.head
            self.table = live.table
            self.entries: list[Entry] = list(live.entries)
        self.added: list[tuple[Entry, Table]] = []

    def add(self, command: TableCommand, seat: Seat | None, command_id: str) -> None:
        """Decide a command behind what was added before it; raises `Refusal`."""
        admit(self.table, command)
        now = max(self._now_ms(), self.entries[-1].time_ms)
        decided = decide(self.table, command, self.live.secret, now)
        due = due_of(decided.table, self.entries[0].time_ms, now)
        stored = encode_events(decided.events)
        entry = entry_behind(self.head, stored, seat, now, due, self._random, command_id=command_id)
        self.table, self.head = decided.table, Head(entry.version, entry.hash)
        self.entries.append(entry)
        self.added.append((entry, decided.table))
