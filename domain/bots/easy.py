"""The bot `easy`: knows what is good, but is not sure of it."""

import math
from random import Random
from typing import Final

from domain.game import AnyGame, Seen
from domain.values import Command

TEMPERATURE: Final = 0.35
"""How unsure it is, as a share of the spread between the best and the worst command."""


def choose_easy(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Choose with odds that grow with the heuristic's rating (softmax)."""
    rates = game.rate(seen)
    best = max(rates)
    spread = (best - min(rates)) * TEMPERATURE or 1.0
    weights = [math.exp((rate - best) / spread) for rate in rates]
    at = rng.random() * sum(weights)
    for command, weight in zip(seen.commands, weights, strict=True):
        at -= weight
        if at < 0:
            return command
    return seen.commands[-1]
