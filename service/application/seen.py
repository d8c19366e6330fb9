"""What a built-in bot is given: a seat's view, commands and log, read on from move to move."""

from collections import OrderedDict
from typing import Any, Final

from domain.game import Seen
from domain.log import game_events
from domain.table import Table
from domain.values import Event, Seat
from service.application.live import Live
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

    def seen(self, live: Live, table: Table, version: int, seat: Seat) -> Seen:
        """Give what a person in `seat` has at `version`, where `table` stands then: no state, no other seat's cards."""
        play: Any = table.play
        return Seen(
            options=table.options,
            seats=len(table.seats),
            seat=seat,
            view=view_of(table, seat),
            commands=table.game.legal(play, seat),
            log=self._log(live, version, seat),
        )

    def _log(self, live: Live, version: int, seat: Seat) -> tuple[Event, ...]:
        read = self._held.pop(live.id, None)
        if (
            read is None
            or read.version > version
            or (read.version and live.entries[read.version - 1].hash != read.hash)
        ):
            read = _Read()  # not known, another history, or an earlier moment
        self._held[live.id] = read
        while len(self._held) > self._size:
            self._held.popitem(last=False)
        if read.version < version:
            read.events += game_events(live.game, live.entries[read.version : version])
            read.version, read.hash = version, live.entries[version - 1].hash
        at, log = read.seen.get(seat, (0, []))
        log += [live.game.redact(event, seat) for event in read.events[at:]]
        read.seen[seat] = (len(read.events), log)
        return tuple(log)
