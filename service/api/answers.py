"""Good answers: JSON, or nothing."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec
from flask import Response
from werkzeug.datastructures import Headers

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PRIVATE: Final = "private, no-cache"
NEVER_STORED: Final = "no-store"
JSON_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"

_encode: Final = msgspec.json.Encoder(order="deterministic").encode
"""Members of structs as they are declared, of other objects by name: the same value is the same bytes."""


class OwnHeaders(Headers):
    """Headers whose values this program made: none of them needs to be searched for a line break again."""

    def __init__(self, own: list[tuple[str, str]]) -> None:
        super().__init__()
        self._list = own

    def put(self, own: Iterable[tuple[str, str]]) -> None:
        """Append headers that are not there yet."""
        self._list.extend(own)


class JsonAnswer(Response):
    """A whole body of JSON: what Flask's own answer does for every kind of body, done for this one kind only.

    It is the answer to every move; made this way it costs a quarter.
    """

    def __init__(self, body: bytes, status: int, headers: Mapping[str, str]) -> None:
        self.headers = OwnHeaders(
            [
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(body))),
                ("Cache-Control", headers.get("Cache-Control", PRIVATE)),
                ("Content-Security-Policy", JSON_POLICY),
                *((name, value) for name, value in headers.items() if name != "Cache-Control"),
            ]
        )
        self.status_code = status
        self.response = [body]
        self.direct_passthrough = False
        self._on_close = []

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request."""
        start_response(self.status, self.headers.to_wsgi_list())
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [self.get_data()]


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Give a value as JSON."""
    return JsonAnswer(_encode(value), status, headers or {})


def empty_answer(status: int = 204, headers: Mapping[str, str] | None = None) -> Response:
    """Give an answer without a body."""
    answer = Response(b"", status, headers)
    del answer.headers["Content-Type"]
    return answer


def replayed(*, is_replay: bool) -> Mapping[str, str]:
    """Give the header that tells a repeat from a first answer."""
    return {"Idempotent-Replayed": "true"} if is_replay else {}
