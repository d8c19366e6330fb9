"""The table around a game: seats, start, resigning, clocks, forks, the end. Written once, for all games.

A decider: `create` and `decide` give the events of one entry, `evolve` applies one. A game holds its rulebook
and nothing else.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, structs

from domain.clock import Clock, ClockState, Deadline
from domain.game import AnyGame
from domain.history import ms_of
from domain.table_events import (
    BotReplaced,
    ClockPaused,
    ClockResumed,
    ClockSet,
    DealRevealed,
    Origin,
    Outcome,
    PauseAsked,
    PositionCopied,
    SeatKind,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    ShownDeadline,
    TableAborted,
    TableCreated,
    TableFinished,
    TableStarted,
    TurnTimedOut,
    Visibility,
    is_of_table,
)
from domain.values import Event, Seat, Value

Status = Literal["open", "playing", "finished", "aborted"]


class SeatState(Value, frozen=True):
    """One position at a table.

    `player` is the account that sits there, `reserved` the only one that may; `played_by` the built-in bot that
    plays the seat on after a resignation or an expired clock.
    """

    kind: SeatKind
    reserved: str | None = None
    player: str | None = None
    bot: str | None = None
    entropy: str | None = None
    resigned: bool = False
    played_by: str | None = None

    @property
    def driver(self) -> str | None:
        """The built-in bot that moves for this seat; None where its player does."""
        return self.played_by or self.bot


class Table(Value, frozen=True):
    """Everything that a table's log says, folded.

    `position`: the game events that a fork begins with, until it starts. `imported`: a record that was played
    elsewhere; its players are not accounts here, so nobody has a seat at it. `deal`: the name of a deal that other
    tables play too; `guarded`: people play it at one of them.
    """

    id: str
    game: AnyGame
    rules_version: int
    options: Any
    raw_options: Mapping[str, Any]
    creator: str | None
    visibility: Visibility
    rated: bool
    commitment: str
    chosen_seed: str | None
    origin: Origin | None
    clock: Clock | None
    seats: tuple[SeatState, ...]
    status: Status = "open"
    play: Any = None
    time: ClockState = ClockState()
    outcome: Outcome | None = None
    secret: str | None = None
    position: tuple[Event, ...] | None = None
    imported: bool = False
    deal: str | None = None
    guarded: bool = False

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that must decide now; nobody unless the table is being played."""
        return self.game.to_act(self.play) if self.status == "playing" else ()

    @property
    def entropy(self) -> tuple[str | None, ...]:
        """What each seat handed in for the deal."""
        return tuple(seat.entropy for seat in self.seats)

    def seat_of(self, player: str | None) -> Seat | None:
        """Give the seat in which a player sits (not one that is only reserved for him)."""
        if player is None or self.imported:
            return None
        for i, seat in enumerate(self.seats):
            if seat.kind == "player" and seat.player == player:
                return Seat(i)
        return None


def created(table_id: str, game: AnyGame, event: TableCreated) -> Table:
    """Give the table that its first event makes."""
    return Table(
        id=table_id,
        game=game,
        rules_version=event.rules_version,
        options=msgspec.convert(event.options, game.options),
        raw_options=event.options,
        creator=event.creator,
        visibility=event.visibility,
        rated=event.rated,
        commitment=event.commitment,
        chosen_seed=None if event.chosen_seed is UNSET else event.chosen_seed,
        origin=None if event.origin is UNSET else event.origin,
        clock=event.clock,
        deal=None if event.deal is UNSET else event.deal,
        guarded=event.guarded is True,
        seats=tuple(
            SeatState(kind="open", reserved=None if plan.player is UNSET else plan.player) for plan in event.seats
        ),
    )


def evolve(table: Table, event: Event) -> Table:
    """Apply one event: no rule, no chance, no refusal."""
    match event:
        case _ if not is_of_table(event):  # the game's, as nearly all are
            return structs.replace(table, play=table.game.evolve(table.play, event))
        case SeatTaken(seat=seat, kind=kind):
            return _seat(
                table,
                seat,
                kind=kind,
                player=None if event.player is UNSET else event.player,
                bot=None if event.bot is UNSET else event.bot,
                entropy=None if event.entropy is UNSET else event.entropy,
            )
        case SeatLeft(seat=seat):
            return _seat(table, seat, kind="open", reserved=None, player=None, bot=None, entropy=None)
        case TableStarted():
            play = table.game.initial(table.options, len(table.seats))
            for copied in table.position or ():
                play = table.game.evolve(play, copied)
            return structs.replace(table, status="playing", play=play, position=None)
        case PositionCopied(events=events):
            return structs.replace(table, position=events)
        case SeatResigned(seat=seat, played_by=bot):
            return _seat(table, seat, resigned=True, played_by=bot)
        case TurnTimedOut(seat=seat, policy=policy):
            if policy == "bot" and table.clock is not None and table.clock.bot is not UNSET:
                return _seat(table, seat, played_by=table.clock.bot)
            return table
        case BotReplaced():
            return table
        case ClockSet(deadlines=shown, banks_ms=banks):
            time = structs.replace(table.time, deadlines=_deadlines(shown), banks=banks)
            return structs.replace(table, time=time)
        case PauseAsked(seat=seat):
            agreed = (*table.time.agreed, seat)
            return structs.replace(table, time=structs.replace(table.time, agreed=agreed))
        case ClockPaused(at=at):
            return structs.replace(table, time=structs.replace(table.time, paused_ms=ms_of(at), agreed=()))
        case ClockResumed(deadlines=shown):
            time = ClockState(deadlines=_deadlines(shown), banks=table.time.banks)
            return structs.replace(table, time=time)
        case TableFinished(outcome=outcome, secret=secret):
            return structs.replace(
                table,
                status="finished",
                outcome=outcome,
                time=ClockState(banks=table.time.banks),
                secret=None if secret is UNSET else secret,
            )
        case TableAborted(secret=secret):
            return structs.replace(table, status="aborted", secret=None if secret is UNSET else secret)
        case DealRevealed(secret=secret):
            return structs.replace(table, secret=secret)
        case _:
            raise TypeError(f"a table begins with {type(event).__name__} or has no step for it")


def shown_deadlines(state: ClockState, write: Callable[[int], str]) -> tuple[ShownDeadline, ...]:
    """Give deadlines as events show them; `write` turns ms into RFC 3339."""
    return tuple(ShownDeadline(seat=d.seat, since=write(d.since_ms), due=write(d.due_ms)) for d in state.deadlines)


def _deadlines(shown: tuple[ShownDeadline, ...]) -> tuple[Deadline, ...]:
    return tuple(Deadline(seat=d.seat, since_ms=ms_of(d.since), due_ms=ms_of(d.due)) for d in shown)


def _seat(table: Table, seat: Seat, **changes: Any) -> Table:
    seats = list(table.seats)
    seats[seat] = structs.replace(seats[seat], **changes)
    return structs.replace(table, seats=tuple(seats))
