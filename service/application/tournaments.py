"""Tournaments as the API uses them: the desk, lists, and what the world is shown."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Protocol

from msgspec import UNSET, Meta, UnsetType

from domain.clock import Clock
from domain.history import rfc3339
from domain.tournament.events import Cost, Pairing, Result
from domain.tournament.plan import Crowd, Format, NoShow, Points, Sprt, TieBreak
from domain.tournament.sprt import Ratio, blocks, ratio
from domain.tournament.state import Entrant, Round, Status, Tournament
from domain.tournament.waiting import Blocker, blockers
from domain.values import Value
from service.application.directory import Place
from service.application.tournament_desk import LiveTournament


class TournamentIndex(Protocol):
    """All tournaments by time of creation; may lag. Every method may raise `Unavailable`."""

    def put(self, place: Place) -> None:
        """Enter a tournament."""
        ...

    def rows(self, before: Place | None, limit: int, *, is_back: bool = False) -> Sequence[Place]:
        """Give at most `limit` places behind `before`, newest first; with `is_back` those newer than it, oldest first."""
        ...


class EntrantShown(Value, frozen=True):
    """Who plays, by the id of the entry."""

    entry: str
    kind: Literal["player", "ai"]
    name: str
    player: str | None
    bot: str | None
    withdrawn: bool
    checked_in: bool


class TournamentSummary(Value, frozen=True):
    """A tournament as lists show it."""

    id: str
    name: str
    game: str
    format: Format
    seats_per_table: int
    status: Status
    version: Annotated[int, Meta(description="The number of its entries.")]
    round: Annotated[int, Meta(description="The round that was paired last; 0 before the first.")]
    rounds: Annotated[int | None, Meta(description="How many there will be; null where it depends on results.")]
    entrants: int
    created_at: Annotated[str, Meta(description="RFC 3339, in UTC.", extra_json_schema={"format": "date-time"})]


class TournamentShown(Value, frozen=True):
    """A tournament."""

    id: str
    name: str
    game: str
    options: Mapping[str, Any]
    format: Format
    seats_per_table: int
    legs: int
    duplicate: bool
    clock: Clock | None
    entry: Literal["open", "code", "listed"]
    limits: Annotated[Crowd, Meta(description="How many entrants there must and may be.")]
    starts_at: Annotated[str | None, Meta(description="RFC 3339, in UTC.")]
    check_in: bool
    no_show: NoShow
    byes: Literal["win", "half", "none"]
    points: Points
    tie_breaks: tuple[TieBreak, ...]
    rated: bool
    sprt: Sprt | None
    sprt_state: Annotated[Ratio | None, Meta(description="The sequential test so far.")]
    organiser: str
    commitment: Annotated[str, Meta(description="SHA-256 of the secret that lots and deals follow from, in hex.")]
    secret: Annotated[str | None, Meta(description="The secret, once it is over.")]
    status: Status
    ended: Annotated[str | None, Meta(description="Why it ended.")]
    version: int
    round: int
    rounds: int | None
    waits_for: Annotated[tuple[Blocker, ...], Meta(description="What it waits for, and why.")]
    entrants: tuple[EntrantShown, ...]
    created_at: Annotated[str, Meta(description="RFC 3339, in UTC.", extra_json_schema={"format": "date-time"})]
    links: Mapping[str, str]
    chosen_seed: Annotated[str, Meta(description="The seed that the organiser chose; not there: none.")] | UnsetType = (
        UNSET
    )


class RoundGameShown(Value, frozen=True):
    """One game of a round: the table at which it is played, who sits where, and its result."""

    id: str
    leg: int
    seats: tuple[str, ...]
    result: Result | None
    no_show: bool


class RoundTableShown(Value, frozen=True):
    """A table of a round."""

    table: int
    entries: tuple[str, ...]
    cost: Cost
    games: tuple[RoundGameShown, ...]


class TournamentRoundShown(Value, frozen=True):
    """A round: tables, byes (with points), idle (without), and the cost of the pairing by kind."""

    round: int
    closed: bool
    tables: tuple[RoundTableShown, ...]
    byes: tuple[str, ...]
    idle: tuple[str, ...]
    cost: Cost
    paired_at: str


def summary_of(live: LiveTournament) -> TournamentSummary:
    """Give a tournament as lists show it."""
    t = live.state
    return TournamentSummary(
        id=t.id,
        name=t.plan.name,
        game=t.plan.game,
        format=t.plan.format,
        seats_per_table=t.plan.seats_per_table,
        status=t.status,
        version=live.version,
        round=len(t.rounds),
        rounds=t.total_rounds,
        entrants=sum(not each.withdrawn for each in t.entrants.values()),
        created_at=rfc3339(live.entries[0].time_ms),
    )


def tournament_shown(live: LiveTournament, t: Tournament, version: int) -> TournamentShown:
    """Give a tournament at a version; nothing of it depends on who looks, or on the time of asking."""
    plan = t.plan
    time_ms = live.entries[version - 1].time_ms
    base = f"/v1/tournaments/{t.id}"
    return TournamentShown(
        id=t.id,
        name=plan.name,
        game=plan.game,
        options=plan.options,
        format=plan.format,
        seats_per_table=plan.seats_per_table,
        legs=plan.legs,
        duplicate=plan.duplicate,
        clock=plan.clock,
        entry=plan.entry.kind,
        limits=plan.entrants,
        starts_at=None if plan.starts_at_ms is None else rfc3339(plan.starts_at_ms),
        check_in=plan.check_in,
        no_show=plan.no_show,
        byes=plan.byes,
        points=plan.points,
        tie_breaks=plan.tie_breaks,
        rated=plan.rated,
        sprt=plan.sprt,
        sprt_state=ratio(blocks(t), plan.sprt) if plan.sprt is not None and t.roster else None,
        organiser=t.organiser,
        commitment=t.commitment,
        secret=t.secret,
        status=t.status,
        ended=t.ended,
        version=version,
        round=len(t.rounds),
        rounds=t.total_rounds,
        waits_for=blockers(t, time_ms),
        entrants=tuple(entrant_shown(each) for each in t.entrants.values()),
        created_at=rfc3339(live.entries[0].time_ms),
        links={
            "self": base,
            **{name: f"{base}/{name}" for name in ("entries", "standings", "crosstable", "tables", "events", "record")},
            **({"round": f"{base}/rounds/{len(t.rounds)}"} if t.rounds else {}),
        },
        chosen_seed=UNSET if t.chosen_seed is None else t.chosen_seed,
    )


def entrant_shown(each: Entrant) -> EntrantShown:
    """Give an entrant as everybody may see it."""
    return EntrantShown(
        entry=each.id,
        kind=each.kind,
        name=each.name,
        player=each.player,
        bot=each.bot,
        withdrawn=each.withdrawn,
        checked_in=each.checked_in,
    )


def round_shown(one: Round) -> TournamentRoundShown:
    """Give a round."""
    return TournamentRoundShown(
        round=one.number,
        closed=one.closed,
        tables=tuple(pairing_shown(one, pairing) for pairing in one.tables),
        byes=one.byes,
        idle=one.idle,
        cost=one.cost,
        paired_at=rfc3339(one.at_ms),
    )


def pairing_shown(one: Round, pairing: Pairing) -> RoundTableShown:
    """Give a table of a round with its games."""
    return RoundTableShown(
        table=pairing.table,
        entries=pairing.entries,
        cost=pairing.cost,
        games=tuple(
            RoundGameShown(
                id=game,
                leg=leg,
                seats=pairing.seats(leg),
                result=one.results.get(game),
                no_show=game in one.absences,
            )
            for leg, game in enumerate(pairing.games)
        ),
    )
