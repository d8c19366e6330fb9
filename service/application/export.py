"""Export in bulk: the records of finished public tables, one after the other, going on where one stopped."""

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.errors import Refusal
from domain.game import AnyGame
from domain.history import rfc3339
from domain.record import lines_of
from domain.values import Value
from domain.verify import players_of
from service.application.directory import Place, TableIndex, Wanted, is_wanted, listing_of
from service.application.outlines import readable
from service.application.ports import EventStore
from service.application.present import Names, is_revealed
from service.application.records import Ended, ended, written

PAGE: Final = 50


class Selected(Value, frozen=True):
    """Which tables: None lets all pass; created from `from_ms` on and before `to_ms`; of `tables` only, if given."""

    game: str | None = None
    player: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    tables: Sequence[str] | None = None


class RecordLine(Value, frozen=True, tag_field="type", tag="record"):
    """A table's record as one line: each of its lines is an item of `record`, in its own bytes."""

    table: Annotated[str, Meta(description="The table's id here.")]
    game: str
    created: str
    finished: str
    cursor: Annotated[str, Meta(description="Goes on behind this table.")]
    record: tuple[msgspec.Raw, ...]
    imported: bool | UnsetType = UNSET


class ExportTrailer(Value, frozen=True, tag_field="type", tag="trailer"):
    """The last line: without it the export was cut off. The counts are those of this answer."""

    tables: int
    entries: int
    complete: Annotated[bool, Meta(description="False where `limit` ended it; go on with `next_cursor`.")]
    next_cursor: str | None


def cursor_of(place: Place) -> str:
    """Write a place as the cursor that goes on behind it."""
    return base64.urlsafe_b64encode(f"{place.created_ms}.{place.table}".encode()).decode().rstrip("=")


class Exported(Value, frozen=True):
    """A table of an export: where it stands in the order, and its record."""

    place: Place
    ended: Ended
    record: bytes

    @property
    def entries(self) -> int:
        """How many entries it has."""
        return len(self.ended.entries)

    def line(self) -> bytes:
        """Write it as one line of JSON; the lines of the record stand in it as they are."""
        of = self.ended
        line = RecordLine(
            table=of.id,
            game=of.game.name,
            created=rfc3339(of.entries[0].time_ms),
            finished=rfc3339(of.entries[-1].time_ms),
            cursor=cursor_of(self.place),
            record=tuple(msgspec.Raw(each.removesuffix(b"\n")) for each in lines_of(self.record)),
            imported=True if of.imported is not None else UNSET,
        )
        return msgspec.json.encode(line) + b"\n"


def _no_tournaments(tournament: str) -> Sequence[str]:
    raise Refusal(
        "validation_failed",
        f"tournament: There is no tournament {tournament!r}.",
        errors={"tournament": "There is no such tournament."},
    )


class Export:
    """The walk over all finished public tables, newest first; it holds one of them at a time.

    Tables are read past the cache of live ones, so that an export pushes out none that is being played.
    """

    def __init__(
        self,
        store: EventStore,
        index: TableIndex,
        games: Mapping[str, AnyGame],
        names: Names,
        tables_of: Callable[[str], Sequence[str]] = _no_tournaments,
    ) -> None:
        self.tables_of = tables_of
        self._store = store
        self._index = index
        self._games = games
        self._names = names

    def walk(self, selected: Selected, before: Place | None) -> Iterator[Exported]:
        """Give tables behind `before`, newest first; raises `Unavailable` and `Damaged`."""
        for each in self._among(selected, before) if selected.tables is not None else self._all(selected, before):
            if is_revealed(each.table):
                place = Place(created_ms=each.entries[0].time_ms, table=each.id)
                yield Exported(place=place, ended=each, record=written(each, self._names))

    def _all(self, selected: Selected, before: Place | None) -> Iterator[Ended]:
        wanted = Wanted(game=selected.game, status="finished", player=selected.player)
        at = _start(selected, before)
        while rows := self._index.rows(wanted, at, PAGE):
            for row in rows:
                if selected.from_ms is not None and row.created_ms < selected.from_ms:
                    return
                found = readable(self._load, row.table)
                if found is not None and self._is_wanted(found, wanted):
                    yield found
            at = rows[-1]

    def _is_wanted(self, found: Ended, wanted: Wanted) -> bool:
        listing = listing_of(found.table, found.entries[0].time_ms)
        return found.table.visibility == "public" and is_wanted(self._index, listing, wanted)

    def _among(self, selected: Selected, before: Place | None) -> Iterator[Ended]:
        places: list[Place] = []
        for table in selected.tables or ():
            first = self._store.read(table, 0, 1)
            if first and is_inside(first[0].time_ms, selected):
                places.append(Place(created_ms=first[0].time_ms, table=table))
        for place in sorted(places, key=_order, reverse=True):
            if before is None or _order(place) < _order(before):
                found = self._load(place.table)
                game, players = found.game.name, players_of(found.entries, found.game)
                if selected.game in (None, game) and (selected.player is None or selected.player in players):
                    yield found

    def count(self, selected: Selected, before: Place | None) -> int:
        """Tell how many tables the index has behind `before`: about as many as `walk` will give."""
        if selected.tables is not None:
            return len(selected.tables)
        wanted = Wanted(game=selected.game, status="finished", player=selected.player)
        found = 0
        at = _start(selected, before)
        while rows := self._index.rows(wanted, at, 1000):
            inside = [row for row in rows if selected.from_ms is None or row.created_ms >= selected.from_ms]
            found += len(inside)
            if len(inside) < len(rows):
                break
            at = rows[-1]
        return found

    def _load(self, table: str) -> Ended:
        stream = self._store.load(table)
        if stream is None or not stream.entries:
            raise Refusal("not_found", f"There is no table {table!r}.")
        return ended(table, self._games, stream)


def is_inside(created_ms: int, selected: Selected) -> bool:
    """Tell whether a time of creation is one of those that are wanted."""
    after = selected.from_ms is None or created_ms >= selected.from_ms
    return after and (selected.to_ms is None or created_ms < selected.to_ms)


def _order(place: Place) -> tuple[int, bytes]:
    return place.created_ms, place.table.encode()


def _start(selected: Selected, before: Place | None) -> Place | None:
    """Give the place to begin behind: the cursor's, or the first moment that is too late."""
    if selected.to_ms is None:
        return before
    # Behind (ms, "") comes nothing of that millisecond: ids are longer than nothing, and order is backwards.
    limit = Place(created_ms=selected.to_ms, table="")
    if before is None or before.created_ms >= selected.to_ms:
        return limit
    return before


__all__ = ["Export", "ExportTrailer", "Exported", "RecordLine", "Selected"]
