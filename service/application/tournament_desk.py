"""The door to tournaments: load, decide a command, commit its entry, as `handle.py` does it for tables."""

import hmac
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from domain.chance import SECRET_BYTES, Secret, SeededChance, chosen_secret
from domain.errors import Refusal, invalid
from domain.history import GENESIS, Entry, chain, encode_events, first_broken
from domain.tournament.commands import Create, TournamentCommand
from domain.tournament.events import ResultRecorded, TournamentEvent
from domain.tournament.log import applied, decode
from domain.tournament.rules import Tools, create, decide
from domain.tournament.standings import Standing, standings
from domain.tournament.state import Tournament
from domain.values import Value
from service.application.entries import entry_behind, is_body
from service.application.handle import Attempt, KeyReused, Randomness
from service.application.ids import derived_id
from service.application.live import Frozen, pack_secret, unpack_secret
from service.application.ports import (
    Committed,
    Conflict,
    Diverged,
    Due,
    Duplicate,
    EventStore,
    Gone,
    Head,
    Queue,
    Stream,
)
from service.application.stream_kinds import is_tournament
from service.application.tournament_due import due_of

TRIES: Final = 20
LOST: Final = "version_conflict"
"""The code of a command that lost its race."""
CACHE: Final = 200
KEPT: Final = 4
"""So many past versions of a tournament are held, and standings: those looked at last."""

T = TypeVar("T")

Wish = Callable[[Tournament], TournamentCommand]
Told = Callable[["LiveTournament", Tournament, Entry], None]
"""Is told of a tournament, how it stands behind an entry, and the entry."""


class StaleTournament(Exception):
    """The caller's `If-Match` is not the tournament's version."""

    def __init__(self, live: "LiveTournament", seen: int) -> None:
        super().__init__("stale version")
        self.live = live
        self.seen = seen


class LiveTournament:
    """One tournament as a process holds it: its entries and what they make; `lock` guards a change.

    `recorded_ms` is when each game got its first result.
    """

    def __init__(self, tournament_id: str, stream: Stream) -> None:
        """Fold a stream; raises `Frozen` or `UnknownEvent`."""
        broken = first_broken(stream.entries)
        if broken is not None:
            raise Frozen(tournament_id, *broken)
        self.id = tournament_id
        self.lock = threading.RLock()
        self.secret: Secret = unpack_secret(stream.secret)
        self.entries: list[Entry] = []
        self.ids: dict[str, int] = {}
        self.recorded_ms: dict[str, int] = {}
        self._state: Tournament | None = None
        self._past: OrderedDict[int, Tournament] = OrderedDict()
        self._standings: OrderedDict[int, tuple[Standing, ...]] = OrderedDict()
        self.absorb(stream.entries)

    @property
    def state(self) -> Tournament:
        """The tournament as it stands."""
        if self._state is None:
            raise LookupError(self.id)
        return self._state

    @property
    def version(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    @property
    def head(self) -> Head:
        """The concurrency token."""
        return Head(len(self.entries), self.entries[-1].hash)

    def absorb(self, entries: Iterable[Entry]) -> None:
        """Take over entries that the store holds behind ours; raises `Frozen` where they don't fit."""
        with self.lock:
            for entry in entries:
                if entry.version <= self.version:
                    continue
                before = self.entries[-1].hash if self.entries else GENESIS
                expected = chain(before, entry.version, entry.time_ms, entry.seat, entry.events, entry.salt)
                if entry.version != self.version + 1 or entry.hash != expected:
                    raise Frozen(self.id, entry.version, f"entry {entry.version} does not fit behind {self.version}")
                events = decode(entry.events)
                self._state = applied(self.id, self._state, events)
                for event in events:
                    if isinstance(event, ResultRecorded):
                        self.recorded_ms[event.game] = entry.time_ms
                self.entries.append(entry)
                self.ids[entry.command_id] = entry.version

    def at(self, version: int) -> Tournament:
        """Give the tournament as it stood at a version from 1 on."""
        with self.lock:
            if version >= self.version:
                return self.state
            before = max((known for known in self._past if known <= version), default=0)
            state, entries = self._past.get(before), self.entries[before:version]
        for entry in entries:
            state = applied(self.id, state, decode(entry.events))
        if state is None:
            raise LookupError(self.id)
        with self.lock:
            _keep(self._past, version, state)
        return state

    def standings(self, version: int) -> tuple[Standing, ...]:
        """Give the standings as they stood at a version from 1 on, reckoned once for all who look."""
        with self.lock:
            found = self._standings.get(version)
        if found is None:
            found = standings(self.at(version))
            with self.lock:
                _keep(self._standings, version, found)
        return found


def _keep(held: OrderedDict[int, T], version: int, value: T) -> None:
    """Hold what was looked at last."""
    held[version] = value
    held.move_to_end(version)
    while len(held) > KEPT:
        held.popitem(last=False)


class Decided(Value, frozen=True):
    """A command that was accepted: the tournament right after it. `version`: of its entry, or as it was before."""

    live: LiveTournament
    state: Tournament
    version: int
    events: tuple[TournamentEvent, ...]
    replayed: bool = False


class TournamentDesk:
    """The use case of every command of every tournament."""

    def __init__(
        self,
        store: EventStore,
        queue: Queue,
        server_key: bytes,
        random: Randomness,
        now_ms: Callable[[], int],
        committed: Told = lambda _live, _after, _entry: None,
    ) -> None:
        """`committed` is told of each entry behind its commit, with the tournament after it; it never raises."""
        self._store = store
        self._queue = queue
        self._key = server_key
        self._random = random
        self._committed = committed
        self.now_ms = now_ms
        self._held: OrderedDict[str, LiveTournament] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, tournament_id: str) -> LiveTournament:
        """Give a tournament as the store has it now; raises `Refusal` `not_found`."""
        live, held = self._find(tournament_id)
        if held:
            last = live.entries[-1]
            tail = self._store.read(tournament_id, last.version - 1)
            if not tail or tail[0].hash != last.hash:
                self._drop(tournament_id)
                return self._find(tournament_id)[0]
            live.absorb(tail)
        return live

    def held(self, tournament_id: str) -> LiveTournament:
        """Give a tournament as this process holds it, which may lag behind the store; raises `Refusal` `not_found`."""
        return self._find(tournament_id)[0]

    def tables_of(self, tournament_id: str) -> tuple[str, ...]:
        """Give the tables of a tournament, for an export; raises `Refusal` by field."""
        try:
            state = self.get(tournament_id).state
        except Refusal as unknown:
            raise invalid({"tournament": "There is no such tournament."}) from unknown
        return tuple(game for one in state.rounds for _, _, game in one.games())

    def tools(self, live: LiveTournament) -> Tools:
        """Give what decisions of a tournament need from outside."""

        def game_id(number: int, table: int, leg: int) -> str:
            return derived_id(self._key, "tournament table", live.id, str(number), str(table), str(leg))

        return _tools(live.secret, game_id)

    def create(self, tournament_id: str, wish: Create, attempt: Attempt) -> Decided:
        """Make a tournament; a second time under the same id it is the first one again.

        Raises `Refusal` (`validation_failed`) and `KeyReused`.
        """
        secret = (
            chosen_secret(wish.chosen_seed)
            if wish.chosen_seed is not None
            else Secret(secret=self._random(SECRET_BYTES), bots=self._random(SECRET_BYTES))
        )
        events = create(wish, secret.commitment)
        now = self.now_ms()
        state = applied(tournament_id, None, events)
        entry, due = self._entry(Head(0, ""), events, attempt, now, state)
        match self._store.create(tournament_id, entry, pack_secret(secret), due, running=True):
            case Committed():
                live = self._find(tournament_id)[0]
                self._committed(live, state, entry)
                return Decided(live=live, state=live.at(1), version=1, events=events)
            case Duplicate():
                return self._again(self.get(tournament_id), 1, attempt)
            case _:
                raise KeyReused

    def handle(self, tournament_id: str, wish: Wish, attempt: Attempt) -> Decided:
        """Decide and commit one command; what has happened already gives no entry.

        Raises `Refusal`, `StaleTournament`, `KeyReused`.
        """
        live = self._find(tournament_id)[0]
        fresh = False
        for _ in range(TRIES):
            with live.lock:
                done = self._try(live, wish, attempt, fresh=fresh)
            if done is not None:
                self.hint(done.live)
                return done
            fresh = True
        raise Refusal(LOST, "Others were faster again and again; try again.")

    def hint(self, live: LiveTournament) -> None:
        """Ask a worker to look at a tournament at which something is due now."""
        due = due_of(live.state, self.now_ms())
        if due is not None and due.delay_ms == 0:
            self._queue.enqueue(live.id, live.version)

    def _try(self, live: LiveTournament, wish: Wish, attempt: Attempt, *, fresh: bool) -> Decided | None:
        if attempt.command_id in live.ids:
            return self._again(live, live.ids[attempt.command_id], attempt)
        now = max(self.now_ms(), live.entries[-1].time_ms)
        try:
            _check_version(live, attempt)
            events = decide(live.state, wish(live.state), self.tools(live), now)
        except (Refusal, StaleTournament):
            # A refusal may rest on a state that lags behind the store: it is given on the newest one only.
            if fresh or not self._catch_up(live):
                raise
            return None
        if not events:
            if not fresh and self._catch_up(live):
                return None
            return Decided(live=live, state=live.state, version=live.version, events=())
        head = live.head
        state = applied(live.id, live.state, events)
        entry, due = self._entry(head, events, attempt, now, state)
        running = state.status not in ("finished", "cancelled")
        match self._store.commit(live.id, head, entry, due, running=running):
            case Committed():
                live.absorb((entry,))
                self._committed(live, state, entry)
                return Decided(live=live, state=state, version=entry.version, events=events)
            case Duplicate(version=version, tail=tail):
                live.absorb(tail)
                return self._again(live, version, attempt)
            case Conflict(tail=tail):
                live.absorb(tail)
                return None
            case Diverged():
                self._drop(live.id)
                raise Refusal(LOST, "The tournament's history is not the one that you saw; read it again.")
            case Gone():
                self._drop(live.id)
                raise _unknown(live.id)

    def _entry(
        self, head: Head, events: tuple[TournamentEvent, ...], attempt: Attempt, now_ms: int, after: Tournament
    ) -> tuple[Entry, Due | None]:
        stored = encode_events(events)
        decode(stored)
        due = due_of(after, now_ms)
        entry = entry_behind(
            head, stored, None, now_ms, due, self._random, command_id=attempt.command_id, body=attempt.body
        )
        return entry, due

    def _again(self, live: LiveTournament, version: int, attempt: Attempt) -> Decided:
        entry = live.entries[version - 1]
        if not is_body(entry, attempt.body):
            raise KeyReused
        return Decided(live=live, state=live.at(version), version=version, events=decode(entry.events), replayed=True)

    def _catch_up(self, live: LiveTournament) -> bool:
        missed = self._store.read(live.id, live.version)
        live.absorb(missed)
        return bool(missed)

    def _find(self, tournament_id: str) -> tuple[LiveTournament, bool]:
        with self._lock:
            held = self._held.get(tournament_id)
            if held is not None:
                self._held.move_to_end(tournament_id)
                return held, True
        stream = self._store.load(tournament_id) if is_tournament(tournament_id) else None
        if stream is None or not stream.entries:
            raise _unknown(tournament_id)
        loaded = LiveTournament(tournament_id, stream)
        with self._lock:
            kept = self._held.setdefault(tournament_id, loaded)
            while len(self._held) > CACHE:
                self._held.popitem(last=False)
        return kept, False

    def _drop(self, tournament_id: str) -> None:
        with self._lock:
            self._held.pop(tournament_id, None)


def _tools(secret: Secret, game_id: Callable[[int, int, int], str]) -> Tools:
    seed = hmac.digest(secret.secret, b"tournament", "sha256")
    return Tools(secret=secret.secret.hex(), chance=SeededChance(seed), game_id=game_id)


def _check_version(live: LiveTournament, attempt: Attempt) -> None:
    if attempt.if_match is not None and not _matches(attempt.if_match, live.head):
        raise StaleTournament(live, attempt.if_match[0])


def _matches(if_match: tuple[int, str], head: Head) -> bool:
    version, prefix = if_match
    return version == head.version and bool(prefix) and head.hash.startswith(prefix)


def _unknown(tournament_id: str) -> Refusal:
    return Refusal("not_found", f"There is no tournament {tournament_id!r}.")


__all__ = ["LOST", "Decided", "LiveTournament", "StaleTournament", "TournamentDesk"]
