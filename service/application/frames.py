"""Replay: a table's history as frames, each what a viewer saw right after one entry."""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from domain.log import shown
from domain.values import Event, Seat, Value, Viewer
from service.application.live import Live
from service.application.present import view_of


class Frame(Value, frozen=True):
    """An entry, and the table as one viewer saw it right after it."""

    version: int
    time: Annotated[str, Meta(description="RFC 3339, in UTC.", extra_json_schema={"format": "date-time"})]
    events: tuple[Event, ...]
    summary: Annotated[str, Meta(description="The events in words; says no more than they do.")]
    view: Any
    to_act: Annotated[tuple[int, ...], Meta(description="The seats that the table waited for.")]
    seat: Annotated[Seat, Meta(description="Who caused the entry.")] | UnsetType = UNSET


def frames(live: Live, viewer: Viewer, first: int, last: int) -> Iterator[Frame]:
    """Give the frames of versions `first` to `last`, both inclusive, folding the log once."""
    for entry, table in live.tables(first, last):
        seen = shown(live.game, entry, viewer)
        yield Frame(
            version=seen.version,
            time=seen.time,
            events=seen.events,
            summary=seen.summary,
            view=view_of(table, viewer),
            to_act=table.to_act,
            seat=seen.seat,
        )
