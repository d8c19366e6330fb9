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
from service.application.ahead import Ahead
from service.application.choosing import LATE, Thinking, TimeUp, choose
from service.application.due import AI, CLOSE, TIMEOUT, due_of
from service.application.handle import Desk, command_id
from service.application.live import Live
from service.application.ports import Queue
from service.application.seen import SeenLogs

TRIES: Final = 3
"""How often a bot may come to nothing at one version before another moves for it."""

MOST: Final = 64
STRETCH_MS: Final = 20
"""So many moves, or those of so long a time, are committed as one where bots play alone.

A person's clock may run with an entry, and what he wishes may come at any moment: where one sits, each goes by itself.
"""

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

    `close` does what follows a table's end, as often as it is called. `enough` is asked before each entry. What bots
    do without waiting for anybody is committed in stretches (`service.application.ahead`).
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

        `attempt`: how many tries at exactly this version came to nothing; where one did, each entry is committed by
        itself, so that it is seen which one it is. Raises `Unavailable`, `Damaged`, `Frozen` and `UnknownEvent`.
        """
        try:
            live = self._desk.table(table_id)
        except Refusal:
            return Played(0, version, "overtaken")
        entries = 0
        while True:
            ahead = self._desk.ahead(live)
            base = ahead.base.version
            most = 1 if attempt or not _has_bots_alone(ahead.table) else MOST
            why = self._stretch(ahead, most, attempt if base == version else 0)
            if ahead.added and not self._desk.commit_all(ahead):
                return Played(entries, base, "overtaken")
            entries += len(ahead.added)
            if why == "ended":
                self._close(live)
                self._desk.forget(table_id)  # nobody will play here again
                why = "idle"
            if why != "more":
                return Played(entries, ahead.head.version, why)

    def _stretch(self, ahead: Ahead, most: int, tries: int) -> Literal["idle", "stuck", "enough", "ended", "more"]:
        """Add what is due, one entry after the other, and say why it stops; `more`: it is enough for one commit."""
        until = self._desk.now_ms() + STRETCH_MS
        while True:
            now = self._desk.now_ms()
            due = due_of(ahead.table, ahead.entries[0].time_ms, now)
            if due is None or due.delay_ms > 0:
                return "idle"
            if ahead.added and (len(ahead.added) >= most or now >= until):
                return "more"
            if self._enough():
                return "enough"
            if due.what == CLOSE:
                return "ended"
            what, _, seat = due.what.partition(":")
            try:
                if what == AI:
                    self._move(ahead, Seat(int(seat)), 0 if ahead.added else tries)
                else:
                    self._add(ahead, Expire(Seat(int(seat))) if what == TIMEOUT else Abort(by=None), None)
            except TimeUp:
                return "stuck"

    def _move(self, ahead: Ahead, seat: Seat, tries: int) -> None:
        """Let the seat's bot move; where it fails, the fallback, and where that fails too, the default move."""
        table, version, secret = ahead.table, ahead.head.version, ahead.live.secret
        driver = table.seats[seat].driver or ""
        seen = self._logs.seen(ahead.live.id, table, ahead.entries, seat)
        reason = LATE
        if tries < TRIES:
            command, reason = choose(table.game, seen, driver, secret, version, self._thinking)
            if command is not None and self._accepted(ahead, Play(seat, command), seat):
                return
        fallback = self._thinking.fallback
        if driver != fallback and tries <= TRIES:
            command, _ = choose(table.game, seen, fallback, secret, version, self._thinking)
            if command is not None and self._accepted(ahead, ReplaceBot(seat, command, reason), seat):
                return
        self._add(ahead, ReplaceBot(seat, table.game.default_move(table.play, seat), reason), seat)

    def _accepted(self, ahead: Ahead, command: TableCommand, seat: Seat) -> bool:
        """Add a bot's choice; False where the rules refuse it."""
        try:
            self._add(ahead, command, seat)
        except Refusal:
            _log.exception("Table %s, version %d: a listed command was refused", ahead.live.id, ahead.head.version)
            return False
        return True

    def _add(self, ahead: Ahead, command: TableCommand, seat: Seat | None) -> None:
        """Decide behind what was added, under an id that all workers share; raises `Refusal`."""
        ahead.add(command, seat, command_id("ai", f"{ahead.live.id}-{ahead.head.version + 1}"))


def _has_bots_alone(table: Table) -> bool:
    """Tell whether built-in bots play all seats, also those that persons have left to them."""
    return all(seat.driver is not None for seat in table.seats)
