"""Repeats under an `Idempotency-Key`: found before the view, kept after it."""

import hashlib
import logging

from flask import Response

from service.api.answers import replayed
from service.api.operation import Call, Operation
from service.api.recent_keys import RecentKeys
from service.application.handle import KeyReused
from service.application.ports import Unavailable
from service.application.repeats import Repeat

_KEPT_HEADERS = ("Content-Type", "Location", "ETag", "Cache-Control")
_REFUSED = 400

_log = logging.getLogger("starledger.api")


def answered_again(call: Call, operation: Operation, recent: RecentKeys) -> Response | None:
    """Give the first answer again, byte for byte; None where there is none, or where the view makes it again.

    Raises `KeyReused` where the key came with something else.
    """
    who = _who(call, operation)
    if who is None or call.key is None:
        return None
    if recent.is_other(who, call.key, hash(call.mark)):
        raise KeyReused
    if operation.keyed == "log":
        return None
    repeat = call.services.repeats.get(who, call.key)
    if repeat is None:
        return None
    if repeat.mark != _mark(call):
        raise KeyReused
    if repeat.body is None:
        return None
    answer = Response(repeat.body, repeat.status, [*repeat.headers, *replayed(is_replay=True).items()])
    if not repeat.body:
        answer.headers.pop("Content-Type", None)
    return answer


def keep(call: Call, operation: Operation, recent: RecentKeys, answer: Response) -> Response:
    """Keep a good answer for a day; a refusal is not kept, its key may be used again."""
    who = _who(call, operation)
    if who is None or call.key is None or answer.status_code >= _REFUSED:
        return answer
    recent.keep(who, call.key, hash(call.mark))
    if operation.keyed == "log":
        return answer
    recorded = operation.keyed == "recorded"
    repeat = Repeat(
        mark=_mark(call),
        status=answer.status_code,
        headers=tuple((name, answer.headers[name]) for name in _KEPT_HEADERS if name in answer.headers),
        body=answer.get_data() if recorded else None,
    )
    try:
        call.services.repeats.keep(who, call.key, repeat)
    except Unavailable as silent:
        if recorded:
            raise
        _log.warning("a key was not kept: %s", silent)  # what it made is found again by its derived id
    return answer


def _who(call: Call, operation: Operation) -> str | None:
    """Tell whose space a key is in: a player's, or that of all who have no token; None where the view sees to it."""
    return None if operation.auth == "none" else call.player or ""


def _mark(call: Call) -> str:
    return hashlib.sha256(call.mark).hexdigest()
