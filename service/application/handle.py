"""The one door: load a table, decide a command, commit its entry. Nothing else does this.

HTTP, bots, clocks and tournaments all come through here, each with a command id that makes a second try
harmless.
"""

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeVar

from domain.chance import SECRET_BYTES, Secret, chosen_secret
from domain.errors import Refusal
from domain.game import AnyGame
from domain.history import Entry, encode_events
from domain.log import apply_events
from domain.table import Table
from domain.table_events import SeatTaken
from domain.table_rules import Create, Decided, TableCommand, TakeSeat, admit, create, decide
from domain.values import Event, Seat, Value
from service.application.ahead import Ahead
from service.application.directory import TableIndex, listing_of
from service.application.due import due_of
from service.application.entries import entry_behind, is_body
from service.application.live import Live, LiveTables, pack_secret
from service.application.ports import (
    Committed,
    Conflict,
    Diverged,
    Due,
    Duplicate,
    EventStore,
    Gone,
    Head,
    Proof,
    Queue,
    Unavailable,
)
from service.application.stream_kinds import is_tournament

T = TypeVar("T")

TRIES: Final = 3
"""How often a command is decided anew when others were faster."""

_log = logging.getLogger("starledger.desk")


class StaleVersion(Exception):
    """The caller's `If-Match` is not the table's version; `live` shows what was missed since `seen`."""

    def __init__(self, live: Live, seen: int) -> None:
        super().__init__("stale version")
        self.live = live
        self.seen = seen


class KeyReused(Exception):
    """An idempotency key came again with another body."""


class Attempt(Value, frozen=True):
    """Who tries what, under which id: `command_id` is the same at every try of the same wish.

    `body` tells bodies apart under one id; `if_match` is the version and hash prefix that the caller has seen; `proof`
    is what must hold when it is committed.
    """

    command_id: str
    body: bytes = b""
    if_match: tuple[int, str] | None = None
    proof: Proof | None = None


class Done(Value, frozen=True):
    """A command that has been accepted: the table right after its entry; `replayed`: it was accepted before."""

    live: Live
    table: Table
    entry: Entry
    replayed: bool = False


class Randomness(Protocol):
    """Where secrets and salts come from (`os.urandom`)."""

    def __call__(self, size: int, /) -> bytes:
        """Give so many random bytes."""
        ...


Wish = Callable[[Table], tuple[TableCommand, Seat | None]]
"""From the table as it stands to the command and the seat that causes it; may raise `Refusal`.

Who sits down causes it from the seat that he gets, so that a wish to sit down need not name one.
"""


Committing = Callable[[Live, Table | None, Table, Entry], None]
"""Is told of every entry that was committed here, with the table before and after it; returns at once, never raises."""


class Desk:
    """The use case of every command at every table."""

    def __init__(
        self,
        store: EventStore,
        queue: Queue,
        games: Mapping[str, AnyGame],
        random: Randomness,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        index: TableIndex | None = None,
        committed: Committing | None = None,
    ) -> None:
        self._store = store
        self._queue = queue
        self._index = index
        self._committed = committed
        self.games = games
        self._random = random
        self.now_ms = now_ms
        self._tables = LiveTables(self._load)

    def table(self, table_id: str) -> Live:
        """Give a table as the store has it now, also where the store lost what was held; raises `Refusal` `not_found`."""
        found = self._tables.get(table_id)
        if found is None:
            raise _unknown(table_id)
        live, held = found
        if held:
            last = live.entries[-1]
            tail = self._store.read(table_id, last.version - 1)
            if not tail or tail[0].hash != last.hash:
                self._tables.drop(table_id)
                return self._loaded(table_id)
            live.absorb(tail)
        return live

    def glanced(self, table_id: str) -> Live:
        """Give a table as the store has it now; one that has ended pushes out none that is held and being played.

        Raises `Refusal` `not_found`.
        """
        if self._tables.has(table_id):
            return self.table(table_id)
        live = self._load(table_id)
        if live is None:
            raise _unknown(table_id)
        return self._tables.keep(live) if live.table.status in ("open", "playing") else live

    def forget(self, table_id: str) -> None:
        """Drop a table from the cache: its history in the store is not the one that was held."""
        self._tables.drop(table_id)

    def held(self, table_id: str) -> Live:
        """Give a table as this process holds it, which may lag behind the store: for what never changes of it.

        Raises `Refusal` `not_found`.
        """
        return self._loaded(table_id)

    def create(self, table_id: str, wish: Create, attempt: Attempt, secret: Secret | None = None) -> Done:
        """Make a table; a second time under the same id it is the first one again.

        `secret`: that of a deal that other tables play too. Raises `Refusal` (`validation_failed`) and `KeyReused`.
        """
        if secret is not None:
            pass
        elif wish.chosen_seed is not None:
            secret = chosen_secret(wish.chosen_seed)
        else:
            secret = Secret(secret=self._random(SECRET_BYTES), bots=self._random(SECRET_BYTES))
        now = self.now_ms()
        events = create(table_id, wish, secret, now)
        table = apply_events(table_id, wish.game, None, events)
        seat = table.seat_of(wish.creator)
        due = due_of(table, now, now)
        entry = self._entry(Head(0, ""), events, seat, attempt, now, due)
        self._enter(table, now)
        answer = self._store.create(
            table_id, entry, pack_secret(secret), due, running=table.status in ("open", "playing")
        )
        match answer:
            case Committed():
                live = self._loaded(table_id)
                if self._committed is not None:
                    self._committed(live, None, table, live.entries[0])
                self._hint(live, table)
                return Done(live=live, table=table, entry=live.entries[0])
            case Duplicate():
                live = self.table(table_id)
                self._enter(live.table, live.entries[0].time_ms)
                return self._again(live, 1, attempt)
            case _:
                raise KeyReused

    def handle(self, table_id: str, wish: Wish, attempt: Attempt) -> Done:
        """Decide and commit one command; a repeat of an accepted one is answered again and changes nothing.

        Raises `Refusal`, `StaleVersion`, `KeyReused` and `Unproven`.
        """
        found = self._tables.get(table_id)
        if found is None:
            raise _unknown(table_id)
        live, fresh = found[0], not found[1]
        for _ in range(TRIES):
            with live.lock:
                done = self._try(live, wish, attempt, fresh=fresh)
            if done is not None:
                self._hint(done.live, done.table)
                return done
            fresh = True
        raise Refusal("version_conflict", "Others were faster three times in a row; try again.")

    def ahead(self, live: Live) -> Ahead:
        """Begin to decide commands behind the head of a table that are committed together."""
        return Ahead(live, self._random, self.now_ms)

    def commit_all(self, ahead: Ahead) -> bool:
        """Commit all that was added, or nothing; False where the table is not the one that it was decided on."""
        live = ahead.live
        entries = [entry for entry, _ in ahead.added]
        running = ahead.table.status in ("open", "playing")
        with live.lock:
            if live.head != ahead.base:
                return False
            due = Due.decode(entries[-1].due)
            answer = self._store.commit_all(live.id, ahead.base, entries, due, running=running)
            match answer:
                case Committed():
                    for entry, table in ahead.added:
                        before = live.table
                        live.absorb((entry,), known=table)
                        self._move(live, before)
                        if self._committed is not None:
                            self._committed(live, before, table, entry)
                case Duplicate(tail=tail) | Conflict(tail=tail):
                    live.absorb(tail)
                case Diverged() | Gone():
                    self._tables.drop(live.id)
        return isinstance(answer, Committed)

    def _try(self, live: Live, wish: Wish, attempt: Attempt, *, fresh: bool) -> Done | None:
        """Try once, on the table as held; None where the store held more, which is then absorbed."""
        if attempt.command_id in live.ids:
            return self._again(live, live.ids[attempt.command_id], attempt)
        try:
            decided, seat, now = self._decide(live, wish, attempt)
        except (Refusal, StaleVersion):
            # A refusal may rest on a table that lags behind the store: it is given on the newest one only.
            if fresh or not self._catch_up(live):
                raise
            return None
        head = live.head
        before, table = live.table, decided.table
        due = due_of(table, live.entries[0].time_ms, now)
        entry = self._entry(head, decided.events, seat, attempt, now, due)
        running = table.status in ("open", "playing")
        match self._store.commit(live.id, head, entry, due, running=running, proof=attempt.proof):
            case Committed():
                live.absorb((entry,), known=table)
                self._move(live, before)
                if self._committed is not None:
                    self._committed(live, before, table, entry)
                return Done(live=live, table=table, entry=entry)
            case Duplicate(version=version, tail=tail):
                live.absorb(tail)
                if version > live.version:
                    self._catch_up(live)
                return self._again(live, version, attempt)
            case Conflict(tail=tail):
                live.absorb(tail)
                return None
            case Diverged():
                self._tables.drop(live.id)
                raise Refusal("version_conflict", "The table's history is not the one that you saw; read it again.")
            case Gone():
                self._tables.drop(live.id)
                raise _unknown(live.id)

    def _decide(self, live: Live, wish: Wish, attempt: Attempt) -> tuple[Decided, Seat | None, int]:
        table = live.table
        command, seat = wish(table)
        admit(table, command)
        if attempt.if_match is not None and not _matches(attempt.if_match, live.head):
            raise StaleVersion(live, attempt.if_match[0])
        now = max(self.now_ms(), live.entries[-1].time_ms)
        decided = decide(table, command, live.secret, now)
        if isinstance(command, TakeSeat):
            seat = next(event.seat for event in decided.events if isinstance(event, SeatTaken))
        return decided, seat, now

    def _entry(
        self,
        head: Head,
        events: tuple[Event, ...],
        seat: Seat | None,
        attempt: Attempt,
        now_ms: int,
        due: Due | None,
    ) -> Entry:
        stored, random = encode_events(events), self._random
        return entry_behind(head, stored, seat, now_ms, due, random, command_id=attempt.command_id, body=attempt.body)

    def _again(self, live: Live, version: int, attempt: Attempt) -> Done:
        entry = live.entries[version - 1]
        if not is_body(entry, attempt.body):
            raise KeyReused
        return Done(live=live, table=live.table_at(version), entry=entry, replayed=True)

    def _catch_up(self, live: Live) -> bool:
        missed = self._store.read(live.id, live.version)
        live.absorb(missed)
        return bool(missed)

    def _enter(self, table: Table, created_ms: int) -> None:
        """Enter a table in the index before it is there: one that never comes is left out of lists."""
        if self._index is not None and table.visibility == "public":
            self._index.put(listing_of(table, created_ms))

    def _move(self, live: Live, before: Table) -> None:
        """Tell the index what changed; where that fails, the worker that closes or sweeps the table does it."""
        if live.table.status != before.status or live.table.seats != before.seats:
            try:
                self._enter(live.table, live.entries[0].time_ms)
            except Unavailable as silent:
                _log.warning("the index of tables lags behind table %s: %s", live.id, silent)

    def _hint(self, live: Live, table: Table) -> None:
        due = due_of(table, live.entries[0].time_ms, self.now_ms())
        if due is not None and due.delay_ms == 0:
            self._queue.enqueue(live.id, live.version)

    def _load(self, table_id: str) -> Live | None:
        stream = None if is_tournament(table_id) else self._store.load(table_id)
        return None if stream is None or not stream.entries else Live(table_id, self.games, stream)

    def _loaded(self, table_id: str) -> Live:
        found = self._tables.get(table_id)
        if found is None:
            raise _unknown(table_id)
        return found[0]


def command_id(actor: str, key: str) -> str:
    """Give the id of a player's command under an idempotency key: 16 bytes of SHA-256(player ‖ key), in hex."""
    return hashlib.sha256(f"{actor}\0{key}".encode()).hexdigest()[:32]


def _matches(if_match: tuple[int, str], head: Head) -> bool:
    version, prefix = if_match
    return version == head.version and bool(prefix) and head.hash.startswith(prefix)


def _unknown(table_id: str) -> Refusal:
    return Refusal("not_found", f"There is no table {table_id!r}.")


__all__ = ["TRIES", "Attempt", "Desk", "Done", "KeyReused", "StaleVersion", "command_id"]
