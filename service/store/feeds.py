"""Players' feeds, on Redis and in memory.

Keys: `feed:<player>` is a stream with the ids 1-0, 2-0 …; `told:<table>` the version up to which a table was told.
`hooks:of:<player>` and `hooks:due` are those of webhooks, whose deliveries become due in the same step.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import redis

from service.application.feeds import KEPT, Bounds, Noticed, Publication
from service.application.notices import Told
from service.application.ports import Damaged
from service.store.boot import Boot, Hygiene
from service.store.errors import foreign_errors
from service.store.scripts import PUBLISH, Scripts
from service.store.waiting import Waiter

HOOKS_DUE: Final = "hooks:due"
_FEED: Final = "feed:"


def hooks_key(player: str) -> str:
    """Give the key of the set of a player's webhooks."""
    return f"hooks:of:{player}"


class RedisFeeds:
    """`FeedStore` on Redis or Valkey."""

    def __init__(self, client: redis.Redis, boot: Boot | None = None, kept: int = KEPT) -> None:
        self._client = client
        self._command: Callable[..., Any] = client.execute_command
        self._scripts = Scripts(client, boot or Hygiene(client))
        self._waiter = Waiter(client)
        self._kept = kept

    def publish(self, table: str, after: int, upto: int, told: Sequence[Told]) -> int:
        """Write notices and move the table's position, all or nothing."""
        return int(
            self._scripts.call(PUBLISH, *self._call(Publication(table=table, after=after, upto=upto, told=told)))
        )

    def publish_all(self, publications: Sequence[Publication]) -> Sequence[int]:
        """Publish for several tables in one round trip."""
        return [int(found) for found in self._scripts.call_all(PUBLISH, [self._call(each) for each in publications])]

    def _call(self, publication: Publication) -> tuple[list[str], list[Any]]:
        """Give the keys and arguments that publish.lua takes."""
        told = publication.told
        players = {player: i for i, player in enumerate(dict.fromkeys(player for player, _ in told))}
        keys = [f"told:{publication.table}", HOOKS_DUE]
        for player in players:
            keys += [f"{_FEED}{player}", hooks_key(player)]
        args: list[Any] = [publication.after, publication.upto, self._kept]
        for player, notice in told:
            args += [players[player], notice]
        return keys, args

    def position(self, table: str) -> int:
        """Give a table's position."""
        with foreign_errors():
            return int(self._command("GET", f"told:{table}") or 0)

    def notices(self, player: str, after: int, limit: int) -> Sequence[Noticed]:
        """Give the notices behind an id."""
        with foreign_errors():
            rows = self._command("XRANGE", _FEED + player, f"{after + 1}-0", "+", "COUNT", limit)
        return [_noticed(row) for row in rows]

    def bounds(self, player: str) -> Bounds:
        """Give what a feed holds."""
        with foreign_errors():
            pipeline: Any = self._client.pipeline(transaction=False)
            pipeline.execute_command("XRANGE", _FEED + player, "-", "+", "COUNT", 1)
            pipeline.execute_command("XREVRANGE", _FEED + player, "+", "-", "COUNT", 1)
            first, last = pipeline.execute()
        return Bounds(_noticed(first[0])[0], _noticed(last[0])[0]) if first and last else Bounds(0, 0)

    def wait_for(self, after: Mapping[str, int], timeout_ms: int) -> Mapping[str, int]:
        """Block until one of the feeds goes on."""
        found = self._waiter.wait({_FEED + player: last for player, last in after.items()}, timeout_ms)
        return {feed.decode().removeprefix(_FEED): _noticed(rows[-1])[0] for feed, rows in found.items() if rows}

    def wake(self) -> None:
        """Make this process's blocked `wait_for` return now."""
        self._waiter.wake()


class MemoryFeeds:
    """`FeedStore` in dicts; `on_notice` is told the player and the id of each new notice, in the same step."""

    def __init__(self, kept: int = KEPT, on_notice: Callable[[str, int], None] = lambda _player, _id: None) -> None:
        self._kept = kept
        self._on_notice = on_notice
        self._changed = threading.Condition()
        self._told: dict[str, int] = {}
        self._feeds: dict[str, list[Noticed]] = {}
        self._woken = False

    def publish(self, table: str, after: int, upto: int, told: Sequence[Told]) -> int:
        """Write notices and move the table's position, all or nothing."""
        with self._changed:
            found = self._told.get(table, 0)
            if found == after:
                for player, notice in told:
                    feed = self._feeds.setdefault(player, [])
                    number = feed[-1][0] + 1 if feed else 1
                    feed.append((number, with_id(number, notice)))
                    del feed[: -self._kept]
                    self._on_notice(player, number)
                self._told[table] = upto
                self._changed.notify_all()
            return found

    def publish_all(self, publications: Sequence[Publication]) -> Sequence[int]:
        """Publish for several tables."""
        return [self.publish(each.table, each.after, each.upto, each.told) for each in publications]

    def position(self, table: str) -> int:
        """Give a table's position."""
        with self._changed:
            return self._told.get(table, 0)

    def notices(self, player: str, after: int, limit: int) -> Sequence[Noticed]:
        """Give the notices behind an id."""
        with self._changed:
            return [each for each in self._feeds.get(player, []) if each[0] > after][:limit]

    def bounds(self, player: str) -> Bounds:
        """Give what a feed holds."""
        with self._changed:
            feed = self._feeds.get(player)
            return Bounds(feed[0][0], feed[-1][0]) if feed else Bounds(0, 0)

    def wait_for(self, after: Mapping[str, int], timeout_ms: int) -> Mapping[str, int]:
        """Block until one of the feeds goes on."""
        with self._changed:

            def news() -> dict[str, int]:
                return {
                    player: feed[-1][0]
                    for player, last in after.items()
                    if (feed := self._feeds.get(player)) and feed[-1][0] > last
                }

            self._changed.wait_for(lambda: news() or self._woken, timeout_ms / 1000)
            self._woken = False
            return news()

    def wake(self) -> None:
        """Make the blocked `wait_for` return now."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()


def with_id(number: int, notice: bytes) -> bytes:
    """Write a notice's id into its JSON, as the first member."""
    return b'{"id":%d,%b' % (number, notice[1:])


def _noticed(row: Any) -> Noticed:
    try:
        row_id, fields = row
        number = int(bytes(row_id).partition(b"-")[0])
        by_name = fields if isinstance(fields, dict) else dict(zip(fields[::2], fields[1::2], strict=True))
        return number, with_id(number, by_name[b"d"])
    except (TypeError, ValueError, KeyError) as error:
        raise Damaged(f"a feed holds what is no notice: {row!r}") from error
