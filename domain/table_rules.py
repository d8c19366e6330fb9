"""What a table accepts and what follows: sitting down, starting, moving, resigning, clocks, the end.

`create` and `decide` give the events of one entry; what they refuse is a `Refusal` and nothing has happened.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType

from domain.chance import Secret
from domain.clock import Clock, ClockState, advance, first_state, resume
from domain.errors import Refusal, illegal, invalid, not_your_turn
from domain.game import AnyGame, Verdict
from domain.history import rfc3339
from domain.options import options_dict
from domain.table import Table, created, evolve, shown_deadlines
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
    SeatLeft,
    SeatPlan,
    SeatResigned,
    SeatTaken,
    TableAborted,
    TableCreated,
    TableFinished,
    TableStarted,
    TurnTimedOut,
    Visibility,
)
from domain.values import Command, Event, Seat, Value

RESIGNED_BY: Final = "greedy"
"""The built-in bot that plays a resigned seat on (G6), and the fallback for a bot that fails."""


class Wish(Value, frozen=True):
    """A seat as the creator wants it: `me`, `open`, `player` (reserved for one) or `ai` (a built-in bot)."""

    kind: Literal["me", "open", "player", "ai"]
    player: str | None = None
    bot: str | None = None


class Create(Value, frozen=True):
    """The wish for a table; `options` is the game's own struct, checked.

    `position` holds the game events that a fork begins with, in the place of a deal. `deal` names a deal that other
    tables play too; its secret is then given, not drawn; `guarded`: people play it at one of them.
    """

    game: AnyGame
    options: Any
    seats: tuple[Wish, ...]
    creator: str | None
    visibility: Visibility = "public"
    clock: Clock | None = None
    rated: bool = False
    chosen_seed: str | None = None
    origin: Origin | None = None
    position: tuple[Event, ...] | None = None
    deal: str | None = None
    guarded: bool = False


class TakeSeat(Value, frozen=True):
    """Sit down: in `seat`, else in the seat reserved for the player, else in the first open one."""

    player: str
    seat: Seat | None = None
    entropy: str | None = None


class FillSeat(Value, frozen=True):
    """Let a built-in bot take an open seat whose player did not come (tournaments)."""

    seat: Seat
    bot: str


class LeaveSeat(Value, frozen=True):
    """Give up a seat before the start: one's own, or any by the creator."""

    seat: Seat
    by: str


class Abort(Value, frozen=True):
    """End the table before its start: by its creator (`by`), or since nobody started it (None)."""

    by: str | None


class Play(Value, frozen=True):
    """A command of the game, from a seat; `by_player`: from its player, not from a bot that plays it."""

    seat: Seat
    command: Command
    by_player: bool = False


class Resign(Value, frozen=True):
    """Give up (G6)."""

    seat: Seat


class AskPause(Value, frozen=True):
    """Want the clocks to stop or, while they stand, to go on; it happens when all seats want it."""

    seat: Seat
    go_on: bool


class Expire(Value, frozen=True):
    """A seat's deadline has passed (G7)."""

    seat: Seat


class RevealDeal(Value, frozen=True):
    """Tell the deal of a table that has ended: no other table plays it any more."""


class ReplaceBot(Value, frozen=True):
    """Move for a built-in bot that failed: `command` from the fallback."""

    seat: Seat
    command: Command
    reason: str


TableCommand = TakeSeat | FillSeat | LeaveSeat | Abort | Play | Resign | AskPause | Expire | RevealDeal | ReplaceBot


class Decided(Value, frozen=True):
    """What a command causes: the events of its entry, never none, and the table that they make of the one before."""

    events: tuple[Event, ...]
    table: Table


class _Draft:
    """The events of one entry while they are decided, with the table as they leave it."""

    def __init__(self, table: Table, secret: Secret, now_ms: int) -> None:
        self.table = table
        self.secret = secret
        self.now_ms = now_ms
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        for event in events:
            self.table = evolve(self.table, event)
        self.events += events

    def move(self, seat: Seat, command: Command) -> None:
        table = self.table
        chance = self.secret.chance(table.id, table.entropy)
        self.add(*table.game.decide(table.play, seat, command, chance))


def create(table_id: str, wish: Create, secret: Secret, now_ms: int) -> tuple[Event, ...]:
    """Decide a table's first entry; it starts at once where no seat is left open.

    Raises `Refusal` `validation_failed` by field.
    """
    _check_create(wish)
    first = TableCreated(
        game=wish.game.name,
        rules_version=wish.game.rules_version,
        options=dict(options_dict(wish.options)),
        seats=tuple(_plan(Seat(i), seat, wish.creator) for i, seat in enumerate(wish.seats)),
        creator=wish.creator,
        visibility=wish.visibility,
        clock=wish.clock,
        rated=wish.rated,
        commitment=secret.commitment,
        chosen_seed=_or_unset(wish.chosen_seed),
        origin=UNSET if wish.origin is None else wish.origin,
        deal=_or_unset(wish.deal),
        guarded=wish.guarded or UNSET,
    )
    draft = _Draft(created(table_id, wish.game, first), secret, now_ms)
    draft.events.append(first)
    for i, seat in enumerate(wish.seats):
        if seat.kind == "me" and wish.creator is not None:
            draft.add(SeatTaken(seat=Seat(i), kind="player", player=wish.creator))
        elif seat.kind == "ai" and seat.bot is not None:
            draft.add(SeatTaken(seat=Seat(i), kind="ai", bot=seat.bot))
    if wish.position is not None:
        draft.add(PositionCopied(events=wish.position))
    _start_if_full(draft)
    return tuple(draft.events)


def admit(table: Table, command: TableCommand) -> None:
    """Refuse what a table in this phase, or the player of a seat that has resigned, can't ask at all."""
    match command:
        case TakeSeat() | FillSeat() | LeaveSeat() | Abort():
            _before_start(table)
        case Play(seat=seat, by_player=True) | Resign(seat=seat) | AskPause(seat=seat):
            _while_playing(table, seat)
        case Play() | Expire() | ReplaceBot():
            _while_playing(table, None)
        case RevealDeal():
            if table.deal is None or table.secret is not None:
                raise Refusal("version_conflict", "Nothing is withheld at this table.")
            if table.status not in ("finished", "aborted"):
                raise Refusal("table_not_finished", "Its deal is in play at this table itself.")


def decide(table: Table, command: TableCommand, secret: Secret, now_ms: int) -> Decided:
    """Decide what a command causes; raises `Refusal`."""
    admit(table, command)
    draft = _Draft(table, secret, now_ms)
    match command:
        case TakeSeat():
            _take(draft, command)
            _start_if_full(draft)
        case FillSeat(seat=seat, bot=bot):
            if table.seats[seat].kind != "open":
                raise Refusal("seat_taken", f"Seat {seat} is taken.")
            draft.add(SeatTaken(seat=seat, kind="ai", bot=bot))
            _start_if_full(draft)
        case LeaveSeat(seat=seat, by=by):
            _leave(draft, seat, by)
        case Abort(by=by):
            if by is not None and by != table.creator:
                raise Refusal("forbidden", "Only its creator may abort a table.")
            reason: Literal["creator", "not_started"] = "not_started" if by is None else "creator"
            draft.add(TableAborted(reason=reason, secret=UNSET if table.deal else secret.secret.hex()))
        case Play(seat=seat, command=move, by_player=by_player):
            driver = table.seats[seat].driver
            if by_player and driver is not None:
                raise not_your_turn(f"The bot {driver} plays your seat on (G7); you can still resign.")
            # Whose turn it is, the game says: a second choice of the board, say, is refused by its ruling (U8).
            draft.move(seat, move)
            _after(draft, acted=seat)
        case Resign(seat=seat):
            _resign(draft, seat)
        case AskPause(seat=seat, go_on=go_on):
            _ask_pause(draft, seat, go_on=go_on)
        case Expire(seat=seat):
            _expire(draft, seat)
        case RevealDeal():
            hands = () if table.play is None else table.game.hands(table.play)
            draft.add(DealRevealed(hands=hands, secret=secret.secret.hex()))
        case ReplaceBot(seat=seat, command=move, reason=why):
            draft.add(BotReplaced(seat=seat, bot=table.seats[seat].driver or "", reason=why))
            draft.move(seat, move)
            _after(draft, acted=seat)
    return Decided(events=tuple(draft.events), table=draft.table)


def legal(table: Table, seat: Seat | None) -> tuple[Command | Resign | AskPause, ...]:
    """List all that a seat may do now: moves of the game, then what every table offers.

    Complete: what is not listed is refused, what is listed is accepted. Empty for who has resigned.
    """
    if table.status != "playing" or seat is None or table.seats[seat].resigned:
        return ()
    moves: tuple[Command, ...] = ()
    if seat in table.to_act and table.seats[seat].driver is None:
        moves = table.game.legal(table.play, seat)
    more: list[Resign | AskPause] = [Resign(seat)]
    if _may_ask_pause(table, seat):
        more.append(AskPause(seat, go_on=table.time.paused_ms is not None))
    return (*moves, *more)


def table_outcome(table: Table, verdict: Verdict, reason: str) -> Outcome:
    """Rank the seats: by the game's verdict, those that resigned after all others (G6, G9)."""
    count = len(table.seats)
    resigned = tuple(Seat(i) for i in range(count) if table.seats[i].resigned)
    keys = [(not table.seats[i].resigned, verdict.ranks[i]) for i in range(count)]
    places = tuple(1 + sum(other > key for other in keys) for key in keys)
    winners = tuple(Seat(i) for i in range(count) if places[i] == 1 and not table.seats[i].resigned)
    return Outcome(winners=winners, scores=verdict.scores, places=places, resigned=resigned, reason=reason)


def _check_create(wish: Create) -> None:
    errors: dict[str, str] = {}
    count = len(wish.seats)
    if count not in wish.game.seats:
        errors["seats"] = f"{wish.game.title} is played with {_range(wish.game.seats)} seats, not {count}."
    else:
        errors |= {f"options.{k}": v for k, v in wish.game.check_options(wish.options, count).items()}
    if sum(seat.kind == "me" for seat in wish.seats) > 1:
        errors["seats"] = "You can have one seat at a table, not more."
    players = [seat.player for seat in wish.seats if seat.kind == "player"]
    if len(set(players)) < len(players):
        errors["seats"] = "A player can have one seat at a table, not more."
    if wish.creator in players and any(seat.kind == "me" for seat in wish.seats):
        errors["seats"] = "You sit in the seat that says me; the one reserved for you could never be taken."
    if wish.rated and (wish.chosen_seed is not None or any(seat.kind == "ai" for seat in wish.seats)):
        errors["rated"] = "A rated table needs players in all seats and no chosen seed."
    if errors:
        raise invalid(errors)


def _range(seats: Sequence[int]) -> str:
    return f"{min(seats)} to {max(seats)}" if len(seats) > 1 else str(seats[0])


def _or_unset(value: str | None) -> str | UnsetType:
    return UNSET if value is None else value


def _plan(seat: Seat, wish: Wish, creator: str | None) -> SeatPlan:
    match wish.kind:
        case "me":
            return SeatPlan(seat=seat, kind="player", player=_or_unset(creator))
        case "player":
            return SeatPlan(seat=seat, kind="player", player=_or_unset(wish.player))
        case "ai":
            return SeatPlan(seat=seat, kind="ai", bot=_or_unset(wish.bot))
        case "open":
            return SeatPlan(seat=seat, kind="open")


def _before_start(table: Table) -> None:
    if table.status == "playing":
        raise Refusal("table_started", "The table has started; seats can't change any more.")
    if table.status != "open":
        raise Refusal("table_finished", "The table has ended.")


def _while_playing(table: Table, seat: Seat | None) -> None:
    if table.status == "open":
        raise Refusal("table_not_started", "The table has not started: seats are still open.")
    if table.status != "playing":
        raise Refusal("table_finished", "The table has ended.")
    if seat is not None and table.seats[seat].resigned:
        raise Refusal("seat_resigned", f"Seat {seat} has resigned.")


def _take(draft: _Draft, take: TakeSeat) -> None:
    table = draft.table
    if table.seat_of(take.player) is not None:
        raise Refusal("already_seated", "You sit at this table already.")
    if take.entropy is not None and table.chosen_seed is not None:
        raise invalid({"entropy": "This table's seed was chosen by its creator, so no entropy enters its deal."})
    if take.entropy is not None and table.deal is not None:
        raise invalid({"entropy": "This table's deal is played at other tables too, so no entropy enters it."})
    draft.add(
        SeatTaken(seat=_seat_for(table, take), kind="player", player=take.player, entropy=_or_unset(take.entropy))
    )


def _seat_for(table: Table, take: TakeSeat) -> Seat:
    if take.seat is not None:
        if take.seat >= len(table.seats):
            raise invalid({"seat": f"This table has seats 0 to {len(table.seats) - 1}."})
        wanted = table.seats[take.seat]
        if wanted.kind != "open":
            raise Refusal("seat_taken", f"Seat {take.seat} is taken.")
        if wanted.reserved not in (None, take.player):
            raise Refusal("seat_reserved", f"Seat {take.seat} is reserved for another player.")
        return take.seat
    open_seats = [i for i, seat in enumerate(table.seats) if seat.kind == "open"]
    for fits in (take.player, None):
        for i in open_seats:
            if table.seats[i].reserved == fits:
                return Seat(i)
    if open_seats:
        raise Refusal("seat_reserved", "The seats that are left are reserved for other players.")
    raise Refusal("seat_taken", "All seats are taken.")


def _leave(draft: _Draft, seat: Seat, by: str) -> None:
    table = draft.table
    if seat >= len(table.seats) or table.seats[seat].kind == "open":
        raise Refusal("not_found", f"Nobody sits in seat {seat}.")
    if by not in (table.seats[seat].player, table.creator):
        raise Refusal("forbidden", "A seat can be given up by who sits there or by the table's creator.")
    draft.add(SeatLeft(seat=seat))


def _start_if_full(draft: _Draft) -> None:
    if all(seat.kind != "open" for seat in draft.table.seats):
        _start(draft)


def _start(draft: _Draft) -> None:
    is_fork = draft.table.position is not None
    draft.add(TableStarted())
    if not is_fork:
        table = draft.table
        draft.add(*table.game.deal(table.play, draft.secret.chance(table.id, table.entropy)))
    table = draft.table
    if table.clock is not None:
        start = first_state(table.clock, len(table.seats))
        _set_clock(draft, advance(table.clock, start, _thinking(table), None, draft.now_ms), start)
    _finish_if_over(draft)


def _thinking(table: Table) -> tuple[Seat, ...]:
    return tuple(seat for seat in table.to_act if table.seats[seat].driver is None)


def _set_clock(draft: _Draft, new: ClockState, old: ClockState | None) -> None:
    if new != old:
        draft.add(ClockSet(deadlines=shown_deadlines(new, rfc3339), banks_ms=new.banks))


def _after(draft: _Draft, acted: Seat | None) -> None:
    _finish_if_over(draft)
    table = draft.table
    if table.status == "playing" and table.clock is not None:
        new = advance(table.clock, table.time, _thinking(table), acted, draft.now_ms)
        _set_clock(draft, new, table.time)


def _finish_if_over(draft: _Draft) -> None:
    table = draft.table
    verdict = table.game.outcome(table.play)
    if verdict is not None:
        _finish(draft, table_outcome(table, verdict, verdict.reason))


def _finish(draft: _Draft, outcome: Outcome) -> None:
    table = draft.table
    if table.deal is not None:
        draft.add(TableFinished(outcome=outcome, hands=(None,) * len(table.seats)))
        return
    hands = table.game.hands(table.play)
    draft.add(TableFinished(outcome=outcome, hands=hands, secret=draft.secret.secret.hex()))


def _resign(draft: _Draft, seat: Seat) -> None:
    left = [i for i, other in enumerate(draft.table.seats) if not other.resigned and i != seat]
    ends = len(left) == 1
    draft.add(SeatResigned(seat=seat, played_by=None if ends else RESIGNED_BY))
    if ends:
        table = draft.table
        _finish(draft, table_outcome(table, table.game.verdict(table.play), "resignation"))
    else:
        _after(draft, acted=None)


def _expire(draft: _Draft, seat: Seat) -> None:
    table = draft.table
    deadline = next((d for d in table.time.deadlines if d.seat == seat), None)
    if table.clock is None or deadline is None or table.time.paused_ms is not None:
        raise not_your_turn("No clock runs for this seat.")
    if deadline.due_ms > draft.now_ms:
        raise not_your_turn("The seat's time is not over yet.")
    draft.add(TurnTimedOut(seat=seat, policy=table.clock.on_expiry))
    match table.clock.on_expiry:
        case "default_move":
            draft.move(seat, table.game.default_move(table.play, seat))
            _after(draft, acted=seat)
        case "bot":
            _after(draft, acted=None)
        case "resign":
            _resign(draft, seat)


def _may_ask_pause(table: Table, seat: Seat) -> bool:
    return table.clock is not None and table.seats[seat].driver is None and seat not in table.time.agreed


def _ask_pause(draft: _Draft, seat: Seat, *, go_on: bool) -> None:
    table = draft.table
    if table.clock is None:
        raise illegal("G7", "This table has no clock.")
    if go_on != (table.time.paused_ms is not None):
        raise illegal("G7", "The clocks run already." if go_on else "The clocks stand still already.")
    if table.seats[seat].driver is not None:
        raise illegal("G7", "A bot plays your seat on, and bots have no clock.")
    if not _may_ask_pause(table, seat):
        raise illegal("G7", "You have asked for this already; the other seats have not agreed yet.")
    draft.add(PauseAsked(seat=seat, go_on=go_on))
    table = draft.table
    asked = {i for i, other in enumerate(table.seats) if other.driver is None}
    if asked <= set(table.time.agreed):
        if go_on:
            moved = resume(table.time, draft.now_ms)
            draft.add(ClockResumed(deadlines=shown_deadlines(moved, rfc3339)))
        else:
            draft.add(ClockPaused(by=tuple(sorted(table.time.agreed)), at=rfc3339(draft.now_ms)))


def check_command(table: Table, command: Command) -> None:
    """Refuse (`validation_failed`) what can't be right at a table with these options and seats."""
    errors: Mapping[str, str] = table.game.check_command(table.options, len(table.seats), command)
    if errors:
        raise invalid(errors)
