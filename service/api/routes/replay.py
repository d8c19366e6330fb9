"""Replay: a table's history, frame by frame, as one viewer saw it."""

import itertools
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from flask import Response

from domain.errors import invalid
from service.api.answers import json_answer
from service.api.dear import steps
from service.api.examples import FRAME
from service.api.framing import JSON_LINES
from service.api.operation import Answer, Call, Operation
from service.api.paging import link
from service.api.routes.tables import table_id
from service.api.schemas.records import FramePage, ReplayQuery, frame_cursor
from service.application.frames import Frame, frames
from service.application.present import viewer_for

JSON: Final = "application/json"
MEDIA: Final = (JSON, JSON_LINES)
_AT_ONCE: Final = 20
"""Frames that are sent in one piece."""

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


def replay_table(call: Call) -> Response:
    """`GET /v1/tables/{table}/replay`."""
    live = call.services.desk.table(table_id(call))
    with live.lock:
        table, version, status = live.table, live.version, live.table.status
    viewer = viewer_for(table, call.player, call.query["as_"])
    first, last = _range(call, version)
    if call.request.accept_mimetypes.best_match(MEDIA, default=JSON) == JSON_LINES:
        return Response(steps(call, _lines(frames(live, viewer, first, last))), 200, content_type=JSON_LINES)
    end = min(last, first + call.query["limit"] - 1)
    cursor = frame_cursor(end + 1) if end < last else None
    page = FramePage(items=tuple(frames(live, viewer, first, end)), version=version, status=status, next_cursor=cursor)
    return json_answer(page, headers=link(call.request.path, call.request.args, cursor))


def _range(call: Call, version: int) -> tuple[int, int]:
    """Give the first and last version wanted; raises `Refusal` `validation_failed`."""
    first, last = call.query["from_"] or 1, call.query["to"] or version
    errors: dict[str, str] = {}
    if first > version:
        errors["from"] = f"The table has versions 1 to {version}."
    if last > version:
        errors["to"] = f"The table has versions 1 to {version}."
    elif last < first <= version:
        errors["to"] = f"Must not be before from, which is {first}."
    cursor = call.query["cursor"]
    if not errors and cursor is not None:
        if not first <= cursor <= last:
            errors["cursor"] = "Must be a next_cursor that this list gave."
        first = cursor
    if errors:
        raise invalid(errors)
    return first, last


def _lines(found: Iterator[Frame]) -> Iterator[bytes]:
    while piece := b"".join([_encode(frame) + b"\n" for frame in itertools.islice(found, _AT_ONCE)]):
        yield piece


_PAGE: Final[dict[str, Any]] = {"items": [FRAME], "version": 57, "status": "finished", "next_cursor": "ZjEz"}

OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/replay",
        name="replayTable",
        tag="Records",
        summary="Replay a table",
        text="Frames: each entry as the viewer may see it, with the view and whose turn it was right after it. `from` "
        "and `to` are versions, both included. While the table is being played everybody has his own perspective only; "
        "once it is finished anyone may see it through each seat's eyes, as that seat saw it then, or `as=all`.\n\n"
        "`Accept: application/json` gives pages, `Accept: application/x-ndjson` all frames wanted, one a line.",
        view=replay_table,
        is_dear=True,
        query=ReplayQuery,
        answers={
            200: Answer(
                meaning="A part of the replay.",
                kind=FramePage,
                media=MEDIA,
                headers=("Link",),
                examples={"a page": _PAGE},
            )
        },
        problems=("not_found", "perspective_not_allowed"),
    ),
)
