"""The events that every table has, whatever is played at it (contract: views_events.md, "Around every game")."""

from typing import Any, Final, Literal, TypeGuard, get_args

from msgspec import UNSET, UnsetType

from domain.clock import Clock, ExpiryPolicy
from domain.values import Event, Seat, Value

SeatKind = Literal["open", "player", "ai"]
Visibility = Literal["public", "unlisted"]


class SeatPlan(Value, frozen=True):
    """A seat as the creator wished it: open, reserved for a player, or played by a built-in bot."""

    seat: Seat
    kind: SeatKind
    player: str | UnsetType = UNSET
    bot: str | UnsetType = UNSET


class Origin(Value, frozen=True):
    """The position that a fork began from, or the table that a rematch follows."""

    table: str
    version: int


class Outcome(Value, frozen=True):
    """How a table ended: all by seat; equal scores share a place; resigned seats come after all others."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    resigned: tuple[Seat, ...]
    reason: str


class TableCreated(Event, frozen=True, tag="table_created"):
    """The table is there; always the first event.

    `deal` names a deal that other tables play too: the seed is then the secret itself, and neither is told before the
    last of these tables has ended. `guarded`: people play it at one of them, so the open cards of each, also of one with
    bots only, are kept from everybody else until then.
    """

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[SeatPlan, ...]
    creator: str | None
    visibility: Visibility
    clock: Clock | None
    rated: bool
    commitment: str
    chosen_seed: str | UnsetType = UNSET
    origin: Origin | UnsetType = UNSET
    deal: str | UnsetType = UNSET
    guarded: bool | UnsetType = UNSET


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A player or a built-in bot sat down; `entropy` is base64url as handed in."""

    seat: Seat
    kind: Literal["player", "ai"]
    player: str | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    entropy: str | UnsetType = UNSET


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A seat was given up before the start."""

    seat: Seat


class TableStarted(Event, frozen=True, tag="table_started"):
    """All seats are taken; the game's deal follows in the same entry, unless a fork's position was copied before."""


class PositionCopied(Event, frozen=True, tag="position_copied"):
    """A fork: the origin's game events up to the chosen version, which stand in the place of a deal at its start."""

    events: tuple[Any, ...]


class SeatResigned(Event, frozen=True, tag="seat_resigned"):
    """A player gave up; `played_by` names the bot that plays the seat on (G6)."""

    seat: Seat
    played_by: str | None


class TurnTimedOut(Event, frozen=True, tag="turn_timed_out"):
    """A seat's time ran out; what the policy caused follows in the same entry (G7)."""

    seat: Seat
    policy: ExpiryPolicy


class BotReplaced(Event, frozen=True, tag="bot_replaced"):
    """A built-in bot failed to move; the fallback moved for it, in the same entry."""

    seat: Seat
    bot: str
    reason: str


class ShownDeadline(Value, frozen=True):
    """A seat that thinks since one time and must have decided by another (RFC 3339)."""

    seat: Seat
    since: str
    due: str


class ClockSet(Event, frozen=True, tag="clock_set"):
    """The deadlines and banks after this entry; only at tables with a clock, and where they changed.

    `banks_ms`: what each seat has left in ms, by seat; empty with a turn clock.
    """

    deadlines: tuple[ShownDeadline, ...]
    banks_ms: tuple[int, ...]


class PauseAsked(Event, frozen=True, tag="pause_asked"):
    """A seat wants the clocks to stop (or, while they stand, to go on); it takes all seats' agreement."""

    seat: Seat
    go_on: bool


class ClockPaused(Event, frozen=True, tag="clock_paused"):
    """All seats agreed to pause; deadlines stand still from `at` on."""

    by: tuple[Seat, ...]
    at: str


class ClockResumed(Event, frozen=True, tag="clock_resumed"):
    """The clocks go on."""

    deadlines: tuple[ShownDeadline, ...]


class TableFinished(Event, frozen=True, tag="table_finished"):
    """The table has ended; all hands are shown and the secret is revealed, unless its deal is in play elsewhere."""

    outcome: Outcome
    hands: tuple[tuple[str, ...] | None, ...]
    secret: str | UnsetType = UNSET


class TableAborted(Event, frozen=True, tag="table_aborted"):
    """The table ended before its start."""

    reason: Literal["creator", "not_started"]
    secret: str | UnsetType = UNSET


class DealRevealed(Event, frozen=True, tag="deal_revealed"):
    """The last table with this deal has ended: all hands are shown and the secret is revealed."""

    hands: tuple[tuple[str, ...] | None, ...]
    secret: str


TableEvent = (
    TableCreated
    | SeatTaken
    | SeatLeft
    | TableStarted
    | PositionCopied
    | SeatResigned
    | TurnTimedOut
    | BotReplaced
    | ClockSet
    | PauseAsked
    | ClockPaused
    | ClockResumed
    | TableFinished
    | TableAborted
    | DealRevealed
)
_TYPES: Final = frozenset(get_args(TableEvent))


def is_of_table(event: Event) -> TypeGuard[TableEvent]:
    """Tell whether an event is one of the table's own; any other is its game's."""
    return type(event) in _TYPES
