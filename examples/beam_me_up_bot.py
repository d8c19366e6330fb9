"""A bot for Beam Me Up: wins what it can use, keeps its high cards for that.

Play it: `python -m starledger_client.bot beam_me_up_bot:Collector --token-file collector.token`
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from starledger_client.bot import Bot


def number(card: str) -> int:
    """Give a card's number: 7 of `F7`."""
    return int(card[1:])


class Collector(Bot):
    """Collects the elemental that it has most of."""

    game = "beam-me-up"
    join_open_tables = True

    def choose(self, view: dict[str, Any], commands: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Launch when one can, take what fits the line, else lay the highest or the lowest card."""
        mine = next(seat for seat in view["seats"] if "hand" in seat)
        line = Counter(card[0] for card in mine["line"])
        launches = [command for command in commands if command["type"] == "launch_racer"]
        if launches:
            return launches[0]
        picks = [command for command in commands if command["type"] == "collect_card"]
        if picks:
            return max(picks, key=lambda pick: self._worth(pick, line))
        on_table = [card["card"] for layer in view["trick"]["layers"][-1:] for card in layer]
        wanted = any(line[card[0]] for card in on_table) or not on_table
        plays = [command for command in commands if command["type"] == "play_card"]
        return (max if wanted else min)(plays or commands, key=lambda play: number(play.get("card", "A0")))

    @staticmethod
    def _worth(pick: dict[str, Any], line: Counter[str]) -> int:
        gains = line[pick["card"][0]]
        return 2 * gains - (2 * line[pick["replace"][0]] if "replace" in pick else -1)
