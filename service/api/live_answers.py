"""Live streams as answers: where a place is free, and as long as the token is good."""

from collections.abc import Callable
from typing import Final

from flask import Response

from service.api.answers import NEVER_STORED, empty_answer
from service.api.framing import Framing
from service.api.limits import holder_of
from service.api.operation import Call
from service.api.problems import Problem
from service.api.streams import Followed, Stream
from service.application.places import Place

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
    place = place_of(call)
    try:
        body = Stream(
            follow(),
            framing,
            place,
            watch.heartbeat_s,
            is_allowed=lambda: caller is None or call.services.players.is_good(caller),
        )
    except BaseException:
        place.give_back()
        raise
    return Response(body, 200, _HEADERS, content_type=framing.media, direct_passthrough=True)


def place_of(call: Call) -> Place:
    """Take a place among the live streams; raises `Problem` `unavailable`."""
    streams = call.services.watch.streams
    place = streams.take(holder_of(call))
    if place is None:
        words = f"All {streams.most} places for streams are taken"
        if streams.taken < streams.most:
            words = (
                f"{streams.taken} of {streams.most} places for streams are taken, and the last are for who holds few"
            )
        raise Problem(
            "unavailable",
            f"{words}. Close some, or try again; pages with wait=30 tell the same.",
            headers={"Retry-After": RETRY_AFTER_S},
        )
    return place


def whole(framing: Framing, body: bytes) -> Response:
    """Answer with a stream that has ended already."""
    return Response(body, 200, _HEADERS, content_type=framing.media)


def nothing_more() -> Response:
    """Tell an EventSource that it need not come back."""
    return empty_answer(204, _HEADERS)
