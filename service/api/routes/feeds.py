"""The player's own feed: his turns, starts, ends and invitations, in pages or live."""

import time
from contextlib import nullcontext
from typing import Final

import msgspec
from flask import Response

from service.api.answers import NEVER_STORED, json_answer
from service.api.at_hand import AT_HAND, AtHand
from service.api.framing import FRAMINGS, JSON_LINES, Framing
from service.api.limits import holder_of
from service.api.live_answers import streamed, whole
from service.api.operation import Answer, Call, Operation
from service.api.routes.events import JSON, MEDIA, first_id
from service.api.schemas.feeds import EncodedFeedPage, FeedPage, FeedQuery
from service.api.streams import HISTORY_LOST, reset
from service.application.feeds import KEPT


def follow_me(call: Call) -> Response:
    """`GET /v1/me/stream`."""
    media = call.request.accept_mimetypes.best_match(MEDIA, default=JSON)
    if media == JSON:
        return _page(call)
    after = first_id(call)
    if media == JSON_LINES and not call.query["follow"]:
        return _lines(call, after)
    return _stream(call, after, FRAMINGS[media])


def _page(call: Call) -> Response:
    player, after, wait = call.known.player, call.query["after"], call.query["wait"]
    store, headers = call.services.feed_watch.store, {"Cache-Control": NEVER_STORED}
    bounds = store.bounds(player)
    if wait and bounds.last <= after:
        if place := call.services.watch.waits.take(holder_of(call)):
            with place:
                _wait(call, player, bounds.last, wait)
        else:
            headers["Retry-After"] = "1"
    items = tuple(msgspec.Raw(notice) for _, notice in store.notices(player, after, call.query["limit"]))
    bounds = store.bounds(player)
    return json_answer(EncodedFeedPage(items=items, first=bounds.first, last=bounds.last), headers=headers)


def _wait(call: Call, player: str, last: int, seconds: float) -> None:
    """Wait until the feed goes on behind `last`, or for so long."""
    end = time.monotonic() + seconds
    at_hand: AtHand | None = call.request.environ.get(AT_HAND)
    with (
        call.services.feed_watch.open(player, last) as follower,
        nullcontext() if at_hand is None else at_hand.aside(),
    ):
        while follower.state == "live" and not follower.take() and (left := end - time.monotonic()) > 0:
            follower.wait(left)


def _lines(call: Call, after: int) -> Response:
    notices = call.services.feed_watch.store.notices(call.known.player, after, KEPT)
    return Response(
        FRAMINGS[JSON_LINES].entries(notices), 200, {"Cache-Control": NEVER_STORED}, content_type=JSON_LINES
    )


def _stream(call: Call, after: int, framing: Framing) -> Response:
    follow, player = call.services.feed_watch, call.known.player
    bounds = follow.store.bounds(player)
    if after > bounds.last or 0 < after < bounds.first - 1:
        return whole(framing, reset(framing, HISTORY_LOST, bounds.last))
    return streamed(call, framing, lambda: follow.open(player, after), is_ending=follow.ending)


_NOTICE: Final = {
    "id": 17,
    "time": "2026-05-01T12:03:41.207Z",
    "type": "your_turn",
    "table": "t4b2h6m5kq3x7zrnbd7e6mjyoa",
    "game": "beam-me-up",
    "seat": 0,
    "version": 12,
    "due": "2026-05-01T12:04:41.207Z",
}
_PAIRED: Final = {
    "id": 18,
    "time": "2026-05-01T12:10:00.000Z",
    "type": "tournament_paired",
    "game": "beam-me-up",
    "version": 9,
    "table": "t7q2h6m5kq3x7zrnbd7e6mjyoa",
    "seat": 1,
    "tournament": "cup_a5kq3x7zrnbd7e6mjyoat4b2h6",
    "entry": "e2",
    "round": 1,
}

OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/me/stream",
        name="followMe",
        tag="Players",
        summary="Follow all of one's tables at once",
        text="The player's own feed: `your_turn` when a seat of his has a new decision to make, `table_started`, "
        "`table_finished` and `table_aborted` of tables where he sits, `table_invited` when a seat is reserved for him; "
        "and of tournaments where he is entered `tournament_entered`, `tournament_started`, `tournament_paired` (once the "
        "table of the round is there, or for a bye), `tournament_result`, `tournament_absent`, `tournament_withdrawn`, "
        "`tournament_finished` and `tournament_cancelled`. A notice says that something happened and not what: the table has that. Webhooks send the same notices.\n\n"
        "Notices are numbered from 1 without a gap, in the order in which they were told; those of one table or tournament "
        f"stand in the order of its log. The newest {KEPT} are kept.\n\n"
        "`Accept: text/event-stream` gives Server-Sent Events, `Accept: application/x-ndjson` a notice a line; both begin "
        "behind `Last-Event-ID` or `after`, without a gap or a double, and stay open. Heartbeats, places and the message "
        "`reset` are those of `GET /v1/tables/{table}/events`; there is no `end`. `Accept: application/json` gives a "
        "page; with `wait` it is held back until there is something behind `after`.",
        view=follow_me,
        auth="required",
        query=FeedQuery,
        answers={
            200: Answer(
                meaning="A part of the feed.",
                kind=FeedPage,
                media=MEDIA,
                examples={"a page": {"items": [_NOTICE, _PAIRED], "first": 1, "last": 18}},
            ),
        },
        problems=("unavailable",),
        request_headers=("Last-Event-ID",),
    ),
)
