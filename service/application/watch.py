"""Live feeds: who watches which table, and waking them as soon as an entry is in the store.

One thread a process reads the new entries of all watched tables. A watcher is a cursor into its table's log, not a
queue of its own: a slow one holds back nobody, and costs no memory that the table doesn't cost anyway.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Final, Literal, Self

from domain.history import Entry
from domain.log import UnknownEvent
from domain.table import Status
from domain.values import Viewer
from service.application.entry_bytes import EntryBytes
from service.application.live import Frozen, Live
from service.application.places import Places
from service.application.ports import Damaged, EventStore, Unavailable

MOST_BEHIND: Final = 1000
"""A watcher who was up to date once and is now so many entries behind is too slow."""
AT_ONCE: Final = 100
"""The most entries that a watcher takes at once."""
HEARTBEAT_S: Final = 10.0
"""Every stream says so often that it is still there."""
OUTAGE_S: Final = 30.0
"""A store that is away for longer ends the streams: their clients come back when it does."""
GROUP: Final = 32
GROUP_PAUSE_S: Final = 0.0002
"""Watchers are woken in groups with a pause between: a thousand threads that want the GIL at once spend most of their
time on asking for it (bench/streams.py: two and a half times as long, four times the CPU)."""
_WAIT_MS: Final = 5000
_BACKOFF_S: Final = (0.05, 2.0)
_JOIN_S: Final = 5.0

State = Literal["live", "over", "lost", "slow", "ending"]
"""What may follow: entries; nothing, the table has ended; another history; too much; nothing from this process."""

_log = logging.getLogger("starledger.watch")


class Feed:
    """One table as it is watched in this process. `head`: the version reached, and whether it is the last."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.head = _head(live)
        self.lost = False
        self.ending = False
        self.watchers: set[Watcher] = set()


class Watcher:
    """A cursor into one table's log through one pair of eyes; used by one thread, and closed by it at the end."""

    def __init__(self, watch: "Watch", feed: Feed, viewer: Viewer, after: int) -> None:
        self._watch = watch
        self._feed = feed
        self._up_to_date = False
        self._bell = threading.Lock()
        self._bell.acquire()
        self.viewer = viewer
        self.version = after

    @property
    def state(self) -> State:
        """What this watcher can expect; `over` only when all has been taken."""
        version, last = self._feed.head
        if self._watch.ending or self._feed.ending:
            return "ending"
        if self._feed.lost:
            return "lost"
        if self._up_to_date and version - self.version > MOST_BEHIND:
            return "slow"
        return "over" if last and self.version >= version else "live"

    @property
    def head(self) -> int:
        """The table's version, as far as this process knows."""
        return self._feed.head[0]

    @property
    def live(self) -> Live:
        """The table, which holds what the head says and maybe more."""
        return self._feed.live

    @property
    def status(self) -> Status:
        """The table's status."""
        return self._feed.live.table.status

    def take(self, most: int = AT_ONCE) -> list[tuple[int, bytes]]:
        """Take what is there behind the cursor, as version and JSON, and move on; empty: wait."""
        if self.state != "live":
            return []
        version, _ = self._feed.head
        entries = self._feed.live.entries[self.version : min(version, self.version + most)]
        taken = [(entry.version, self._watch.bytes.of(self._feed.live, entry, self.viewer)) for entry in entries]
        if taken:
            self.version = taken[-1][0]
        self._up_to_date = self._up_to_date or self.version >= version
        return taken

    def wait(self, seconds: float) -> bool:
        """Wait until something may have changed, or for so long; tell whether it was woken."""
        return self._bell.acquire(timeout=max(0.0, seconds))

    def ring(self) -> None:
        """Wake the watcher, now or when it next waits."""
        try:
            self._bell.release()
        except RuntimeError:
            return  # it has been rung already

    def close(self) -> None:
        """Stop watching; a second time does nothing."""
        self._watch.leave(self, self._feed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Watch:
    """All watchers of this process and the thread that reads for them; it starts with the first.

    `forget` is told of a table whose history in the store is not the one that was held. `streams` and `waits` are
    the places for who holds a thread: live streams, and requests that wait for a page.
    """

    def __init__(
        self,
        store: EventStore,
        forget: Callable[[str], None],
        streams: Places,
        waits: Places,
        heartbeat_s: float = HEARTBEAT_S,
        outage_s: float = OUTAGE_S,
    ) -> None:
        self.bytes = EntryBytes()
        self.streams = streams
        self.waits = waits
        self.heartbeat_s = heartbeat_s
        self._store = store
        self._forget = forget
        self._outage_s = outage_s
        self._lock = threading.Lock()
        self._ringing = threading.Lock()
        self._feeds: dict[str, Feed] = {}
        self._wanted = 0
        self._seen = 0
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._down_since: float | None = None
        self._thread: threading.Thread | None = None

    @property
    def ending(self) -> bool:
        """Whether all streams must end: the process stops, or the store has been away for too long."""
        down = self._down_since
        return self._closed.is_set() or (down is not None and time.monotonic() - down > self._outage_s)

    @property
    def count(self) -> int:
        """How many watch now."""
        with self._lock:
            return sum(len(feed.watchers) for feed in self._feeds.values())

    def open(self, live: Live, viewer: Viewer, after: int) -> Watcher:
        """Begin to watch a table, which was just read, behind version `after`."""
        with self._lock:
            feed = self._feeds.get(live.id)
            if feed is None or feed.lost or feed.ending or not _adopt(feed, live):
                feed = self._feeds[live.id] = Feed(live)
            else:
                feed.head = max(feed.head, _head(live))
            watcher = Watcher(self, feed, viewer, after)
            first = not feed.watchers
            feed.watchers.add(watcher)
            if first:
                self._wanted += 1
            wanted = self._wanted
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()
        if first and not feed.head[1]:
            self._announce(wanted)
        return watcher

    def leave(self, watcher: Watcher, feed: Feed) -> None:
        """Forget a watcher."""
        with self._lock:
            feed.watchers.discard(watcher)
            if not feed.watchers and self._feeds.get(feed.live.id) is feed:
                del self._feeds[feed.live.id]

    def close(self) -> None:
        """End all streams, and the thread; nobody can watch any more."""
        self._closed.set()
        self._changed.set()
        with self._lock:
            feeds = list(self._feeds.values())
            thread = self._thread
        for feed in feeds:
            self._ring(feed)
        if thread is not None:
            self._wake()
            thread.join(_JOIN_S)

    # ---- the thread

    def _run(self) -> None:
        pause = _BACKOFF_S[0]
        while not self._closed.is_set():
            self._changed.clear()
            with self._lock:
                self._seen = self._wanted
                feeds = [feed for feed in self._feeds.values() if not (feed.head[1] or feed.lost or feed.ending)]
            if not feeds and self._down_since is None:
                self._changed.wait()
                continue
            try:
                if self._down_since is not None:
                    self._compare(feeds)
                    self._down_since = None
                    continue
                found = self._store.wait({feed.live.id: feed.head[0] for feed in feeds}, _WAIT_MS)
                pause = _BACKOFF_S[0]
            except (Unavailable, Damaged) as away:
                if self._down_since is None:
                    _log.warning("the store is away, the streams wait for it: %s", away)
                    self._down_since = time.monotonic()
                self._closed.wait(pause)
                pause = min(2 * pause, _BACKOFF_S[1])
            else:
                for feed in feeds:
                    if entries := found.get(feed.live.id):
                        self._news(feed, entries)

    def _news(self, feed: Feed, entries: Sequence[Entry]) -> None:
        """Take over new entries, encode them once for each pair of eyes, and wake those who wait."""
        live = feed.live
        try:
            live.absorb(entries)
            head = _head(live)
            with self._lock:
                eyes = {watcher.viewer for watcher in feed.watchers}
            for entry in live.entries[feed.head[0] : head[0]]:
                for viewer in eyes:
                    self.bytes.of(live, entry, viewer)
            with self._lock:
                feed.head = max(feed.head, head)
        except Frozen as broken:
            self._lose(feed, broken)
            return
        except UnknownEvent as newer:
            # A newer program wrote it. Another process may know it: the clients go there.
            _log.warning("table %s has an entry of a newer version: %s", live.id, newer)
            feed.ending = True
        self._ring(feed)

    def _compare(self, feeds: Iterable[Feed]) -> None:
        """See whether a store that was away still holds what was shown."""
        for feed in feeds:
            version = feed.head[0]
            held = self._store.read(feed.live.id, version - 1, 1)
            if not held or held[0].hash != feed.live.entries[version - 1].hash:
                self._lose(feed, f"version {version} is gone or another")

    def _lose(self, feed: Feed, why: object) -> None:
        _log.error("table %s: the store lost what was shown: %s", feed.live.id, why)
        feed.lost = True
        self._forget(feed.live.id)
        self._ring(feed)

    def _ring(self, feed: Feed) -> None:
        with self._lock:
            watchers = tuple(feed.watchers)
        for n, watcher in enumerate(watchers, 1):
            watcher.ring()
            if n % GROUP == 0:
                time.sleep(GROUP_PAUSE_S)

    # ---- waking the thread

    def _announce(self, wanted: int) -> None:
        """See to it that the thread reads for a new table too: its wait ends now, or as soon as it begins.

        No gap opens meanwhile, for it reads from the version that the watcher began at.
        """
        self._changed.set()
        with self._ringing:  # of many new ones at once the first rings for all
            if self._seen < wanted:
                self._wake()

    def _wake(self) -> None:
        try:
            self._store.wake()
        except (Unavailable, Damaged) as away:
            _log.debug("waking the reader failed: %s", away)


def _head(live: Live) -> tuple[int, bool]:
    with live.lock:
        return live.version, live.table.status in ("finished", "aborted")


def _adopt(feed: Feed, live: Live) -> bool:
    """Let a feed go on with a table that was read anew, if it is the same history; tell whether."""
    if feed.live is not live:
        reached = feed.head[0]
        if live.version < reached or live.entries[reached - 1].hash != feed.live.entries[reached - 1].hash:
            return False
        feed.live = live
    return True
