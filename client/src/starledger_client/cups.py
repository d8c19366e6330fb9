"""What the service answers about tournaments, typed. Fields that a later version adds are ignored."""

from typing import Any, Literal

import msgspec

Format = Literal["round_robin", "swiss", "knockout", "gauntlet"]
"""Who meets whom."""

Status = Literal["open", "running", "paused", "finished", "cancelled"]
"""How a tournament stands."""


class Entrant(msgspec.Struct, frozen=True):
    """Who entered, by the id of the entry."""

    entry: str
    kind: Literal["player", "ai"]
    name: str
    player: str | None
    bot: str | None
    withdrawn: bool
    checked_in: bool


class Blocker(msgspec.Struct, frozen=True):
    """Something that holds an event up: a code, a sentence, and the entries or tables that it is about."""

    code: str
    detail: str
    names: list[str] = []


class Ratio(msgspec.Struct, frozen=True):
    """How a test between two bots stands."""

    llr: float
    lower: float
    upper: float
    blocks: int
    mean: float
    verdict: Literal["go_on", "h0", "h1"]


class Tournament(msgspec.Struct, frozen=True):
    """A tournament with all that was asked for, how it stands and what it waits for."""

    id: str
    name: str
    game: str
    options: dict[str, Any]
    format: Format
    seats_per_table: int
    legs: int
    duplicate: bool
    clock: dict[str, Any] | None
    entry: Literal["open", "code", "listed"]
    limits: dict[str, int]
    starts_at: str | None
    check_in: bool
    no_show: dict[str, Any]
    byes: Literal["win", "half", "none"]
    points: dict[str, Any]
    tie_breaks: list[str]
    rated: bool
    sprt: dict[str, int] | None
    sprt_state: Ratio | None
    organiser: str
    commitment: str
    secret: str | None
    status: Status
    ended: str | None
    version: int
    round: int
    rounds: int | None
    waits_for: list[Blocker]
    entrants: list[Entrant]
    created_at: str
    links: dict[str, str]
    chosen_seed: str | None = None
    etag: str = ""

    def entry_of(self, player: str) -> Entrant | None:
        """Give a player's entry that was not withdrawn."""
        return next((each for each in self.entrants if each.player == player and not each.withdrawn), None)


class TournamentSummary(msgspec.Struct, frozen=True):
    """A tournament in a list."""

    id: str
    name: str
    game: str
    format: Format
    seats_per_table: int
    status: Status
    version: int
    round: int
    rounds: int | None
    entrants: int
    created_at: str


class Entries(msgspec.Struct, frozen=True):
    """Entries that were made, or with `dry_run` would be."""

    entries: list[Entrant]
    dry_run: bool


class Cost(msgspec.Struct, frozen=True):
    """Why a pairing is not better, by kind."""

    repeats: int = 0
    bye_repeats: int = 0
    score_spread: int = 0
    seat_imbalance: int = 0


class Result(msgspec.Struct, frozen=True):
    """How a game ended, by seat, and who says so."""

    places: list[int]
    scores: list[int] = []
    forfeits: list[int] = []
    by: Literal["table", "no_show", "organiser"] = "table"
    reason: str = ""


class RoundGame(msgspec.Struct, frozen=True):
    """A game of a pairing: the id of its table, and the entries by seat."""

    id: str
    leg: int
    seats: list[str]
    result: Result | None
    no_show: bool


class RoundTable(msgspec.Struct, frozen=True):
    """A pairing of a round with its games."""

    table: int
    entries: list[str]
    cost: Cost
    games: list[RoundGame] = []


class Round(msgspec.Struct, frozen=True):
    """A round as it was paired, with its results."""

    round: int
    closed: bool
    tables: list[RoundTable]
    byes: list[str]
    idle: list[str]
    cost: Cost
    paired_at: str


class Preview(msgspec.Struct, frozen=True):
    """The next round as it would be paired now."""

    round: int
    tables: list[RoundTable]
    byes: list[str]
    idle: list[str]
    cost: Cost


class TieBreak(msgspec.Struct, frozen=True):
    """A tie-break of one entry, with how it comes about in words."""

    name: str
    value: float
    working: str


class Standing(msgspec.Struct, frozen=True):
    """One entry's place; equal places share."""

    place: int
    entry: str
    name: str
    points: float
    games: int
    wins: int
    byes: int
    forfeits: int
    withdrawn: bool
    working: str
    tie_breaks: list[TieBreak]


class Standings(msgspec.Struct, frozen=True):
    """All entries by place, at a version."""

    tournament: str
    version: int
    round: int
    status: Status
    standings: list[Standing]


class Crossing(msgspec.Struct, frozen=True):
    """What one entry got against another."""

    entry: str
    opponent: str
    games: int
    ahead: int
    level: int
    behind: int


class Crosstable(msgspec.Struct, frozen=True):
    """Who met whom, and how it went."""

    tournament: str
    version: int
    entries: list[str]
    crossings: list[Crossing]


class LiveTable(msgspec.Struct, frozen=True):
    """A table of the newest round: its id, and the entries by seat."""

    table: str
    round: int
    number: int
    leg: int
    seats: list[str]
    over: bool


class TournamentEntry(msgspec.Struct, frozen=True):
    """One entry of a tournament's log."""

    version: int
    time: str
    events: list[dict[str, Any]]
    summary: str


class TournamentLog(msgspec.Struct, frozen=True):
    """A part of a tournament's log."""

    items: list[TournamentEntry]
    version: int
    status: Status
