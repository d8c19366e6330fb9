"""Following players' feeds live: one thread a process waits for all of them and wakes who reads."""

import logging
import threading
import time
from types import TracebackType
from typing import Final, Literal, Self

from service.application.feeds import FeedStore, Noticed
from service.application.ports import Damaged, Unavailable

AT_ONCE: Final = 100
OUTAGE_S: Final = 30.0
"""A store that is away for longer ends the streams: their clients come back when it does."""
_WAIT_MS: Final = 5000
_BACKOFF_S: Final = (0.05, 2.0)
_JOIN_S: Final = 5.0

State = Literal["live", "lost", "ending"]

_log = logging.getLogger("starledger.watch")


class Follower:
    """A cursor into one player's feed; used by one thread, and closed by it at the end.

    It is lost where the feed does not hold what follows its cursor: it was forgotten, or is another feed.
    """

    def __init__(self, watch: "FeedWatch", player: str, after: int, *, is_lost: bool) -> None:
        self._watch = watch
        self._bell = threading.Event()
        self._is_lost = is_lost
        self.player = player
        self.version = after
        self.head = after
        self.status = "live"

    @property
    def state(self) -> State:
        """What this follower can expect."""
        if self._watch.ending:
            return "ending"
        return "lost" if self._is_lost else "live"

    def take(self, most: int = AT_ONCE) -> list[Noticed]:
        """Take what is there behind the cursor, and move on; empty: wait."""
        if self.state != "live":
            return []
        self._bell.clear()
        try:
            taken = list(self._watch.store.notices(self.player, self.version, most))
        except Unavailable:
            return []  # the thread waits for the store, and rings when it is back
        if taken:
            if self.version and taken[0][0] != self.version + 1:
                self._is_lost = True
                self.head = taken[-1][0]
                return []
            self.version = self.head = taken[-1][0]
        return taken

    def wait(self, seconds: float) -> bool:
        """Wait until something may have changed, or for so long; tell whether it was woken."""
        return self._bell.wait(max(0.0, seconds))

    def ring(self) -> None:
        """Wake the follower."""
        self._bell.set()

    def close(self) -> None:
        """Stop following; a second time does nothing."""
        self._watch.leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class FeedWatch:
    """All followers of this process and the thread that waits for them; it starts with the first."""

    def __init__(self, store: FeedStore, outage_s: float = OUTAGE_S) -> None:
        self.store = store
        self._outage_s = outage_s
        self._lock = threading.Lock()
        self._followers: dict[str, set[Follower]] = {}
        self._heads: dict[str, int] = {}
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._down_since: float | None = None
        self._thread: threading.Thread | None = None

    @property
    def ending(self) -> bool:
        """Whether all streams must end: the process stops, or the store has been away for too long."""
        down = self._down_since
        return self._closed.is_set() or (down is not None and time.monotonic() - down > self._outage_s)

    def open(self, player: str, after: int) -> Follower:
        """Begin to follow a feed behind the id `after`; 0: from the oldest notice on that is kept.

        Raises `Unavailable`.
        """
        held = self.store.bounds(player)
        is_lost = after > held.last or (after > 0 and after + 1 < held.first)
        follower = Follower(self, player, after, is_lost=is_lost)
        follower.head = held.last
        with self._lock:
            self._followers.setdefault(player, set()).add(follower)
            self._heads[player] = max(self._heads.get(player, 0), held.last)
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="feed-watch", daemon=True)
                self._thread.start()
        self._announce()
        return follower

    def leave(self, follower: Follower) -> None:
        """Forget a follower."""
        with self._lock:
            others = self._followers.get(follower.player)
            if others is not None:
                others.discard(follower)
                if not others:
                    del self._followers[follower.player]
                    self._heads.pop(follower.player, None)

    def close(self) -> None:
        """End all streams, and the thread."""
        self._closed.set()
        self._ring_all()
        self._announce()
        thread = self._thread
        if thread is not None:
            thread.join(_JOIN_S)

    def _announce(self) -> None:
        self._changed.set()
        try:
            self.store.wake()
        except (Unavailable, Damaged) as away:
            _log.debug("waking the reader of feeds failed: %s", away)

    def _run(self) -> None:
        pause = _BACKOFF_S[0]
        while not self._closed.is_set():
            self._changed.clear()
            with self._lock:
                heads = dict(self._heads)
            if not heads:
                self._changed.wait()
                continue
            try:
                found = self.store.wait_for(heads, _WAIT_MS)
                if self._down_since is not None:
                    self._down_since = None
                    self._ring_all()
                pause = _BACKOFF_S[0]
            except (Unavailable, Damaged) as away:
                if self._down_since is None:
                    _log.warning("the store is away, the players' streams wait for it: %s", away)
                    self._down_since = time.monotonic()
                if self.ending:
                    self._ring_all()
                self._closed.wait(pause)
                pause = min(2 * pause, _BACKOFF_S[1])
                continue
            for player, last in found.items():
                with self._lock:
                    if player in self._heads:
                        self._heads[player] = max(self._heads[player], last)
                    followers = tuple(self._followers.get(player, ()))
                for follower in followers:
                    follower.ring()

    def _ring_all(self) -> None:
        with self._lock:
            followers = [each for group in self._followers.values() for each in group]
        for follower in followers:
            follower.ring()
