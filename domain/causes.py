"""Which seat causes an entry, by the command that made it."""

from typing import assert_never

from domain.table import Table
from domain.table_events import SeatTaken
from domain.table_rules import (
    Abort,
    AskPause,
    Expire,
    FillSeat,
    LeaveSeat,
    Play,
    ReplaceBot,
    Resign,
    RevealDeal,
    TableCommand,
    TakeSeat,
)
from domain.values import Event, Seat


def cause_of(table: Table, command: TableCommand, first: Event) -> Seat | None:
    """Give the seat that causes an entry: `table` as it was before, `first` the entry's first event; None: no seat.

    Who sits down causes it from the seat that he gets; what a clock, a tournament or a sweep does, no seat causes.
    """
    match command:
        case Play(seat=seat) | Resign(seat=seat) | AskPause(seat=seat) | ReplaceBot(seat=seat):
            return seat
        case TakeSeat():
            return first.seat if isinstance(first, SeatTaken) else None
        case LeaveSeat(by=by) | Abort(by=by):
            return table.seat_of(by)
        case Expire() | FillSeat() | RevealDeal():
            return None
        case _:
            assert_never(command)
