"""Requests about tournaments, and the lists and answers that only the API has."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema
from msgspec import UNSET, Meta, UnsetType

from domain.bots import BOTS
from domain.clock import Clock
from domain.games import GAMES
from domain.options import parse_options
from domain.tournament.events import Cost
from domain.tournament.log import ShownTournamentEntry
from domain.tournament.plan import MOST_LEGS, MOST_ROUNDS, MOST_SEATS, Crowd, NoShow, Points, Sprt, TieBreak
from domain.tournament.standings import Crossing, Standing
from domain.tournament.state import Status
from domain.values import Value
from service.api.fields import SEED_LENGTH, Boolean, Date, Integer, Name, QueryInteger, Sentence, length, one_of
from service.api.paging import NewestFirstQuery
from service.api.schemas.tables import BotName
from service.api.short_lists import query_of
from service.api.struct_fields import StructField, schema_of
from service.application.ratings import RatedPlayer, RatingStep
from service.application.tournaments import EntrantShown, TournamentSummary

MOST_BULK = 500
_CODE_LENGTH = 64
_LEAST_CODE = 8
MOST_SCORE = 1_000_000
"""More than a seat gets at any table, either way."""
_NO_BOT = f"Must be one of: {', '.join(BOTS)}."


class EntryRule(Value, frozen=True):
    """Who may enter: `open` anybody; `code` whoever knows the code; `listed` only whom the organiser enters."""

    kind: Literal["open", "code", "listed"]
    code: Annotated[str, Meta(min_length=_LEAST_CODE, max_length=_CODE_LENGTH)] | UnsetType | None = UNSET


class MyEntry(Value, frozen=True, tag_field="kind", tag="me"):
    """Yourself: the player whose token this is, a person or one's own bot."""

    code: Annotated[str, Meta(max_length=_CODE_LENGTH, description="The code, where one is needed.")] | UnsetType | None = UNSET  # fmt: skip


class PlayerEntry(Value, frozen=True, tag_field="kind", tag="player"):
    """A player whom the organiser enters."""

    player: Annotated[str, Meta(max_length=64, description="The player's id.")]


class BotEntry(Value, frozen=True, tag_field="kind", tag="ai"):
    """A built-in bot, entered by the organiser."""

    bot: BotName
    name: Annotated[str, Meta(min_length=1, max_length=40, description="Left out: the bot's.")] | UnsetType | None = (
        UNSET
    )


EntryWish = MyEntry | PlayerEntry | BotEntry


class NewTournamentSchema(Schema):
    """A new tournament."""

    name = Name(required=True, metadata={"description": "What it is called."})
    game = fields.String(
        required=True,
        validate=one_of(*GAMES),
        metadata={"description": "The game, as `GET /v1/games` names it."},
    )
    options = fields.Dict(load_default=dict, metadata={"description": "The game's options, for all tables."})
    format = fields.String(
        required=True,
        validate=one_of("round_robin", "swiss", "knockout", "gauntlet"),
        metadata={
            "description": "`round_robin`: all meet; `swiss`: those level in points meet; `knockout`: who loses is out; "
            "`gauntlet`: the first entry meets all others."
        },
    )
    seats_per_table = Integer(
        required=True,
        validate=validate.Range(min=2, max=MOST_SEATS),
        metadata={"description": "Seats at a table; with more than two, some tables may have one less."},
    )
    rounds = Integer(
        load_default=None,
        validate=validate.Range(min=1, max=MOST_ROUNDS),
        metadata={
            "description": "How many rounds; left out: as many as the format needs. A knockout or a gauntlet says itself."
        },
    )
    legs = Integer(
        load_default=1,
        validate=validate.Range(min=1, max=MOST_LEGS),
        metadata={"description": "Games of each pairing, with seats in turn: 2 makes a round robin double."},
    )
    advance = Integer(
        load_default=None,
        validate=validate.Range(min=1, max=MOST_SEATS - 1),
        metadata={"description": "In a knockout, how many go on from a table; left out: half of its seats."},
    )
    duplicate = Boolean(
        load_default=False,
        metadata={
            "description": "The same deals at all tables of a round, with seats in turn over the legs. What tells a deal is "
            "withheld until its last table has ended; players can enter with one leg and no `seed` only, so that nobody is "
            "dealt the same cards twice."
        },
    )
    clock = StructField(
        Clock, load_default=None, allow_none=True, metadata={"description": "The clock of all tables; null: none."}
    )
    entry = StructField(
        EntryRule, load_default=None, allow_none=True, metadata={"description": "Who may enter; left out: anybody."}
    )
    entrants = StructField(
        Crowd,
        load_default=None,
        allow_none=True,
        metadata={"description": "How many there must and may be; left out: 2 to 256."},
    )
    starts_at = Date(
        load_default=None,
        metadata={
            "description": "When it starts by itself, in RFC 3339, from 1970 to 9999; left out: when the organiser starts it."
        },
    )
    check_in = Boolean(load_default=False, metadata={"description": "Only who has checked in plays."})
    no_show = StructField(
        NoShow, load_default=None, allow_none=True, metadata={"description": "What happens to who does not sit down."}
    )
    byes = fields.String(
        load_default="win",
        validate=one_of("win", "half", "none"),
        metadata={"description": "What a bye is worth: a win, half of one, or nothing."},
    )
    points = StructField(Points, load_default=None, allow_none=True, metadata={"description": "What places are worth."})
    tie_breaks = fields.List(
        StructField(TieBreak),
        load_default=None,
        validate=length(0, 7),
        metadata={"description": "What breaks ties, in this order; left out: the usual ones, lots last."},
    )
    sprt = StructField(
        Sprt,
        load_default=None,
        allow_none=True,
        metadata={"description": "Stop a match of two as soon as one is shown better (or not)."},
    )
    seed = fields.String(
        load_default=None,
        validate=length(1, SEED_LENGTH),
        metadata={
            "description": "A seed of your choice: lots, pairings and bots' deals are then the same every time. Public."
        },
    )
    rated = Boolean(load_default=False, metadata={"description": "Whether results count for ratings."})

    @validates_schema(skip_on_field_errors=True)
    def _check_entry(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """A code stands there exactly when one is asked for; bots exist."""
        entry = data["entry"]
        if entry is not None and (entry.kind == "code") != isinstance(entry.code, str):
            raise ValidationError({"entry": {"code": ["Goes with kind: code, and only with it."]}})
        if data["no_show"] is not None and data["no_show"].bot not in BOTS:
            raise ValidationError({"no_show": {"bot": [_NO_BOT]}})
        clock = data["clock"]
        if clock is not None and (clock.on_expiry == "bot") != (clock.bot in BOTS):
            raise ValidationError({"clock": {"bot": ["Goes with on_expiry: bot, and must be a built-in bot."]}})

    @post_load
    def _options(self, data: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
        """Make the game's own options out of the raw ones."""
        game = GAMES[data["game"]]
        kind: Any = game.options
        try:
            options = parse_options(kind, schema_of(kind).load(data["options"]))
        except ValidationError as wrong:
            raise ValidationError({"options": wrong.messages}) from wrong
        for seats in game.seats:
            # A table may have fewer seats than planned, where entrants are few or left over.
            wrong_options = {name: [why] for name, why in game.check_options(options, seats).items()}
            if seats <= data["seats_per_table"] and wrong_options:
                raise ValidationError({"options": wrong_options})
        return {**data, "options": options}


class NewEntrySchema(Schema):
    """A new entry."""

    entry = StructField(EntryWish, required=True, metadata={"description": "Who enters."})


class NewEntriesSchema(Schema):
    """Many entries at once: all or none."""

    entries = fields.List(
        StructField(EntryWish), required=True, validate=length(1, MOST_BULK), metadata={"description": "Who enters."}
    )
    dry_run = Boolean(load_default=False, metadata={"description": "Only check; enter nobody."})


class CancelTournamentSchema(Schema):
    """Why it is cancelled."""

    reason = Sentence(
        load_default="", validate=length(0, 200), metadata={"description": "The reason, for all to read, in one line."}
    )


class JudgementSchema(Schema):
    """How a game of a tournament ended, by the organiser's word."""

    places = fields.List(
        Integer(validate=validate.Range(min=1, max=MOST_SEATS)),
        required=True,
        validate=length(2, MOST_SEATS),
        metadata={"description": "The place of each seat, from seat 0; equal places share: 1, 1, 3."},
    )
    scores = fields.List(
        Integer(validate=validate.Range(min=-MOST_SCORE, max=MOST_SCORE)),
        load_default=list,
        validate=length(0, MOST_SEATS),
        metadata={"description": "The score of each seat; may be left out."},
    )
    forfeits = fields.List(
        Integer(validate=validate.Range(min=0, max=MOST_SEATS - 1)),
        load_default=list,
        validate=length(0, MOST_SEATS),
        metadata={"description": "Seats that get no points, whatever their place; each once."},
    )
    reason = Sentence(
        required=True, validate=length(1, 200), metadata={"description": "Why, for all to read, in one line."}
    )


class TournamentsQuery(NewestFirstQuery):
    """Which tournaments, and which part of the list."""

    game = fields.String(load_default=None, validate=one_of(*GAMES), metadata={"description": "Only of this game."})
    status = fields.String(
        load_default=None,
        validate=one_of("open", "running", "paused", "finished", "cancelled"),
        metadata={"description": "Only tournaments with this status."},
    )


class AtQuery(Schema):
    """At which version."""

    at = QueryInteger(
        load_default=None,
        validate=validate.Range(min=1),
        metadata={"description": "The version of the tournament to look at; left out: the newest."},
    )


class LiveTablesQuery(AtQuery, query_of(int, int)):  # type: ignore[misc]  # a class made by a function
    """At which version, and which part of the list."""


class RatingsQuery(query_of(float, str)):  # type: ignore[misc]  # a class made by a function
    """Of which game, and which part of the list."""

    game = fields.String(required=True, validate=one_of(*GAMES), metadata={"description": "The game."})


class TournamentList(Value, frozen=True):
    """A part of the list of tournaments, newest first."""

    items: tuple[TournamentSummary, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]


class EntriesMade(Value, frozen=True):
    """The entries that were made, or would be."""

    entries: tuple[EntrantShown, ...]
    dry_run: bool


class Standings(Value, frozen=True):
    """The standings at a version."""

    tournament: str
    version: int
    round: int
    status: Status
    standings: tuple[Standing, ...]


class Crosstable(Value, frozen=True):
    """Who met whom, and how it went: games ahead, level, behind, of all pairs that met."""

    tournament: str
    version: int
    entries: tuple[str, ...]
    crossings: tuple[Crossing, ...]


class LiveTable(Value, frozen=True):
    """A table of the round that is being played."""

    table: Annotated[str, Meta(description="The table's id.")]
    round: int
    number: Annotated[int, Meta(description="The number of the table in its round.")]
    leg: int
    seats: Annotated[tuple[str, ...], Meta(description="Entries by seat.")]
    over: Annotated[bool, Meta(description="Whether it has its result.")]


class LiveTables(Value, frozen=True):
    """The tables of the last round."""

    items: tuple[LiveTable, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]


class PreviewTable(Value, frozen=True):
    """A table as it would be paired."""

    table: int
    entries: tuple[str, ...]
    cost: Cost


class PairingsPreview(Value, frozen=True):
    """The next round as it would be paired now, with the cost of each pairing by kind."""

    round: int
    tables: tuple[PreviewTable, ...]
    byes: tuple[str, ...]
    idle: tuple[str, ...]
    cost: Cost


class TournamentLog(Value, frozen=True):
    """A part of a tournament's log."""

    items: tuple[ShownTournamentEntry, ...]
    version: int
    status: Status


class RatingTable(Value, frozen=True):
    """The ratings of a game, the best first by mu - 2 sigma."""

    game: str
    items: tuple[RatedPlayer, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]


class RatingHistory(Value, frozen=True):
    """A player's games in one game, with the rating after each."""

    game: str
    games: tuple[RatingStep, ...]


class PlayerRatings(Value, frozen=True):
    """A player's ratings in all games that he has rated games in."""

    player: str
    items: tuple[RatingHistory, ...]
