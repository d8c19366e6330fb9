"""A cursor into a tournament's log, for streams and for pages that wait: it looks for news from time to time."""

import time
from collections.abc import Callable
from typing import Final

import msgspec

from domain.errors import Refusal
from domain.tournament.log import shown
from service.application.ports import Unavailable
from service.application.tournament_desk import LiveTournament, TournamentDesk
from service.application.watch import AT_ONCE, OUTAGE_S, State

LOOK_S: Final = 0.5
"""So often."""

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


class TournamentFollower:
    """Follows a tournament behind version `after`; `is_ending` tells that the process stops."""

    def __init__(
        self, desk: TournamentDesk, live: LiveTournament, after: int, is_ending: Callable[[], bool] = lambda: False
    ) -> None:
        self._desk = desk
        self._is_ending = is_ending
        self._is_gone = False
        self._heard = time.monotonic()
        self.live = live
        self.version = after

    @property
    def head(self) -> int:
        """Its version."""
        return self.live.version

    @property
    def status(self) -> str:
        """Its status."""
        return self.live.state.status

    @property
    def state(self) -> State:
        """What may follow; a store that stays away ends it."""
        if self._is_ending() or time.monotonic() - self._heard > OUTAGE_S:
            return "ending"
        if self._is_gone or self.version > self.head:
            return "lost"
        with self.live.lock:
            return "over" if is_over(self.live) and self.version >= self.head else "live"

    def take(self) -> list[tuple[int, bytes]]:
        """Take what is there and move on."""
        with self.live.lock:
            entries = self.live.entries[self.version : self.version + AT_ONCE]
        taken = [(entry.version, _encode(shown(entry))) for entry in entries]
        if taken:
            self.version = taken[-1][0]
        return taken

    def wait(self, seconds: float) -> bool:
        """Wait a little, no longer than so long, and look again."""
        time.sleep(max(0.0, min(seconds, LOOK_S)))
        try:
            self.live = self._desk.get(self.live.id)
        except Unavailable:
            return False
        except Refusal:
            self._is_gone = True
        self._heard = time.monotonic()
        return True

    def close(self) -> None:
        """Hold nothing."""


def is_over(live: LiveTournament) -> bool:
    """Tell whether a tournament's log has ended, but for results that are corrected later."""
    return live.state.status in ("finished", "cancelled")
