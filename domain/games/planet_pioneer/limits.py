"""What the round allows: shared by `decide`, which refuses, and `legal`, which lists."""

from typing import Final

from domain.games.planet_pioneer.cards import MAX_LEVEL
from domain.games.planet_pioneer.state import State
from domain.values import Seat

CAPPED_ROUNDS: Final = 5
"""Up to this round no Level above the round may be laid; after it any (P13)."""


def highest_level(state: State) -> int:
    """Give the highest Level that may be laid now (P13)."""
    round_number = state.flow.round
    return round_number if round_number <= CAPPED_ROUNDS else MAX_LEVEL


def must_lay(state: State) -> bool:
    """Tell whether who can lay a card may not discard (P56)."""
    return state.flow.round == 1 and state.setup.options.first_round == "until_all_placed"


def can_lay_in_round_1(state: State, seat: Seat) -> bool:
    """Tell whether a seat holds a card that it may lay in the first round: a Visit, or Level 1 and not living.

    There is always a free cell for it: who has a full grid takes no turn.
    """
    deck, own = state.setup.deck, state.colonies[seat]
    return any(
        card == deck.visit or (deck.bit[card] & ~own.living and deck.level[card] == 1) for card in state.hands[seat]
    )
