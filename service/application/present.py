"""What the world is shown of a table: the resource, the log, the answer to a command, for one viewer.

Every function here takes the viewer; what it gives holds nothing that the viewer may not know.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.clock import BankClock, Clock, first_state
from domain.errors import Refusal
from domain.history import Entry, rfc3339
from domain.log import ShownEntry, shown
from domain.table import SeatState, Status, Table
from domain.table_events import Origin, Outcome, SeatKind, Visibility
from domain.table_rules import AskPause, Resign, legal
from domain.values import ALL, PUBLIC, Command, Seat, Value, Viewer
from service.application.live import Live


class PlayerShown(Value, frozen=True):
    """An account as everybody may see it."""

    id: str
    name: str
    kind: Literal["human", "bot"]


class SeatShown(Value, frozen=True):
    """A position at a table."""

    seat: Annotated[int, Meta(description="The position, from 0.")]
    kind: Annotated[SeatKind, Meta(description="`open`: free; `player`: an account's; `ai`: a built-in bot's.")]
    resigned: bool
    to_act: Annotated[bool, Meta(description="Whether the table waits for this seat.")]
    player: PlayerShown | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    reserved: Annotated[bool, Meta(description="Only this player may sit here; he has not yet.")] | UnsetType = UNSET
    played_by: Annotated[str, Meta(description="The bot that plays the seat on.")] | UnsetType = UNSET


class You(Value, frozen=True):
    """Where the caller sits."""

    seat: int


class DeadlineShown(Value, frozen=True):
    """A seat must have decided by this time."""

    seat: int
    due: str


class ClockShown(Value, frozen=True):
    """The table's clock; all times are absolute, so that the body of a version stays the same."""

    kind: Literal["turn", "bank"]
    seconds: int
    on_expiry: str
    deadlines: tuple[DeadlineShown, ...]
    banks: Annotated[
        tuple[float, ...], Meta(description="Seconds left by seat at this version; empty where the kind is `turn`.")
    ]
    paused: bool
    increment: int | UnsetType = UNSET
    bot: str | UnsetType = UNSET


class Fairness(Value, frozen=True):
    """What the deal rests on (docs/fairness.md)."""

    commitment: str
    entropy: tuple[str | None, ...]
    chosen_seed: str | UnsetType = UNSET
    seed_withheld_until: (
        Annotated[
            str,
            Meta(
                description="The name of a deal that other tables play too. Until the last of them has ended the secret, "
                "`as=all`, the record, the hands of others and forks are withheld, here too."
            ),
        ]
        | UnsetType
    ) = UNSET
    secret: Annotated[str, Meta(description="Hex; there once it is revealed.")] | UnsetType = UNSET


class TableShown(Value, frozen=True):
    """A table as one viewer sees it at one version."""

    id: str
    game: str
    rules_version: int
    options: Mapping[str, Any]
    status: Status
    version: int
    visibility: Visibility
    rated: bool
    created_at: str
    creator: str | None
    you: You | None
    to_act: tuple[int, ...]
    seats: tuple[SeatShown, ...]
    view: Any
    clock: ClockShown | None
    outcome: Outcome | None
    fairness: Fairness
    origin: Origin | UnsetType = UNSET
    imported: bool | UnsetType = UNSET


class LogPage(Value, frozen=True):
    """A part of a table's log."""

    items: tuple[ShownEntry, ...]
    version: int
    status: Status


class CommandList(Value, frozen=True):
    """All that the caller may do now, each ready to be posted as it is."""

    version: int
    seat: int | None
    commands: tuple[Any, ...]


class CommandAnswer(Value, frozen=True):
    """A command was accepted; everything as at its entry's version."""

    version: int
    entries: tuple[ShownEntry, ...]
    view: Any
    to_act: tuple[int, ...]
    commands: tuple[Any, ...]
    outcome: Outcome | UnsetType = UNSET


class PlainCommand(Value, frozen=True):
    """A table's own command as it goes over the wire."""

    type: Literal["resign", "pause_clock", "resume_clock"]


Names = Callable[[Iterable[str]], Mapping[str, PlayerShown]]
"""Look up accounts by id; one that was deleted is missing."""


def viewer_for(table: Table, player: str | None, wanted: str | None) -> Viewer:
    """Tell through whose eyes a caller may look: `wanted` is the query's `as`, None for his own.

    Raises `Refusal`: `validation_failed` for no such perspective, `perspective_not_allowed` for one that is not
    the caller's before the end.
    """
    own = table.seat_of(player)
    if own is None and is_guarded(table) and player not in {seat.reserved for seat in table.seats} - {None}:
        raise Refusal(
            "perspective_not_allowed",
            "Other tables play the same deal; only who sits here may look until the last of them has ended.",
        )
    if wanted is None:
        return PUBLIC if own is None else own
    if wanted == PUBLIC:
        return PUBLIC
    if wanted == ALL:
        eyes: Viewer = ALL
    elif wanted.isascii() and wanted.isdigit() and int(wanted) < len(table.seats):
        eyes = Seat(int(wanted))
    else:
        reason = f"Must be public, all or a seat from 0 to {len(table.seats) - 1}."
        raise Refusal("validation_failed", f"as: {reason}", errors={"as": reason})
    if eyes != own and not is_revealed(table):
        raise Refusal(
            "perspective_not_allowed",
            "Before the end you may look with your own seat's eyes or the public's only.",
        )
    return eyes


def is_revealed(table: Table) -> bool:
    """Tell whether everything at a table is open to everybody: it is finished, and its deal in play nowhere else."""
    return table.status == "finished" and table.secret is not None


def is_guarded(table: Table) -> bool:
    """Tell whether even the open cards are kept from the public: players at other tables play the same deal."""
    return table.guarded and table.secret is None and table.status != "aborted"


def view_of(table: Table, viewer: Viewer) -> Any:
    """Give the game's view for a viewer; None before the start."""
    if table.play is None:
        return None
    return table.game.view(table.play, viewer, over=table.status == "finished", shown=is_revealed(table))


def table_shown(live: Live, table: Table, version: int, viewer: Viewer, you: Seat | None, names: Names) -> TableShown:
    """Give the resource: `table` is the table as it stood at `version`."""
    return TableShown(
        id=table.id,
        game=table.game.name,
        rules_version=table.rules_version,
        options=table.raw_options,
        status=table.status,
        version=version,
        visibility=table.visibility,
        rated=table.rated,
        created_at=rfc3339(live.entries[0].time_ms),
        creator=table.creator,
        you=None if you is None else You(you),
        to_act=table.to_act,
        seats=seats_shown(live, table, names),
        view=view_of(table, viewer),
        clock=_clock_shown(table),
        outcome=table.outcome,
        fairness=Fairness(
            commitment=table.commitment,
            entropy=table.entropy,
            chosen_seed=UNSET if table.chosen_seed is None else table.chosen_seed,
            seed_withheld_until=UNSET if table.deal is None or table.secret is not None else table.deal,
            secret=UNSET if table.secret is None else table.secret,
        ),
        origin=UNSET if table.origin is None else table.origin,
        imported=True if table.imported else UNSET,
    )


def players_of(table: Table) -> set[str]:
    """Give who sits at a table or has a seat reserved."""
    return {player for seat in table.seats if (player := seat.player or seat.reserved) is not None}


def seats_shown(live: Live, table: Table, names: Names) -> tuple[SeatShown, ...]:
    """Give the seats of a table with the names of their players."""
    to_act = table.to_act
    known = _names_of(live, names)(sorted(players_of(table)))
    return tuple(_seat_shown(i, seat, known, to_act) for i, seat in enumerate(table.seats))


def _names_of(live: Live, names: Names) -> Names:
    """Look up the names of an imported table in its record: whoever bears such an id here is another."""
    if live.imported is None:
        return names
    recorded = live.imported.names
    return lambda ids: {each: PlayerShown(each, recorded.get(each, ""), "human") for each in ids}


def log_page(live: Live, viewer: Viewer, after: int, limit: int) -> LogPage:
    """Give at most `limit` entries behind version `after`."""
    with live.lock:
        entries = live.entries[after : after + limit]
        version, status = live.version, live.table.status
    return LogPage(items=entries_shown(live, entries, viewer), version=version, status=status)


def entries_shown(live: Live, entries: Iterable[Entry], viewer: Viewer) -> tuple[ShownEntry, ...]:
    """Give entries as a viewer may see them."""
    return tuple(shown(live.game, entry, viewer) for entry in entries)


def commands_shown(table: Table, seat: Seat | None) -> tuple[Command | PlainCommand, ...]:
    """Give a seat's legal commands as they are posted."""
    return tuple(_posted(command) for command in legal(table, seat))


def command_list(table: Table, version: int, seat: Seat | None) -> CommandList:
    """Give the answer to `GET …/commands`."""
    return CommandList(version=version, seat=seat, commands=commands_shown(table, seat))


def command_answer(live: Live, table: Table, entry: Entry, seat: Seat) -> CommandAnswer:
    """Give the answer to a command that a seat posted."""
    return CommandAnswer(
        version=entry.version,
        entries=entries_shown(live, (entry,), seat),
        view=view_of(table, seat),
        to_act=table.to_act,
        commands=commands_shown(table, seat),
        outcome=UNSET if table.outcome is None else table.outcome,
    )


def etag(version: int, head_hash: str, viewer: Viewer) -> str:
    """Give the entity tag, without quotes: version, 16 hex digits of the head hash, viewer."""
    eyes = viewer if isinstance(viewer, str) else f"s{viewer}"
    return f"{version}-{head_hash[:16]}-{eyes}"


def _posted(command: Command | Resign | AskPause) -> Command | PlainCommand:
    match command:
        case Resign():
            return PlainCommand("resign")
        case AskPause(go_on=go_on):
            return PlainCommand("resume_clock" if go_on else "pause_clock")
        case _:
            return command


def _seat_shown(i: int, seat: SeatState, known: Mapping[str, PlayerShown], to_act: tuple[Seat, ...]) -> SeatShown:
    waiting = seat.kind == "open" and seat.reserved is not None
    player = seat.player or seat.reserved
    return SeatShown(
        seat=i,
        kind="player" if waiting else seat.kind,
        resigned=seat.resigned,
        to_act=i in to_act,
        player=UNSET if player is None or seat.kind == "ai" else known.get(player, PlayerShown(player, "", "human")),
        bot=UNSET if seat.bot is None else seat.bot,
        reserved=True if waiting else UNSET,
        played_by=UNSET if seat.played_by is None else seat.played_by,
    )


def _clock_shown(table: Table) -> ClockShown | None:
    clock: Clock | None = table.clock
    if clock is None:
        return None
    return ClockShown(
        kind="bank" if isinstance(clock, BankClock) else "turn",
        seconds=clock.seconds,
        on_expiry=clock.on_expiry,
        deadlines=tuple(DeadlineShown(d.seat, rfc3339(d.due_ms)) for d in table.time.deadlines),
        banks=tuple(ms / 1000 for ms in table.time.banks or first_state(clock, len(table.seats)).banks),
        paused=table.time.paused_ms is not None,
        increment=clock.increment if isinstance(clock, BankClock) else UNSET,
        bot=clock.bot,
    )
