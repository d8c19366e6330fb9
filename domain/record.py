"""The record of a table: one self-contained file of JSON Lines that anyone can replay and check, for ever.

Lines, each canonical JSON (RFC 8785) with a newline: `header`, one `entry` for each version, `outcome`, `trailer`,
`names`. docs/records/ has a JSON Schema for each and examples.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.clock import Clock
from domain.history import Entry, canonical, ms_of, rfc3339
from domain.log import decode_events
from domain.table import Table
from domain.table_events import Origin, Outcome, TableCreated
from domain.values import Seat, Value

FORMAT: Final = "starledger-record"
FORMAT_VERSION: Final = 1
MEDIA_TYPE: Final = "application/vnd.starledger.record+jsonl"
MAX_LINE_BYTES: Final = 1 << 20
MAX_RECORD_BYTES: Final = 8 << 20
"""A table with as many entries as its game allows stays far below it."""

Check = Literal["form", "chain", "seed", "rules", "shuffles", "outcome"]
"""What a verification looks at, in this order (rules and shuffles go hand in hand, entry by entry)."""

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Hex16 = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Time = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]
PositiveInt = Annotated[int, Meta(ge=1)]


class RecordSeat(Value, frozen=True):
    """Who sat in a seat at the end: a player by id, or a built-in bot."""

    seat: Seat
    kind: Literal["player", "ai"]
    player: str | UnsetType = UNSET
    bot: str | UnsetType = UNSET


class Header(Value, frozen=True, tag_field="type", tag="header"):
    """The first line: what was played, by whom, under which commitment."""

    format: Literal["starledger-record"]
    format_version: int
    table: Annotated[str, Meta(min_length=1, max_length=64)]
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[RecordSeat, ...]
    clock: Clock | None
    commitment: Hex32
    created: Time
    origin: Origin | None


class EntryLine(Value, frozen=True, tag_field="type", tag="entry"):
    """One accepted command with the events that it caused, all as hashed (docs/fairness.md)."""

    version: PositiveInt
    time: Time
    seat: Seat | None
    events: msgspec.Raw
    salt: Hex16
    hash: Hex32


class OutcomeLine(Value, frozen=True, tag_field="type", tag="outcome"):
    """How the table ended."""

    outcome: Outcome


class Trailer(Value, frozen=True, tag_field="type", tag="trailer"):
    """What the file must hold: the number of entries, the last one's hash, the revealed secret in hex."""

    entries: PositiveInt
    head: Hex32
    secret: Hex32


class NamesLine(Value, frozen=True, tag_field="type", tag="names"):
    """The players' names by id, outside the chain."""

    names: dict[str, str]


Line = Header | EntryLine | OutcomeLine | Trailer | NamesLine
_decoder = msgspec.json.Decoder(Line)
_FORM: Final = re.compile(r"matching regex .* - at `\$\.([^`]*)`")


class RecordError(Exception):
    """A record is wrong at `line` (from 1), as `check` found; `version` is the entry's, where it is an entry."""

    def __init__(self, line: int, reason: str, version: int | None = None, check: Check = "form") -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.version = version
        self.reason = reason
        self.check = check


class Record(Value, frozen=True):
    """A record that is whole in form; what it says is not checked yet (`domain.verify`)."""

    header: Header
    entries: tuple[Entry, ...]
    outcome: Outcome
    trailer: Trailer
    names: Mapping[str, str]


def encode_record(table: Table, table_id: str, entries: Sequence[Entry], names: Mapping[str, str]) -> bytes:
    """Write the record of a finished table; `table_id` is the one that its seed was derived with."""
    if table.outcome is None or table.secret is None:
        raise ValueError("only a finished table has a record")
    lines: list[Line] = [_header(table, table_id, entries[0])]
    lines += [
        EntryLine(
            version=entry.version,
            time=rfc3339(entry.time_ms),
            seat=entry.seat,
            events=msgspec.Raw(entry.events),
            salt=entry.salt.hex(),
            hash=entry.hash,
        )
        for entry in entries
    ]
    lines += [
        OutcomeLine(table.outcome),
        Trailer(entries=len(entries), head=entries[-1].hash, secret=table.secret),
        NamesLine(dict(names)),
    ]
    return b"".join(canonical(line) + b"\n" for line in lines)


def decode_record(lines: Iterable[bytes]) -> Record:
    """Read a record's form; raises `RecordError` with the first wrong line."""
    header: Header | None = None
    entries: list[Entry] = []
    outcome: OutcomeLine | None = None
    trailer: Trailer | None = None
    names: NamesLine | None = None
    number, size = 0, 0
    for number, raw in enumerate(lines, start=1):
        size += len(raw)
        if size > MAX_RECORD_BYTES:
            raise RecordError(number, f"the record is longer than {MAX_RECORD_BYTES} bytes")
        line = _line(number, raw)
        match line:
            case Header() if number == 1:
                header = line
            case EntryLine() if header is not None and outcome is None:
                if line.version != len(entries) + 1:
                    raise RecordError(number, f"entry {len(entries) + 1} is missing: {line.version} stands here")
                entries.append(_entry(number, line))
            case OutcomeLine() if entries and outcome is None:
                outcome = line
            case Trailer() if outcome is not None and trailer is None:
                trailer = line
                if trailer.entries != len(entries):
                    raise RecordError(number, f"it counts {trailer.entries} entries; the file has {len(entries)}")
            case NamesLine() if trailer is not None and names is None:
                names = line
            case _:
                raise RecordError(number, f"a line of this kind ({type(line).__name__}) can't stand here")
    if header is None or outcome is None or trailer is None or names is None:
        wanted = (
            "header" if header is None else "outcome" if outcome is None else "trailer" if trailer is None else "names"
        )
        raise RecordError(number + 1, f"the file is cut short: no {wanted} line")
    return Record(header=header, entries=tuple(entries), outcome=outcome.outcome, trailer=trailer, names=names.names)


def lines_of(record: bytes) -> Iterator[bytes]:
    """Cut a record into its lines as they are asked for, each with its line break; the last may lack it."""
    begin = 0
    while begin < len(record):
        end = 1 + record.find(b"\n", begin) or len(record)
        yield record[begin:end]
        begin = end


def header_of(table: Table, table_id: str, first: Entry) -> Header:
    """Give the header that a table's record must have."""
    return _header(table, table_id, first)


def _header(table: Table, table_id: str, first: Entry) -> Header:
    start = decode_events(table.game, first.events)[0]
    if not isinstance(start, TableCreated):
        raise TypeError(start)
    return Header(
        format="starledger-record",
        format_version=FORMAT_VERSION,
        table=table_id,
        game=start.game,
        rules_version=start.rules_version,
        options=start.options,
        seats=tuple(
            RecordSeat(
                seat=Seat(i),
                kind="ai" if seat.kind == "ai" else "player",
                player=UNSET if seat.player is None else seat.player,
                bot=UNSET if seat.bot is None else seat.bot,
            )
            for i, seat in enumerate(table.seats)
        ),
        clock=start.clock,
        commitment=start.commitment,
        created=rfc3339(first.time_ms),
        origin=None if start.origin is UNSET else start.origin,
    )


def _line(number: int, raw: bytes) -> Line:
    if len(raw) > MAX_LINE_BYTES:
        raise RecordError(number, f"longer than {MAX_LINE_BYTES} bytes")
    text = raw.removesuffix(b"\n")
    try:
        line = _decoder.decode(text)
        same = canonical(msgspec.json.decode(text)) == text
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError) as wrong:
        raise RecordError(number, _said(number, raw, wrong)) from None
    if not same:
        raise RecordError(number, "not canonical JSON (RFC 8785)")
    if text == raw:
        raise RecordError(number, "the file is cut short: this line has no line break")
    if isinstance(line, Header) and line.format_version != FORMAT_VERSION:
        raise RecordError(number, f"format version {line.format_version}; this program reads {FORMAT_VERSION}")
    return line


def _said(number: int, raw: bytes, wrong: Exception) -> str:
    """Say what is wrong with a line that a library can't read."""
    if form := _FORM.search(str(wrong)):
        return f"the field {form[1]} is not written as it must be"
    if number == 1:
        return f"this is no record: {wrong}"
    if not raw.endswith(b"\n"):
        return "the file is cut short in this line"
    if not raw.strip():
        return "an empty line"
    try:
        raw.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    return str(wrong)


def _entry(number: int, line: EntryLine) -> Entry:
    try:
        time_ms = ms_of(line.time)
    except (ValueError, OverflowError):
        raise RecordError(number, f"there is no such time as {line.time}", line.version) from None
    return Entry(
        version=line.version,
        time_ms=time_ms,
        seat=line.seat,
        events=bytes(line.events),
        salt=bytes.fromhex(line.salt),
        hash=line.hash,
    )
