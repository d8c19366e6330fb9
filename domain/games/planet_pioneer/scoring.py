"""Who must act, when the game is over, and who has won."""

from domain.game import Verdict
from domain.games.planet_pioneer.state import State
from domain.games.planet_pioneer.turns import CAP_DRY_ROUNDS, dry_rounds_now
from domain.values import Seat


def is_over(state: State) -> bool:
    """Tell whether the game has ended: it has begun, and no turn goes on."""
    return state.turn is None and state.flow.round > 0


def to_act(state: State) -> tuple[Seat, ...]:
    """Give the seat whose turn it is; nobody after the end."""
    return () if state.turn is None else (state.turn,)


def outcome(state: State) -> Verdict | None:
    """Give the result once the game is over."""
    return verdict(state) if is_over(state) else None


def verdict(state: State) -> Verdict:
    """Levels living in the colony less Levels in hand (P46); ties as the option says (P47)."""
    scores: list[int] = []
    ranks: list[tuple[int, ...]] = []
    level = state.setup.deck.level
    for hand, colony in zip(state.hands, state.colonies, strict=True):
        in_hand = sum(level[card] for card in hand)
        score = colony.level - in_hand
        scores.append(score)
        if state.setup.options.tie_break == "hand_then_craters":
            ranks.append((score, -in_hand, -colony.craters.bit_count()))
        else:
            ranks.append((score,))
    return Verdict(scores=tuple(scores), ranks=tuple(ranks), reason=_reason(state))


def _reason(state: State) -> str:
    if state.flow.final is not None:
        return "grid_full"
    return "cap_stall" if dry_rounds_now(state) >= CAP_DRY_ROUNDS else "cap_rounds"
