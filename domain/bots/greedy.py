"""The bot `greedy`: the best command by the game's heuristic, the first of equals."""

from collections.abc import Sequence
from random import Random

from domain.game import AnyGame, Seen
from domain.values import Command


def choose_greedy(game: AnyGame, seen: Seen, rng: Random) -> Command:  # noqa: ARG001 - every bot has this shape
    """Choose the command that the heuristic rates highest."""
    return best_of(seen, game.rate(seen))


def best_of(seen: Seen, rates: Sequence[float]) -> Command:
    """Give the first of the commands that are rated highest."""
    return seen.commands[max(range(len(rates)), key=rates.__getitem__)]
