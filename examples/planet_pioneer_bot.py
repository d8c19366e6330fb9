"""A bot for Planet Pioneer: always builds the highest Level that it may.

Play it: `python -m starledger_client.bot planet_pioneer_bot:Builder --token-file builder.token`
"""

from collections.abc import Sequence
from typing import Any

from starledger_client import Client
from starledger_client.bot import Bot

ORDER = ("build", "visit", "cap", "strike", "attack", "discard")


class Builder(Bot):
    """Knows the Levels from the catalogue and builds the highest."""

    game = "planet-pioneer"
    join_open_tables = True

    def __init__(self) -> None:
        """Read the catalogue once."""
        with Client() as client:
            cards = client.game("planet-pioneer").cards
        self._levels = {card.card: int(card.facts.get("level", 0)) for card in cards}

    def choose(self, view: dict[str, Any], commands: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Build the highest Level; discard the lowest."""
        best = min(commands, key=lambda command: ORDER.index(command["type"]))["type"]
        of_kind = [command for command in commands if command["type"] == best]
        if best == "build":
            return max(of_kind, key=lambda command: self._levels[command["card"]])
        if best == "strike":
            return max(of_kind, key=lambda command: self._level_there(view, command))
        if best == "discard":
            return max(of_kind, key=lambda command: self._levels[command["card"]])
        return of_kind[0]

    @staticmethod
    def _level_there(view: dict[str, Any], command: dict[str, Any]) -> int:
        colony = view["seats"][command["opponent"]]["colony"]
        return next(int(cell["level"]) for cell in colony if cell["cell"] == command["cell"])
