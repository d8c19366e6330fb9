"""What every answer carries: the request's id, caching, security and CORS headers, and compression where it pays."""

import gzip
from typing import Final

from flask import Request, Response
from werkzeug.http import http_date

from service.api.answers import JSON_POLICY, PRIVATE, OwnHeaders
from service.api.limits import STANDING, headers_of
from service.api.request_id import HEADER, request_id

LEAVING: Final = "starledger.leaving"
"""Where a request to an operation that will go holds its `Leaving`, in its environment."""
VARY: Final = "Authorization, Accept, Accept-Encoding"
_COMPRESSED_FROM: Final = 4096
_LEVEL: Final = 5
_TEXTS: Final = frozenset(
    {"application/json", "application/yaml", "text/html", "text/css", "text/javascript", "application/javascript"}
)
_EXPOSED: Final = (
    "ETag, Location, Link, Allow, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-Id, "
    "Deprecation, Sunset"
)
_ALLOWED_HEADERS: Final = (
    "Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
)
_PREFLIGHT_S: Final = "600"


def finish(request: Request, response: Response, origins: tuple[str, ...]) -> Response:
    """Complete an answer; what a view has set stays."""
    headers = response.headers
    if request.method == "OPTIONS" and response.status_code == 200:  # noqa: PLR2004 - OK
        response.status_code = 204
        headers.pop("Content-Type", None)
    own = [
        (HEADER, request_id()),
        ("Vary", VARY if not origins or "*" in origins else f"{VARY}, Origin"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    ]
    standing = request.environ.get(STANDING)
    if standing is not None:
        own += headers_of(standing).items()
    leaving = request.environ.get(LEAVING)
    if leaving is not None:
        own += [
            ("Deprecation", f"@{leaving.since_s}"),
            ("Sunset", http_date(leaving.sunset_s)),
            ("Link", f'<{leaving.instead}>; rel="deprecation"'),
        ]
    if isinstance(headers, OwnHeaders):
        headers.put(own)
    else:
        headers.extend(own)
        headers.setdefault("Cache-Control", PRIVATE)
        headers.setdefault("Content-Security-Policy", JSON_POLICY)
    if origins:
        _allow_origin(request, response, origins)
    _compress(request, response)
    return response


def _allow_origin(request: Request, response: Response, origins: tuple[str, ...]) -> None:
    origin = request.headers.get("Origin")
    if origin is None or ("*" not in origins and origin not in origins):
        return
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = "*" if "*" in origins else origin
    headers["Access-Control-Expose-Headers"] = _EXPOSED
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        headers["Access-Control-Allow-Methods"] = headers.get("Allow", "GET, POST, DELETE")
        headers["Access-Control-Allow-Headers"] = _ALLOWED_HEADERS
        headers["Access-Control-Max-Age"] = _PREFLIGHT_S


def _compress(request: Request, response: Response) -> None:
    """Compress large texts; never a stream, nothing with a tag (it names bytes), nothing with a secret in it."""
    if (
        not request.headers.get("Accept-Encoding")
        or response.status_code != 200  # noqa: PLR2004 - OK
        or response.is_streamed
        or response.direct_passthrough
        or response.mimetype not in _TEXTS
        or "ETag" in response.headers
        or "no-store" in response.headers["Cache-Control"]
        or (response.content_length or 0) < _COMPRESSED_FROM
        or request.accept_encodings.quality("gzip") == 0
    ):
        return
    response.set_data(gzip.compress(response.get_data(), _LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
