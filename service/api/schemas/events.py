"""The log of a table: which part, for whom, and whether to wait."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from marshmallow import Schema, ValidationError, fields, validate

from domain.table import Status
from domain.values import Value
from service.api.fields import QueryBoolean, QueryInteger
from service.api.paging import LIMIT, MOST
from service.api.schemas.eyes import eyes

LONGEST_WAIT_S: Final = 30


_NUMBER: Final = re.compile(r"[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?")
"""A number that is not negative, as JSON writes it and any computer writes a float."""


class QuerySeconds(fields.Field[float]):
    """Seconds in a query: a number that is not negative."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> float:  # noqa: ARG002 - marshmallow's signature
        text = str(value)
        if not _NUMBER.fullmatch(text):
            raise ValidationError("Must be a number of seconds.")
        return float(text)


class LogQuery(Schema):
    """Which part of a log, and whether to wait."""

    after = QueryInteger(
        load_default=0,
        validate=validate.Range(min=0),
        metadata={
            "description": "Only entries behind this version; 0: from the first. In a stream `Last-Event-ID` goes "
            "before it."
        },
    )
    limit = QueryInteger(
        load_default=LIMIT,
        validate=validate.Range(min=1, max=MOST),
        metadata={"description": "How many entries at most, in a page."},
    )
    wait = QuerySeconds(
        load_default=0.0,
        validate=validate.Range(min=0, max=LONGEST_WAIT_S),
        metadata={
            "description": "For a page: how many seconds to wait while there is nothing behind `after`. Where all has "
            "ended there is no waiting, and a server with too many who wait answers at once.",
            "type": "number",
        },
    )
    follow = QueryBoolean(
        load_default=False,
        metadata={"description": "For JSON Lines: stay and send new entries as they come, to the end."},
    )


class EventsQuery(LogQuery):
    """Which part of a table's log, through whose eyes, and whether to wait."""

    as_ = eyes()


class EncodedPage(Value, frozen=True):
    """A `LogPage` whose entries are encoded already."""

    items: tuple[msgspec.Raw, ...]
    version: int
    status: Status
