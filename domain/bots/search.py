"""A search for every game: each candidate is tried in the same imagined worlds, and the worse half falls out.

Sequential halving with common random numbers: a *world* is a state that agrees with all that the seat saw
(`Game.resample`); in it each candidate is played, then a few moves as the heuristic would take them, then the
standing is judged (`Game.evaluate`). The next world takes other hidden cards and another luck, the same for all
candidates. The budget is a number of simulations and never a time, so the move follows from what the seat has seen
and from the random numbers alone, on every machine.
"""

import math
from collections.abc import Sequence
from random import Random

from domain.bots.greedy import best_of
from domain.bots.imagined import imagine
from domain.game import AnyGame, Seen
from domain.luck import Luck
from domain.values import Command, Value


class Plan(Value, frozen=True):
    """How far a search goes.

    `simulations`: how often a candidate is tried in a world, in all; `candidates`: how many commands are tried, the
    best by the heuristic; `rounds`: for how many turns of each seat a simulation goes on; `doubt`: by how many
    standard errors another command must be better than the heuristic's best to be preferred.
    """

    simulations: int
    candidates: int
    rounds: int
    doubt: float = 0.5


class _Trial:
    """What came of one candidate in each world so far."""

    __slots__ = ("command", "place", "total", "worths")

    def __init__(self, command: Command, place: int) -> None:
        self.command = command
        self.place = place
        """By the heuristic, the best is 0."""
        self.total = 0.0
        self.worths: list[float] = []

    def add(self, worth: float) -> None:
        self.total += worth
        self.worths.append(worth)


def choose_by_search(game: AnyGame, seen: Seen, rng: Random, plan: Plan) -> Command:
    """Choose the command that does best in the worlds that agree with what the seat saw."""
    rates = game.rate(seen)
    if game.veils(seen):
        return best_of(seen, rates)
    ranked = sorted(range(len(rates)), key=lambda i: -rates[i])[: plan.candidates]
    trials = [_Trial(seen.commands[i], place) for place, i in enumerate(ranked)]
    if len(trials) == 1:
        return trials[0].command
    favourite, left = trials[0], trials
    stages = math.ceil(math.log2(len(trials)))
    for _ in range(stages):
        _try(game, seen, rng, plan, left, max(1, plan.simulations // (stages * len(left))))
        left = sorted(left, key=lambda trial: (-trial.total, trial.place))[: (len(left) + 1) // 2]
    best = left[0]
    return best.command if _is_better(best.worths, favourite.worths, plan.doubt) else favourite.command


def _try(game: AnyGame, seen: Seen, rng: Random, plan: Plan, trials: Sequence[_Trial], worlds: int) -> None:
    for _ in range(worlds):
        state = game.resample(seen.options, seen.seats, seen.seat, seen.log, rng)
        whole = imagine(game, seen.options, seen.seats, state, Luck(rng.getrandbits(48)))
        for trial in trials:
            world = whole.copy()
            world.play(seen.seat, trial.command)
            world.play_on(plan.rounds * seen.seats - 1)
            trial.add(lead(world.values(), seen.seat))


def lead(values: Sequence[float], seat: int) -> float:
    """Say how far a seat is ahead: of the best of the others by half, and by half of their mean."""
    others = [value for other, value in enumerate(values) if other != seat]
    return values[seat] - (max(others) + sum(others) / len(others)) / 2


def _is_better(one: Sequence[float], other: Sequence[float], doubt: float) -> bool:
    """Tell whether one did better than the other in the worlds that both were tried in, by so many standard errors."""
    gaps = [mine - theirs for mine, theirs in zip(one, other, strict=False)]
    mean = sum(gaps) / len(gaps)
    spread = sum((gap - mean) ** 2 for gap in gaps)
    return mean > doubt * math.sqrt(spread) / len(gaps)
