"""A tournament's log folded: stored bytes to events, events to a tournament."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import UNSET, structs

from domain.history import Entry, rfc3339
from domain.log import UnknownEvent
from domain.tournament import words
from domain.tournament.events import TournamentCreated, TournamentEvent
from domain.tournament.state import Tournament, created, evolve
from domain.values import Value

_decoder: Final[msgspec.json.Decoder[tuple[Any, ...]]] = msgspec.json.Decoder(
    tuple.__class_getitem__((TournamentEvent, ...))
)


class ShownTournamentEntry(Value, frozen=True):
    """An entry as everybody may see it."""

    version: int
    time: str
    events: tuple[TournamentEvent, ...]
    summary: str


def decode(stored: bytes) -> tuple[TournamentEvent, ...]:
    """Decode an entry's events; raises `UnknownEvent`."""
    try:
        return _decoder.decode(stored)
    except msgspec.ValidationError as unknown:
        raise UnknownEvent(str(unknown)) from unknown


def applied(tournament_id: str, t: Tournament | None, events: Iterable[TournamentEvent]) -> Tournament:
    """Apply one entry's events to the tournament before it (None: the first entry)."""
    for event in events:
        if t is None:
            if not isinstance(event, TournamentCreated):
                raise UnknownEvent("A tournament's log begins with tournament_created.")
            t = created(tournament_id, event)
        else:
            t = evolve(t, event)
    if t is None:
        raise UnknownEvent("An entry without events.")
    return t


def fold(tournament_id: str, entries: Iterable[Entry]) -> Tournament | None:
    """Replay entries from the first."""
    t: Tournament | None = None
    for entry in entries:
        t = applied(tournament_id, t, decode(entry.events))
    return t


def shown(entry: Entry) -> ShownTournamentEntry:
    """Give an entry without what is nobody's business: the digest of the entry code."""
    events = tuple(_open(event) for event in decode(entry.events))
    return ShownTournamentEntry(
        version=entry.version,
        time=rfc3339(entry.time_ms),
        events=events,
        summary=words.summary(events),
    )


def _open(event: TournamentEvent) -> TournamentEvent:
    if isinstance(event, TournamentCreated):
        entry = structs.replace(event.plan.entry, digest=UNSET)
        return structs.replace(event, plan=structs.replace(event.plan, entry=entry))
    return event
