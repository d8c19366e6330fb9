"""The bot `greedy`: the best command by the game's heuristic, the first of equals."""

from random import Random

from domain.game import AnyGame, Seen
from domain.values import Command


def choose_greedy(game: AnyGame, seen: Seen, rng: Random) -> Command:  # noqa: ARG001 - every bot has this shape
    """Choose the command that the heuristic rates highest."""
    rates = game.rate(seen)
    return seen.commands[max(range(len(rates)), key=rates.__getitem__)]
