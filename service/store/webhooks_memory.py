"""Webhooks in memory."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Literal

from service.application.webhooks import KEPT, Delivery, DueWebhook, Noted, Turn, Webhook


class _Hook:
    """A webhook and how it stands."""

    def __init__(self, webhook: Webhook, upto: int) -> None:
        self.row = webhook
        self.upto = upto
        self.failures = 0
        self.rests_until = 0
        self.is_slow = True  # until it has answered once
        self.holder = ""
        self.held_until = 0
        self.log: dict[int, Delivery] = {}
        self.again: dict[int, int] = {}

    def trim(self) -> None:
        """Forget the oldest deliveries, but none that is due again."""
        settled = sorted(number for number in self.log if number not in self.again)
        for number in settled[: max(0, len(self.log) - KEPT)]:
            del self.log[number]


class MemoryWebhooks:
    """`WebhookStore` in dicts; `clock` gives ms."""

    def __init__(self, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._hooks: dict[str, _Hook] = {}
        self._due: dict[str, int] = {}
        self._removed: dict[str, Webhook] = {}

    def noticed(self, player: str, _number: int) -> None:
        """Make the player's webhooks due for a new notice."""
        with self._lock:
            for hook in self._hooks.values():
                if hook.row.player == player and hook.row.status == "active":
                    self._due[hook.row.id] = self._clock()

    def add(self, webhook: Webhook, upto: int, most: int) -> Webhook | Literal["added", "full"]:
        """Keep a webhook that is sent the notices behind `upto`, unless its player has `most`, or one has this id."""
        with self._lock:
            before = self._hooks.get(webhook.id)
            if before is not None:
                return before.row
            if len(self.of(webhook.player)) >= most:
                return "full"
            self._hooks[webhook.id] = _Hook(webhook, upto)
            return "added"

    def find(self, webhook_id: str) -> Webhook | None:
        """Give a webhook."""
        with self._lock:
            hook = self._hooks.get(webhook_id)
            return None if hook is None else hook.row

    def of(self, player: str) -> Sequence[Webhook]:
        """Give a player's webhooks, oldest first."""
        with self._lock:
            own = [hook.row for hook in self._hooks.values() if hook.row.player == player]
        return sorted(own, key=lambda row: (row.created_ms, row.id))

    def change(self, webhook: Webhook) -> None:
        """Write a webhook that is there."""
        with self._lock:
            if webhook.id in self._hooks:
                self._hooks[webhook.id].row = webhook

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook and its deliveries."""
        with self._lock:
            self._hooks.pop(webhook.id, None)
            self._removed[webhook.id] = webhook

    def removed(self, webhook_id: str) -> Webhook | None:
        """Give a webhook that was forgotten."""
        with self._lock:
            return self._removed.get(webhook_id)

    def deliveries(self, webhook_id: str, before: int | None, limit: int) -> Sequence[Delivery]:
        """Give deliveries, newest first."""
        with self._lock:
            log = self._hooks[webhook_id].log if webhook_id in self._hooks else {}
            numbers = sorted((each for each in log if before is None or each < before), reverse=True)
            return [log[number] for number in numbers[:limit]]

    def delivery(self, webhook_id: str, number: int) -> Delivery | None:
        """Give one delivery."""
        with self._lock:
            return self._hooks[webhook_id].log.get(number) if webhook_id in self._hooks else None

    def send_again(self, delivery: Delivery) -> None:
        """Write a delivery, and make it and its webhook due now, also where that rests."""
        with self._lock:
            hook = self._hooks.get(delivery.webhook)
            if hook is not None:
                hook.log[delivery.number] = delivery
                hook.again[delivery.number] = self._due[delivery.webhook] = self._clock()
                hook.failures = hook.rests_until = 0

    def due(self, limit: int) -> Sequence[DueWebhook]:
        """Give the webhooks that are due, longest first."""
        with self._lock:
            now = self._clock()
            found = sorted((due_ms, hook) for hook, due_ms in self._due.items() if due_ms <= now)
            slow = {name for name, hook in self._hooks.items() if hook.is_slow}
        return [DueWebhook(hook, due_ms, hook in slow) for due_ms, hook in found[:limit]]

    def lease(self, due: DueWebhook, for_ms: int) -> bool:
        """Put off a webhook that is due, if nobody has touched it since."""
        with self._lock:
            is_same = self._due.get(due.webhook) == due.due_ms
            if is_same:
                self._due[due.webhook] = self._clock() + for_ms
            return is_same

    def begin(self, webhook_id: str, holder: str, for_ms: int) -> Turn | None:
        """Take the turn at a webhook, or keep it, for so long."""
        with self._lock:
            now, hook = self._clock(), self._hooks.get(webhook_id)
            if hook is None:
                self._due[webhook_id] = now + for_ms
                return Turn(webhook=webhook_id, holder=holder, mark=now + for_ms, upto=0)
            if hook.holder != holder and hook.held_until > now:
                if webhook_id in self._due:
                    self._due[webhook_id] = hook.held_until
                return None
            hook.holder = holder
            hook.held_until = self._due[webhook_id] = now + for_ms
            return Turn(
                webhook=webhook_id,
                holder=holder,
                mark=now + for_ms,
                upto=hook.upto,
                failures=hook.failures,
                rest_ms=max(0, hook.rests_until - now),
                again=min((number for number, due_ms in hook.again.items() if due_ms <= now), default=0),
                next_ms=max(0, min(hook.again.values()) - now) if hook.again else None,
            )

    def note(self, turn: Turn, noted: Noted) -> bool:
        """Write what an attempt changed, all or nothing; False where the turn is over."""
        with self._lock:
            hook = self._held(turn)
            if hook is None:
                return False
            number = noted.delivery.number
            hook.log[number] = noted.delivery
            if noted.again_ms is None:
                hook.again.pop(number, None)
            else:
                hook.again[number] = self._clock() + noted.again_ms
            hook.failures, hook.is_slow = noted.failures, noted.is_slow
            hook.rests_until = self._clock() + noted.rest_ms
            hook.upto = max(hook.upto, noted.upto)
            hook.trim()
            return True

    def pass_over(self, turn: Turn, upto: int) -> None:
        """Move the position past notices that the webhook does not want."""
        with self._lock:
            hook = self._held(turn)
            if hook is not None:
                hook.upto = max(hook.upto, upto)

    def end(self, turn: Turn, due_ms: int | None) -> bool:
        """Give the turn back; False, and it is kept, where the webhook became due meanwhile."""
        with self._lock:
            hook = self._held(turn)
            if hook is None and turn.webhook in self._hooks:
                return True
            if due_ms != 0 and self._due.get(turn.webhook) != turn.mark:
                return False
            if due_ms is None:
                self._due.pop(turn.webhook, None)
            else:
                self._due[turn.webhook] = self._clock() + due_ms
            if hook is not None:
                hook.holder, hook.held_until = "", 0
            return True

    def _held(self, turn: Turn) -> _Hook | None:
        """Give the webhook where the turn is still the sender's."""
        hook = self._hooks.get(turn.webhook)
        return hook if hook is not None and hook.holder == turn.holder and hook.held_until > self._clock() else None
