"""Sending to a webhook what is due there, one message after the other, until each was taken or is given up.

Delivery is at least once: who is killed between sending and noting it leaves the message due, and it goes out again
under the same `webhook-id`. One sender at a time has the turn at a webhook, so its messages go out in the order of
the feed; one that was not taken goes before newer ones as long as the webhook's rest and its own wait are the same.
"""

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import structs

from service.application.feeds import FeedStore
from service.application.ports import Damaged
from service.application.webhooks import (
    Delivery,
    Noted,
    Sent,
    Turn,
    Webhook,
    WebhookStore,
    secret_of,
    signature,
)

WAITS_S: Final = (1, 5, 30, 120, 600, 3600, 6 * 3600, 12 * 3600, 24 * 3600)
"""After the first attempt, the second …; then it is given up: ten attempts in nearly two days."""
MOST_REST_S: Final = 60
"""A webhook that fails rests as long as a message waits after so many failures, but at most this long."""
LEASE_S: Final = 60.0
"""A sender that has not come back by then is taken for dead. It is longer than any attempt takes."""
SLOW_MS: Final = 2000
"""Who takes so long to answer is served apart."""
SHOWN: Final = 20
"""Attempts that a delivery's log keeps."""
_GONE: Final = 410
_AT_ONCE: Final = 100
_ALL: Final = 10_000

_log = logging.getLogger("starledger.webhooks")


class Post(Protocol):
    """Sends a body to an address, and never raises."""

    def __call__(self, url: str, headers: Mapping[str, str], body: bytes, /) -> Sent:
        """Send, and tell what came of it."""
        ...


class Deliverer:
    """Sends; many of them in threads and processes do no harm."""

    def __init__(
        self,
        store: WebhookStore,
        feeds: FeedStore,
        post: Post,
        server_key: bytes,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        lease_s: float = LEASE_S,
    ) -> None:
        self.store = store
        self._feeds = feeds
        self._post = post
        self._server_key = server_key
        self._now_ms = now_ms
        self._lease_ms = round(lease_s * 1000)

    def send(self, webhook_id: str, enough: Callable[[], bool] = lambda: False) -> bool:
        """Send all that is due to a webhook; True where more is due and `enough`, asked after each message, said so.

        Where another sender is at it, or nothing is due, nothing happens. Raises `Unavailable`, `Damaged`.
        """
        holder = secrets.token_hex(8)
        is_enough = False
        while (turn := self.store.begin(webhook_id, holder, self._lease_ms)) is not None:
            webhook = self.store.find(webhook_id)
            waiting = None if webhook is None or turn.rest_ms else self._next(webhook, turn)
            if webhook is None or waiting is None:
                if self.store.end(turn, turn.rest_ms or turn.next_ms if webhook is not None else None):
                    return False
            elif is_enough:
                self.store.end(turn, 0)
                return True
            else:
                if not self._attempt(webhook, turn, waiting):
                    return False
                is_enough = enough()
        return False

    def _next(self, webhook: Webhook, turn: Turn) -> Delivery | None:
        """Give the message to send now: one that is due again, else the next of the feed that is wanted."""
        if turn.again:
            known = self.store.delivery(webhook.id, turn.again)
            if known is None:
                raise Damaged(f"delivery {turn.again} of webhook {webhook.id} is due, but is not there")
            return known
        upto = turn.upto
        while webhook.status == "active" and (noticed := self._feeds.notices(webhook.player, upto, _AT_ONCE)):
            for number, notice in noticed:
                kind = str(msgspec.json.decode(notice)["type"])
                if kind in webhook.events:
                    return Delivery(
                        webhook=webhook.id,
                        number=number,
                        type=kind,
                        notice=notice.decode(),
                        created_ms=self._now_ms(),
                    )
            upto = noticed[-1][0]
            self.store.pass_over(turn, upto)
        return None

    def _attempt(self, webhook: Webhook, turn: Turn, waiting: Delivery) -> bool:
        """Send a message once, and note what came of it; False where the turn was over meanwhile."""
        sent = self._send(webhook, waiting)
        after, again_ms = _noted(waiting, sent)
        upto, failures, rest_ms = max(turn.upto, after.number), 0, 0
        if not sent.is_good:
            failures = turn.failures + 1
            rest_ms = 1000 * min(WAITS_S[min(failures, len(WAITS_S)) - 1], MOST_REST_S)
        elif webhook.status != "active":
            upto = max(upto, self._feeds.bounds(webhook.player).last)  # what happened meanwhile is not sent
        is_slow = not sent.is_good or sent.took_ms > SLOW_MS
        noted = Noted(after, again_ms, upto=upto, failures=failures, rest_ms=rest_ms, is_slow=is_slow)
        if not self.store.note(turn, noted):
            return False
        self._judge(webhook, turn, noted, sent)
        return True

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

    def _judge(self, webhook: Webhook, turn: Turn, noted: Noted, sent: Sent) -> None:
        """Disable a webhook that fails for good; enable one that works again."""
        delivery = noted.delivery
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
            for other in self.store.deliveries(webhook.id, None, _ALL):
                if other.status == "pending":
                    given_up = structs.replace(other, status="failed", next_ms=None)
                    self.store.note(turn, structs.replace(noted, delivery=given_up, again_ms=None))

    def _has_worked(self, webhook: Webhook, since_ms: int) -> bool:
        return any(
            attempt.is_good and attempt.at_ms >= since_ms
            for delivery in self.store.deliveries(webhook.id, None, _ALL)
            for attempt in delivery.attempts
        )


def body_of(delivery: Delivery) -> bytes:
    """Give the bytes that a delivery sends, the same at each attempt."""
    notice = msgspec.json.decode(delivery.notice)
    return msgspec.json.encode(
        {"type": delivery.type, "timestamp": notice["time"], "data": msgspec.Raw(delivery.notice.encode())}
    )


def _noted(delivery: Delivery, sent: Sent) -> tuple[Delivery, int | None]:
    """Give a delivery after an attempt, and in how many ms it is due again."""
    tries = delivery.tries + 1
    after = structs.replace(delivery, attempts=(*delivery.attempts, sent)[-SHOWN:], tries=tries, next_ms=None)
    if sent.is_good:
        return structs.replace(after, status="delivered"), None
    if tries > len(WAITS_S) or sent.status == _GONE:
        return structs.replace(after, status="failed"), None
    wait_ms = WAITS_S[tries - 1] * 1000
    return structs.replace(after, next_ms=sent.at_ms + sent.took_ms + wait_ms), wait_ms
