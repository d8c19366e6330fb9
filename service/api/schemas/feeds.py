"""A player's own feed: which part of it, and what it holds."""

from typing import Annotated

import msgspec
from marshmallow import Schema, validate
from msgspec import Meta

from domain.values import Value
from service.api.fields import QueryBoolean, QueryInteger
from service.api.paging import LIMIT, MOST
from service.api.schemas.events import LONGEST_WAIT_S, QuerySeconds
from service.application.notices import Notice


class FeedQuery(Schema):
    """Which part of the feed, and whether to wait."""

    after = QueryInteger(
        load_default=0,
        validate=validate.Range(min=0),
        metadata={
            "description": "Only notices behind this id; 0: from the oldest on that is kept. In a stream "
            "`Last-Event-ID` goes before it."
        },
    )
    limit = QueryInteger(
        load_default=LIMIT,
        validate=validate.Range(min=1, max=MOST),
        metadata={"description": "How many notices at most, in a page."},
    )
    wait = QuerySeconds(
        load_default=0.0,
        validate=validate.Range(min=0, max=LONGEST_WAIT_S),
        metadata={
            "description": "For a page: how many seconds to wait while there is nothing behind `after`. A server with "
            "too many who wait answers at once.",
            "type": "number",
        },
    )
    follow = QueryBoolean(
        load_default=True,
        metadata={"description": "For JSON Lines: stay and send new notices as they come; false: end with the last."},
    )


class FeedNotice(Notice, frozen=True, kw_only=True):
    """Something that the player wants to know of, at its place in his feed."""

    id: Annotated[int, Meta(description="Its place in the feed, counted from 1 without a gap.")]


class FeedPage(Value, frozen=True):
    """A part of a player's own feed, oldest first."""

    items: tuple[FeedNotice, ...]
    first: Annotated[int, Meta(description="The id of the oldest notice that is kept; 0: there never was one.")]
    last: Annotated[int, Meta(description="The id of the newest notice.")]


class EncodedFeedPage(Value, frozen=True):
    """A `FeedPage` whose notices are encoded already."""

    items: tuple[msgspec.Raw, ...]
    first: int
    last: int
