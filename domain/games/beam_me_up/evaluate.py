"""How good a standing is, for a search that stops in the middle of a game."""

from collections.abc import Sequence
from typing import Final

from domain.games.beam_me_up.cards import NUMBER
from domain.games.beam_me_up.heuristic import counts_of, line_worth, supply_of
from domain.games.beam_me_up.state import State

RACER: Final = 10.0
"""What a Space Racer counts: the measure of all else, as in the heuristic."""
HELD: Final = 1.0
"""What the highest card in a hand counts; lower ones less, by the square of their numbers."""

_HELD: Final = {card: HELD * (number / 14) ** 2 for card, number in NUMBER.items()}


def evaluate(state: State) -> Sequence[float]:
    """Judge by seat: Space Racers, what the line promises, and how strong the hand is."""
    supply = supply_of(state.racers_left)
    return [
        RACER * len(racers) + line_worth(counts_of(line), supply) + sum([_HELD[card] for card in hand])
        for racers, line, hand in zip(state.racers, state.lines, state.hands, strict=True)
    ]
