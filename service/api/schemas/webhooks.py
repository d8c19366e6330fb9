"""Webhooks: what is asked for, and what is shown of them and of their deliveries."""

from typing import Annotated, Any

from marshmallow import Schema, fields, validate
from msgspec import UNSET, Meta, UnsetType

from domain.history import rfc3339
from domain.values import Value
from service.api.fields import Matches, QueryInteger, length, one_of
from service.api.paging import LIMIT, MOST
from service.api.schemas.feeds import FeedNotice
from service.api.schemas.players import Time
from service.application.notices import NOTICE_TYPES, NoticeType
from service.application.webhooks import Delivery, DeliveryStatus, HookStatus, Sent, Webhook


class NewWebhookSchema(Schema):
    """A new webhook."""

    url = fields.String(
        required=True,
        validate=[
            length(1, 2000),
            Matches(
                r"^[Hh][Tt][Tt][Pp][Ss]?://[!-.0-~][!-~]*$",
                error="Must be an http or https address with a host, in ASCII.",
            ),
        ],
        metadata={
            "description": "Where messages are posted: `https`, or `http` for trials. Private, local and reserved "
            "addresses are refused, also behind a name.",
            "examples": ["https://example.com/starledger"],
        },
    )
    events = fields.List(
        fields.String(validate=one_of(*NOTICE_TYPES)),
        load_default=list(NOTICE_TYPES),
        validate=length(1, 20),
        metadata={"description": "Which notices are sent; left out: all that there are today."},
    )


class DeliveriesQuery(Schema):
    """Which part of the log."""

    limit = QueryInteger(
        load_default=LIMIT,
        validate=validate.Range(min=1, max=MOST),
        metadata={"description": "How many deliveries at most."},
    )
    cursor = QueryInteger(
        load_default=None,
        validate=validate.Range(min=1),
        metadata={"description": "Where to go on: the `next_cursor` of the page before. Opaque."},
    )


Id = Annotated[str, Meta(description="The webhook's id.")]
Url = Annotated[str, Meta(description="Where messages are posted.")]
Events = Annotated[tuple[NoticeType, ...], Meta(description="Which notices are sent.")]
Status = Annotated[
    HookStatus,
    Meta(description="`disabled`: nothing new is sent, `reason` says why; a redelivery that is taken enables it."),
]
Why = Annotated[str, Meta(description="Why it is disabled.")] | UnsetType


class WebhookShown(Value, frozen=True):
    """An address to which notices are sent."""

    id: Id
    url: Url
    events: Events
    status: Status
    created_at: Time
    reason: Why = UNSET


class WebhookMade(Value, frozen=True):
    """A new webhook, with the only sight of its secret."""

    id: Id
    url: Url
    events: Events
    status: Status
    created_at: Time
    secret: Annotated[
        str,
        Meta(
            description="What messages are signed with (`whsec_` and Base64), shown this once.",
            examples=["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0gWqRDqCmkI="],
        ),
    ]
    reason: Why = UNSET


class WebhookList(Value, frozen=True):
    """The caller's webhooks, oldest first."""

    items: tuple[WebhookShown, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]


class AttemptShown(Value, frozen=True):
    """One try to deliver a message."""

    at: Time
    ms: Annotated[int, Meta(description="How long it took.")]
    status: Annotated[int, Meta(description="The status that it was answered with.")] | UnsetType = UNSET
    error: Annotated[str, Meta(description="What went wrong.")] | UnsetType = UNSET


class DeliveryShown(Value, frozen=True):
    """A message to a webhook, with what came of it."""

    id: Annotated[str, Meta(description="The delivery's id in this log.")]
    message: Annotated[str, Meta(description="Its `webhook-id`: the same at each attempt.")]
    type: NoticeType
    status: Annotated[DeliveryStatus, Meta(description="`pending`: it will be tried; `failed`: it was given up.")]
    created_at: Time
    attempts: Annotated[tuple[AttemptShown, ...], Meta(description="The last twenty, oldest first.")]
    data: Annotated[FeedNotice, Meta(description="The notice that it brings.")]
    next_attempt_at: Time | UnsetType = UNSET


class DeliveryList(Value, frozen=True):
    """Deliveries, newest first."""

    items: tuple[DeliveryShown, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]


def webhook_shown(webhook: Webhook) -> WebhookShown:
    """Give what is shown of a webhook."""
    return WebhookShown(
        id=webhook.id,
        url=webhook.url,
        events=webhook.events,
        status=webhook.status,
        created_at=rfc3339(webhook.created_ms),
        reason=webhook.reason or UNSET,
    )


def webhook_made(webhook: Webhook, secret: str) -> WebhookMade:
    """Give what is shown of a webhook just made."""
    shown = webhook_shown(webhook)
    return WebhookMade(shown.id, shown.url, shown.events, shown.status, shown.created_at, secret, shown.reason)


def delivery_shown(delivery: Delivery, notice: Any) -> DeliveryShown:
    """Give what is shown of a delivery; `notice` is its JSON as it stands."""
    return DeliveryShown(
        id=str(delivery.number),
        message=delivery.message,
        type=delivery.type,  # type: ignore[arg-type]  # it was one when it was told
        status=delivery.status,
        created_at=rfc3339(delivery.created_ms),
        attempts=tuple(map(_attempt_shown, delivery.attempts)),
        data=notice,
        next_attempt_at=UNSET if delivery.next_ms is None else rfc3339(delivery.next_ms),
    )


def _attempt_shown(sent: Sent) -> AttemptShown:
    return AttemptShown(
        at=rfc3339(sent.at_ms),
        ms=sent.took_ms,
        status=UNSET if sent.status is None else sent.status,
        error=UNSET if sent.error is None else sent.error,
    )
