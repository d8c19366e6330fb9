"""Good answers: JSON, or nothing."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec
from flask import Response
from werkzeug.datastructures import Headers

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

PRIVATE: Final = "private, no-cache"
NEVER_STORED: Final = "no-store"

_encode: Final = msgspec.json.Encoder(order="deterministic").encode
"""Members of structs as they are declared, of other objects by name: the same value is the same bytes."""


class JsonAnswer(Response):
    """A whole body with a length of its own: its headers go out as they are."""

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:  # noqa: ARG002 - werkzeug's signature
        """Give the headers without the copy and the corrections that other answers need."""
        return self.headers


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Give a value as JSON."""
    return JsonAnswer(_encode(value), status, {"Content-Type": "application/json", **(headers or {})})


def empty_answer(status: int = 204, headers: Mapping[str, str] | None = None) -> Response:
    """Give an answer without a body."""
    answer = Response(b"", status, headers)
    del answer.headers["Content-Type"]
    return answer


def replayed(*, is_replay: bool) -> Mapping[str, str]:
    """Give the header that tells a repeat from a first answer."""
    return {"Idempotent-Replayed": "true"} if is_replay else {}
