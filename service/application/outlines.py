"""What lists know of tables without looking at them: an outline of each, good for as long as its log has not grown."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.errors import Refusal
from domain.history import rfc3339
from domain.log import UnknownEvent
from domain.table import Status, Table
from domain.table_events import Outcome, Visibility
from domain.values import Value
from service.application.directory import Outline, listing_of
from service.application.live import Frozen, Live
from service.application.ports import Head
from service.application.present import Names, SeatShown, players_of, seats_shown

T = TypeVar("T")

MOST_HELD: Final = 10_000
"""Outlines; each takes about 1.5 KB."""

_encode: Final = msgspec.json.Encoder(order="deterministic").encode
_log = logging.getLogger("starledger.directory")


class TableSummary(Value, frozen=True):
    """A table as lists show it: what the table itself has, without what changes with the eyes."""

    id: Annotated[str, Meta(description="The table's id.")]
    game: str
    rules_version: int
    options: Mapping[str, Any]
    status: Status
    version: Annotated[int, Meta(description="The number of its entries.")]
    visibility: Visibility
    rated: bool
    created_at: Annotated[str, Meta(description="RFC 3339, in UTC.", extra_json_schema={"format": "date-time"})]
    creator: Annotated[str | None, Meta(description="The id of the player who made it.")]
    to_act: Annotated[tuple[int, ...], Meta(description="The seats that the table waits for.")]
    seats: tuple[SeatShown, ...]
    outcome: Outcome | None
    imported: bool | UnsetType = UNSET


class Outlines:
    """Gives tables' outlines, most of them out of its memory.

    `heads` tells how long the logs are now, of all tables at once; `look` gives a table as it stands.
    """

    def __init__(
        self,
        look: Callable[[str], Live],
        heads: Callable[[Sequence[str]], Sequence[Head | None]],
        names: Names,
        most: int = MOST_HELD,
    ) -> None:
        self._look = look
        self._heads = heads
        self._names = names
        self._most = most
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Outline] = OrderedDict()

    def __call__(self, tables: Sequence[str]) -> list[Outline | None]:
        """Give the outlines of tables as they stand now; None for one that is not there or can't be read."""
        heads = self._heads(tables)
        known = [self._known(table, head) for table, head in zip(tables, heads, strict=True)]
        missing = [
            table
            for table, head, outline in zip(tables, heads, known, strict=True)
            if head is not None and outline is None
        ]
        made = {each.listing.place.table: each for each in self._made(missing)}
        return [outline or made.get(table) for table, outline in zip(tables, known, strict=True)]

    def _known(self, table: str, head: Head | None) -> Outline | None:
        with self._lock:
            outline = self._held.get(table)
            if outline is None or outline.head != head:
                return None
            self._held.move_to_end(table)
            return outline

    def _made(self, tables: Sequence[str]) -> list[Outline]:
        found = [live for live in map(self._found, tables) if live is not None]
        standing: list[tuple[Live, Table, Head]] = []
        for live in found:
            with live.lock:
                standing.append((live, live.table, live.head))
        wanted = {player for live, table, _ in standing if live.imported is None for player in players_of(table)}
        if wanted:
            self._names(sorted(wanted))  # all in one trip; they are remembered
        made = [self._outline(*each) for each in standing]
        with self._lock:
            for outline in made:
                self._held[outline.listing.place.table] = outline
                self._held.move_to_end(outline.listing.place.table)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return made

    def _outline(self, live: Live, table: Table, head: Head) -> Outline:
        created_ms = live.entries[0].time_ms
        return Outline(
            head=head,
            listing=listing_of(table, created_ms),
            is_public=table.visibility == "public",
            summary=_encode(_summary(live, table, head.version, created_ms, self._names)),
        )

    def _found(self, table: str) -> Live | None:
        return readable(self._look, table)


def readable(look: Callable[[str], T], table: str) -> T | None:
    """Give a table that an index names; None for one that is not there or can't be read."""
    try:
        return look(table)
    except Refusal:
        return None  # entered before its creation was committed, which then never was
    except (Frozen, UnknownEvent) as unreadable:
        _log.warning("a list leaves out the table %s: %s", table, unreadable)
        return None


def _summary(live: Live, table: Table, version: int, created_ms: int, names: Names) -> TableSummary:
    return TableSummary(
        id=table.id,
        game=table.game.name,
        rules_version=table.rules_version,
        options=table.raw_options,
        status=table.status,
        version=version,
        visibility=table.visibility,
        rated=table.rated,
        created_at=rfc3339(created_ms),
        creator=table.creator,
        to_act=table.to_act,
        seats=seats_shown(live, table, names),
        outcome=table.outcome,
        imported=True if table.imported else UNSET,
    )


__all__ = ["Outlines", "TableSummary", "readable"]
