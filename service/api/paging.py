"""Lists in pages: an opaque cursor, `next_cursor`, and a `Link` header."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from marshmallow import Schema, ValidationError, fields, validate

from service.api.fields import QueryInteger
from service.application.directory import Place

LIMIT: Final = 50
MOST: Final = 200
_PLACE: Final = re.compile(r"(\d{1,15})\.([a-z0-9_-]{1,64})")


class Cursor(fields.Field[Place]):
    """A place in a list, as `next_cursor` gave it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Place:  # noqa: ARG002 - marshmallow's signature
        try:
            text = base64.urlsafe_b64decode(str(value) + "=" * (-len(str(value)) % 4)).decode()
        except (binascii.Error, ValueError):
            text = ""
        match = _PLACE.fullmatch(text)
        if match is None:
            raise ValidationError("Must be a next_cursor that this list gave.")
        return Place(created_ms=int(match[1]), table=match[2])


class PageQuery(Schema):
    """The part of a list that is wanted."""

    limit = QueryInteger(
        load_default=LIMIT,
        validate=validate.Range(min=1, max=MOST),
        metadata={"description": "How many items at most."},
    )
    cursor = Cursor(
        load_default=None,
        metadata={"description": "Where to go on: the `next_cursor` of the page before. Opaque."},
    )


def write_cursor(place: Place | None) -> str | None:
    """Give the cursor behind a place; None at the end of a list."""
    if place is None:
        return None
    return base64.urlsafe_b64encode(f"{place.created_ms}.{place.table}".encode()).decode().rstrip("=")


def link(path: str, given: Mapping[str, str], cursor: str | None) -> Mapping[str, str]:
    """Give the header `Link` (RFC 8288) to the next page of a list that was asked for with the parameters given."""
    if cursor is None:
        return {}
    return {"Link": f'<{path}?{urlencode({**given, "cursor": cursor})}>; rel="next"'}
