"""Clocks (G7): what a table may ask for, and the deadlines and banks that follow from its entries.

All times are the deciding process's clock in ms since 1970, as written into the log; none comes from a client.
"""

from collections.abc import Collection
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, structs

from domain.values import Seat, Value

ExpiryPolicy = Literal["default_move", "bot", "resign"]

MAX_SECONDS = 14 * 24 * 3600


class TurnClock(Value, frozen=True, tag_field="kind", tag="turn"):
    """So many seconds for each decision."""

    seconds: Annotated[int, Meta(ge=1, le=MAX_SECONDS, description="Seconds for each decision.")]
    on_expiry: ExpiryPolicy = "default_move"
    bot: str | UnsetType = UNSET


class BankClock(Value, frozen=True, tag_field="kind", tag="bank"):
    """So many seconds for the whole table, with an increment after each own command."""

    seconds: Annotated[int, Meta(ge=1, le=MAX_SECONDS, description="Seconds in the bank at the start.")]
    increment: Annotated[int, Meta(ge=0, le=MAX_SECONDS, description="Seconds added after each own command.")]
    on_expiry: ExpiryPolicy = "default_move"
    bot: str | UnsetType = UNSET


Clock = TurnClock | BankClock


class Deadline(Value, frozen=True):
    """A seat's time ends at `due_ms`; it began to think at `since_ms`."""

    seat: Seat
    since_ms: int
    due_ms: int


class ClockState(Value, frozen=True):
    """What runs now: deadlines of the seats that think, banks in ms by seat (bank clocks).

    `paused_ms` is the moment at which a pause began, deadlines stand still then; `agreed` are the seats that
    want the clocks to stop, or to go on while they stand.
    """

    deadlines: tuple[Deadline, ...] = ()
    banks: tuple[int, ...] = ()
    agreed: tuple[Seat, ...] = ()
    paused_ms: int | None = None


def first_state(clock: Clock, seats: int) -> ClockState:
    """Give the clock's state at the start of a table."""
    match clock:
        case TurnClock():
            return ClockState()
        case BankClock(seconds=seconds):
            return ClockState(banks=(seconds * 1000,) * seats)


def advance(clock: Clock, state: ClockState, thinking: Collection[Seat], acted: Seat | None, now_ms: int) -> ClockState:
    """Give the clock after an entry: who thinks now, and what the seat that acted has left.

    A seat that goes on thinking keeps its deadline whatever others do; after a command of its own it gets a
    new one. The increment is earned by each own command. While the clocks stand nobody's time runs.
    """
    if state.paused_ms is not None:
        now_ms = state.paused_ms
    running = {deadline.seat: deadline for deadline in state.deadlines}
    banks = list(state.banks)
    for seat, deadline in running.items():
        if banks and (seat == acted or seat not in thinking):
            banks[seat] = max(0, banks[seat] - max(0, now_ms - deadline.since_ms))
            if seat == acted and isinstance(clock, BankClock):
                banks[seat] += clock.increment * 1000
    deadlines = tuple(
        running[seat]
        if seat in running and seat != acted
        else Deadline(seat=seat, since_ms=now_ms, due_ms=now_ms + (banks[seat] if banks else clock.seconds * 1000))
        for seat in sorted(thinking)
    )
    return structs.replace(state, deadlines=deadlines, banks=tuple(banks))


def resume(state: ClockState, now_ms: int) -> ClockState:
    """Let all clocks go on; each deadline moves by the length of the pause."""
    gap = now_ms - (state.paused_ms if state.paused_ms is not None else now_ms)
    moved = tuple(Deadline(seat=d.seat, since_ms=d.since_ms + gap, due_ms=d.due_ms + gap) for d in state.deadlines)
    return ClockState(deadlines=moved, banks=state.banks)
