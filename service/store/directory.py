"""The index of public tables, on Redis and in memory.

Keys: `list:<game>:<status>`, each of the two also `*` for any, and `list:player:<id>`: sorted sets of table ids
by time of creation in ms. All of it can be rebuilt from the tables.
"""

import threading
from collections.abc import Iterator
from typing import Any, Final, get_args

import redis

from domain.table import Status
from service.application.directory import Listing, Place, Wanted
from service.store.errors import foreign_errors

STATUSES: Final[tuple[Status, ...]] = get_args(Status)
ANY: Final = "*"


class RedisTableIndex:
    """`TableIndex` on Redis or Valkey."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def put(self, listing: Listing) -> None:
        """Enter a table, or move it to its new status; NX keeps the place that it had first."""
        table, score = listing.place.table, listing.place.created_ms
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            for key in _keys(listing):
                pipeline.zadd(key, {table: score}, nx=True)
            for status in STATUSES:
                if status != listing.status:
                    pipeline.zrem(_key(listing.game, status), table)
                    pipeline.zrem(_key(ANY, status), table)
            pipeline.execute()

    def rows(self, wanted: Wanted, before: Place | None, limit: int, *, is_back: bool = False) -> tuple[Place, ...]:
        """Give places behind `before`: by time, and by id backwards where times are equal."""
        key = _wanted_key(wanted)
        first, last = ("-inf", "+inf") if is_back else ("+inf", "-inf")
        found: list[Place] = []
        offset = 0
        with foreign_errors():
            while True:
                rows: list[Any] = self._client.zrange(
                    key,
                    first if before is None else before.created_ms,
                    last,
                    desc=not is_back,
                    byscore=True,
                    offset=offset,
                    num=limit,
                    withscores=True,
                )
                places = (Place(created_ms=int(score), table=table.decode()) for table, score in rows)
                found += [place for place in places if before is None or _is_behind(place, before, is_back=is_back)]
                if len(found) >= limit or len(rows) < limit:
                    return tuple(found[:limit])
                offset += len(rows)


class MemoryTableIndex:
    """`TableIndex` in dicts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sets: dict[str, dict[str, int]] = {}

    def put(self, listing: Listing) -> None:
        """Enter a table, or move it to its new status."""
        table = listing.place.table
        with self._lock:
            for key in _keys(listing):
                self._sets.setdefault(key, {}).setdefault(table, listing.place.created_ms)
            for status in STATUSES:
                if status != listing.status:
                    self._sets.get(_key(listing.game, status), {}).pop(table, None)
                    self._sets.get(_key(ANY, status), {}).pop(table, None)

    def rows(self, wanted: Wanted, before: Place | None, limit: int, *, is_back: bool = False) -> tuple[Place, ...]:
        """Give places behind `before`."""
        with self._lock:
            held = self._sets.get(_wanted_key(wanted), {})
            places = sorted(
                (Place(created_ms=score, table=table) for table, score in held.items()), key=_order, reverse=not is_back
            )
        return tuple(place for place in places if before is None or _is_behind(place, before, is_back=is_back))[:limit]


def _order(place: Place) -> tuple[int, bytes]:
    return place.created_ms, place.table.encode()


def _is_behind(place: Place, before: Place, *, is_back: bool) -> bool:
    return _order(place) > _order(before) if is_back else _order(place) < _order(before)


def _key(game: str, status: str) -> str:
    return f"list:{game}:{status}"


def _wanted_key(wanted: Wanted) -> str:
    if wanted.player is not None:
        return f"list:player:{wanted.player}"
    return _key(wanted.game or ANY, wanted.status or ANY)


def _keys(listing: Listing) -> Iterator[str]:
    for game in (ANY, listing.game):
        for status in (ANY, listing.status):
            yield _key(game, status)
    for player in listing.players:
        yield f"list:player:{player}"
