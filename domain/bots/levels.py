"""The bots `hard` and `expert`: the same search, for each game as far as it was found to pay (docs/bots-levels.md)."""

from collections.abc import Mapping
from random import Random
from typing import Final

from msgspec.structs import replace

from domain.bots.search import Plan, choose_by_search
from domain.game import AnyGame, Seen
from domain.values import Command

ANY: Final = Plan(simulations=40, candidates=4, rounds=2)
"""For a game that nothing is known about."""
HARD: Final[Mapping[str, Plan]] = {
    "beam-me-up": Plan(simulations=100, candidates=5, rounds=5),
    "planet-pioneer": Plan(simulations=100, candidates=6, rounds=5),
    "universal-match": Plan(simulations=120, candidates=8, rounds=1, doubt=1.5),
}
"""By game, for two seats."""
MORE: Final = 4
"""How many times the simulations of `hard` the bot `expert` makes."""


def choose_hard(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Search a little."""
    return choose_by_search(game, seen, rng, plan_for(game.name, seen.seats, 1))


def choose_expert(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Search more."""
    return choose_by_search(game, seen, rng, plan_for(game.name, seen.seats, MORE))


def plan_for(game: str, seats: int, times: int) -> Plan:
    """Give the plan at a table of so many seats: as rounds are longer there, fewer simulations cost the same."""
    plan = HARD.get(game, ANY)
    return replace(plan, simulations=max(1, plan.simulations * times * 2 // seats))
