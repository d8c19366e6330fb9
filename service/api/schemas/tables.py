"""Requests about tables, and the summary that lists show of them."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema
from msgspec import UNSET, Meta

from domain.bots import BOTS
from domain.clock import Clock
from domain.games import GAMES
from domain.options import parse_options
from domain.values import Value
from service.api.fields import SEED_LENGTH, Boolean, Integer, Matches, QueryInteger, length, one_of
from service.api.paging import NewestFirstQuery
from service.api.schemas.eyes import eyes
from service.api.struct_fields import StructField, schema_of
from service.application.outlines import TableSummary

MAX_SEAT: Final = 15
_NO_BOT: Final = f"Must be one of: {', '.join(BOTS)}."
ENTROPY: Final = r"^[A-Za-z0-9_-]{1,86}={0,2}$"
"""Up to 64 bytes in base64url."""

BotName = Annotated[
    str,
    Meta(
        description="A built-in bot, weakest first in `GET /v1/games`.",
        extra_json_schema={"enum": list(BOTS)},
    ),
]


class MeSeat(Value, frozen=True, tag_field="kind", tag="me"):
    """Your own seat: you sit down at once."""


class OpenSeat(Value, frozen=True, tag_field="kind", tag="open"):
    """A seat for whoever comes."""


class ReservedSeat(Value, frozen=True, tag_field="kind", tag="player"):
    """A seat that waits for one player, who sits down himself."""

    player: Annotated[str, Meta(max_length=64, description="The player's id.")]


class BotSeat(Value, frozen=True, tag_field="kind", tag="ai"):
    """A seat that a built-in bot plays."""

    bot: BotName


SeatWish = MeSeat | OpenSeat | ReservedSeat | BotSeat


def check_bots(seats: Iterable[SeatWish]) -> None:
    """Refuse bots that there are not; raises `ValidationError`."""
    wrong = {
        place: {"bot": [_NO_BOT]}
        for place, seat in enumerate(seats)
        if isinstance(seat, BotSeat) and seat.bot not in BOTS
    }
    if wrong:
        raise ValidationError({"seats": wrong})


class NewTableSchema(Schema):
    """A new table."""

    game = fields.String(
        required=True,
        validate=one_of(*GAMES),
        metadata={"description": "The game, as `GET /v1/games` names it.", "example": "beam-me-up"},
    )
    options = fields.Dict(
        load_default=dict,
        metadata={"description": "The game's options; those left out have their defaults. `GET /v1/games` lists them."},
    )
    seats = fields.List(
        StructField(SeatWish),
        required=True,
        validate=length(1, MAX_SEAT + 1),
        metadata={
            "description": "Who sits where, from seat 0. The table starts by itself when the last seat is taken."
        },
    )
    visibility = fields.String(
        load_default="public",
        validate=one_of("public", "unlisted"),
        metadata={"description": "`unlisted` is left out of lists; whoever has the id may watch."},
    )
    clock = StructField(
        Clock,
        load_default=None,
        allow_none=True,
        metadata={"description": "A clock; null: none, everybody takes all the time there is."},
    )
    rated = Boolean(
        load_default=False,
        metadata={"description": "Whether the outcome counts for ratings: no AI seat, no chosen seed."},
    )
    seed = fields.String(
        load_default=None,
        validate=length(1, SEED_LENGTH),
        metadata={
            "description": "A seed of your choice, for tests and fixed deals: the same seed, game, options and number of "
            "seats give the same deal. Public from the start; such a table is never rated."
        },
    )

    @validates_schema(skip_on_field_errors=True)
    def _check_bots(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """Every bot that is named is there."""
        check_bots(data["seats"])

    @validates_schema(skip_on_field_errors=True)
    def _check_clock(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """A clock names a bot exactly when a bot plays on."""
        clock = data["clock"]
        if clock is None:
            return
        bot = None if clock.bot is UNSET else clock.bot
        if clock.on_expiry == "bot" and bot not in BOTS:
            raise ValidationError({"clock": {"bot": [_NO_BOT]}})
        if clock.on_expiry != "bot" and bot is not None:
            raise ValidationError({"clock": {"bot": ["Goes with on_expiry: bot only."]}})

    @post_load
    def _options(self, data: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
        """Make the game's own options out of the raw ones."""
        kind: Any = GAMES[data["game"]].options
        try:
            checked = schema_of(kind).load(data["options"])
        except ValidationError as wrong:
            raise ValidationError({"options": wrong.messages}) from wrong
        return {**data, "options": parse_options(kind, checked)}


class SitDownSchema(Schema):
    """A wish to sit down."""

    seat = Integer(
        load_default=None,
        validate=validate.Range(min=0, max=MAX_SEAT),
        metadata={"description": "Which seat; left out: the one reserved for you, else the first open one."},
    )
    entropy = fields.String(
        load_default=None,
        validate=Matches(ENTROPY, error="Must be up to 64 bytes in base64url."),
        metadata={
            "description": "Bytes of your own that enter the deal (base64url, up to 64 bytes), so that nobody, the "
            "server included, can have arranged it. Public."
        },
    )


class TableQuery(Schema):
    """Whose eyes, and when."""

    as_ = eyes()
    at = QueryInteger(
        load_default=None,
        validate=validate.Range(min=1),
        metadata={"description": "The version to show the table at; left out: the newest."},
    )


class TablesQuery(NewestFirstQuery):
    """Which tables, and which part of the list."""

    game = fields.String(
        load_default=None, validate=one_of(*GAMES), metadata={"description": "Only tables of this game."}
    )
    status = fields.String(
        load_default=None,
        validate=one_of("open", "playing", "finished", "aborted"),
        metadata={"description": "Only tables with this status: `open` is the lobby, `finished` the archive."},
    )
    player = fields.String(
        load_default=None,
        metadata={"description": "Only tables where this player sits or has a seat reserved."},
    )


class TableList(Value, frozen=True):
    """A part of the list of tables, newest first."""

    items: tuple[TableSummary, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]
