"""Webhooks: make, list, delete; what was delivered, and delivering it again."""

from typing import Any, Final

import msgspec
from flask import Response

from service.api.answers import NEVER_STORED, empty_answer, json_answer, replayed
from service.api.fields import path_number
from service.api.operation import Answer, Body, Call, Operation
from service.api.paging import link
from service.api.schemas.webhooks import (
    DeliveriesQuery,
    DeliveryList,
    DeliveryShown,
    NewWebhookSchema,
    WebhookList,
    WebhookMade,
    WebhookShown,
    delivery_shown,
    webhook_made,
    webhook_shown,
)
from service.api.short_lists import page_of, query_of
from service.application.webhooks import KEPT, MOST, Delivery

_OWN: Final = {"Cache-Control": NEVER_STORED}


def create_webhook(call: Call) -> Response:
    """`POST /v1/webhooks`."""
    webhooks = call.services.webhooks
    made, is_replay = webhooks.add(call.known, call.body["url"], call.body["events"], call.marked_key)
    headers = {"Location": f"/v1/webhooks/{made.id}", **_OWN, **replayed(is_replay=is_replay)}
    return json_answer(webhook_made(made, webhooks.secret(made)), 201, headers)


def list_webhooks(call: Call) -> Response:
    """`GET /v1/webhooks`."""
    own = call.services.webhooks.all_of(call.known)
    page, cursor, links = page_of(call, own, lambda hook: (hook.created_ms, hook.id))
    listed = WebhookList(items=tuple(map(webhook_shown, page)), next_cursor=cursor)
    return json_answer(listed, headers={**_OWN, **links})


def get_webhook(call: Call) -> Response:
    """`GET /v1/webhooks/{webhook}`."""
    return json_answer(webhook_shown(call.services.webhooks.one_of(call.known, call.path["webhook"])), headers=_OWN)


def delete_webhook(call: Call) -> Response:
    """`DELETE /v1/webhooks/{webhook}`."""
    call.services.webhooks.remove(call.known, call.path["webhook"])
    return empty_answer()


def list_deliveries(call: Call) -> Response:
    """`GET /v1/webhooks/{webhook}/deliveries`."""
    webhooks, limit = call.services.webhooks, call.query["limit"]
    webhook = webhooks.one_of(call.known, call.path["webhook"])
    found = webhooks.store.deliveries(webhook.id, call.query["cursor"], limit + 1)
    cursor = str(found[limit - 1].number) if len(found) > limit else None
    listed = DeliveryList(items=tuple(map(_shown, found[:limit])), next_cursor=cursor)
    return json_answer(listed, headers={**_OWN, **link(call.request.path, call.request.args, cursor)})


def redeliver(call: Call) -> Response:
    """`POST /v1/webhooks/{webhook}/deliveries/{delivery}/redeliver`."""
    number = path_number(call.path["delivery"])
    waiting = call.services.webhooks.again(call.known, call.path["webhook"], number)
    return json_answer(_shown(waiting), 202, _OWN)


def _shown(delivery: Delivery) -> DeliveryShown:
    return delivery_shown(delivery, msgspec.Raw(delivery.notice.encode()))


_WEBHOOK: Final[dict[str, Any]] = {
    "id": "w2h4k6m5kq3x7zrnbd7e6mjyoa",
    "url": "https://example.com/starledger",
    "events": ["your_turn", "table_finished"],
    "status": "active",
    "created_at": "2026-05-01T12:00:00.000Z",
}
_DELIVERY: Final[dict[str, Any]] = {
    "id": "17",
    "message": "msg_w2h4k6m5kq3x7zrnbd7e6mjyoa_17",
    "type": "your_turn",
    "status": "pending",
    "created_at": "2026-05-01T12:03:41.300Z",
    "attempts": [{"at": "2026-05-01T12:03:41.310Z", "ms": 84, "status": 503}],
    "data": {
        "id": 17,
        "time": "2026-05-01T12:03:41.207Z",
        "type": "your_turn",
        "table": "t4b2h6m5kq3x7zrnbd7e6mjyoa",
        "game": "beam-me-up",
        "seat": 0,
        "version": 12,
    },
    "next_attempt_at": "2026-05-01T12:03:42.310Z",
}

OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/webhooks",
        name="createWebhook",
        tag="Webhooks",
        summary="Have notices sent to an address",
        text="From now on the caller's notices, those of `GET /v1/me/stream`, are posted to the address, signed as "
        "Standard Webhooks 1.0 says: `webhook-id`, `webhook-timestamp` and `webhook-signature`. The body is "
        "`{type, timestamp, data}`; `data` is the notice.\n\nA message counts as taken when it is answered with 2xx within "
        "15 seconds; redirects are not followed. Else it is sent again after 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, 6 h, "
        "12 h and 24 h, under the same `webhook-id`; it may come twice. Messages go out one at a time in the order of the "
        "feed; one that is not taken for long lets the next ones pass. A webhook whose messages "
        f"are all given up, or that answers 410, is disabled. A player has at most {MOST}. docs/webhooks.md shows how a "
        "signature is checked.",
        view=create_webhook,
        auth="required",
        scope="webhooks",
        body=Body(
            schema=NewWebhookSchema,
            examples={
                "some": {"url": "https://example.com/starledger", "events": ["your_turn", "table_finished"]},
                "all": {"url": "https://example.com/starledger"},
            },
        ),
        answers={
            201: Answer(
                meaning="The webhook is made; its secret is shown in this answer only.",
                kind=WebhookMade,
                headers=("Location",),
                examples={"some": {**_WEBHOOK, "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0gWqRDqCmkI="}},
            )
        },
        keyed="derived",
        bucket="creations",
    ),
    Operation(
        method="GET",
        path="/v1/webhooks",
        name="listWebhooks",
        tag="Webhooks",
        summary="List one's own webhooks",
        text="All webhooks of the caller, oldest first, without their secrets.",
        view=list_webhooks,
        auth="required",
        scope="webhooks",
        query=query_of(int, str),
        answers={
            200: Answer(
                meaning="The webhooks.",
                kind=WebhookList,
                headers=("Link",),
                examples={"one": {"items": [_WEBHOOK], "next_cursor": None}},
            )
        },
    ),
    Operation(
        method="GET",
        path="/v1/webhooks/{webhook}",
        name="getWebhook",
        tag="Webhooks",
        summary="Look at a webhook",
        text="One of the caller's webhooks, without its secret.",
        view=get_webhook,
        auth="required",
        scope="webhooks",
        answers={200: Answer(meaning="The webhook.", kind=WebhookShown, examples={"one": _WEBHOOK})},
        problems=("not_found",),
    ),
    Operation(
        method="DELETE",
        path="/v1/webhooks/{webhook}",
        name="deleteWebhook",
        tag="Webhooks",
        summary="Delete a webhook",
        text="Nothing more is sent there, and its log is gone. What is on its way at this moment may still arrive.",
        view=delete_webhook,
        auth="required",
        scope="webhooks",
        answers={204: Answer(meaning="The webhook is gone.")},
        problems=("not_found",),
        keyed="recorded",
        bucket="creations",
    ),
    Operation(
        method="GET",
        path="/v1/webhooks/{webhook}/deliveries",
        name="listDeliveries",
        tag="Webhooks",
        summary="See what was delivered",
        text=f"The log of a webhook, newest first: each message with its attempts. The newest {KEPT} are kept.",
        view=list_deliveries,
        auth="required",
        scope="webhooks",
        query=DeliveriesQuery,
        answers={
            200: Answer(
                meaning="The deliveries.",
                kind=DeliveryList,
                headers=("Link",),
                examples={"one that waits": {"items": [_DELIVERY], "next_cursor": None}},
            )
        },
        problems=("not_found",),
    ),
    Operation(
        method="POST",
        path="/v1/webhooks/{webhook}/deliveries/{delivery}/redeliver",
        name="redeliver",
        tag="Webhooks",
        summary="Deliver a message again",
        text="Sends the message again, now and with all its attempts, under the same `webhook-id`, whether it was taken "
        "or given up. If it is taken, a disabled webhook is active again.",
        view=redeliver,
        auth="required",
        scope="webhooks",
        answers={202: Answer(meaning="It is on its way.", kind=DeliveryShown, examples={"again": _DELIVERY})},
        problems=("not_found",),
        keyed="recorded",
        bucket="creations",
    ),
)
