"""Lists of tournaments and rated games, on Redis and in memory; both can be rebuilt from the streams.

Keys: `tournaments`, a sorted set of ids by time of creation in ms; `rated:<game>`, a hash of JSON by table, and
`rated:<game>:n`, how often it was written.
"""

import threading
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import redis

from service.application.directory import Place
from service.application.ratings import RatedGame
from service.store.errors import foreign_errors

KEY: Final = "tournaments"


class RedisTournamentIndex:
    """`TournamentIndex` on Redis or Valkey."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def put(self, place: Place) -> None:
        """Enter a tournament; it keeps the place that it had first."""
        with foreign_errors():
            self._client.zadd(KEY, {place.table: place.created_ms}, nx=True)

    def rows(self, before: Place | None, limit: int, *, is_back: bool = False) -> Sequence[Place]:
        """Give at most `limit` places behind `before`, newest first; with `is_back` those newer than it, oldest first."""
        first, last = ("-inf", "+inf") if is_back else ("+inf", "-inf")
        found: list[Place] = []
        offset = 0
        with foreign_errors():
            while True:
                rows: list[Any] = self._client.zrange(
                    KEY,
                    first if before is None else before.created_ms,
                    last,
                    desc=not is_back,
                    byscore=True,
                    offset=offset,
                    num=limit,
                    withscores=True,
                )
                places = (Place(created_ms=int(score), table=each.decode()) for each, score in rows)
                found += [place for place in places if _is_behind(place, before, is_back=is_back)]
                if len(found) >= limit or len(rows) < limit:
                    return found[:limit]
                offset += len(rows)


class MemoryTournamentIndex:
    """`TournamentIndex` in a dict."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, int] = {}

    def put(self, place: Place) -> None:
        """Enter a tournament."""
        with self._lock:
            self._held.setdefault(place.table, place.created_ms)

    def rows(self, before: Place | None, limit: int, *, is_back: bool = False) -> Sequence[Place]:
        """Give at most `limit` places behind `before`, newest first; with `is_back` those newer than it, oldest first."""
        with self._lock:
            places = [Place(created_ms=ms, table=each) for each, ms in self._held.items()]
        places.sort(key=_order, reverse=not is_back)
        return [place for place in places if _is_behind(place, before, is_back=is_back)][:limit]


class RedisRatedGames:
    """`RatedGames` on Redis or Valkey."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def put(self, game: str, rated: RatedGame) -> None:
        """Keep a game, or replace it."""
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=True)
            pipeline.hset(f"rated:{game}", rated.table, msgspec.json.encode(rated))
            pipeline.incr(f"rated:{game}:n")
            pipeline.execute()

    def all(self, game: str) -> Sequence[RatedGame]:
        """Give all rated games."""
        with foreign_errors():
            rows: Any = self._client.hvals(f"rated:{game}")
        return [msgspec.json.decode(row, type=RatedGame) for row in rows]

    def count(self, game: str) -> int:
        """Give how often something was written."""
        with foreign_errors():
            written: Any = self._client.get(f"rated:{game}:n")
        return int(written or 0)


class MemoryRatedGames:
    """`RatedGames` in dicts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, dict[str, RatedGame]] = {}
        self._count: dict[str, int] = {}

    def put(self, game: str, rated: RatedGame) -> None:
        """Keep a game, or replace it."""
        with self._lock:
            self._held.setdefault(game, {})[rated.table] = rated
            self._count[game] = self._count.get(game, 0) + 1

    def all(self, game: str) -> Sequence[RatedGame]:
        """Give all rated games."""
        with self._lock:
            return list(self._held.get(game, {}).values())

    def count(self, game: str) -> int:
        """Give how often something was written."""
        with self._lock:
            return self._count.get(game, 0)


def _is_behind(place: Place, before: Place | None, *, is_back: bool) -> bool:
    if before is None:
        return True
    return _order(place) > _order(before) if is_back else _order(place) < _order(before)


def _order(place: Place) -> tuple[int, bytes]:
    return place.created_ms, place.table.encode()
