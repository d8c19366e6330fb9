"""What the service answers about players, games and tables, typed. Fields that a later version adds are ignored."""

from typing import Any, Generic, Literal, TypeVar

import msgspec

T = TypeVar("T")

View = dict[str, Any]
"""What one viewer may see of a game; its shape is the game's (openapi.yaml, docs/games/)."""

Command = dict[str, Any]
"""One command, ready to be posted as it is: `{"type": …, …}`."""

Scope = Literal["play", "tournaments", "webhooks", "admin"]
"""What a token may do."""


class Belief(msgspec.Struct, frozen=True):
    """A rating: mean and deviation, and the mean less and more two deviations."""

    mu: float
    sigma: float
    low: float
    high: float


class RatingNow(msgspec.Struct, frozen=True):
    """A player's rating in a game, and the rated games that it rests on."""

    game: str
    games: int
    rating: Belief


class Player(msgspec.Struct, frozen=True):
    """An account as everybody sees it; at a seat with name and kind alone."""

    id: str
    name: str
    kind: Literal["human", "bot"]
    created_at: str = ""
    ratings: list[RatingNow] = []


class NewPlayer(msgspec.Struct, frozen=True):
    """An account that was just made; the token is shown this once."""

    id: str
    name: str
    kind: str
    token: str


class Rate(msgspec.Struct, frozen=True):
    """How many requests: a second, and at once."""

    per_second: int
    burst: int


class Limits(msgspec.Struct, frozen=True):
    """The rate limits of one's own token."""

    commands: Rate
    reads: Rate
    creations: Rate


class Me(msgspec.Struct, frozen=True):
    """The own account, with what the token may do; `limits` is None where nothing is limited."""

    id: str
    name: str
    kind: Literal["human", "bot"]
    created_at: str
    token_id: str
    scopes: list[Scope]
    limits: Limits | None = None
    ratings: list[RatingNow] = []


class Token(msgspec.Struct, frozen=True):
    """A token, without its secret."""

    id: str
    scopes: list[Scope]
    created_at: str


class NewToken(msgspec.Struct, frozen=True):
    """A token that was just made; it is shown this once."""

    id: str
    scopes: list[Scope]
    token: str
    created_at: str = ""


class CardFacts(msgspec.Struct, frozen=True):
    """A card of a game: its name, how many there are, and what the rules say of it."""

    card: str
    title: str
    copies: int
    facts: dict[str, str | int] = {}


class Game(msgspec.Struct, frozen=True):
    """A game of the catalogue; `options` and `commands` are JSON Schemas."""

    game: str
    title: str
    rules_version: int
    seats: list[int]
    options: dict[str, Any]
    commands: dict[str, Any]
    cards: list[CardFacts]
    bots: list[str]


class Seat(msgspec.Struct, frozen=True):
    """A position at a table."""

    seat: int
    kind: Literal["open", "player", "ai"]
    resigned: bool = False
    to_act: bool = False
    player: Player | None = None
    bot: str | None = None
    reserved: bool = False
    played_by: str | None = None


class You(msgspec.Struct, frozen=True):
    """Where the caller sits."""

    seat: int


class Outcome(msgspec.Struct, frozen=True):
    """How a table ended, by seat."""

    winners: list[int]
    scores: list[int]
    places: list[int]
    resigned: list[int]
    reason: str


class Origin(msgspec.Struct, frozen=True):
    """Where a fork began."""

    table: str
    version: int


class Table(msgspec.Struct, frozen=True):
    """A table as the caller sees it; an item of a list has no `view` and no `etag`."""

    id: str
    game: str
    status: Literal["open", "playing", "finished", "aborted"]
    version: int
    seats: list[Seat]
    to_act: list[int]
    rules_version: int = 1
    options: dict[str, Any] = {}
    you: You | None = None
    view: View | None = None
    outcome: Outcome | None = None
    clock: dict[str, Any] | None = None
    fairness: dict[str, Any] = {}
    visibility: Literal["public", "unlisted"] = "public"
    rated: bool = False
    created_at: str = ""
    creator: str | None = None
    origin: Origin | None = None
    imported: bool = False
    etag: str = ""


class Entry(msgspec.Struct, frozen=True):
    """One accepted command with the events that it caused, as the viewer may see them."""

    version: int
    time: str
    events: list[dict[str, Any]]
    summary: str
    seat: int | None = None


class LogPage(msgspec.Struct, frozen=True):
    """A part of a table's log."""

    items: list[Entry]
    version: int
    status: str


class Offer(msgspec.Struct, frozen=True):
    """All that the caller may do now at a table."""

    version: int
    commands: list[Command]
    seat: int | None = None


class Accepted(msgspec.Struct, frozen=True):
    """A command was accepted; everything is as at its entry's version."""

    version: int
    entries: list[Entry]
    to_act: list[int]
    commands: list[Command]
    view: View | None = None
    outcome: Outcome | None = None
    etag: str = ""


class Frame(msgspec.Struct, frozen=True):
    """One step of a replay."""

    version: int
    time: str
    events: list[dict[str, Any]]
    summary: str
    to_act: list[int]
    view: View | None = None
    seat: int | None = None


class RecordCheck(msgspec.Struct, frozen=True):
    """One thing that was checked about a record."""

    check: str
    result: Literal["ok", "wrong", "not_reached"]


class FirstWrong(msgspec.Struct, frozen=True):
    """The first line of a record that is wrong."""

    line: int
    reason: str
    version: int | None = None


class Report(msgspec.Struct, frozen=True):
    """What is to be said of a record."""

    valid: bool
    lines: int
    entries: int | None
    game: str | None
    table: str | None
    checks: list[RecordCheck]
    first_wrong: FirstWrong | None = None


class ExportedTable(msgspec.Struct, frozen=True, tag_field="type", tag="record"):
    """A table of an export; `record` are the lines of its record."""

    table: str
    game: str
    created: str
    finished: str
    cursor: str
    record: list[msgspec.Raw]
    imported: bool = False

    def file(self) -> bytes:
        """Give the record's file, byte for byte."""
        return b"".join(bytes(line) + b"\n" for line in self.record)


class Trailer(msgspec.Struct, frozen=True, tag_field="type", tag="trailer"):
    """The last line of an export."""

    tables: int
    entries: int
    complete: bool
    next_cursor: str | None = None


class Notice(msgspec.Struct, frozen=True):
    """Something that happened to the caller, at its place `id` in his own feed; what there is depends on `type`."""

    id: int
    time: str
    type: str
    game: str
    version: int
    table: str | None = None
    seat: int | None = None
    due: str | None = None
    outcome: Outcome | None = None
    reason: str | None = None
    tournament: str | None = None
    entry: str | None = None
    round: int | None = None
    bye: bool = False
    place: int | None = None
    points: float | None = None
    forfeit: bool = False
    corrected: bool = False
    policy: Literal["forfeit", "bot"] | None = None


class NoticePage(msgspec.Struct, frozen=True):
    """A part of the own feed."""

    items: list[Notice]
    first: int
    last: int


class Rated(msgspec.Struct, frozen=True):
    """A player of a leaderboard."""

    player: str
    games: int
    rating: Belief


class RatingStep(msgspec.Struct, frozen=True):
    """A rating behind one table."""

    table: str
    time_ms: int
    place: int
    players: int
    rating: Belief


class RatingHistory(msgspec.Struct, frozen=True):
    """A player's ratings in one game, oldest first."""

    game: str
    games: list[RatingStep]


class Webhook(msgspec.Struct, frozen=True):
    """An address to which notices are sent; `secret` is there once, when it was made."""

    id: str
    url: str
    events: list[str]
    status: Literal["active", "disabled"]
    created_at: str
    reason: str | None = None
    secret: str | None = None


class Attempt(msgspec.Struct, frozen=True):
    """One try to deliver a message; a status, or what went wrong."""

    at: str
    ms: int
    status: int | None = None
    error: str | None = None


class Delivery(msgspec.Struct, frozen=True):
    """A message to a webhook, with what came of it."""

    id: str
    message: str
    type: str
    status: Literal["pending", "delivered", "failed"]
    created_at: str
    attempts: list[Attempt]
    data: Notice
    next_attempt_at: str | None = None


class Ready(msgspec.Struct, frozen=True):
    """Whether the service can serve, and by which checks."""

    status: str
    checks: dict[str, str] = {}


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A part of a list; `next_cursor` leads on."""

    items: list[T]
    next_cursor: str | None = None
