"""Players' own feeds: what the logs of tables and tournaments tell each player, numbered, written once and in the order of each log.

A log's *position* says up to which version its notices stand in the feeds. It moves in the same step in which they
are written, so what was told is never told twice; whoever finds it behind the log (the next commit, the closing of the
table or tournament, the slow sweep) tells the rest. So nothing is lost whatever is killed, and a commit never waits for a feed.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from domain.errors import Refusal
from domain.history import Entry
from domain.log import UnknownEvent
from domain.table import Table
from domain.tournament.state import Tournament
from domain.values import Value
from service.application import tournament_notices
from service.application.live import Frozen, Live
from service.application.notices import Told, has_players, notices_between, notices_of
from service.application.ports import Damaged, Unavailable
from service.application.stream_kinds import is_tournament
from service.application.tournament_desk import LiveTournament

KEPT: Final = 1000
"""So many notices of a player are kept; older ones are forgotten."""
_TRIES: Final = 5
_AGAIN_S: Final = 1.0
_JOIN_S: Final = 5.0
_MOST_WAITING: Final = 10_000
_GATHER_S: Final = 0.02
"""After a round trip so much is gathered for the next one: a lone notice does not wait, a busy service writes less."""

_log = logging.getLogger("starledger.feeds")


class Bounds(Value, frozen=True):
    """The ids of the first and the last notice that a feed holds; both 0: it never had one."""

    first: int
    last: int


Noticed = tuple[int, bytes]
"""A notice as a feed holds it: its id, counted from 1, and its JSON with the id in it."""


class Publication(Value, frozen=True):
    """What `FeedStore.publish` is given: a table, its positions before and after, and the notices between."""

    table: str
    after: int
    upto: int
    told: Sequence[Told]


class FeedStore(Protocol):
    """Feeds by player, positions by table; every method may raise `Unavailable` or `Damaged`."""

    def publish(self, table: str, after: int, upto: int, told: Sequence[Told]) -> int:
        """Write notices and move the table's position from `after` to `upto`, all or nothing.

        Gives the position as it was found; where it is not `after`, nothing was written.
        """
        ...

    def publish_all(self, publications: Sequence["Publication"]) -> Sequence[int]:
        """Publish for several tables in one round trip, each as `publish` does; gives the positions found."""
        ...

    def position(self, table: str) -> int:
        """Give a table's position; 0: nothing was told yet."""
        ...

    def notices(self, player: str, after: int, limit: int) -> Sequence[Noticed]:
        """Give the notices behind an id, oldest first."""
        ...

    def bounds(self, player: str) -> Bounds:
        """Give what a feed holds."""
        ...

    def wait_for(self, after: Mapping[str, int], timeout_ms: int) -> Mapping[str, int]:
        """Block until one of the players' feeds goes beyond the id named; gives the newest ids that were seen."""
        ...

    def wake(self) -> None:
        """Make this process's blocked `wait_for` return now."""
        ...


Source = Live | LiveTournament
"""What notices come from."""


class _Batch:
    """Notices of neighbouring entries of one log."""

    def __init__(self, live: Source, after: int) -> None:
        self.live = live
        self.after = after
        self.upto = after
        self.told: list[Told] = []
        self.is_torn = False

    def add(self, entry: Entry, told: Sequence[Told]) -> None:
        """Take in an entry; one that does not follow leaves a gap, which `catch_up` fills."""
        self.is_torn = self.is_torn or entry.version != self.upto + 1
        self.upto = max(self.upto, entry.version)
        self.told += told


class Feeds:
    """Writes feeds: `note` is told of every entry and returns at once, a thread of its own writes.

    Without `threaded` it is written in `note` itself (services in memory).
    """

    def __init__(self, store: FeedStore, *, threaded: bool = True) -> None:
        self._store = store
        self._threaded = threaded
        self._changed = threading.Condition()
        self._waiting: dict[str, _Batch] = {}
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._closing = threading.Event()

    def note(self, live: Live, before: Table | None, after: Table, entry: Entry) -> None:
        """Take in an entry that was just committed; never raises."""
        if has_players(after):
            self._take(live, entry, notices_of(before, after, entry))

    def note_tournament(self, live: LiveTournament, after: Tournament, entry: Entry) -> None:
        """Take in an entry of a tournament that was just committed; never raises."""
        if tournament_notices.tells_anybody(after):
            self._take(live, entry, tournament_notices.notices_of(after, entry))

    def _take(self, live: Source, entry: Entry, told: Sequence[Told]) -> None:
        with self._changed:
            if live.id not in self._waiting and len(self._waiting) >= _MOST_WAITING:
                return  # the sweep tells it
            self._waiting.setdefault(live.id, _Batch(live, entry.version - 1)).add(entry, told)
            if self._threaded:
                if self._thread is None and not self._is_closed:
                    self._thread = threading.Thread(target=self._run, name="feeds", daemon=True)
                    self._thread.start()
                self._changed.notify()
        if not self._threaded:
            self.flush()

    def flush(self) -> bool:
        """Write all that waits; tell whether all was written."""
        with self._changed:
            batches, self._waiting = self._waiting, {}
        is_done = True
        told = self._write(batches)
        for table, batch in batches.items():
            try:
                if table not in told:
                    self.catch_up(batch.live)
            except (Unavailable, Damaged) as silent:
                _log.warning("the feeds wait for the store: %s", silent)
                is_done = False
                with self._changed:
                    batch.is_torn = True
                    self._waiting.setdefault(table, batch).is_torn = True
            except (Refusal, Frozen, UnknownEvent) as unreadable:
                _log.warning("nothing is told of table %s: %s", table, unreadable)
        return is_done

    def _write(self, batches: Mapping[str, _Batch]) -> set[str]:
        """Write what is whole; gives the tables that are told: not those where another process told a part of it."""
        whole = [
            Publication(table=table, after=batch.after, upto=batch.upto, told=batch.told)
            for table, batch in batches.items()
            if not batch.is_torn
        ]
        try:
            found = self._store.publish_all(whole)
        except (Unavailable, Damaged):
            return set()  # one of them fails, or all: that is found out one by one
        return {
            each.table
            for each, position in zip(whole, found, strict=True)
            if position == each.after or position >= each.upto
        }

    def catch_up(self, live: Source) -> None:
        """Tell whatever was not told yet of a table or tournament; a second time it changes nothing.

        Raises `Unavailable`, `Damaged`, `Frozen`, `UnknownEvent`.
        """
        if not _tells_anybody(live):
            return
        position = self._store.position(live.id)
        for _ in range(_TRIES):
            with live.lock:
                version = live.version
            if position >= version:
                return
            found = self._store.publish(live.id, position, version, _told_between(live, position, version))
            if found == position:
                return
            position = found

    def is_behind(self, table: str, version: int) -> bool:
        """Tell whether the feeds may lack something of a table at this version; raises `Unavailable`."""
        return self._store.position(table) < version

    def close(self) -> None:
        """Write what waits and end the thread; what can't be written now, the sweep writes."""
        with self._changed:
            self._is_closed = True
            self._closing.set()
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(_JOIN_S)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if not self._waiting:
                    return
            is_done = self.flush()
            with self._changed:
                if not is_done and (self._is_closed or self._changed.wait_for(lambda: self._is_closed, _AGAIN_S)):
                    return
            self._closing.wait(_GATHER_S)


def _tells_anybody(live: Source) -> bool:
    if isinstance(live, LiveTournament):
        return tournament_notices.tells_anybody(live.state)
    return has_players(live.table)


def _told_between(live: Source, after: int, upto: int) -> tuple[Told, ...]:
    if isinstance(live, LiveTournament):
        return tournament_notices.notices_between(live, after, upto)
    return notices_between(live, after, upto)


def catch_up_step(
    feeds: Feeds, table: Callable[[str], Live], tournament: Callable[[str], LiveTournament]
) -> Callable[[str, int], None]:
    """Give what the slow sweep does for a log: tell what was not told, where its position is behind."""

    def step(stream: str, version: int) -> None:
        if feeds.is_behind(stream, version):
            try:
                feeds.catch_up(tournament(stream) if is_tournament(stream) else table(stream))
            except (Refusal, Frozen, UnknownEvent) as unreadable:
                _log.warning("nothing is told of %s: %s", stream, unreadable)

    return step
