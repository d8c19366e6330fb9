"""Webhooks, on Redis and in memory.

Keys: `hook:<id>` holds JSON, `hook:<id>:log` its deliveries by number; `hooks:list:<player>` all of a player's by time,
`hooks:of:<player>` those that are sent notices; `hooks:due` is the sorted set of `<id>:<number>` by ms (feeds.py).
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import redis

from service.application.ports import Damaged
from service.application.webhooks import KEPT, Delivery, DueDelivery, Webhook
from service.store.boot import Boot, Hygiene
from service.store.errors import foreign_errors
from service.store.feeds import HOOKS_DUE, hooks_key
from service.store.scripts import LEASE, Scripts

_hook = msgspec.json.Decoder(Webhook)
_delivery = msgspec.json.Decoder(Delivery)
_encode = msgspec.json.encode


class RedisWebhooks:
    """`WebhookStore` on Redis or Valkey."""

    def __init__(self, client: redis.Redis, boot: Boot | None = None) -> None:
        self._client: Any = client
        self._scripts = Scripts(client, boot or Hygiene(client))

    def add(self, webhook: Webhook) -> Webhook | None:
        """Keep a webhook, unless there is one under this id: that one is given then."""
        with foreign_errors():
            before = self._client.set(f"hook:{webhook.id}", _encode(webhook), nx=True, get=True)
            if before is None:
                pipeline = self._client.pipeline(transaction=False)
                pipeline.zadd(f"hooks:list:{webhook.player}", {webhook.id: webhook.created_ms}, nx=True)
                pipeline.sadd(hooks_key(webhook.player), webhook.id)
                pipeline.execute()
        if before is None:
            return None
        found: Webhook = _read(_hook, before)
        self.change(found)  # whoever was killed between the two steps left it in no list
        return found

    def find(self, webhook_id: str) -> Webhook | None:
        """Give a webhook."""
        with foreign_errors():
            row = self._client.get(f"hook:{webhook_id}")
        return None if row is None else _read(_hook, row)

    def of(self, player: str) -> Sequence[Webhook]:
        """Give a player's webhooks, oldest first."""
        with foreign_errors():
            ids = self._client.zrange(f"hooks:list:{player}", 0, -1)
            rows = self._client.mget([b"hook:" + each for each in ids]) if ids else []
        return [_read(_hook, row) for row in rows if row is not None]

    def change(self, webhook: Webhook) -> None:
        """Write a webhook that is there."""
        with foreign_errors():
            if not self._client.set(f"hook:{webhook.id}", _encode(webhook), xx=True):
                return
            pipeline = self._client.pipeline(transaction=False)
            pipeline.zadd(f"hooks:list:{webhook.player}", {webhook.id: webhook.created_ms}, nx=True)
            if webhook.status == "active":
                pipeline.sadd(hooks_key(webhook.player), webhook.id)
            else:
                pipeline.srem(hooks_key(webhook.player), webhook.id)
            pipeline.execute()

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook and its deliveries; what is due for it clears itself."""
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            pipeline.srem(hooks_key(webhook.player), webhook.id)
            pipeline.delete(f"hook:{webhook.id}", f"hook:{webhook.id}:log")
            pipeline.zrem(f"hooks:list:{webhook.player}", webhook.id)
            pipeline.execute()

    def deliveries(self, webhook_id: str, before: int | None, limit: int) -> Sequence[Delivery]:
        """Give deliveries, newest first."""
        with foreign_errors():
            numbers = sorted(map(int, self._client.hkeys(f"hook:{webhook_id}:log")), reverse=True)
            wanted = [number for number in numbers if before is None or number < before][:limit]
            rows = self._client.hmget(f"hook:{webhook_id}:log", wanted) if wanted else []
        return [_read(_delivery, row) for row in rows if row is not None]

    def delivery(self, webhook_id: str, number: int) -> Delivery | None:
        """Give one delivery."""
        with foreign_errors():
            row = self._client.hget(f"hook:{webhook_id}:log", number)
        return None if row is None else _read(_delivery, row)

    def write(self, delivery: Delivery) -> None:
        """Write a delivery as it stands."""
        key = f"hook:{delivery.webhook}:log"
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            pipeline.hset(key, delivery.number, _encode(delivery))
            pipeline.hlen(key)
            pipeline.exists(f"hook:{delivery.webhook}")
            _, count, is_there = pipeline.execute()
            if not is_there:
                self._client.delete(key)  # the webhook was deleted meanwhile
            elif count > KEPT:
                oldest = sorted(map(int, self._client.hkeys(key)))[: count - KEPT]
                self._client.hdel(key, *oldest)

    def due(self, limit: int) -> Sequence[DueDelivery]:
        """Give what is due by the store's clock, oldest first."""
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            pipeline.time()
            pipeline.zrange(HOOKS_DUE, 0, limit - 1, withscores=True)
            (seconds, micros), rows = pipeline.execute()
        now = seconds * 1000 + micros // 1000
        return [_due(member, score) for member, score in rows if score <= now]

    def lease(self, due: DueDelivery, for_ms: int) -> bool:
        """Put off what is due if nobody else has."""
        return bool(self._scripts.call(LEASE, [HOOKS_DUE], [f"{due.webhook}:{due.number}", due.due_ms, for_ms]))

    def schedule(self, webhook_id: str, number: int, in_ms: int | None) -> None:
        """Make a delivery due in so many ms; None: never again."""
        member = f"{webhook_id}:{number}"
        with foreign_errors():
            if in_ms is None:
                self._client.zrem(HOOKS_DUE, member)
            else:
                seconds, micros = self._client.time()
                self._client.zadd(HOOKS_DUE, {member: seconds * 1000 + micros // 1000 + in_ms})


class MemoryWebhooks:
    """`WebhookStore` in dicts; `clock` gives ms."""

    def __init__(self, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._hooks: dict[str, Webhook] = {}
        self._log: dict[str, dict[int, Delivery]] = {}
        self._due: dict[tuple[str, int], int] = {}

    def noticed(self, player: str, number: int) -> None:
        """Make a new notice due for the player's webhooks."""
        with self._lock:
            for hook in self._hooks.values():
                if hook.player == player and hook.status == "active":
                    self._due[hook.id, number] = self._clock()

    def add(self, webhook: Webhook) -> Webhook | None:
        """Keep a webhook, unless there is one under this id: that one is given then."""
        with self._lock:
            before = self._hooks.get(webhook.id)
            self._hooks.setdefault(webhook.id, webhook)
            return before

    def find(self, webhook_id: str) -> Webhook | None:
        """Give a webhook."""
        with self._lock:
            return self._hooks.get(webhook_id)

    def of(self, player: str) -> Sequence[Webhook]:
        """Give a player's webhooks, oldest first."""
        with self._lock:
            own = [hook for hook in self._hooks.values() if hook.player == player]
        return sorted(own, key=lambda hook: (hook.created_ms, hook.id))

    def change(self, webhook: Webhook) -> None:
        """Write a webhook that is there."""
        with self._lock:
            if webhook.id in self._hooks:
                self._hooks[webhook.id] = webhook

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook and its deliveries."""
        with self._lock:
            self._hooks.pop(webhook.id, None)
            self._log.pop(webhook.id, None)

    def deliveries(self, webhook_id: str, before: int | None, limit: int) -> Sequence[Delivery]:
        """Give deliveries, newest first."""
        with self._lock:
            log = self._log.get(webhook_id, {})
            numbers = sorted((each for each in log if before is None or each < before), reverse=True)
            return [log[number] for number in numbers[:limit]]

    def delivery(self, webhook_id: str, number: int) -> Delivery | None:
        """Give one delivery."""
        with self._lock:
            return self._log.get(webhook_id, {}).get(number)

    def write(self, delivery: Delivery) -> None:
        """Write a delivery as it stands."""
        with self._lock:
            if delivery.webhook in self._hooks:
                log = self._log.setdefault(delivery.webhook, {})
                log[delivery.number] = delivery
                for number in sorted(log)[: max(0, len(log) - KEPT)]:
                    del log[number]

    def due(self, limit: int) -> Sequence[DueDelivery]:
        """Give what is due, oldest first."""
        with self._lock:
            now = self._clock()
            found = sorted((due_ms, *key) for key, due_ms in self._due.items() if due_ms <= now)
        return [DueDelivery(hook, number, due_ms) for due_ms, hook, number in found[:limit]]

    def lease(self, due: DueDelivery, for_ms: int) -> bool:
        """Put off what is due if nobody else has."""
        with self._lock:
            is_same = self._due.get((due.webhook, due.number)) == due.due_ms
            if is_same:
                self._due[due.webhook, due.number] = self._clock() + for_ms
            return is_same

    def schedule(self, webhook_id: str, number: int, in_ms: int | None) -> None:
        """Make a delivery due in so many ms; None: never again."""
        with self._lock:
            if in_ms is None:
                self._due.pop((webhook_id, number), None)
            else:
                self._due[webhook_id, number] = self._clock() + in_ms


def _due(member: bytes, score: float) -> DueDelivery:
    hook, _, number = member.decode().rpartition(":")
    return DueDelivery(hook, int(number), int(score))


def _read(decoder: Any, row: Any) -> Any:
    try:
        return decoder.decode(row)
    except (msgspec.DecodeError, TypeError) as error:
        raise Damaged(f"a webhook's row can't be read: {error}") from error
