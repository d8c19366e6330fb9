"""A bot for Universal Match: makes a match wherever one switch does it.

Play it: `python -m starledger_client.bot universal_match_bot:Matcher --token-file matcher.token`
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from starledger_client.bot import Bot

RANKS = "GSM7654321"
POINTS = {"E": 3, "N": 3, "J": 2, "S": 2, "M": 1, "V": 1}


def is_match(cards: Sequence[str]) -> bool:
    """Tell whether three cards are three of a kind, a suited run or a rainbow run."""
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    suits = len({card[1] for card in cards})
    return ranks[0] == ranks[2] or (ranks == list(range(ranks[0], ranks[0] + 3)) and suits in (1, 3))


def promise(cards: Sequence[str]) -> int:
    """Tell how good three cards are: a match counts its points, two that go together count a little."""
    if is_match(cards):
        return 20 + sum(POINTS[card[1]] for card in cards)
    return sum(abs(RANKS.index(a[0]) - RANKS.index(b[0])) <= 1 for a, b in combinations(cards, 2))


class Matcher(Bot):
    """Looks one switch ahead."""

    game = "universal-match"
    join_open_tables = True

    def choose(self, view: dict[str, Any], commands: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Take the command after which the own board promises most."""
        mine = next(seat for seat in view["seats"] if "hand" in seat)
        return max(commands, key=lambda command: self._after(mine, command))

    @staticmethod
    def _after(mine: dict[str, Any], command: dict[str, Any]) -> float:
        board = list(mine["board"])
        match command["type"]:
            case "choose_board":
                return promise(command["cards"])
            case "switch_boards":
                board[board.index(command["give"])] = command["take"]
            case "switch_own":
                board[board.index(command["take"])] = command["give"]
            case "take_match":
                return 100
            case "discard":
                return -POINTS[command["card"][1]]
            case "draw_card":
                return promise(board) + 0.5
            case "decline_match":
                return 0
        return promise(board)
