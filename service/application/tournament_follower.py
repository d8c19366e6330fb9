"""A cursor into a tournament's log, for streams and for pages that wait: one of all that follow it looks for news."""

import threading
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


class Outlook:
    """A tournament as it was last seen, for all that follow it in this process: one of them looks, the others wait."""

    def __init__(self, desk: TournamentDesk, live: LiveTournament, is_ending: Callable[[], bool]) -> None:
        self._desk = desk
        self._is_ending = is_ending
        self._news = threading.Condition()
        self._has_looker = False
        self.followers = 0
        self.live = live
        self.heard = time.monotonic()
        self.is_gone = False

    def wait(self, version: int, seconds: float) -> None:
        """Wait for what stands behind a version, or for so long at most."""
        end = time.monotonic() + max(0.0, seconds)
        with self._news:
            while self._has_looker:
                if not self._news.wait(end - time.monotonic()) or self.live.version > version or self.state != "live":
                    return
            self._has_looker = True
        try:
            while True:
                time.sleep(max(0.0, min(end - time.monotonic(), LOOK_S)))
                self._look()
                if self.live.version > version or self.state != "live" or time.monotonic() >= end:
                    break
        finally:
            with self._news:
                self._has_looker = False
                if self.live.version > version or self.state != "live":
                    self._news.notify_all()
                else:
                    self._news.notify()  # another one looks on

    def _look(self) -> None:
        try:
            self.live = self._desk.get(self.live.id)
        except Unavailable:
            return
        except Refusal:
            self.is_gone = True
        self.heard = time.monotonic()

    @property
    def state(self) -> State:
        """What may follow; a store that stays away ends it."""
        if self._is_ending() or time.monotonic() - self.heard > OUTAGE_S:
            return "ending"
        return "lost" if self.is_gone else "live"


class Outlooks:
    """The tournaments that are followed in this process; `is_ending` tells that it stops."""

    def __init__(self, desk: TournamentDesk, is_ending: Callable[[], bool] = lambda: False) -> None:
        self._desk = desk
        self._is_ending = is_ending
        self._lock = threading.Lock()
        self._open: dict[str, Outlook] = {}

    def follow(self, live: LiveTournament, after: int) -> "TournamentFollower":
        """Follow a tournament behind a version, until it is closed."""
        with self._lock:
            outlook = self._open.get(live.id)
            if outlook is None:
                outlook = self._open[live.id] = Outlook(self._desk, live, self._is_ending)
            else:
                outlook.live, outlook.heard = live, time.monotonic()  # it was read just now
            outlook.followers += 1
        return TournamentFollower(self, outlook, after)

    def leave(self, outlook: Outlook) -> None:
        """Follow it no more."""
        with self._lock:
            outlook.followers -= 1
            if not outlook.followers:
                self._open.pop(outlook.live.id, None)


class TournamentFollower:
    """Follows a tournament behind version `after`; used by one thread, and closed by it at the end."""

    def __init__(self, outlooks: Outlooks, outlook: Outlook, after: int) -> None:
        self._outlooks = outlooks
        self._outlook = outlook
        self._is_open = True
        self.version = after

    @property
    def live(self) -> LiveTournament:
        """The tournament as it was last seen."""
        return self._outlook.live

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
        """What may follow."""
        state = self._outlook.state
        if state != "live":
            return state
        if self.version > self.head:
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
        """Wait for news, no longer than so long."""
        self._outlook.wait(self.version, seconds)
        return self.head > self.version

    def close(self) -> None:
        """Follow it no more; a second time does nothing."""
        if self._is_open:
            self._is_open = False
            self._outlooks.leave(self._outlook)


def is_over(live: LiveTournament) -> bool:
    """Tell whether a tournament's log has ended, but for results that are corrected later."""
    return live.state.status in ("finished", "cancelled")
