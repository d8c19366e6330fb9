"""Webhooks: a player's own addresses to which his notices are sent, signed; what was sent, and sending again.

Messages follow Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp`, `webhook-signature`. The player's feed is the
outbox: a webhook has a position in it, and becomes due in the very step that writes a notice there. What was not taken
is due again on its own, until it was answered with 2xx or is given up.
"""

import base64
import hmac
import time
from collections.abc import Callable, Collection, Sequence
from typing import Final, Literal, Protocol

from domain.errors import Refusal, invalid
from domain.values import Value
from service.application.accounts import Caller
from service.application.handle import KeyReused, Randomness
from service.application.ids import derived_bytes, derived_id, new_id
from service.application.notices import NOTICE_TYPES, NoticeType
from service.application.players import Key

MOST: Final = 20
"""Webhooks of one player."""
KEPT: Final = 200
"""Deliveries of one webhook that its log keeps."""

HookStatus = Literal["active", "disabled"]
DeliveryStatus = Literal["pending", "delivered", "failed"]


class Webhook(Value, frozen=True):
    """An address of a player's; `mark` as in `Player`. Its secret is derived and never stored."""

    id: str
    player: str
    url: str
    events: tuple[NoticeType, ...]
    created_ms: int
    mark: str = ""
    status: HookStatus = "active"
    reason: str = ""


class Sent(Value, frozen=True):
    """One attempt: when, how long it took, and the status that it was answered with, or what went wrong."""

    at_ms: int
    took_ms: int
    status: int | None = None
    error: str | None = None

    @property
    def is_good(self) -> bool:
        """Whether the message was taken."""
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004 - successful, RFC 9110


class Delivery(Value, frozen=True):
    """A notice on its way to a webhook.

    `number` is its id in the player's feed, `tries` counts the attempts since it was last begun.
    """

    webhook: str
    number: int
    type: str
    notice: str
    created_ms: int
    status: DeliveryStatus = "pending"
    attempts: tuple[Sent, ...] = ()
    tries: int = 0
    next_ms: int | None = None

    @property
    def message(self) -> str:
        """The id of the message, the same at each attempt."""
        return f"msg_{self.webhook}_{self.number}"


class DueWebhook(Value, frozen=True):
    """A webhook to which something should be sent since `due_ms` of the store's clock.

    `is_slow`: the last message was not taken, or late, or there was none; it must not hold up the others.
    """

    webhook: str
    due_ms: int
    is_slow: bool = True


class Turn(Value, frozen=True):
    """The right of one sender, `holder`, to send to a webhook, and how the webhook stands.

    `mark` is the due time that the turn has set. `upto`: the notice up to which all were tried. `again`: the lowest
    number that is due once more, 0: none; `next_ms`: in how many ms the next one is. `rest_ms`: how long nothing is
    sent there after `failures` failures in a row.
    """

    webhook: str
    holder: str
    mark: int
    upto: int
    failures: int = 0
    rest_ms: int = 0
    again: int = 0
    next_ms: int | None = None


class Noted(Value, frozen=True):
    """What an attempt changes: the delivery, when it is due again (ms from now, None: never), how the webhook stands."""

    delivery: Delivery
    again_ms: int | None
    upto: int
    failures: int = 0
    rest_ms: int = 0
    is_slow: bool = False


class WebhookStore(Protocol):
    """Webhooks, their deliveries and what is due; every method may raise `Unavailable` or `Damaged`."""

    def add(self, webhook: Webhook, upto: int, most: int) -> Webhook | Literal["added", "full"]:
        """Keep a webhook that is sent the notices behind `upto`, unless its player has `most` already ("full").

        Where one stands under this id already, it stays and is given.
        """
        ...

    def find(self, webhook_id: str) -> Webhook | None:
        """Give a webhook."""
        ...

    def of(self, player: str) -> Sequence[Webhook]:
        """Give a player's webhooks, oldest first."""
        ...

    def change(self, webhook: Webhook) -> None:
        """Write a webhook that is there; only an active one gets new notices."""
        ...

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook and its deliveries."""
        ...

    def removed(self, webhook_id: str) -> Webhook | None:
        """Give a webhook that was forgotten within the last day: what made it may come again, and makes nothing."""
        ...

    def deliveries(self, webhook_id: str, before: int | None, limit: int) -> Sequence[Delivery]:
        """Give deliveries, newest first, below the number `before`."""
        ...

    def delivery(self, webhook_id: str, number: int) -> Delivery | None:
        """Give one delivery."""
        ...

    def send_again(self, delivery: Delivery) -> None:
        """Write a delivery, and make it and its webhook due now, also where that rests."""
        ...

    def due(self, limit: int) -> Sequence[DueWebhook]:
        """Give the webhooks that are due by the store's clock, longest first."""
        ...

    def lease(self, due: DueWebhook, for_ms: int) -> bool:
        """Put off a webhook that is due, if nobody has touched it since; tell whether."""
        ...

    def begin(self, webhook_id: str, holder: str, for_ms: int) -> Turn | None:
        """Take the turn at a webhook, or keep it, for so long; it is due again then. None: another one has it."""
        ...

    def note(self, turn: Turn, noted: Noted) -> bool:
        """Write what an attempt changed, all or nothing; False, and nothing written, where the turn is over.

        Of the log the oldest beyond `KEPT` are forgotten, but none that is due again.
        """
        ...

    def pass_over(self, turn: Turn, upto: int) -> None:
        """Move the position past notices that the webhook does not want."""
        ...

    def end(self, turn: Turn, due_ms: int | None) -> bool:
        """Give the turn back; the webhook is due again in so many ms, None: when there is something new.

        False, and the turn is kept, where it became due meanwhile; 0 ends it in any case.
        """
        ...


class Check(Protocol):
    """Tells what is wrong with an address to send to."""

    def __call__(self, url: str, /) -> str | None:
        """Give the reason to refuse it, or None."""
        ...


class Webhooks:
    """The use cases of a player's own webhooks."""

    def __init__(
        self,
        store: WebhookStore,
        server_key: bytes,
        random: Randomness,
        check: Check,
        last_notice: Callable[[str], int],
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        """`last_notice` gives the id of the newest notice of a player's feed."""
        self.store = store
        self._last_notice = last_notice
        self._server_key = server_key
        self._random = random
        self._check = check
        self._now_ms = now_ms

    def add(self, caller: Caller, url: str, events: Collection[str], key: Key | None) -> tuple[Webhook, bool]:
        """Make a webhook; under a key a repeat gives the same one (True).

        Raises `Refusal` `validation_failed`, and `KeyReused`.
        """
        player = caller.player
        webhook_id = new_id(self._random) if key is None else derived_id(self._server_key, "hook", player, key.key)
        before = None if key is None else self.store.find(webhook_id) or self.store.removed(webhook_id)
        if before is None:
            wrong = self._check(url)
            if wrong is not None:
                raise invalid({"url": wrong})
            made = Webhook(
                id=webhook_id,
                player=player,
                url=url,
                events=tuple(each for each in NOTICE_TYPES if each in events),
                created_ms=self._now_ms(),
                mark="" if key is None else key.mark,
            )
            done = self.store.add(made, self._last_notice(player), MOST)
            if done == "full":
                raise invalid({"url": f"You have {MOST} webhooks already; delete one first."})
            if done == "added":
                return made, False
            before = done
        if key is None or before.mark != key.mark:
            raise KeyReused
        return before, True

    def secret(self, webhook: Webhook) -> str:
        """Give the secret that a webhook's messages are signed with."""
        return "whsec_" + base64.b64encode(secret_of(self._server_key, webhook.id)).decode()

    def all_of(self, caller: Caller) -> Sequence[Webhook]:
        """Give the caller's webhooks, oldest first."""
        return self.store.of(caller.player)

    def one_of(self, caller: Caller, webhook_id: str) -> Webhook:
        """Give a webhook of the caller's; raises `Refusal` `not_found`."""
        found = self.store.find(webhook_id)
        if found is None or found.player != caller.player:
            raise Refusal("not_found", f"You have no webhook {webhook_id!r}.")
        return found

    def remove(self, caller: Caller, webhook_id: str) -> None:
        """Forget a webhook; raises `Refusal` `not_found`."""
        self.store.remove(self.one_of(caller, webhook_id))

    def again(self, caller: Caller, webhook_id: str, number: int | None) -> Delivery:
        """Send a delivery again, at once and with all its attempts; raises `Refusal` `not_found`."""
        webhook = self.one_of(caller, webhook_id)
        found = None if number is None else self.store.delivery(webhook.id, number)
        if found is None:
            raise Refusal("not_found", "The webhook's log has no such delivery.")
        now = self._now_ms()
        waiting = Delivery(
            webhook=found.webhook,
            number=found.number,
            type=found.type,
            notice=found.notice,
            created_ms=found.created_ms,
            attempts=found.attempts,
            next_ms=now,
        )
        self.store.send_again(waiting)
        return waiting


def secret_of(server_key: bytes, webhook_id: str) -> bytes:
    """Give the 32 bytes that a webhook's messages are signed with."""
    return derived_bytes(server_key, "webhook secret", webhook_id)


def signature(secret: bytes, message: str, timestamp: int, body: bytes) -> str:
    """Sign a message: `v1,` and HMAC-SHA256 of `id.timestamp.body` in Base64 (Standard Webhooks 1.0)."""
    signed = b"%b.%d.%b" % (message.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()
