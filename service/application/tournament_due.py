"""What must happen next at a tournament: the outbox mark that every entry leaves behind."""

from typing import Final

from domain.tournament.state import Tournament
from service.application.ports import Due

START: Final = "start"
PAIR: Final = "pair"
TABLES: Final = "tables"
PRESENCE: Final = "presence"
CLOSE: Final = "close"


def due_of(t: Tournament, now_ms: int) -> Due | None:
    """Give what a worker must do next; None where results, or people, are waited for."""
    match t.status:
        case "open":
            return None if t.plan.starts_at_ms is None else Due(START, max(0, t.plan.starts_at_ms - now_ms))
        case "finished" | "cancelled":
            return Due(CLOSE)
        case "running" | "paused":
            current = t.current
            if current is None:
                return Due(PAIR) if t.status == "running" else None
            if not current.made:
                return Due(TABLES)
            if not current.checked and any(
                t.entrants[entry].kind == "player" for pairing in current.tables for entry in pairing.entries
            ):
                since = current.at_ms if current.made_ms is None else current.made_ms
                return Due(PRESENCE, max(0, since + t.plan.no_show.grace * 1000 - now_ms))
            return None
