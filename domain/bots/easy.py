"""The bot `easy`: knows what is good, but is not sure of it."""

import math
from random import Random
from typing import Final

from domain.game import AnyGame, Seen
from domain.values import Command

CANDIDATES: Final = 6
"""So many of the best commands it chooses from: it makes no move that is plainly silly."""
TEMPERATURE: Final = 0.5
"""How unsure it is, as a share of the spread between the best and the worst of them."""


def choose_easy(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Choose one of the better commands with odds that grow with the heuristic's rating (softmax)."""
    rates = game.rate(seen)
    ranked = sorted(range(len(rates)), key=lambda i: -rates[i])[:CANDIDATES]
    best = rates[ranked[0]]
    spread = (best - rates[ranked[-1]]) * TEMPERATURE or 1.0
    weights = [math.exp((rates[i] - best) / spread) for i in ranked]
    at = rng.random() * sum(weights)
    for i, weight in zip(ranked, weights, strict=True):
        at -= weight
        if at < 0:
            return seen.commands[i]
    return seen.commands[ranked[-1]]
