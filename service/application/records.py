"""Records of tables: give one, say what is wrong with one, take one in."""

import hashlib
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, structs

from domain.chance import SECRET_BYTES, Secret, chosen_secret
from domain.errors import Refusal
from domain.game import AnyGame
from domain.history import Entry, first_broken
from domain.log import apply_events, decode_events, game_of
from domain.record import Check, RecordError, encode_record, lines_of
from domain.table import Table
from domain.table_events import is_of_table
from domain.values import Value
from domain.verify import Verified, players_of, verify
from service.application.directory import TableIndex, listing_of
from service.application.handle import Desk
from service.application.ids import derived_id
from service.application.live import Frozen, Imported, Live, pack_secret, unpack_imported
from service.application.places import Places
from service.application.ports import Damaged, EventStore, Stream
from service.application.present import Names, is_revealed

CHECKS: Final[tuple[Check, ...]] = ("form", "chain", "seed", "rules", "shuffles", "outcome")
AT_ONCE: Final = 2
"""So many records are checked at once in one process: each takes a second or so of one processor at worst."""
_SKEW_MS: Final = 24 * 3600 * 1000
"""So far may the clock of another server be ahead of ours."""


class RecordCheck(Value, frozen=True):
    """One thing that is looked at."""

    check: Annotated[
        Check,
        Meta(
            description="`form`: whole, canonical lines in their order; `chain`: every hash; `seed`: the revealed secret "
            "fits the commitment; `rules`: every entry follows from a command that the rules allow; `shuffles`: every "
            "shuffle follows from the seed; `outcome`: outcome, scores and header are what the entries say."
        ),
    ]
    result: Annotated[
        Literal["ok", "wrong", "not_reached"], Meta(description="`not_reached`: another check failed first.")
    ]


class FirstWrong(Value, frozen=True):
    """The first line that is wrong, and why."""

    line: Annotated[int, Meta(ge=1, description="From 1.")]
    reason: str
    version: Annotated[int, Meta(description="The entry's version, where the line is an entry.")] | UnsetType = UNSET


class RecordReport(Value, frozen=True):
    """What a verification found."""

    valid: bool
    lines: Annotated[int, Meta(description="How many lines the file has.")]
    entries: Annotated[int | None, Meta(description="How many entries; null where the form is wrong.")]
    game: Annotated[str | None, Meta(description="What was played; null where the first line is wrong.")]
    table: Annotated[str | None, Meta(description="The table's id where it was played.")]
    checks: tuple[RecordCheck, ...]
    first_wrong: FirstWrong | UnsetType = UNSET


class BadRecord(Exception):
    """A record that is not taken in; `error` says where it is wrong."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(str(error))
        self.error = error


class Records:
    """The use cases of records; `places` are for those that are being checked."""

    def __init__(
        self,
        store: EventStore,
        desk: Desk,
        index: TableIndex,
        server_key: bytes,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._store = store
        self._desk = desk
        self._index = index
        self._server_key = server_key
        self._now_ms = now_ms
        self.places = Places(AT_ONCE)

    def report(self, record: bytes) -> RecordReport:
        """Check a record by form, chain, rules and seed."""
        return report(record, self._desk.games)

    def take(self, record: bytes) -> Live:
        """Take a record in as a table that has ended here; the same record is the same table, however often it comes.

        Nothing is written unless all of it is right. Raises `BadRecord`.
        """
        try:
            verified = verify(lines_of(record), self._desk.games)
            _check_times(verified, self._now_ms())
        except RecordError as wrong:
            raise BadRecord(wrong) from wrong
        table_id = derived_id(self._server_key, "record", hashlib.sha256(record).hexdigest())
        stream = stream_of(verified)
        live = Live(table_id, self._desk.games, stream)
        if live.table.visibility == "public":
            self._index.put(listing_of(live.table, live.entries[0].time_ms))
        self._store.write_whole(table_id, stream.entries, stream.secret)
        held = self._desk.table(table_id)
        if held.head != live.head:
            raise Damaged(f"the table {table_id} is not the record that bears its id")
        return held


class Ended(Value, frozen=True):
    """A table as its record needs it: `table` is folded without the play; `imported` is there where it was imported."""

    id: str
    game: AnyGame
    table: Table
    entries: tuple[Entry, ...]
    imported: Imported | None


def ended(table_id: str, games: Mapping[str, AnyGame], stream: Stream) -> Ended:
    """Fold what the table itself says (seats, clock, outcome, secret) and leave the play out, which costs the most.

    Every hash is checked and every event read; raises `Frozen` or `domain.log.UnknownEvent`.
    """
    broken = first_broken(stream.entries)
    if broken is not None:
        raise Frozen(table_id, *broken)
    game, imported = game_of(stream.entries[0], games), unpack_imported(stream.secret)
    table: Table | None = None
    for entry in stream.entries:
        own = [event for event in decode_events(game, entry.events) if is_of_table(event)]
        if own or table is None:
            table = apply_events(table_id, game, table, own)
    if table is None:
        raise LookupError(table_id)
    if imported is not None:
        table = structs.replace(table, imported=True, rated=False)
    return Ended(id=table_id, game=game, table=table, entries=tuple(stream.entries), imported=imported)


def record_of(live: Live, names: Names) -> bytes:
    """Give a table's record, the same bytes at every call; raises `Refusal` `table_not_finished`."""
    return written(_standing(live), names)


def written(ended: Ended, names: Names) -> bytes:
    """Write the record of a table, the same bytes at every call; raises `Refusal` `table_not_finished`."""
    table = ended.table
    if table.status == "aborted":
        raise Refusal("table_not_finished", "The table was aborted before its start; there is no record of it.")
    if table.status != "finished":
        raise Refusal("table_not_finished", "A record holds everything, so it is there once the table is finished.")
    if not is_revealed(table):
        raise Refusal("table_not_finished", "The table's deal is still in play at another table; wait for its end.")
    at = ended.id if ended.imported is None else ended.imported.table
    return encode_record(table, at, ended.entries, names_in(ended, names))


def record_names(live: Live, names: Names) -> Mapping[str, str]:
    """Give the names that stand in a table's record, by id."""
    return names_in(_standing(live), names)


def names_in(ended: Ended, names: Names) -> Mapping[str, str]:
    """Give the names that stand in the record of a table, by id."""
    if ended.imported is not None:
        return ended.imported.names
    return {each.id: each.name for each in names(sorted(players_of(ended.entries, ended.game))).values()}


def _standing(live: Live) -> Ended:
    with live.lock:
        table, entries = live.table, tuple(live.entries)
    return Ended(id=live.id, game=live.game, table=table, entries=entries, imported=live.imported)


def report(record: bytes, games: Mapping[str, AnyGame]) -> RecordReport:
    """Check a record by form, chain, rules and seed."""
    lines = record.count(b"\n") + (not record.endswith(b"\n") and record != b"")
    try:
        verified = verify(lines_of(record), games)
    except RecordError as wrong:
        return _bad(record, lines, wrong)
    header = verified.record.header
    return RecordReport(
        valid=True,
        lines=lines,
        entries=len(verified.record.entries),
        game=header.game,
        table=header.table,
        checks=tuple(RecordCheck(check, "ok") for check in CHECKS),
    )


def _bad(record: bytes, lines: int, wrong: RecordError) -> RecordReport:
    header: Mapping[str, object] = {}
    if wrong.check != "form" or wrong.line > 1:
        header = msgspec.json.decode(next(lines_of(record)))
    failed = CHECKS.index(wrong.check)
    return RecordReport(
        valid=False,
        lines=lines,
        entries=None if wrong.check == "form" else lines - 4,
        game=_text(header.get("game")),
        table=_text(header.get("table")),
        checks=tuple(
            RecordCheck(
                check, "ok" if i < failed and not _together(i, failed) else "wrong" if i == failed else "not_reached"
            )
            for i, check in enumerate(CHECKS)
        ),
        first_wrong=FirstWrong(
            line=wrong.line, reason=wrong.reason, version=UNSET if wrong.version is None else wrong.version
        ),
    )


def _together(check: int, failed: int) -> bool:
    """Rules and shuffles are checked entry by entry: where one fails, the other was not done with either."""
    return {CHECKS[check], CHECKS[failed]} == {"rules", "shuffles"}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def stream_of(verified: Verified) -> Stream:
    """Give the stream that an imported record is kept as."""
    record, table = verified.record, verified.table
    if table.chosen_seed is not None:
        secret = chosen_secret(table.chosen_seed)
    else:
        shared = table.deal is not None
        secret = Secret(secret=bytes.fromhex(record.trailer.secret), bots=bytes(SECRET_BYTES), chosen=shared)
    imported = Imported(table=record.header.table, names=dict(record.names))
    return Stream(entries=record.entries, secret=pack_secret(secret, imported))


def _check_times(verified: Verified, now_ms: int) -> None:
    late = next((entry for entry in verified.record.entries if entry.time_ms > now_ms + _SKEW_MS), None)
    if late is not None:
        raise RecordError(1 + late.version, "its time lies in the future", late.version)
