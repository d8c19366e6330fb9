"""Lists in pages: an opaque cursor, `next_cursor`, and a `Link` header."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from marshmallow import Schema, ValidationError, fields, validate

from domain.values import Value
from service.api.fields import QueryInteger
from service.application.directory import Place

LIMIT: Final = 50
MOST: Final = 200
_PLACE: Final = re.compile(r"(<?)(\d{1,15})\.([a-z0-9_-]{1,64})")
_WRONG: Final = "Must be a next_cursor that this list gave."


class Cursor(fields.Field[Place]):
    """A place in a list, as `next_cursor` gave it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Place:  # noqa: ARG002 - marshmallow's signature
        place, is_back = _read(value)
        if is_back:
            raise ValidationError(_WRONG)
        return place


class Step(Value, frozen=True):
    """Where a page begins: behind a place, or before it (`is_back`)."""

    place: Place
    is_back: bool


class BothWays(fields.Field[Step]):
    """A place in a list that can be read in both directions, as a cursor of it gave it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Step:  # noqa: ARG002 - marshmallow's signature
        place, is_back = _read(value)
        return Step(place, is_back)


class NewestFirstQuery(Schema):
    """The part of a list, newest first, that is wanted."""

    limit = QueryInteger(
        load_default=LIMIT,
        validate=validate.Range(min=1, max=MOST),
        metadata={"description": "How many items at most."},
    )
    cursor = BothWays(
        load_default=None,
        metadata={
            "description": "Where to go on: the `next_cursor` of the page before, or the cursor of a `Link` with "
            '`rel="prev"`, which leads back to newer items. Opaque.'
        },
    )


def write_cursor(place: Place | None, *, is_back: bool = False) -> str | None:
    """Give the cursor behind a place, or before it; None at the end of a list."""
    if place is None:
        return None
    text = f"{'<' if is_back else ''}{place.created_ms}.{place.table}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def link(path: str, given: Mapping[str, str], cursor: str | None, prev: str | None = None) -> Mapping[str, str]:
    """Give the header `Link` (RFC 8288) to the pages around one that was asked for with the parameters given."""
    links = [
        f'<{path}?{urlencode({**given, "cursor": to})}>; rel="{rel}"'
        for rel, to in (("next", cursor), ("prev", prev))
        if to is not None
    ]
    return {"Link": ", ".join(links)} if links else {}


def _read(value: Any) -> tuple[Place, bool]:
    """Read a cursor; raises `ValidationError`."""
    try:
        text = base64.urlsafe_b64decode(str(value) + "=" * (-len(str(value)) % 4)).decode()
    except (binascii.Error, ValueError):
        text = ""
    match = _PLACE.fullmatch(text)
    if match is None:
        raise ValidationError(_WRONG)
    return Place(created_ms=int(match[2]), table=match[3]), bool(match[1])
