"""What must happen next at a table, and when: the outbox mark that every entry leaves behind."""

from typing import Final

from domain.table import Table
from domain.values import Seat
from service.application.ports import Due
from service.application.stream_kinds import is_tournament

ABANDONED_MS: Final = 7 * 24 * 3600 * 1000
"""A table that nobody starts is aborted after this time."""

AI: Final = "ai"
TIMEOUT: Final = "timeout"
STALE: Final = "stale"
CLOSE: Final = "close"


def due_of(table: Table, created_ms: int, now_ms: int) -> Due | None:
    """Give what is due next; None where the table waits for a player without a clock.

    A bot's move comes before a deadline: its commit sets the mark anew.
    """
    match table.status:
        case "open" if is_tournament(table.creator or ""):
            return None  # its tournament ends it, when its players have had their time
        case "open":
            return Due(STALE, max(0, created_ms + ABANDONED_MS - now_ms))
        case "finished" | "aborted":
            return Due(CLOSE)
        case "playing":
            bot = bot_to_act(table)
            if bot is not None:
                return Due(f"{AI}:{bot}")
            if table.time.deadlines and table.time.paused_ms is None:
                first = min(table.time.deadlines, key=lambda d: (d.due_ms, d.seat))
                return Due(f"{TIMEOUT}:{first.seat}", max(0, first.due_ms - now_ms))
            return None


def bot_to_act(table: Table) -> Seat | None:
    """Give the first seat that a built-in bot must move for now."""
    return next((seat for seat in table.to_act if table.seats[seat].driver is not None), None)


def written(due: Due | None) -> str:
    """Write a due as the entry's field `n` holds it."""
    return "" if due is None else f"{due.what}@+{due.delay_ms}"
