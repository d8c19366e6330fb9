"""Good answers: JSON, or nothing."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from flask import Response

PRIVATE: Final = "private, no-cache"
NEVER_STORED: Final = "no-store"

_encode: Final = msgspec.json.Encoder(order="deterministic").encode
"""Members of structs as they are declared, of other objects by name: the same value is the same bytes."""


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Give a value as JSON."""
    return Response(_encode(value), status, headers, content_type="application/json")


def empty_answer(status: int = 204, headers: Mapping[str, str] | None = None) -> Response:
    """Give an answer without a body."""
    answer = Response(b"", status, headers)
    del answer.headers["Content-Type"]
    return answer


def replayed(*, is_replay: bool) -> Mapping[str, str]:
    """Give the header that tells a repeat from a first answer."""
    return {"Idempotent-Replayed": "true"} if is_replay else {}
