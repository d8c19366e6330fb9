"""What a built-in bot is given: a seat's view, commands and log, read on from move to move."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

from domain.game import AnyGame, Seen
from domain.history import Entry
from domain.log import game_events
from domain.table import Table
from domain.values import Event, Seat
from service.application.present import view_of

CACHE_TABLES: Final = 500


class _Read:
    """A table's events as far as they were read, each decoded once for all seats; `seen` holds each seat's log."""

    def __init__(self) -> None:
        self.version = 0
        self.hash = ""
        self.events: list[Event] = []
        self.seen: dict[Seat, tuple[int, list[Event]]] = {}


class SeenLogs:
    """Each seat's log of the tables at which this process has played, so that no entry is read twice."""

    def __init__(self, size: int = CACHE_TABLES) -> None:
        self._size = size
        self._held: OrderedDict[str, _Read] = OrderedDict()

    def seen(self, table_id: str, table: Table, entries: Sequence[Entry], seat: Seat) -> Seen:
        """Give what a person in `seat` has where `entries` made `table`: no state, no other seat's cards."""
        play: Any = table.play
        return Seen(
            options=table.options,
            seats=len(table.seats),
            seat=seat,
            view=view_of(table, seat),
            commands=table.game.legal(play, seat),
            log=self._log(table_id, table.game, entries, seat),
        )

    def _log(self, table_id: str, game: AnyGame, entries: Sequence[Entry], seat: Seat) -> tuple[Event, ...]:
        version = len(entries)
        read = self._held.pop(table_id, None)
        if read is None or read.version > version or (read.version and entries[read.version - 1].hash != read.hash):
            read = _Read()  # not known, another history, or an earlier moment
        self._held[table_id] = read
        while len(self._held) > self._size:
            self._held.popitem(last=False)
        if read.version < version:
            read.events += game_events(game, entries[read.version : version])
            read.version, read.hash = version, entries[version - 1].hash
        at, log = read.seen.get(seat, (0, []))
        log += [game.redact(event, seat) for event in read.events[at:]]
        read.seen[seat] = (len(read.events), log)
        return tuple(log)
