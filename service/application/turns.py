"""Play on at a table that is due: built-in bots, clocks that have run out, tables that nobody starts, closing.

A worker calls `play_on` for a hint. What is due is read from the table itself, so a hint may come twice, late, or
for nothing; an answer counts only at the version that it was made for.
"""

import logging
from collections.abc import Callable
from typing import Final, Literal, Protocol

from domain.errors import Refusal
from domain.table import Table
from domain.table_rules import Abort, Expire, Play, ReplaceBot, TableCommand
from domain.values import Seat, Value
from service.application.choosing import LATE, Thinking, TimeUp, choose
from service.application.due import AI, STALE, TIMEOUT, due_of
from service.application.handle import Attempt, Desk, StaleVersion, command_id
from service.application.live import Live
from service.application.ports import Head, Queue
from service.application.seen import SeenLogs

TRIES: Final = 3
"""How often a bot may come to nothing at one version before another moves for it."""

_RACES: Final = ("not_found", "version_conflict")

_log = logging.getLogger("starledger.turns")


class Turns(Queue, Protocol):
    """The queue as workers and the relay use it."""

    def begin(self, table: str, version: int) -> int:
        """Note that a worker plays at a table from a version on; gives how many tries there came to nothing."""
        ...

    def end(self, table: str, began: int, stuck: int | None = None) -> None:
        """Note that the worker that began at version `began` came back; `stuck`: where a bot came to nothing."""
        ...

    def go_on(self, table: str, version: int, attempt: int = 0) -> None:
        """Ask for a table at which there is more to do, behind all others."""
        ...

    def remind(self, table: str, version: int) -> bool:
        """Ask again for a table unless it is asked for or played already; tell whether the queue could be reached."""
        ...


class _Overtaken(Exception):
    """The table is not as it was when we looked."""


class Played(Value, frozen=True):
    """What came of a hint: how many entries were written, the version then, and why it ended.

    `idle`: nothing is due; `stuck`: a bot took too long; `enough`: more is due, but the caller wanted to stop;
    `overtaken`: others were faster, and what is due behind their entry has a hint of its own.
    """

    entries: int
    version: int
    why: Literal["idle", "stuck", "enough", "overtaken"]


class Player:
    """Plays on at tables; one for each worker process, used by one thread at a time.

    `close` does what follows a table's end, as often as it is called. `enough` is asked before each entry.
    """

    def __init__(
        self,
        desk: Desk,
        close: Callable[[Live], None] = lambda _: None,
        thinking: Thinking | None = None,
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        self._desk = desk
        self._close = close
        self._thinking = thinking or Thinking()
        self._enough = enough
        self._logs = SeenLogs()

    def play_on(self, table_id: str, version: int, attempt: int = 0) -> Played:
        """Do all that is due at a table, until a player must act or nothing is due.

        `attempt`: how many tries at exactly this version came to nothing. Raises `Unavailable`, `Damaged`, `Frozen`
        and `UnknownEvent`.
        """
        entries, at = 0, version
        try:
            live = self._live(table_id)
            while True:
                with live.lock:
                    table, head = live.table, live.head
                at = head.version
                due = due_of(table, live.entries[0].time_ms, self._desk.now_ms())
                if due is None or due.delay_ms > 0:
                    return Played(entries, at, "idle")
                if self._enough():
                    return Played(entries, at, "enough")
                match due.what.partition(":"):
                    case (what, _, seat) if what == AI:
                        self._move(live, table, head, Seat(int(seat)), attempt if at == version else 0)
                    case (what, _, seat) if what == TIMEOUT:
                        self._commit(live, head, Expire(Seat(int(seat))), None)
                    case (what, _, _) if what == STALE:
                        self._commit(live, head, Abort(by=None), None)
                    case _:
                        self._close(live)
                        self._desk.forget(table_id)  # nobody will play here again
                        return Played(entries, at, "idle")
                entries += 1
        except TimeUp:
            return Played(entries, at, "stuck")
        except _Overtaken:
            return Played(entries, at, "overtaken")

    def _live(self, table_id: str) -> Live:
        try:
            return self._desk.table(table_id)
        except Refusal as unknown:
            raise _Overtaken from unknown

    def _move(self, live: Live, table: Table, head: Head, seat: Seat, tries: int) -> None:
        """Let the seat's bot move; where it fails, the fallback, and where that fails too, the default move."""
        driver = table.seats[seat].driver or ""
        seen = self._logs.seen(live, table, head.version, seat)
        reason = LATE
        if tries < TRIES:
            command, reason = choose(table.game, seen, driver, live.secret, head.version, self._thinking)
            if command is not None and self._accepted(live, head, Play(seat, command), seat):
                return
        fallback = self._thinking.fallback
        if driver != fallback and tries <= TRIES:
            command, _ = choose(table.game, seen, fallback, live.secret, head.version, self._thinking)
            if command is not None and self._accepted(live, head, ReplaceBot(seat, command, reason), seat):
                return
        self._commit(live, head, ReplaceBot(seat, table.game.default_move(table.play, seat), reason), seat)

    def _accepted(self, live: Live, head: Head, command: TableCommand, seat: Seat) -> bool:
        """Commit a bot's choice; False where the rules refuse it."""
        try:
            self._commit(live, head, command, seat)
        except Refusal:
            _log.exception("Table %s, version %d: a listed command was refused", live.id, head.version)
            return False
        return True

    def _commit(self, live: Live, head: Head, command: TableCommand, seat: Seat | None) -> None:
        """Commit at exactly this version, under an id that all workers share; raises `_Overtaken`, `Refusal`."""
        attempt = Attempt(
            command_id=command_id("ai", f"{live.id}-{head.version + 1}"), if_match=(head.version, head.hash)
        )
        try:
            done = self._desk.handle(live.id, lambda _: (command, seat), attempt)
        except StaleVersion as stale:
            raise _Overtaken from stale
        except Refusal as refusal:
            if refusal.code in _RACES or live.version != head.version:
                raise _Overtaken from refusal
            raise
        if done.replayed:
            raise _Overtaken
