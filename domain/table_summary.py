"""A table's own events in words."""

from typing import assert_never

from domain.table_events import (
    BotReplaced,
    ClockPaused,
    ClockResumed,
    ClockSet,
    DealRevealed,
    PauseAsked,
    PositionCopied,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    TableAborted,
    TableCreated,
    TableEvent,
    TableFinished,
    TableStarted,
    TurnTimedOut,
)

_EXPIRED = {
    "default_move": "a default move is made",
    "bot": "a bot plays on",
    "resign": "the seat resigns",
}


def words(event: TableEvent) -> str:
    """Say one event of a table in words, `""` where it goes without saying; `{seat:N}` stands for a seat."""
    match event:
        case TableCreated():
            return "The table is created"
        case SeatTaken(seat=seat, kind=kind):
            return f"{{seat:{seat}}} is taken by {'a player' if kind == 'player' else f'the bot {event.bot}'}"
        case SeatLeft(seat=seat):
            return f"{{seat:{seat}}} is open again"
        case TableStarted():
            return "The table starts"
        case PositionCopied():
            return "The position of another table is set up"
        case SeatResigned(seat=seat, played_by=bot):
            return f"{{seat:{seat}}} resigns" + (f"; the bot {bot} plays on" if bot else "")
        case TurnTimedOut(seat=seat, policy=policy):
            return f"{{seat:{seat}}} runs out of time; {_EXPIRED[policy]}"
        case BotReplaced(seat=seat, bot=bot):
            return f"{{seat:{seat}}}'s bot {bot} failed; the fallback moves"
        case ClockSet():
            return ""
        case PauseAsked(seat=seat, go_on=go_on):
            return f"{{seat:{seat}}} wants the clocks to {'go on' if go_on else 'stop'}"
        case ClockPaused():
            return "The clocks stop"
        case ClockResumed():
            return "The clocks go on"
        case TableFinished(outcome=outcome):
            return _finished(outcome.winners, outcome.scores, outcome.reason)
        case TableAborted(reason=reason):
            return "The table is aborted" + (" since nobody started it" if reason == "not_started" else "")
        case DealRevealed():
            return "The last table with this deal has ended; the deal is revealed"
        case _:
            assert_never(event)


def _finished(winners: tuple[int, ...], scores: tuple[int, ...], reason: str) -> str:
    names = " and ".join(f"{{seat:{seat}}}" for seat in winners)
    shared = "share the win" if len(winners) > 1 else "wins"
    points = " to ".join(str(score) for score in scores)
    return f"{names} {shared}, {points} ({reason.replace('_', ' ')})"
