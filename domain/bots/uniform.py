"""The bot `random`: any legal command, all alike."""

from random import Random

from domain.game import AnyGame, Seen
from domain.values import Command


def choose_random(game: AnyGame, seen: Seen, rng: Random) -> Command:  # noqa: ARG001 - every bot has this shape
    """Choose uniformly."""
    return seen.commands[rng.randrange(len(seen.commands))]
