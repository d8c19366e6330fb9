"""The built-in bots: each chooses from what a person in its seat has (`Seen`), never from the state."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from domain.bots.easy import choose_easy
from domain.bots.greedy import choose_greedy
from domain.bots.levels import choose_expert, choose_hard
from domain.bots.uniform import choose_random
from domain.game import AnyGame, Seen
from domain.values import Command

Bot = Callable[[AnyGame, Seen, Random], Command]
"""Choose one of `seen.commands`, which are never empty; the random numbers are the bot's own."""

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {
        "random": choose_random,
        "easy": choose_easy,
        "greedy": choose_greedy,
        "hard": choose_hard,
        "expert": choose_expert,
    }
)
"""By level, weakest first."""

VERSION: Final = 3
"""Raised when any level's choices change; what was measured of one version says nothing of another."""

FALLBACK: Final = "greedy"
"""The bot that moves for one that failed."""

__all__ = ["BOTS", "FALLBACK", "VERSION", "Bot"]
