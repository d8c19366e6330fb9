"""Failures as answers: RFC 9457 `application/problem+json`, made from every exception in one place."""

import difflib
import logging
from collections.abc import Mapping
from typing import Any, Final

import marshmallow
import msgspec
from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from domain.errors import Refusal
from domain.log import UnknownEvent
from service.api.problem_codes import PROBLEMS
from service.api.request_id import request_id
from service.application.handle import KeyReused
from service.application.live import Frozen
from service.application.ports import Unavailable

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_S: Final = 1
_SHOWN: Final = 60
"""So many characters of an address that is none are repeated, and only so short a one is likened to others."""
_BY_STATUS: Final[Mapping[int, str]] = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "body_too_slow",
    413: "body_too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    503: "unavailable",
}

_encode = msgspec.json.Encoder(order="deterministic").encode
_log = logging.getLogger("starledger.api")


class Problem(Exception):
    """A request that is answered with a problem of this code; `more` are further members of its body."""

    def __init__(self, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = more


def unauthenticated(detail: str, *, bad_token: bool) -> Problem:
    """Make the problem of a missing or a bad token."""
    challenge = 'Bearer realm="starledger"' + (', error="invalid_token"' if bad_token else "")
    return Problem("unauthenticated", detail, headers={"WWW-Authenticate": challenge})


def invalid_fields(errors: Mapping[str, str]) -> Problem:
    """Make the problem of a body or a query with wrong fields."""
    detail = " ".join(f"{field}: {reason}" for field, reason in errors.items())
    return Problem("validation_failed", detail, errors=dict(errors))


def problem_of(error: BaseException) -> Problem:
    """Give the problem that an exception is answered with: the one table of translations."""
    match error:
        case Problem():
            return error
        case Refusal(code=code, message=message):
            more: dict[str, Any] = {"ruling": error.ruling, "errors": error.errors or None}
            return Problem(code, message, **{name: value for name, value in more.items() if value is not None})
        case marshmallow.ValidationError():
            return invalid_fields(flat(error.messages))
        case KeyReused():
            return Problem(
                "idempotency_key_reused", "This Idempotency-Key came with another body or to another address before."
            )
        case Unavailable():
            _log.warning("unavailable: %s", error)
            return Problem("unavailable", "The store can't serve now; try again.")
        case Frozen():
            _log.error("frozen: %s", error)
            return Problem("unavailable", "This table's history is damaged; it rests until it is repaired.")
        case UnknownEvent():
            _log.error("unknown event: %s", error)
            return Problem("unavailable", "This table was written by a newer version of this program; try again.")
        case HTTPException():
            return _of_http(error)
        case _:
            _log.error("a request failed", exc_info=error)
            return Problem("internal_error", "Something went wrong that should not; the log has it.")


def respond(problem: Problem) -> Response:
    """Give the answer that tells a problem."""
    kind = PROBLEMS[problem.code]
    body: dict[str, Any] = {
        "type": f"/problems/{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": problem.detail,
        "code": kind.code,
        **problem.more,
    }
    headers = {"Cache-Control": "no-store", **problem.headers}
    if kind.retryable:
        body["retryable"] = True
        headers.setdefault("Retry-After", str(RETRY_AFTER_S))
    if kind.status >= 500:  # noqa: PLR2004 - server errors
        body["request_id"] = request_id()
    return Response(_encode(body), kind.status, headers, content_type=MEDIA_TYPE)


def flat(messages: Any, path: str = "") -> dict[str, str]:
    """Give marshmallow's nested messages by field: dotted, indexed, `""` of the whole as `body`."""
    if isinstance(messages, Mapping):
        found: dict[str, str] = {}
        for name, inner in messages.items():
            if name == marshmallow.exceptions.SCHEMA:
                found |= flat(inner, path)
            elif isinstance(name, int):
                found |= flat(inner, f"{path}[{name}]")
            else:
                found |= flat(inner, f"{path}.{name}" if path else str(name))
        return found
    words = messages if isinstance(messages, str) else " ".join(str(message) for message in messages)
    return {path or "body": words}


def _nothing_at(path: str) -> str:
    """Say that an address is none, and which one may be meant."""
    if len(path) > _SHOWN:
        return f"There is nothing at {path[:_SHOWN]}… All addresses stand at /docs."
    known = {rule.rule for rule in current_app.url_map.iter_rules() if "<" not in rule.rule}
    near = difflib.get_close_matches(path, known, n=1, cutoff=0.8)
    return f"There is nothing at {path}{f'; did you mean {near[0]}?' if near else '.'} All addresses stand at /docs."


def _of_http(error: HTTPException) -> Problem:
    status = error.code or 500
    if status >= 500 and status not in _BY_STATUS:  # noqa: PLR2004 - server errors
        _log.error("a request failed", exc_info=error)
        return Problem("internal_error", "Something went wrong that should not; the log has it.")
    code = _BY_STATUS.get(status, "malformed_request")
    headers: dict[str, str] = {}
    detail = error.description or PROBLEMS[code].title
    match error:
        case MethodNotAllowed(valid_methods=methods):
            headers["Allow"] = ", ".join(sorted(methods or ()))
            detail = f"This address takes {headers['Allow']}."
        case RequestEntityTooLarge():
            detail = "The body is larger than this address takes."
        case _ if code == "not_found":
            asked = request.environ["PATH_INFO"]
            first = len(asked) - len(asked.lstrip("/"))  # of several slashes werkzeug leaves one
            detail = _nothing_at("/" * (first - 1) + request.path)
        case _:
            pass
    return Problem(code, detail, headers=headers)
