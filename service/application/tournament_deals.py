"""Where the deals of a tournament's games come from: each table's own secret, a chosen seed, or one for many tables."""

import hmac
from typing import Final

from domain.chance import Secret
from domain.tournament.events import Pairing
from domain.tournament.state import Tournament
from domain.values import Value

_DEALS: Final = b"deal"
_BOTS: Final = b"bots"


class Deal(Value, frozen=True):
    """Where a game's deal comes from: a chosen seed, or a secret that other tables share, under a name; else its own.

    `guarded`: people play it at some table of the round.
    """

    chosen_seed: str | None = None
    name: str | None = None
    secret: Secret | None = None
    guarded: bool = False


def shared_deal(pairing: Pairing, leg: int) -> int:
    """Give which of a round's duplicate deals a leg plays: one for each turn of the seats."""
    return leg // len(pairing.entries)


def deal_of(secret: bytes, t: Tournament, number: int, pairing: Pairing, leg: int) -> Deal:
    """Give a game's deal. A chosen seed fixes deals only where nobody gains by knowing them: among built-in bots,
    or unrated.
    """
    if t.plan.duplicate:
        turn = shared_deal(pairing, leg)
        drawn = Secret(
            secret=_derived(secret, _DEALS, number, 0, turn),
            bots=_derived(secret, _BOTS, number, pairing.table, leg),
            chosen=True,
        )
        played = {entry for each in t.rounds[number - 1].tables for entry in each.entries}
        guarded = any(t.entrants[entry].kind != "ai" for entry in played)
        return Deal(name=f"{t.id}/{number}/{turn + 1}", secret=drawn, guarded=guarded)
    if t.chosen_seed is not None and (
        not t.plan.rated or all(t.entrants[entry].kind == "ai" for entry in pairing.entries)
    ):
        return Deal(chosen_seed=_derived(secret, _DEALS, number, pairing.table, leg).hex())
    return Deal()


def _derived(secret: bytes, what: bytes, *place: int) -> bytes:
    return hmac.digest(secret, what + "-".join(map(str, place)).encode(), "sha256")
