"""The bots `hard` and `expert`: the same search, for each game as far as it was found to pay (docs/bots-levels.md).

In Planet Pioneer `expert` follows a better heuristic, which no search of a like cost was found to make better.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from msgspec.structs import replace

from domain.bots.greedy import best_of
from domain.bots.search import Plan, choose_by_search
from domain.game import AnyGame, Seen
from domain.values import Command

ANY: Final = Plan(simulations=40, candidates=4, rounds=2)
"""For a game that nothing is known about; `expert` makes `MORE` times as many simulations."""
MORE: Final = 8
HARD: Final[Mapping[str, Plan]] = {
    "beam-me-up": Plan(simulations=8, candidates=2, rounds=2),
    "planet-pioneer": Plan(simulations=64, candidates=10, rounds=2, doubt=1.0),
    "universal-match": Plan(simulations=10, candidates=4, rounds=1),
}
"""By game, for any number of seats: it costs little."""
EXPERT: Final[Mapping[str, Plan]] = {
    "beam-me-up": Plan(simulations=200, candidates=8, rounds=5),
    "universal-match": Plan(simulations=240, candidates=12, rounds=2),
}
"""By game, for two seats: more simulations, and commands that the heuristic thinks little of are tried too."""


def choose_hard(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Search a little."""
    return choose_by_search(game, seen, rng, HARD.get(game.name, ANY))


def choose_expert(game: AnyGame, seen: Seen, rng: Random) -> Command:
    """Follow the game's better heuristic, where it has one; search more, where not."""
    if game.shrewd is not None:
        return best_of(seen, game.shrewd(seen))
    plan = EXPERT.get(game.name) or replace(ANY, simulations=ANY.simulations * MORE)
    return choose_by_search(game, seen, rng, at_seats(plan, seen.seats))


def at_seats(plan: Plan, seats: int) -> Plan:
    """Give the plan at a table of so many seats: as rounds are longer there, fewer simulations cost the same."""
    return replace(plan, simulations=max(1, plan.simulations * 2 // seats))
