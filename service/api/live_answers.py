"""Live streams as answers: where a place is free, and as long as the token is good."""

from collections.abc import Callable
from typing import Final

from flask import Response

from service.api.answers import NEVER_STORED, empty_answer
from service.api.framing import Framing
from service.api.operation import Call
from service.api.problems import Problem
from service.api.streams import Followed, Stream

RETRY_AFTER_S: Final = "5"
"""When a stream's place may be free again."""
_HEADERS: Final = {"Cache-Control": NEVER_STORED, "X-Accel-Buffering": "no"}


def streamed(call: Call, framing: Framing, follow: Callable[[], Followed], *, is_ending: bool) -> Response:
    """Stream what `follow` opens; raises `Problem` `unavailable`."""
    watch, caller = call.services.watch, call.caller
    if call.request.method == "HEAD":
        return whole(framing, b"")
    if is_ending:
        raise Problem("unavailable", "The server is stopping; try again.", headers={"Retry-After": "1"})
    if not watch.streams.take():
        raise Problem(
            "unavailable",
            f"All {watch.streams.most} places for live streams are taken. Try again, or ask for pages with wait=30.",
            headers={"Retry-After": RETRY_AFTER_S},
        )
    try:
        body = Stream(
            follow(),
            framing,
            watch.streams,
            watch.heartbeat_s,
            is_allowed=lambda: caller is None or call.services.players.is_good(caller),
        )
    except BaseException:
        watch.streams.give_back()
        raise
    return Response(body, 200, _HEADERS, content_type=framing.media, direct_passthrough=True)


def whole(framing: Framing, body: bytes) -> Response:
    """Answer with a stream that has ended already."""
    return Response(body, 200, _HEADERS, content_type=framing.media)


def nothing_more() -> Response:
    """Tell an EventSource that it need not come back."""
    return empty_answer(204, _HEADERS)
