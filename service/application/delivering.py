"""Sending what is due to webhooks, until it was taken or is given up.

Delivery is at least once: who is killed between sending and noting it leaves the message due, and it goes out again
under the same `webhook-id`.
"""

import logging
import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import structs

from service.application.feeds import FeedStore
from service.application.webhooks import Delivery, DueDelivery, Sent, Webhook, WebhookStore, secret_of, signature

WAITS_S: Final = (1, 5, 30, 120, 600, 3600, 6 * 3600, 12 * 3600, 24 * 3600)
"""After the first attempt, the second …; then it is given up: ten attempts in nearly two days."""
LEASE_S: Final = 60
"""A sender that has not come back by then is taken for dead. It is longer than any attempt takes."""
SHOWN: Final = 20
"""Attempts that a delivery's log keeps."""
_GONE: Final = 410

_log = logging.getLogger("starledger.webhooks")


class Post(Protocol):
    """Sends a body to an address, and never raises."""

    def __call__(self, url: str, headers: Mapping[str, str], body: bytes, /) -> Sent:
        """Send, and tell what came of it."""
        ...


class Deliverer:
    """Sends one message at a time; several in several threads and processes do no harm."""

    def __init__(
        self,
        store: WebhookStore,
        feeds: FeedStore,
        post: Post,
        server_key: bytes,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.store = store
        self._feeds = feeds
        self._post = post
        self._server_key = server_key
        self._now_ms = now_ms

    def deliver(self, due: DueDelivery) -> Delivery | None:
        """Send what is due, once; None where there is nothing (more) to send, or somebody else does it.

        Raises `Unavailable`, `Damaged`.
        """
        if not self.store.lease(due, LEASE_S * 1000):
            return None
        webhook = self.store.find(due.webhook)
        waiting = None if webhook is None else self._waiting(webhook, due.number)
        if webhook is None or waiting is None:
            self.store.schedule(due.webhook, due.number, None)
            return None
        sent = self._send(webhook, waiting)
        after = _noted(waiting, sent)
        self.store.write(after)
        self.store.schedule(
            webhook.id, due.number, None if after.next_ms is None else max(0, after.next_ms - sent.at_ms)
        )
        self._judge(webhook, after, sent)
        return after

    def _waiting(self, webhook: Webhook, number: int) -> Delivery | None:
        """Give the delivery as it waits; None for one that has been taken, isn't wanted, or is forgotten."""
        known = self.store.delivery(webhook.id, number)
        if known is not None:
            return known if known.status == "pending" else None
        noticed = next(iter(self._feeds.notices(webhook.player, number - 1, 1)), None)
        if noticed is None or noticed[0] != number or webhook.status != "active":
            return None
        kind = str(msgspec.json.decode(noticed[1])["type"])
        if kind not in webhook.events:
            return None
        return Delivery(
            webhook=webhook.id, number=number, type=kind, notice=noticed[1].decode(), created_ms=self._now_ms()
        )

    def _send(self, webhook: Webhook, delivery: Delivery) -> Sent:
        body = body_of(delivery)
        timestamp = self._now_ms() // 1000
        secret = secret_of(self._server_key, webhook.id)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Starledger-Webhooks/1",
            "webhook-id": delivery.message,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(secret, delivery.message, timestamp, body),
        }
        return self._post(webhook.url, headers, body)

    def _judge(self, webhook: Webhook, delivery: Delivery, sent: Sent) -> None:
        """Disable a webhook that fails for good; enable one that works again."""
        if delivery.status == "delivered":
            if webhook.status != "active":
                self.store.change(structs.replace(webhook, status="active", reason=""))
            return
        reason = ""
        if sent.status == _GONE:
            reason = "Its address answered 410 Gone."
        elif delivery.status == "failed" and not self._has_worked(webhook, since_ms=delivery.created_ms):
            reason = f"No message was taken in {len(WAITS_S) + 1} attempts, the last one on {delivery.message}."
        if reason and webhook.status == "active":
            _log.warning("webhook %s is disabled: %s", webhook.id, reason)
            self.store.change(structs.replace(webhook, status="disabled", reason=reason))

    def _has_worked(self, webhook: Webhook, since_ms: int) -> bool:
        return any(
            attempt.is_good and attempt.at_ms >= since_ms
            for delivery in self.store.deliveries(webhook.id, None, 200)
            for attempt in delivery.attempts
        )


def body_of(delivery: Delivery) -> bytes:
    """Give the bytes that a delivery sends, the same at each attempt."""
    notice = msgspec.json.decode(delivery.notice)
    return msgspec.json.encode(
        {"type": delivery.type, "timestamp": notice["time"], "data": msgspec.Raw(delivery.notice.encode())}
    )


def _noted(delivery: Delivery, sent: Sent) -> Delivery:
    tries = delivery.tries + 1
    after = structs.replace(delivery, attempts=(*delivery.attempts, sent)[-SHOWN:], tries=tries, next_ms=None)
    if sent.is_good:
        return structs.replace(after, status="delivered")
    if tries > len(WAITS_S) or sent.status == _GONE:
        return structs.replace(after, status="failed")
    return structs.replace(after, next_ms=sent.at_ms + WAITS_S[tries - 1] * 1000)
