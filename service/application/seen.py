"""What a built-in bot is given: a seat's view, commands and log, read on from move to move."""

from collections import OrderedDict
from typing import Any, Final

from domain.game import Seen
from domain.log import seen_log
from domain.table import Table
from domain.values import Event, Seat
from service.application.live import Live
from service.application.present import view_of

CACHE_TABLES: Final = 500


class SeenLogs:
    """Each seat's log of the tables at which this process has played, so that no entry is read twice."""

    def __init__(self, size: int = CACHE_TABLES) -> None:
        self._size = size
        self._held: OrderedDict[tuple[str, Seat], tuple[str, int, list[Event]]] = OrderedDict()

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
        key = (live.id, seat)
        hash_, at, log = self._held.pop(key, ("", 0, []))
        if at > version or (at and live.entries[at - 1].hash != hash_):
            at, log = 0, []  # another history, or an earlier moment
        log = log if at == version else [*log, *seen_log(live.game, live.entries[at:version], seat)]
        self._held[key] = (live.entries[version - 1].hash, version, log)
        while len(self._held) > self._size:
            self._held.popitem(last=False)
        return tuple(log)
