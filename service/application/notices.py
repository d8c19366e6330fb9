"""What a player is told: of his tables his turn, starts, ends, invitations, and what happens to him in tournaments.

It follows from a table's log alone; from a tournament's in `tournament_notices`.
"""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.history import Entry, rfc3339
from domain.log import decode_events
from domain.table import Table
from domain.table_events import Outcome, TableAborted
from domain.values import Seat, Value
from service.application.live import Live
from service.application.stream_kinds import is_tournament

NoticeType = Literal[
    "your_turn",
    "table_started",
    "table_finished",
    "table_aborted",
    "table_invited",
    "tournament_entered",
    "tournament_started",
    "tournament_paired",
    "tournament_result",
    "tournament_absent",
    "tournament_withdrawn",
    "tournament_finished",
    "tournament_cancelled",
]
NOTICE_TYPES: Final[tuple[NoticeType, ...]] = get_args(NoticeType)

Told = tuple[str, bytes]
"""A player, and a notice for him as JSON, without its id."""


class Notice(Value, frozen=True, kw_only=True):
    """Something that a player wants to know of, without asking again and again."""

    time: Annotated[str, Meta(description="When it happened.")]
    type: Annotated[
        NoticeType,
        Meta(
            description="`your_turn`: your seat has a new decision to make; `table_started`, `table_finished`, "
            "`table_aborted`: a table where you sit; `table_invited`: a seat is reserved for you. "
            "`tournament_entered`: you are entered; `tournament_started`: an event where you play begins; "
            "`tournament_paired`: a round is paired and your table there is made, or you have a bye; "
            "`tournament_result`: a game of yours has its result, or it was corrected; `tournament_absent`: you had not "
            "sat down in time; `tournament_withdrawn`: you are paired no more; `tournament_finished`, "
            "`tournament_cancelled`: an event where you played."
        ),
    ]
    game: Annotated[str, Meta(description="The game of the table or the tournament.")]
    version: Annotated[
        int,
        Meta(
            description="The version with which it happened: the table's, of types that begin with `tournament_` the "
            "tournament's."
        ),
    ]
    table: Annotated[str, Meta(description="The table's id, where it is about one table.")] | UnsetType = UNSET
    seat: Annotated[int, Meta(description="Your seat there.")] | UnsetType = UNSET
    due: Annotated[str, Meta(description="When the seat's time ends, at tables with a clock.")] | UnsetType = UNSET
    outcome: Annotated[Outcome, Meta(description="Of a finished table.")] | UnsetType = UNSET
    reason: (
        Annotated[
            str, Meta(description="Why a table was aborted, a game or an event ended, or an event was cancelled.")
        ]
        | UnsetType
    ) = UNSET
    tournament: Annotated[str, Meta(description="The tournament's id; also of its tables' notices.")] | UnsetType = (
        UNSET
    )
    entry: Annotated[str, Meta(description="Your entry in the tournament.")] | UnsetType = UNSET
    round: Annotated[int, Meta(description="The round, from 1.")] | UnsetType = UNSET
    bye: Annotated[Literal[True], Meta(description="You have a free round.")] | UnsetType = UNSET
    place: (
        Annotated[int, Meta(description="Your place: in the game of a result, in the event when it is finished.")]
        | UnsetType
    ) = UNSET
    points: Annotated[float, Meta(description="Your points when the event is finished.")] | UnsetType = UNSET
    forfeit: Annotated[Literal[True], Meta(description="You forfeited the game.")] | UnsetType = UNSET
    corrected: Annotated[Literal[True], Meta(description="The organiser corrected the result.")] | UnsetType = UNSET
    policy: Annotated[Literal["forfeit", "bot"], Meta(description="What follows from being absent.")] | UnsetType = (
        UNSET
    )


encode: Final = msgspec.json.Encoder(order="deterministic").encode
"""Write a notice, the same bytes for the same notice."""


def has_players(table: Table) -> bool:
    """Tell whether there is anybody at a table who could be told anything."""
    return not table.imported and any(seat.player or seat.reserved for seat in table.seats)


def notices_of(before: Table | None, after: Table, entry: Entry) -> tuple[Told, ...]:
    """Give what an entry tells to whom; `before` and `after` are the table around it, None before the first."""
    return tuple((player, encode(notice)) for player, notice in _notices(before, after, entry))


def notices_between(live: Live, after: int, upto: int) -> tuple[Told, ...]:
    """Give what the entries behind version `after` up to `upto` tell: folded anew, for what was not told in time."""
    told: list[Told] = []
    before: Table | None = None
    for entry, table in live.tables(max(after, 1), upto):
        if entry.version > after:
            told += notices_of(before, table, entry)
        before = table
    return tuple(told)


def _notices(before: Table | None, after: Table, entry: Entry) -> Iterator[tuple[str, Notice]]:
    if after.imported:
        return
    creator = after.creator

    def tell(kind: NoticeType, seat: int, **more: object) -> Notice:
        return Notice(
            time=rfc3339(entry.time_ms),
            type=kind,
            table=after.id,
            game=after.game.name,
            seat=seat,
            version=entry.version,
            tournament=creator if creator is not None and is_tournament(creator) else UNSET,
            **more,  # type: ignore[arg-type]
        )

    status = None if before is None else before.status
    if before is None:
        for i, seat in enumerate(after.seats):
            if seat.reserved is not None and seat.player is None and after.status == "open":
                yield seat.reserved, tell("table_invited", i)
    if after.status != "open" and status in (None, "open") and after.status != "aborted":
        for i, player in _seated(after):
            yield player, tell("table_started", i)
    if after.status == "playing":
        for i in _new_decisions(before, after, entry):
            owner = after.seats[i].player
            if owner is not None:
                due = next((d.due_ms for d in after.time.deadlines if d.seat == i), None)
                yield owner, tell("your_turn", i, due=UNSET if due is None else rfc3339(due))
    elif after.status == "finished" and status != "finished":
        for i, player in _seated(after):
            yield player, tell("table_finished", i, outcome=UNSET if after.outcome is None else after.outcome)
    elif after.status == "aborted" and status != "aborted":
        reason = next(each.reason for each in decode_events(after.game, entry.events) if isinstance(each, TableAborted))
        for i, seat in enumerate(after.seats):
            somebody = seat.player or seat.reserved
            if somebody is not None:
                yield somebody, tell("table_aborted", i, reason=reason)


def _seated(table: Table) -> Iterator[tuple[int, str]]:
    for i, seat in enumerate(table.seats):
        if seat.kind == "player" and seat.player is not None:
            yield i, seat.player


def _thinking(table: Table | None) -> tuple[Seat, ...]:
    return () if table is None else tuple(seat for seat in table.to_act if table.seats[seat].driver is None)


def _new_decisions(before: Table | None, after: Table, entry: Entry) -> Iterator[Seat]:
    """Give the seats that must decide and had not to before, or have decided in this entry and must again."""
    waited = _thinking(before)
    moved = {entry.seat} if entry.seat is not None else _timed_out(before, after)
    for seat in _thinking(after):
        if seat not in waited or (seat in moved and before is not None and before.play is not after.play):
            yield seat


def _timed_out(before: Table | None, after: Table) -> set[Seat]:
    """Give the seats whose deadline an entry of the clock's has moved."""
    if before is None:
        return set()
    old = {d.seat: d.since_ms for d in before.time.deadlines}
    return {d.seat for d in after.time.deadlines if d.seat in old and old[d.seat] != d.since_ms}
