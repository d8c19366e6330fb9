"""The bots `hard` and `expert`: the same search, for each game as far as it was found to pay (docs/bots-levels.md)."""

from collections.abc import Mapping
from random import Random
from typing import Final

from domain.bots.search import Plan, choose_by_search
from domain.game import AnyGame, Seen
from domain.values import Command

ANY: Final = Plan(simulations=40, candidates=4, rounds=2)
"""For a game that nothing is known about."""
HARD: Final[Mapping[str, Plan]] = {
    "beam-me-up": Plan(simulations=60, candidates=5, rounds=5),
    "planet-pioneer": Plan(simulations=64, candidates=6, rounds=4),
    "universal-match": Plan(simulations=120, candidates=8, rounds=2),
}
"""By game."""
MORE: Final = 4
"""How many times the simulations of `hard` the bot `expert` makes."""


def choose_hard(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Search a little."""
    return choose_by_search(game, seen, rng, HARD.get(game.name, ANY))


def choose_expert(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Search more."""
    plan = HARD.get(game.name, ANY)
    return choose_by_search(game, seen, rng, Plan(plan.simulations * MORE, plan.candidates, plan.rounds, plan.doubt))
