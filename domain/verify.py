"""Verify a record: form, chain, fold, every entry against the rules and the revealed seed, the outcome.

An entry is right when there is a command that its seat could give and that decides exactly these events, with the
chance that follows from the revealed secret. So nothing is believed but the secret, and that is bound by the
commitment in the first event.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from domain.causes import cause_of
from domain.chance import Secret, chosen_secret
from domain.errors import Refusal
from domain.game import AnyGame
from domain.history import Entry, encode_events, first_broken
from domain.log import UnknownEvent, apply_events, decode_events
from domain.names import name_fault
from domain.position import position_fault
from domain.record import Check, Record, RecordError, decode_record, encode_record, header_of
from domain.table import Table
from domain.table_events import (
    BotReplaced,
    DealRevealed,
    PauseAsked,
    PositionCopied,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    TableAborted,
    TableCreated,
    TurnTimedOut,
)
from domain.table_rules import (
    Abort,
    AskPause,
    Create,
    Expire,
    FillSeat,
    LeaveSeat,
    Play,
    ReplaceBot,
    Resign,
    RevealDeal,
    TableCommand,
    TakeSeat,
    Wish,
    create,
    decide,
)
from domain.values import Command, Event, Seat, Value

_HEADER_LINES: Final = 1


class Verified(Value, frozen=True):
    """A record that is right in all things, and the table that its entries make."""

    record: Record
    table: Table


def verify(lines: Iterable[bytes], games: Mapping[str, AnyGame]) -> Verified:
    """Check a record wholly and give it; raises `RecordError` with the first wrong line and the reason."""
    kept: list[bytes] = []
    record = decode_record(_keeping(lines, kept))
    header = record.header
    broken = first_broken(record.entries)
    if broken is not None:
        raise _at(*broken, "chain")
    last = _HEADER_LINES + len(record.entries)
    if record.trailer.head != record.entries[-1].hash:
        raise RecordError(last + 2, "the head is not the hash of the last entry", check="chain")
    game = games.get(header.game)
    if game is None:
        raise RecordError(1, f"there is no game {header.game!r} here", check="rules")
    if header.rules_version != game.rules_version:
        known = f"known here: {game.rules_version}"
        raise RecordError(1, f"rules version {header.rules_version} of {game.name}; {known}", check="rules")
    table = replay(header.table, record.entries, game, _secret(record, game))
    if table.outcome is None:
        raise RecordError(last, "the table is not finished", len(record.entries), "outcome")
    if table.outcome != record.outcome:
        raise RecordError(last + 1, "the outcome is not that of the last entry", check="outcome")
    if table.secret != record.trailer.secret:
        raise RecordError(last + 2, "the secret is not the one that the last entry reveals", check="seed")
    if header != header_of(table, header.table, record.entries[0]):
        raise RecordError(1, "the header is not what the entries say", check="outcome")
    _check_names(record, game, last + 3)
    written = encode_record(table, header.table, record.entries, record.names).splitlines(keepends=True)
    for number, (right, given) in enumerate(zip(written, kept, strict=True), start=1):
        if right != given:
            raise RecordError(number, "it holds more than a record has, or is written in another way")
    return Verified(record=record, table=table)


def replay(table_id: str, entries: Sequence[Entry], game: AnyGame, secret: Secret) -> Table:
    """Fold a log and check each entry against rules and secret; raises `RecordError` with the first wrong version.

    `table_id` is the one that the seed was derived with. The chain is not looked at (`first_broken`). The table need
    not have ended.
    """
    table: Table | None = None
    time_ms = 0
    for entry in entries:
        try:
            events = decode_events(game, entry.events)
        except (UnknownEvent, RecursionError) as unknown:
            raise _at(entry.version, f"no event of this game: {unknown}") from None
        if encode_events(events) != entry.events:
            raise _at(entry.version, "its events have fields that no event has, or are not in canonical form")
        if entry.time_ms < time_ms:
            raise _at(entry.version, "its time is before that of the entry before it, or before 1970")
        time_ms = entry.time_ms
        try:
            wrong = (
                _first(table_id, game, secret, entry, events) if table is None else _next(table, secret, entry, events)
            )
            after = table if wrong else apply_events(table_id, game, table, events)
        except Exception as impossible:  # noqa: BLE001 - forged events may break an evolve that trusts its log
            raise _at(entry.version, f"its events can't happen here ({type(impossible).__name__})") from None
        if wrong:
            raise _at(entry.version, wrong.reason, wrong.check)
        table = after
    if table is None:
        raise RecordError(2, "there is no entry")
    return table


def players_of(entries: Iterable[Entry], game: AnyGame) -> frozenset[str]:
    """Give the ids of all players that a log names: who made the table, sat there, or had a seat reserved."""
    named: set[str | UnsetType | None] = set()
    for entry in entries:
        for event in decode_events(game, entry.events):
            match event:
                case TableCreated(creator=creator, seats=seats):
                    named |= {creator, *(plan.player for plan in seats)}
                case SeatTaken(player=player):
                    named.add(player)
                case _:
                    pass
    return frozenset(player for player in named if isinstance(player, str))


class _Wrong(Value, frozen=True):
    """Why an entry is wrong, and which check says so."""

    reason: str
    check: Check = "rules"


def _at(version: int, reason: str, check: Check = "rules") -> RecordError:
    return RecordError(_HEADER_LINES + version, reason, version, check)


def _keeping(lines: Iterable[bytes], kept: list[bytes]) -> Iterator[bytes]:
    for line in lines:
        kept.append(line)
        yield line


def _check_names(record: Record, game: AnyGame, line: int) -> None:
    strangers = set(record.names) - players_of(record.entries, game)
    if strangers:
        raise RecordError(line, f"it names {min(strangers)!r}, who was not at this table", check="outcome")
    for player, name in sorted(record.names.items()):
        if name and (fault := name_fault(name)):
            raise RecordError(line, f"the name of {player!r} can't be one. {fault}", check="outcome")


def _secret(record: Record, game: AnyGame) -> Secret:
    first = _created(game, record.entries[0])
    secret = bytes.fromhex(record.trailer.secret)
    if hashlib.sha256(secret).hexdigest() != first.commitment:
        line = _HEADER_LINES + len(record.entries) + 2
        raise RecordError(line, "the secret does not fit the commitment of the first entry", check="seed")
    if first.chosen_seed is not UNSET and secret != chosen_secret(first.chosen_seed).secret:
        raise _at(1, "the secret is not that of the chosen seed", "seed")
    return Secret(secret=secret, bots=b"", chosen=first.chosen_seed is not UNSET or first.deal is not UNSET)


def _created(game: AnyGame, entry: Entry) -> TableCreated:
    try:
        first = decode_events(game, entry.events)[:1]
    except UnknownEvent as unknown:
        raise _at(1, f"no event of this game: {unknown}") from None
    if not first or not isinstance(first[0], TableCreated):
        raise _at(1, "a log begins with table_created")
    return first[0]


def _first(table_id: str, game: AnyGame, secret: Secret, entry: Entry, events: Sequence[Event]) -> _Wrong | None:
    first = _created(game, entry)
    seated = {event.seat: event for event in events if isinstance(event, SeatTaken)}
    position = next((event.events for event in events if isinstance(event, PositionCopied)), None)
    try:
        wish = Create(
            game=game,
            options=msgspec.convert(first.options, game.options),
            seats=tuple(_wish(plan.seat, plan.kind, plan.player, plan.bot, seated) for plan in first.seats),
            creator=first.creator,
            visibility=first.visibility,
            clock=first.clock,
            rated=first.rated,
            chosen_seed=None if first.chosen_seed is UNSET else first.chosen_seed,
            origin=None if first.origin is UNSET else first.origin,
            position=position,
            deal=None if first.deal is UNSET else first.deal,
            guarded=first.guarded is True,
        )
        right = decode_events(game, encode_events(create(table_id, wish, secret, entry.time_ms)))
    except (Refusal, msgspec.ValidationError) as refused:
        return _Wrong(f"no such table can be made: {refused}")
    wrong = _difference(right, events)
    if wrong is not None:
        return wrong
    if position is not None and (fault := position_fault(game, wish.options, len(wish.seats), position)) is not None:
        return _Wrong(fault)
    return _caused(apply_events(table_id, game, None, events).seat_of(first.creator), entry)


def _caused(by: Seat | None, entry: Entry) -> _Wrong | None:
    if by == entry.seat:
        return None
    return _Wrong(f"it is caused by {'no seat' if by is None else f'seat {by}'}, and says another")


def _wish(seat: Seat, kind: str, player: Any, bot: Any, seated: Mapping[Seat, SeatTaken]) -> Wish:
    if kind == "player" and seat in seated:
        return Wish(kind="me")
    return Wish(
        kind="ai" if kind == "ai" else "player" if kind == "player" else "open",
        player=None if player is UNSET else player,
        bot=None if bot is UNSET else bot,
    )


def _next(table: Table, secret: Secret, entry: Entry, events: Sequence[Event]) -> _Wrong | None:
    if not events:
        return _Wrong("an entry without an event")
    wrong = _Wrong("no command that its seat could give causes these events")
    for command in _candidates(table, entry.seat, events):
        try:
            right = decide(table, command, secret, entry.time_ms).events
        except Refusal as refused:
            wrong = _Wrong(f"the rules refuse it: {refused.message}")
            continue
        difference = _difference(right, events) or _caused(cause_of(table, command, events[0]), entry)
        if difference is None:
            return None
        if right[0] == events[0]:
            wrong = difference
    return wrong


def _candidates(table: Table, seat: Seat | None, events: Sequence[Event]) -> Iterator[TableCommand]:
    """Give the commands that may have caused events, told by the first of them."""
    match events[0]:
        case SeatTaken(seat=taken, player=player, entropy=entropy) if isinstance(player, str):
            yield TakeSeat(player=player, seat=taken, entropy=None if entropy is UNSET else entropy)
        case SeatTaken(seat=taken, kind="ai", bot=bot) if isinstance(bot, str):
            yield FillSeat(seat=taken, bot=bot)
        case SeatLeft(seat=left):
            for by in (table.seats[left].player, table.creator):
                yield LeaveSeat(seat=left, by=by or "")
        case SeatResigned(seat=resigned):
            yield Resign(resigned)
        case PauseAsked(seat=asks, go_on=go_on):
            yield AskPause(asks, go_on=go_on)
        case TurnTimedOut(seat=late):
            yield Expire(late)
        case TableAborted(reason=reason):
            yield Abort(by=table.creator if reason == "creator" else None)
        case DealRevealed():
            yield RevealDeal()
        case BotReplaced(seat=replaced, reason=why):
            for command in _legal(table, replaced):
                yield ReplaceBot(seat=replaced, command=command, reason=why)
        case _:
            if seat is not None and seat < len(table.seats):
                for command in sorted(_legal(table, seat), key=lambda each: -_likeness(each, events[0])):
                    yield Play(seat, command)


def _likeness(command: Command, event: Event) -> int:
    """Count the fields in which an event repeats a command: the one that caused it is then among the first tried."""
    return sum(getattr(event, name, None) == getattr(command, name) for name in command.__struct_fields__)


def _legal(table: Table, seat: Seat) -> tuple[Any, ...]:
    return table.game.legal(table.play, seat) if table.status == "playing" and seat in table.to_act else ()


def _difference(right: Sequence[Event], events: Sequence[Event]) -> _Wrong | None:
    if tuple(right) == tuple(events):
        return None
    for i, (expected, given) in enumerate(zip(right, events, strict=False)):
        if expected != given:
            kind = expected.__struct_config__.tag
            check: Check = "shuffles" if kind == given.__struct_config__.tag and hasattr(given, "shuffle") else "rules"
            return _Wrong(f"event {i} is not the {kind} that rules and seed give here", check)
    return _Wrong(f"it has {len(events)} events where the rules give {len(right)}")
