"""Bodies that are no JSON: bytes, maybe compressed, and never more of them than allowed."""

import zlib
from collections.abc import Sequence
from typing import Final

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from service.api.problems import Problem

_GZIP: Final = 16 + zlib.MAX_WBITS


def read_raw(request: Request, media: Sequence[str], most_bytes: int) -> bytes:
    """Give the body, unpacked where `Content-Encoding` says gzip; a body without a type is taken as it is.

    Raises `Problem` `unsupported_media_type`, `malformed_request`, and werkzeug's `RequestEntityTooLarge`.
    """
    if request.mimetype and request.mimetype not in media:
        raise Problem("unsupported_media_type", f"Send Content-Type: {media[0]}; this request has {request.mimetype}.")
    raw = whole(request, most_bytes)
    match request.headers.get("Content-Encoding", "identity").lower():
        case "identity":
            return raw
        case "gzip":
            return _unpacked(raw, most_bytes)
        case other:
            raise Problem("unsupported_media_type", f"Send the body as it is or in gzip; this request has {other}.")


def whole(request: Request, most_bytes: int) -> bytes:
    """Give the body's bytes; raises werkzeug's `RequestEntityTooLarge`."""
    # Of a body that does not say how long it is, werkzeug gives what fits into its limit and is silent of the rest.
    request.max_content_length = most_bytes + 1
    raw = request.get_data(cache=False)
    if len(raw) > most_bytes:
        raise RequestEntityTooLarge
    return raw


def _unpacked(packed: bytes, most_bytes: int) -> bytes:
    """Unpack all members that stand one behind the other (RFC 1952 2.2)."""
    raw, left = b"", packed
    while left or not raw:
        unpacker = zlib.decompressobj(_GZIP)
        try:
            raw += unpacker.decompress(left, most_bytes + 1 - len(raw))
        except zlib.error as error:
            raise Problem("malformed_request", "The body is not the gzip that Content-Encoding says.") from error
        if len(raw) > most_bytes:
            raise RequestEntityTooLarge
        if not unpacker.eof:
            raise Problem("malformed_request", "The body's gzip is cut off.")
        if not unpacker.unused_data:
            break
        left = unpacker.unused_data
    return raw
