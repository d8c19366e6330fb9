"""A rematch: one table, whoever of its players asks, and however often."""

from typing import Final

from domain.errors import Refusal
from domain.table_rules import TakeSeat
from service.application.handle import Attempt, Desk, Done, KeyReused
from service.application.ids import derived_id
from service.application.live import Live
from service.application.sequels import rematch_wish

_MOST: Final = 100
"""A rematch that was aborted makes room for the next; so many are tried."""


def rematch(desk: Desk, server_key: bytes, live: Live, player: str, attempt: Attempt) -> Done:
    """Make the rematch of a table, or sit down at the one that another player has made.

    Raises `Refusal` as `rematch_wish` and as sitting down, and `KeyReused`.
    """
    wish = rematch_wish(live, player)
    for count in range(_MOST):
        table_id = derived_id(server_key, "rematch", live.id, str(count))
        made = _found(desk, table_id)
        if made is None:
            try:
                return desk.create(table_id, wish, attempt)
            except KeyReused:  # another was faster, or the key really came before: its log tells
                made = desk.table(table_id)
        if attempt.command_id in made.ids or made.table.status != "aborted":
            return _sit_down(desk, made, player, attempt)
    raise Refusal("version_conflict", f"{_MOST} rematches of this table were aborted; create a table instead.")


def _found(desk: Desk, table_id: str) -> Live | None:
    try:
        return desk.table(table_id)
    except Refusal:
        return None


def _sit_down(desk: Desk, made: Live, player: str, attempt: Attempt) -> Done:
    with made.lock:
        table, entry = made.table, made.entries[-1]
    if table.seat_of(player) is not None and attempt.command_id not in made.ids:
        return Done(live=made, table=table, entry=entry)
    return desk.handle(made.id, lambda _: (TakeSeat(player=player), None), attempt)
