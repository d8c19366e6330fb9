"""A table as one process holds it: the folded log with its entries, kept warm between commands."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import structs

from domain.chance import SECRET_BYTES, Secret
from domain.game import AnyGame
from domain.history import GENESIS, Entry, chain, first_broken
from domain.log import apply_events, decode_events, game_of
from domain.table import Table
from domain.values import Value
from service.application.ports import Head, Stream

CACHE_TABLES: Final = 2_000


class Frozen(Exception):
    """A table's chain is broken at `version`: nothing more is accepted there until somebody has looked."""

    def __init__(self, table: str, version: int, reason: str) -> None:
        super().__init__(f"table {table}: {reason}")
        self.table = table
        self.version = version


class Imported(Value, frozen=True):
    """What a record says that its entries don't: the id that its seed was derived with, the names of its players."""

    table: str
    names: dict[str, str]


_K_BEGINS: Final = 1 + SECRET_BYTES
_K_ENDS: Final = _K_BEGINS + SECRET_BYTES


def pack_secret(secret: Secret, imported: Imported | None = None) -> bytes:
    """Write a secret as the store keeps it: a flag, the secret, K, and of an imported table the rest in JSON."""
    rest = b"" if imported is None else msgspec.json.encode(imported)
    return bytes([secret.chosen]) + secret.secret + secret.bots + rest


def unpack_secret(stored: bytes) -> Secret:
    """Read the secret that `pack_secret` wrote."""
    return Secret(chosen=bool(stored[0]), secret=stored[1:_K_BEGINS], bots=stored[_K_BEGINS:_K_ENDS])


def unpack_imported(stored: bytes) -> Imported | None:
    """Read what `pack_secret` wrote of an imported table; None for one that was played here."""
    return msgspec.json.decode(stored[_K_ENDS:], type=Imported) if stored[_K_ENDS:] else None


class Live:
    """One table: its entries, the table that they make, its command ids and its secret; `lock` guards a change."""

    def __init__(self, table_id: str, games: Mapping[str, AnyGame], stream: Stream) -> None:
        """Fold a stream; raises `Frozen` or `domain.log.UnknownEvent`."""
        broken = first_broken(stream.entries)
        if broken is not None:
            raise Frozen(table_id, *broken)
        self.id = table_id
        self.lock = threading.RLock()
        self.secret = unpack_secret(stream.secret)
        self.imported = unpack_imported(stream.secret)
        self.game = game_of(stream.entries[0], games)
        self.entries: list[Entry] = []
        self.ids: dict[str, int] = {}
        self._table: Table | None = None
        self.absorb(stream.entries)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        if self._table is None:
            raise LookupError(self.id)
        return self._table

    @property
    def version(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    @property
    def head(self) -> Head:
        """The concurrency token."""
        return Head(len(self.entries), self.entries[-1].hash) if self.entries else Head(0, "")

    def absorb(self, entries: Iterable[Entry], known: Table | None = None) -> None:
        """Take over entries that the store holds behind ours; raises `Frozen` where they don't fit.

        `known` is the table after them, where the caller has it already.
        """
        with self.lock:
            for entry in entries:
                if entry.version <= self.version:
                    continue
                if known is None or entry.version != self.version + 1:
                    self._check(entry)
                    self._table = self._applied(self._table, entry)
                else:
                    self._table = known
                self.entries.append(entry)
                self.ids[entry.command_id] = entry.version

    def table_at(self, version: int) -> Table:
        """Give the table as it stood at a version from 1 on."""
        with self.lock:
            if version >= self.version:
                return self.table
            entries = self.entries[:version]
        table: Table | None = None
        for entry in entries:
            table = self._applied(table, entry)
        if table is None:
            raise LookupError(self.id)
        return table

    def tables(self, first: int, last: int) -> Iterator[tuple[Entry, Table]]:
        """Give the entries of these versions, each with the table as it stood then: folded once."""
        with self.lock:
            entries = self.entries[:last]
        table: Table | None = None
        for entry in entries:
            table = self._applied(table, entry)
            if entry.version >= first:
                yield entry, table

    def _applied(self, table: Table | None, entry: Entry) -> Table:
        after = apply_events(self.id, self.game, table, decode_events(self.game, entry.events))
        if table is None and self.imported is not None:
            return structs.replace(after, imported=True, rated=False)
        return after

    def _check(self, entry: Entry) -> None:
        before = self.entries[-1].hash if self.entries else GENESIS
        expected = chain(before, entry.version, entry.time_ms, entry.seat, entry.events, entry.salt)
        if entry.version != self.version + 1 or entry.hash != expected:
            raise Frozen(self.id, entry.version, f"entry {entry.version} does not fit behind {self.version}")


class LiveTables:
    """The tables that this process holds, the least recently used dropped first."""

    def __init__(self, load: Callable[[str], Live | None], size: int = CACHE_TABLES) -> None:
        self._load = load
        self._size = size
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Live] = OrderedDict()

    def get(self, table_id: str) -> tuple[Live, bool] | None:
        """Give a table and whether it was held already (then it may lag behind the store)."""
        with self._lock:
            live = self._held.get(table_id)
            if live is not None:
                self._held.move_to_end(table_id)
                return live, True
        live = self._load(table_id)
        return None if live is None else (self.keep(live), False)

    def has(self, table_id: str) -> bool:
        """Tell whether a table is held."""
        with self._lock:
            return table_id in self._held

    def keep(self, live: Live) -> Live:
        """Hold a table; the one already held stays, so that all threads share one."""
        with self._lock:
            held = self._held.setdefault(live.id, live)
            self._held.move_to_end(live.id)
            while len(self._held) > self._size:
                self._held.popitem(last=False)
            return held

    def drop(self, table_id: str) -> None:
        """Forget a table: its stream is not what we held."""
        with self._lock:
            self._held.pop(table_id, None)
