"""A table's log folded and shown: stored bytes to events, events to a table, events to what a viewer may see."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from domain import table_summary
from domain.game import AnyGame
from domain.history import UPCASTERS, Entry, rfc3339, upcast
from domain.table import Table, created, evolve
from domain.table_events import PositionCopied, TableCreated, TableEvent, is_of_table
from domain.values import Event, Seat, Value, Viewer


class UnknownEvent(Exception):
    """The log holds what this version of the program does not know: it must not be guessed at."""


class Log(Value, frozen=True):
    """Entries with their events, in order, and the table that they make.

    `table` is None only while there is no entry.
    """

    table: Table | None = None
    version: int = 0
    hash: str = ""
    time_ms: int = 0


class ShownEntry(Value, frozen=True):
    """An entry as one viewer may see it; the same bytes for ever."""

    version: int
    time: str
    events: tuple[Event, ...]
    summary: str
    seat: Seat | UnsetType = UNSET


_UPCAST_TYPES: Final = frozenset(kind for kind, _ in UPCASTERS)


@functools.cache
def events_decoder(game: AnyGame) -> msgspec.json.Decoder[tuple[Event, ...]]:
    """Give the decoder of a stored entry's events at a table of this game."""
    return msgspec.json.Decoder(_events_type(game))


@functools.cache
def _events_type(game: AnyGame) -> Any:
    return tuple.__class_getitem__((TableEvent | game.events, ...))


@functools.cache
def _copied_type(game: AnyGame) -> Any:
    return tuple.__class_getitem__((game.events, ...))


_first_decoder = msgspec.json.Decoder(list[dict[str, Any]])


def game_of(entry: Entry, games: Mapping[str, AnyGame]) -> AnyGame:
    """Tell which game a table plays from its first entry; raises `UnknownEvent`."""
    first = _first_decoder.decode(entry.events)[0]
    game = games.get(first.get("game", ""))
    if first.get("type") != "table_created" or game is None:
        raise UnknownEvent(f"There is no game {first.get('game')!r} here.")
    return game


def decode_events(game: AnyGame, stored: bytes) -> tuple[Event, ...]:
    """Decode an entry's events, upcast to their newest versions; raises `UnknownEvent`."""
    try:
        if _UPCAST_TYPES or b'"v":' in stored:
            raws = [upcast(raw) for raw in _first_decoder.decode(stored)]
            return tuple(_typed(game, event) for event in msgspec.convert(raws, _events_type(game)))
        return tuple(_typed(game, event) for event in events_decoder(game).decode(stored))
    except msgspec.ValidationError as unknown:
        raise UnknownEvent(str(unknown)) from unknown


def _typed(game: AnyGame, event: Event) -> Event:
    if isinstance(event, PositionCopied):
        return PositionCopied(events=msgspec.convert(event.events, _copied_type(game)))
    return event


def apply_events(table_id: str, game: AnyGame, table: Table | None, events: Sequence[Event]) -> Table:
    """Apply one entry's events to the table before it (None: the first entry)."""
    rest = iter(events)
    if table is None:
        first = next(rest)
        if not isinstance(first, TableCreated):
            raise UnknownEvent("A log begins with table_created.")
        table = created(table_id, game, first)
    for event in rest:
        table = evolve(table, event)
    return table


def fold(table_id: str, games: Mapping[str, AnyGame], entries: Iterable[Entry]) -> Log:
    """Replay entries from the first; raises `UnknownEvent`."""
    log = Log()
    for entry in entries:
        game = log.table.game if log.table is not None else game_of(entry, games)
        table = apply_events(table_id, game, log.table, decode_events(game, entry.events))
        log = Log(table=table, version=entry.version, hash=entry.hash, time_ms=entry.time_ms)
    return log


def redact(game: AnyGame, event: Event, viewer: Viewer) -> Event:
    """Give the event as a viewer may see it; a table's own events lie open."""
    match event:
        case PositionCopied(events=events):
            return PositionCopied(events=tuple(game.redact(inner, viewer) for inner in events))
        case _ if is_of_table(event):
            return event
        case _:
            redacted: Event = game.redact(event, viewer)
            return redacted


def shown(game: AnyGame, entry: Entry, viewer: Viewer) -> ShownEntry:
    """Give an entry as a viewer may see it, with its summary in words."""
    events = tuple(redact(game, event, viewer) for event in decode_events(game, entry.events))
    return ShownEntry(
        version=entry.version,
        time=rfc3339(entry.time_ms),
        seat=UNSET if entry.seat is None else entry.seat,
        events=events,
        summary=summary(game, events),
    )


def seen_log(game: AnyGame, entries: Iterable[Entry], viewer: Viewer) -> tuple[Event, ...]:
    """Give the game's events of a log as a viewer saw them, a fork's copied ones included."""
    return tuple(game.redact(event, viewer) for event in game_events(game, entries))


def game_events(game: AnyGame, entries: Iterable[Entry]) -> list[Event]:
    """Give the game's own events of a log, with all that they hide, a fork's copied ones included."""
    found: list[Event] = []
    for entry in entries:
        for event in decode_events(game, entry.events):
            if isinstance(event, PositionCopied):
                found += event.events
            elif not is_of_table(event):
                found.append(event)
    return found


def summary(game: AnyGame, events: Iterable[Event]) -> str:
    """Say redacted events in words; says no more than they do."""
    words = (table_summary.words(event) if is_of_table(event) else game.summary(event) for event in events)
    text = ". ".join([said for said in words if said])
    for placeholder, seat in _seats(game):
        text = text.replace(placeholder, seat)
    return f"{text}." if text else ""


@functools.cache
def _seats(game: AnyGame) -> tuple[tuple[str, str], ...]:
    return tuple((f"{{seat:{seat}}}", f"Seat {seat}") for seat in range(max(game.seats)))
