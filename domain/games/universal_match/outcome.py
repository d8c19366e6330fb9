"""How a game ends: by its totals, with a reason."""

from domain.game import Verdict
from domain.games.universal_match.state import State


def outcome(state: State) -> Verdict | None:
    """Give how the game ended; None while it goes on."""
    if state.series.reason is None:
        return None
    return verdict(state)


def verdict(state: State) -> Verdict:
    """Give the standing: the highest total of the finished hands is first, equal totals share (U29, U30, G9)."""
    totals = state.series.totals
    return Verdict(scores=totals, ranks=tuple((total,) for total in totals), reason=state.series.reason or "")
