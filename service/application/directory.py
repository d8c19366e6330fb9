"""Lists of tables: an index that may lag, checked against the tables themselves before it is shown."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from domain.table import Status, Table
from domain.values import Value
from service.application.live import Live
from service.application.ports import Head

MOST_SCANNED: Final = 1000
"""Rows of the index that one page looks at; a page may end early with a cursor to go on."""


class Place(Value, frozen=True):
    """Where a table stands in a list, newest first: by time of creation, then by id."""

    created_ms: int
    table: str


class Listing(Value, frozen=True):
    """What the index holds of a public table; `players`: who sits there, or has a seat reserved."""

    place: Place
    game: str
    status: Status
    players: tuple[str, ...]


class Wanted(Value, frozen=True):
    """A filter; None lets all pass."""

    game: str | None = None
    status: Status | None = None
    player: str | None = None


class TableIndex(Protocol):
    """The index behind lists; may be lost and rebuilt. Every method may raise `Unavailable`."""

    def put(self, listing: Listing) -> None:
        """Enter a table, or move it to its new status; the place that it had first stays."""
        ...

    def rows(self, wanted: Wanted, before: Place | None, limit: int, *, is_back: bool = False) -> tuple[Place, ...]:
        """Give at most `limit` places behind `before`, newest first; with `is_back` those newer than it, oldest first.

        With a player, `game` and `status` are not looked at; all else is narrowed as the index has it.
        """
        ...


class Outline(Value, frozen=True):
    """A table as lists know it at one entry of its log; `summary` is what they show of it, in JSON."""

    head: Head
    listing: Listing
    is_public: bool
    summary: bytes


class Page(Value, frozen=True):
    """Tables of a list, and the places to go on from: behind `more`, and to newer ones before `newer`; None: an end."""

    tables: tuple[Outline, ...]
    more: Place | None
    newer: Place | None = None


def listing_of(table: Table, created_ms: int) -> Listing:
    """Give what the index holds of a table, if it is public: all others stand in no list."""
    return Listing(
        place=Place(created_ms=created_ms, table=table.id),
        game=table.game.name,
        status=table.status,
        players=tuple(sorted(_players(table))),
    )


class Directory:
    """Lists of public tables; `outlines` gives tables as they stand, None for one that is not there."""

    def __init__(self, index: TableIndex, outlines: Callable[[Sequence[str]], Sequence[Outline | None]]) -> None:
        self._index = index
        self._outlines = outlines

    def record(self, live: Live) -> None:
        """Enter a table as it stands: what repairs the index (`close`, the slow sweep)."""
        if live.table.visibility == "public":
            self._index.put(listing_of(live.table, live.entries[0].time_ms))

    def page_back(self, wanted: Wanted, after: Place, limit: int) -> Page:
        """Give the at most `limit` tables that stand right before a place, newest first as ever."""
        page = self.page(wanted, after, limit, is_back=True)
        return Page(tables=page.tables[::-1], more=page.newer, newer=page.more)

    def page(self, wanted: Wanted, before: Place | None, limit: int, *, is_back: bool = False) -> Page:
        """Give at most `limit` tables behind `before`, newest first; with `is_back` newer ones, oldest first.

        Each is checked against its own log, so the index can leave a table out for a moment, but never lie.
        """
        found: list[tuple[Place, Outline]] = []
        scanned = before
        for count, (place, outline) in enumerate(self._rows(wanted, before, limit, is_back=is_back), start=1):
            if outline is not None and self._fits(outline, wanted):
                found.append((place, outline))
                if len(found) > limit:
                    return _page(found[:limit], found[limit - 1][0], before)
            scanned = place
            if count == MOST_SCANNED:
                return _page(found, scanned, before)
        return _page(found, None, before)

    def _rows(
        self, wanted: Wanted, before: Place | None, limit: int, *, is_back: bool
    ) -> Iterator[tuple[Place, Outline | None]]:
        while rows := self._index.rows(wanted, before, limit + 1, is_back=is_back):
            yield from zip(rows, self._outlines([row.table for row in rows]), strict=True)
            before = rows[-1]

    def _fits(self, outline: Outline, wanted: Wanted) -> bool:
        return outline.is_public and is_wanted(self._index, outline.listing, wanted)


def is_wanted(index: TableIndex, listing: Listing, wanted: Wanted) -> bool:
    """Tell whether a public table, as it stands, is one that was asked for."""
    if wanted.status not in (None, listing.status):
        index.put(listing)  # the index lags: whoever finds it out repairs it
        return False
    return wanted.game in (None, listing.game) and (wanted.player is None or wanted.player in listing.players)


def _page(found: list[tuple[Place, Outline]], more: Place | None, before: Place | None) -> Page:
    """Make a page; back from it leads to where it began, unless that is the list's own beginning."""
    newer = found[0][0] if found and before is not None else None
    return Page(tables=tuple(each for _, each in found), more=more, newer=newer)


def _players(table: Table) -> set[str]:
    if table.imported:
        return set()  # nobody here sat at it
    return {player for seat in table.seats for player in (seat.player, seat.reserved) if player is not None}
