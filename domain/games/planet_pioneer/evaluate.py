"""How good a standing is, for a search that stops in the middle of a game."""

from collections.abc import Sequence
from typing import Final

from domain.games.planet_pioneer.grid import FULL
from domain.games.planet_pioneer.scoring import is_over
from domain.games.planet_pioneer.state import State

TURN: Final = 2.0
"""What a turn brings for which the hand has no card yet."""
KEPT: Final = {"strike": 1.5, "attack": 1.5, "visit": 1.5, "cap": 0.3}
"""What a card brings later that has no Level."""
SHELTERED: Final = 0.1
"""What a Level is worth that no Strike can hit, more than another."""


def evaluate(state: State) -> Sequence[float]:
    """Judge by seat: the Levels that live, those of the hand that can still be laid, less the others, and turns."""
    deck = state.setup.deck
    covered = [colony.covered.bit_count() for colony in state.colonies]
    over = is_over(state)
    final = state.flow.final
    values = []
    for seat, (hand, colony) in enumerate(zip(state.hands, state.colonies, strict=True)):
        levels = [deck.level[card] for card in hand]
        value = float(colony.level - sum(levels))
        if not over:
            if final is not None:
                turns = int(seat in final.still_to_play)
            else:
                behind = FULL - max(other for i, other in enumerate(covered) if i != seat)
                turns = min(FULL - covered[seat], behind + 1)
            turns -= state.flow.waiting >> seat & 1
            names = [card for card in dict.fromkeys(hand) if deck.bit[card] & ~colony.living]
            best = sorted([deck.level[card] for card in names], reverse=True)[: max(0, turns)]
            value += 2 * sum(best) + TURN * max(0, turns - len(best))
            if turns > 1:
                value += sum([KEPT.get(deck.kind[card], 0.0) for card in hand])
                counts = {cell: level for cell, _, level in colony.laid}
                value += SHELTERED * sum([level for cell, level in counts.items() if colony.shielded >> cell & 1])
        values.append(value)
    return values
