"""Replays, forks, rematches and exports: what is asked, and what lists of frames are."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema
from msgspec import Meta

from domain.games import GAMES
from domain.table import Status
from domain.values import Value
from service.api.fields import MOST_IN_A_QUERY, Integer, Moment, QueryInteger, length, one_of
from service.api.paging import LIMIT, MOST, Cursor
from service.api.schemas.eyes import eyes
from service.api.schemas.tables import MAX_SEAT, SeatWish, check_bots
from service.api.struct_fields import StructField
from service.application.frames import Frame

_NEXT: Final = re.compile(r"f(\d{1,9})")


class FrameCursor(fields.String):
    """The version that a page of frames goes on with, as `next_cursor` gave it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ARG002 - marshmallow's signature
        try:
            text = base64.urlsafe_b64decode(str(value) + "=" * (-len(str(value)) % 4)).decode()
        except (binascii.Error, ValueError):
            text = ""
        match = _NEXT.fullmatch(text)
        if match is None:
            raise ValidationError("Must be a next_cursor that this list gave.")
        return int(match[1])


def frame_cursor(version: int) -> str:
    """Give the cursor of the page that begins with a version."""
    return base64.urlsafe_b64encode(f"f{version}".encode()).decode().rstrip("=")


class QueryMoment(Moment):
    """A time in a query, where an unescaped + of an offset arrives as a space."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return super()._deserialize(str(value).replace(" ", "+"), attr, data, **kwargs)


class ReplayQuery(Schema):
    """Which frames, and through whose eyes."""

    as_ = eyes()
    from_ = QueryInteger(
        data_key="from",
        load_default=None,
        validate=validate.Range(min=1),
        metadata={"description": "The first version wanted; left out: 1."},
    )
    to = QueryInteger(
        load_default=None,
        validate=validate.Range(min=1),
        metadata={"description": "The last version wanted, itself included; left out: the newest."},
    )
    limit = QueryInteger(
        load_default=LIMIT,
        validate=validate.Range(min=1, max=MOST),
        metadata={"description": "How many frames at most, in a page."},
    )
    cursor = FrameCursor(
        load_default=None,
        metadata={"description": "Where to go on: the `next_cursor` of the page before. Opaque."},
    )


class FramePage(Value, frozen=True):
    """A part of a replay."""

    items: tuple[Frame, ...]
    version: Annotated[int, Meta(description="The table's version.")]
    status: Status
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]


class NewForkSchema(Schema):
    """A new table from a position of another one."""

    at = Integer(
        required=True,
        validate=validate.Range(min=1, max=MOST_IN_A_QUERY),
        metadata={"description": "The version of the finished table whose position is taken; it was played then."},
    )
    seats = fields.List(
        StructField(SeatWish),
        required=True,
        validate=length(1, MAX_SEAT + 1),
        metadata={"description": "Who sits where, from seat 0: as many seats as the finished table has."},
    )

    @validates_schema(skip_on_field_errors=True)
    def _check_bots(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """Every bot that is named is there."""
        check_bots(data["seats"])


class RematchSchema(Schema):
    """The wish for a rematch: nothing more is to be said."""


class ExportQuery(Schema):
    """Which tables, and where to go on."""

    game = fields.String(
        load_default=None, validate=one_of(*GAMES), metadata={"description": "Only tables of this game."}
    )
    player = fields.String(load_default=None, metadata={"description": "Only tables where this player sat."})
    tournament = fields.String(load_default=None, metadata={"description": "Only tables of this tournament."})
    from_ = QueryMoment(
        data_key="from",
        load_default=None,
        metadata={"description": "Only tables created at this time or later (RFC 3339)."},
    )
    to = QueryMoment(
        load_default=None,
        metadata={
            "description": "Only tables created before this time (RFC 3339): so that the exports of two months neither "
            "skip nor double."
        },
    )
    cursor = Cursor(
        load_default=None,
        metadata={"description": "Go on behind a table: the `cursor` of its line, or `next_cursor` of the trailer."},
    )
    limit = QueryInteger(
        load_default=None,
        validate=validate.Range(min=1),
        metadata={"description": "How many tables at most; left out: all."},
    )
