"""Bodies as JSON, read strictly: what two readers could understand in two ways is refused."""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from flask import Request

from service.api.problems import Problem, invalid_fields
from service.api.raw_body import whole

MOST_BYTES: Final = 64 * 1024
MOST_DEPTH: Final = 32
_MOST_DIGITS: Final = 20


class _Wrong(ValueError):
    """What is wrong with JSON that a lenient reader would take."""


def read_json(request: Request, most_bytes: int = MOST_BYTES, *, optional: bool = False) -> Any:
    """Give the body's JSON value; with `optional` an absent body is an empty object.

    Raises `Problem` `unsupported_media_type`, `malformed_json`, and werkzeug's `RequestEntityTooLarge`.
    """
    raw = _plain(request.environ, most_bytes)
    if raw is not None:
        return parse(raw)
    raw = whole(request, most_bytes)
    if not raw and optional:
        return {}
    packed = request.headers.get("Content-Encoding", "identity").lower()
    if packed != "identity":
        raise Problem("unsupported_media_type", f"Send the JSON as it is; this request says that it is in {packed!r}.")
    if request.mimetype != "application/json" or request.mimetype_params.get("charset", "utf-8").lower() != "utf-8":
        given = request.headers.get("Content-Type") or "none"
        raise Problem("unsupported_media_type", f"Send Content-Type: application/json; this request has {given}.")
    return parse(raw)


def _plain(environ: Mapping[str, Any], most_bytes: int) -> bytes | None:
    """Read a body that says that it is JSON and how long it is, as nearly all do; None: look more closely."""
    length = environ.get("CONTENT_LENGTH") or ""
    is_plain = environ.get("CONTENT_TYPE") == "application/json" and length.isdigit()
    if not is_plain or "HTTP_TRANSFER_ENCODING" in environ or "HTTP_CONTENT_ENCODING" in environ:
        return None
    size = int(length)
    raw: bytes | None = environ["wsgi.input"].read(size) if 0 < size <= most_bytes else None
    return raw


def read_object(request: Request, most_bytes: int = MOST_BYTES, *, optional: bool = False) -> dict[str, Any]:
    """Give the body's JSON object; raises as `read_json`, and `validation_failed` for any other value."""
    value = read_json(request, most_bytes, optional=optional)
    if not isinstance(value, dict):
        raise invalid_fields({"body": "Must be a JSON object."})
    return value


def parse(raw: bytes) -> Any:
    """Parse JSON (RFC 8259) in UTF-8; raises `Problem` `malformed_json`."""
    try:
        text = raw.decode()
        value = _decoder.decode(text)
        if "\\u" in text:
            _check_surrogates(value)
        if text.count("[") + text.count("{") > MOST_DEPTH:
            _check_depth(value, MOST_DEPTH)
    except UnicodeDecodeError as error:
        raise Problem("malformed_json", f"The body is not UTF-8: byte {error.start} does not fit.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Problem("malformed_json", f"The body is not JSON: {error.msg} at {where}.") from error
    except RecursionError as error:
        raise Problem("malformed_json", f"The body is nested deeper than {MOST_DEPTH} levels.") from error
    except _Wrong as error:
        raise Problem("malformed_json", str(error)) from error
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Wrong(f"The name {twice!a} stands twice in one object.")
    return value


def _refuse_constant(name: str) -> Any:
    raise _Wrong(f"{name} is no JSON number.")


def _int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise _Wrong(f"A number has more than {_MOST_DIGITS} digits.")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Wrong("A number is too large.")
    return value


def _check_surrogates(value: Any) -> None:
    match value:
        case str():
            try:
                value.encode()
            except UnicodeEncodeError as error:
                raise _Wrong("A text holds half of a surrogate pair.") from error
        case dict():
            for name, inner in value.items():
                _check_surrogates(name)
                _check_surrogates(inner)
        case list():
            for inner in value:
                _check_surrogates(inner)
        case _:
            pass


def _check_depth(value: Any, left: int) -> None:
    if left == 0:
        raise _Wrong(f"The body is nested deeper than {MOST_DEPTH} levels.")
    match value:
        case dict():
            for inner in value.values():
                _check_depth(inner, left - 1)
        case list():
            for inner in value:
                _check_depth(inner, left - 1)
        case _:
            pass


_decoder = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=_int, parse_float=_float
)
