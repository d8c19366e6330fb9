"""Tables that come from another one: a fork of a position, a rematch of the same players."""

from collections.abc import Sequence

from domain.errors import Refusal, invalid
from domain.log import seen_log
from domain.table import Table
from domain.table_events import Origin
from domain.table_rules import Create, Wish
from domain.values import ALL
from service.application.live import Live
from service.application.present import is_revealed


def fork_wish(live: Live, at: int, seats: Sequence[Wish], player: str) -> Create:
    """Give the wish for an unrated table that starts as `live` stood at version `at`.

    Hidden cards stay as they were; whoever read the origin's record knows them, which the fork's `origin` says.
    Raises `Refusal`: `table_not_finished`, or `validation_failed` by field.
    """
    if not is_revealed(live.table):
        _finished(live.table, "forked")
        raise Refusal("table_not_finished", "Its deal is still in play at another table; wait until that has ended.")
    if not 1 <= at <= live.version:
        raise invalid({"at": f"Must be a version from 1 to {live.version}."})
    then = live.table_at(at)
    if then.status != "playing":
        raise invalid({"at": f"At version {at} the table was not being played (it was {then.status})."})
    if len(seats) != len(then.seats):
        raise invalid({"seats": f"A fork of this table has {len(then.seats)} seats, not {len(seats)}."})
    return Create(
        game=live.game,
        options=then.options,
        seats=tuple(seats),
        creator=player,
        visibility=then.visibility,
        origin=Origin(table=live.id, version=at),
        position=seen_log(live.game, live.entries[:at], ALL),
    )


def rematch_wish(live: Live, player: str) -> Create:
    """Give the wish for the same game again: every player one seat further (B1), bots too, a new deal.

    The one who asks sits down at once; the others' seats are reserved for them. Raises `Refusal`:
    `table_not_finished`, `not_seated`.
    """
    table = live.table
    _finished(table, "played again")
    if table.seat_of(player) is None:
        raise Refusal("not_seated", "Only who sat at the table may ask for a rematch.")
    moved = (table.seats[-1], *table.seats[:-1])
    return Create(
        game=live.game,
        options=table.options,
        seats=tuple(
            Wish(kind="ai", bot=seat.bot)
            if seat.kind == "ai"
            else Wish(kind="me" if seat.player == player else "player", player=seat.player)
            for seat in moved
        ),
        creator=player,
        visibility=table.visibility,
        clock=table.clock,
        rated=table.rated,
        origin=Origin(table=live.id, version=live.version),
    )


def _finished(table: Table, done: str) -> None:
    if table.status == "aborted":
        raise Refusal("table_not_finished", f"The table was aborted before its start; it can't be {done}.")
    if table.status != "finished":
        raise Refusal("table_not_finished", f"A table can be {done} once it is finished.")
