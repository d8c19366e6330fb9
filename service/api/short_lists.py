"""Lists that are made whole at each request and shown in pages: the cursor is the sort key of a page's last item."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from marshmallow import Schema, ValidationError, fields, validate

from service.api.fields import QueryInteger
from service.api.operation import Call
from service.api.paging import LIMIT, MOST, link

T = TypeVar("T")
Key = tuple[int | float | str, ...]
"""What a list is sorted by, in ascending order; no two items have the same."""

_LONGEST: Final = 400


class AfterKey(fields.Field[Key]):
    """A place in a list whose keys are of these kinds."""

    def __init__(self, *kinds: type, **more: Any) -> None:
        super().__init__(**more)
        self._kinds = kinds

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Key:  # noqa: ARG002 - marshmallow's signature
        key = _read(str(value))
        if not isinstance(key, list) or [type(part) for part in key] != list(self._kinds):
            raise ValidationError("Must be a next_cursor that this list gave.")
        return tuple(key)


def query_of(*kinds: type) -> type[Schema]:
    """Give the part of a query that says which page of a list with such keys is wanted."""
    return Schema.from_dict(
        {
            "limit": QueryInteger(
                load_default=LIMIT,
                validate=validate.Range(min=1, max=MOST),
                metadata={"description": "How many items at most."},
            ),
            "cursor": AfterKey(
                *kinds,
                load_default=None,
                metadata={"description": "Where to go on: the `next_cursor` of the page before. Opaque."},
            ),
        },
        name="PageQuery",
    )


def page_of(
    call: Call, items: Sequence[T], key: Callable[[T], Key]
) -> tuple[tuple[T, ...], str | None, Mapping[str, str]]:
    """Give the page that a request asks for: its items, the cursor to go on, the header `Link`.

    `items` are sorted by `key`. What comes and goes meanwhile shifts nothing: a page begins behind a key, not at a number.
    """
    after, limit = call.query["cursor"], call.query["limit"]
    rest = [item for item in items if after is None or key(item) > after]
    cursor = None if len(rest) <= limit else _written(key(rest[limit - 1]))
    return tuple(rest[:limit]), cursor, link(call.request.path, call.request.args, cursor)


def _written(key: Key) -> str:
    return base64.urlsafe_b64encode(json.dumps(key, separators=(",", ":")).encode()).decode().rstrip("=")


def _read(text: str) -> Any:
    if len(text) > _LONGEST:
        return None
    try:
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return None
