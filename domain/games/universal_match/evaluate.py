"""How good a standing is, for a search that stops in the middle of a game."""

from collections.abc import Sequence
from typing import Final

from domain.games.universal_match.cards import BIT
from domain.games.universal_match.outs import Boards, best, boards_of
from domain.games.universal_match.state import State, hand_points

READY: Final = 0.6
"""What a match is worth that the seat can make by itself in its next turn."""
MADE: Final = 0.8
"""What a match is worth that lies on the board already."""
OPEN: Final = 0.4
"""What a match is worth that a card which lies open would make."""
OUT: Final = 0.03
"""What each card is worth that would make a match, wherever it is."""


def evaluate(state: State) -> Sequence[float]:
    """Judge by seat: points, and how near the board is to its next match."""
    if state.series.reason is not None:
        return state.series.totals
    points = [total + new for total, new in zip(state.series.totals, hand_points(state), strict=True)]
    boards = [sum([BIT[card] for card in board]) for board in state.boards]
    hands = [sum([BIT[card] for card in hand]) for hand in state.hands]
    return judge(boards_of(state.series.options), points, boards, hands, BIT[state.discard[-1]] if state.discard else 0)


def judge(table: Boards, points: Sequence[int], boards: Sequence[int], hands: Sequence[int], top: int) -> list[float]:
    """Judge by seat from sets of cards: boards and hands by seat, and the top of the discard pile."""
    pool = sum(boards) | top
    values = []
    for point, board, hand in zip(points, boards, hands, strict=True):
        made, outs, ranked = table[board]
        near = max(made * MADE, best(ranked, hand) * READY, best(ranked, pool & ~board) * OPEN)
        values.append(point + near + outs.bit_count() * OUT)
    return values
