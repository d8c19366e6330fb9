"""The log of a table: in pages, or live as it grows."""

import re
import time
from contextlib import nullcontext
from typing import Final

import msgspec
from flask import Response

from domain.values import Viewer
from service.api.answers import json_answer
from service.api.at_hand import AT_HAND, AtHand
from service.api.framing import EVENT_STREAM, FRAMINGS, JSON_LINES, Framing, JsonLines
from service.api.limits import holder_of
from service.api.live_answers import nothing_more, streamed, whole
from service.api.operation import Answer, Call, Operation
from service.api.problems import Problem
from service.api.routes.tables import table_id
from service.api.schemas.events import EncodedPage, EventsQuery
from service.api.streams import HISTORY_LOST, reset
from service.application.live import Live
from service.application.present import LogPage, viewer_for

JSON: Final = "application/json"
MEDIA: Final = (JSON, EVENT_STREAM, JSON_LINES)
_LAST_ID: Final = re.compile(r"[0-9]{1,18}")


def list_events(call: Call) -> Response:
    """`GET /v1/tables/{table}/events`."""
    media = call.request.accept_mimetypes.best_match(MEDIA, default=JSON)
    live = call.services.desk.table(table_id(call))
    with live.lock:
        table = live.table
    viewer = viewer_for(table, call.player, call.query["as_"])
    if media == JSON:
        return _page(call, live, viewer)
    after = first_id(call)
    if media == JSON_LINES and not call.query["follow"]:
        return _lines(call, live, viewer, after)
    return _stream(call, live, viewer, after, FRAMINGS[media])


def _page(call: Call, live: Live, viewer: Viewer) -> Response:
    after, limit, wait = call.query["after"], call.query["limit"], call.query["wait"]
    headers = {}
    if wait and live.version <= after and not _is_over(live):
        if place := call.services.watch.waits.take(holder_of(call)):
            with place:
                live = _wait(call, live, viewer, after, wait)
        else:
            headers["Retry-After"] = "1"
    with live.lock:
        entries = live.entries[after : after + limit]
        version, status = live.version, live.table.status
    encoded = call.services.watch.bytes
    items = tuple(msgspec.Raw(encoded.of(live, entry, viewer)) for entry in entries)
    return json_answer(EncodedPage(items=items, version=version, status=status), headers=headers)


def _wait(call: Call, live: Live, viewer: Viewer, after: int, seconds: float) -> Live:
    """Wait until there is something behind `after`, or nothing can come any more; gives the table as it is then."""
    end = time.monotonic() + seconds
    at_hand: AtHand | None = call.request.environ.get(AT_HAND)
    with (
        call.services.watch.open(live, viewer, after) as watcher,
        nullcontext() if at_hand is None else at_hand.aside(),
    ):
        while watcher.head <= after and watcher.state == "live" and (left := end - time.monotonic()) > 0:
            watcher.wait(left)
        return watcher.live


def _lines(call: Call, live: Live, viewer: Viewer, after: int) -> Response:
    with live.lock:
        entries = live.entries[after:]
    encoded = call.services.watch.bytes
    lines = JsonLines().entries((entry.version, encoded.of(live, entry, viewer)) for entry in entries)
    return Response(lines, 200, content_type=JSON_LINES)


def _stream(call: Call, live: Live, viewer: Viewer, after: int, framing: Framing) -> Response:
    watch = call.services.watch
    with live.lock:
        version, over = live.version, _is_over(live)
    if over and after == version and framing.media == EVENT_STREAM:
        return nothing_more()
    if after > version:
        return whole(framing, reset(framing, HISTORY_LOST, version))
    return streamed(call, framing, lambda: watch.open(live, viewer, after), is_ending=watch.ending)


def first_id(call: Call) -> int:
    """Give the version behind which a stream goes on; raises `Problem` `malformed_request`."""
    given = call.request.headers.get("Last-Event-ID")
    if not given:  # clients that have no id yet may say so by an empty one
        after: int = call.query["after"]
        return after
    if not _LAST_ID.fullmatch(given):
        raise Problem("malformed_request", "The header Last-Event-ID must be the id of a message: a number, in digits.")
    return int(given)


def _is_over(live: Live) -> bool:
    return live.table.status in ("finished", "aborted")


_ENTRY: Final = {
    "version": 12,
    "time": "2026-05-01T12:03:41.207Z",
    "events": [{"type": "card_played", "seat": 0, "card": "F7", "layer": 1}],
    "summary": "Seat 0 plays F7.",
    "seat": 0,
}

OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/events",
        name="listEvents",
        tag="Play",
        summary="Read the log, or follow it live",
        text="The log of a table as the caller may see it. An entry is one accepted command with all that it caused; "
        "once sent to a viewer it is the same bytes for ever, in each of the three formats. Whose eyes look is settled "
        "when the request begins.\n\n"
        "`Accept: application/json` gives a page; with `wait` it is held back until there is something behind "
        "`after`.\n\n"
        "`Accept: text/event-stream` gives Server-Sent Events: a message for each entry, whose `id` is its version and "
        "whose `data` is the entry. `Last-Event-ID` goes on behind that version without a gap or a double. A comment "
        "comes every 10 seconds. The message `end` follows the last entry of a table that has ended "
        "(`{status, version}`); to come back after that is answered 204. The message `reset` "
        "(`{reason, version, after}`) says that the stream can't go on: with `history_lost` the server has not got "
        "what you saw, so forget it and begin at the start; with `too_slow` you fell behind, so go on behind `after`.\n\n"
        "`Accept: application/x-ndjson` gives an entry a line up to now, with `follow=true` also those to come until "
        'the table has ended; an empty line comes every 10 seconds, and `{"reset": {…}}` in the place of the message.\n\n'
        "A live stream has one of a limited number of places: 503 with `Retry-After` where none is free; the "
        "last eighth is for who holds few. It ends when its token is revoked and when the server stops: come back with the "
        "last id.",
        view=list_events,
        query=EventsQuery,
        answers={
            200: Answer(
                meaning="A part of the log.",
                kind=LogPage,
                media=MEDIA,
                examples={"a page": {"items": [_ENTRY], "version": 12, "status": "playing"}},
            ),
            204: Answer(meaning="The table has ended and the stream has nothing more to send: don't come back."),
        },
        problems=("not_found", "perspective_not_allowed", "unavailable"),
        request_headers=("Last-Event-ID",),
    ),
)
