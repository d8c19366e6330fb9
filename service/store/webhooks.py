"""Webhooks on Redis.

Keys: `hook:<id>` holds JSON, `hook:<id>:log` its deliveries by number, `hook:<id>:again` those that are due once more
(sorted by ms), `hook:<id>:stands` its position in the feed and its failures, `hook:<id>:turn` who sends there now,
`hook:<id>:removed` for a day what was forgotten;
`hooks:list:<player>` all of a player's by time, `hooks:of:<player>` those that are sent notices; `hooks:due` is the
sorted set of webhooks by ms (feeds.py), `hooks:slow` the set of those that must not hold up the others.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
import redis

from service.application.ports import Damaged
from service.application.repeats import KEPT_S
from service.application.webhooks import KEPT, Delivery, DueWebhook, Noted, Turn, Webhook
from service.store.boot import Boot, Hygiene
from service.store.errors import foreign_errors
from service.store.feeds import HOOKS_DUE, hooks_key
from service.store.scripts import HOOK_ADD, LEASE, TURN_BEGIN, TURN_END, TURN_NOTE, Scripts

SLOW: Final = "hooks:slow"

_hook = msgspec.json.Decoder(Webhook)
_delivery = msgspec.json.Decoder(Delivery)
_encode = msgspec.json.encode


class RedisWebhooks:
    """`WebhookStore` on Redis or Valkey."""

    def __init__(self, client: redis.Redis, boot: Boot | None = None) -> None:
        self._client: Any = client
        self._scripts = Scripts(client, boot or Hygiene(client))

    def add(self, webhook: Webhook, upto: int, most: int) -> Webhook | Literal["added", "full"]:
        """Keep a webhook that is sent the notices behind `upto`, unless its player has `most`, or one has this id."""
        player, hook = webhook.player, webhook.id
        keys = [_row(hook), _stands(hook), SLOW, _list(player), hooks_key(player)]
        done = self._scripts.call(HOOK_ADD, keys, [_encode(webhook), upto, hook, webhook.created_ms, most])
        if isinstance(done, bytes):
            before: Webhook = _read(_hook, done)
            return before
        return "added" if done else "full"

    def find(self, webhook_id: str) -> Webhook | None:
        """Give a webhook."""
        with foreign_errors():
            row = self._client.get(_row(webhook_id))
        return None if row is None else _read(_hook, row)

    def of(self, player: str) -> Sequence[Webhook]:
        """Give a player's webhooks, oldest first."""
        with foreign_errors():
            ids = self._client.zrange(_list(player), 0, -1)
            rows = self._client.mget([_row(each.decode()) for each in ids]) if ids else []
        return [_read(_hook, row) for row in rows if row is not None]

    def change(self, webhook: Webhook) -> None:
        """Write a webhook that is there."""
        with foreign_errors():
            if self._client.set(_row(webhook.id), _encode(webhook), xx=True):
                enters = self._client.sadd if webhook.status == "active" else self._client.srem
                enters(hooks_key(webhook.player), webhook.id)

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook and its deliveries; where it is due at this moment, that clears itself."""
        hook = webhook.id
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=True)
            pipeline.srem(hooks_key(webhook.player), hook)
            pipeline.set(_removed(hook), _encode(webhook), ex=KEPT_S)
            pipeline.delete(_row(hook), _log(hook), _again(hook), _stands(hook))
            pipeline.zrem(_list(webhook.player), hook)
            pipeline.srem(SLOW, hook)
            pipeline.execute()

    def removed(self, webhook_id: str) -> Webhook | None:
        """Give a webhook that was forgotten within the last day."""
        with foreign_errors():
            row = self._client.get(_removed(webhook_id))
        return None if row is None else _read(_hook, row)

    def deliveries(self, webhook_id: str, before: int | None, limit: int) -> Sequence[Delivery]:
        """Give deliveries, newest first."""
        with foreign_errors():
            numbers = sorted(map(int, self._client.hkeys(_log(webhook_id))), reverse=True)
            wanted = [number for number in numbers if before is None or number < before][:limit]
            rows = self._client.hmget(_log(webhook_id), wanted) if wanted else []
        return [_read(_delivery, row) for row in rows if row is not None]

    def delivery(self, webhook_id: str, number: int) -> Delivery | None:
        """Give one delivery."""
        with foreign_errors():
            row = self._client.hget(_log(webhook_id), number)
        return None if row is None else _read(_delivery, row)

    def send_again(self, delivery: Delivery) -> None:
        """Write a delivery, and make it and its webhook due now, also where that rests."""
        hook = delivery.webhook
        with foreign_errors():
            now = self._now_ms()
            pipeline = self._client.pipeline(transaction=False)
            pipeline.hset(_log(hook), delivery.number, _encode(delivery))
            pipeline.zadd(_again(hook), {str(delivery.number): now})
            pipeline.hset(_stands(hook), mapping={"failures": 0, "rest": 0})
            pipeline.zadd(HOOKS_DUE, {hook: now})
            pipeline.exists(_row(hook))
            if not pipeline.execute()[-1]:
                self._client.delete(_log(hook), _again(hook), _stands(hook))  # it was deleted meanwhile

    def due(self, limit: int) -> Sequence[DueWebhook]:
        """Give the webhooks that are due by the store's clock, longest first."""
        with foreign_errors():
            rows = self._client.zrange(HOOKS_DUE, 0, self._now_ms(), byscore=True, offset=0, num=limit, withscores=True)
            slow = self._client.smismember(SLOW, [hook for hook, _ in rows]) if rows else []
        return [
            DueWebhook(hook.decode(), int(due_ms), bool(is_slow))
            for (hook, due_ms), is_slow in zip(rows, slow, strict=True)
        ]

    def lease(self, due: DueWebhook, for_ms: int) -> bool:
        """Put off a webhook that is due, if nobody has touched it since."""
        return bool(self._scripts.call(LEASE, [HOOKS_DUE], [due.webhook, due.due_ms, for_ms]))

    def begin(self, webhook_id: str, holder: str, for_ms: int) -> Turn | None:
        """Take the turn at a webhook, or keep it, for so long."""
        keys = [_turn(webhook_id), HOOKS_DUE, _stands(webhook_id), _again(webhook_id)]
        stands = self._scripts.call(TURN_BEGIN, keys, [webhook_id, holder, for_ms])
        if not stands:
            return None
        mark, upto, failures, rest_ms, again, next_ms = map(int, stands)
        return Turn(
            webhook=webhook_id,
            holder=holder,
            mark=mark,
            upto=upto,
            failures=failures,
            rest_ms=rest_ms,
            again=again,
            next_ms=None if next_ms < 0 else next_ms,
        )

    def note(self, turn: Turn, noted: Noted) -> bool:
        """Write what an attempt changed, all or nothing; False where the turn is over."""
        again = "" if noted.again_ms is None else noted.again_ms
        row = [noted.delivery.number, _encode(noted.delivery), again]
        return self._note(turn, [noted.upto, noted.failures, noted.rest_ms, int(noted.is_slow), *row])

    def pass_over(self, turn: Turn, upto: int) -> None:
        """Move the position past notices that the webhook does not want."""
        self._note(turn, [upto, 0, 0, 0, "", "", ""])

    def _note(self, turn: Turn, changes: list[Any]) -> bool:
        hook = turn.webhook
        keys = [_turn(hook), _row(hook), _log(hook), _again(hook), _stands(hook), SLOW]
        return bool(self._scripts.call(TURN_NOTE, keys, [hook, turn.holder, *changes, KEPT]))

    def end(self, turn: Turn, due_ms: int | None) -> bool:
        """Give the turn back; False, and it is kept, where the webhook became due meanwhile."""
        args = [turn.webhook, turn.holder, turn.mark, "" if due_ms is None else due_ms]
        return bool(self._scripts.call(TURN_END, [_turn(turn.webhook), HOOKS_DUE], args))

    def _now_ms(self) -> int:
        seconds, micros = self._client.time()
        return int(seconds) * 1000 + int(micros) // 1000


def _row(webhook_id: str) -> str:
    return f"hook:{webhook_id}"


def _removed(webhook_id: str) -> str:
    return f"hook:{webhook_id}:removed"


def _log(webhook_id: str) -> str:
    return f"hook:{webhook_id}:log"


def _again(webhook_id: str) -> str:
    return f"hook:{webhook_id}:again"


def _list(player: str) -> str:
    return f"hooks:list:{player}"


def _stands(webhook_id: str) -> str:
    return f"hook:{webhook_id}:stands"


def _turn(webhook_id: str) -> str:
    return f"hook:{webhook_id}:turn"


def _read(decoder: Any, row: Any) -> Any:
    try:
        return decoder.decode(row)
    except (msgspec.DecodeError, TypeError) as error:
        raise Damaged(f"a webhook's row can't be read: {error}") from error
