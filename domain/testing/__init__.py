"""The kit: laws that every game must keep, as plain functions that raise `AssertionError` with what is wrong.

For authors of a game, in this tree or outside:

    from domain.testing import Case, Zone, check_game

    CASE = Case(game=MY_GAME, zones=my_zones, options=(MyOptions(),))

    def test_the_laws():
        for seats in MY_GAME.seats:
            check_game(CASE, MY_GAME.options(), seats, seed=1)

`check_game` plays one game and asks every law of it; `check_facts` those of the record itself; `record_golden` and
`check_golden` keep logs that must fold to the same views for ever.
"""

import random
from typing import Any, Final

from domain.chance import RandomChance
from domain.testing.case import Case, Zone, expect
from domain.testing.codec import check_codec, check_redaction, check_round_trip, check_views
from domain.testing.commands import Vocabulary, check_commands, check_moves, probes, used_commands
from domain.testing.conservation import check_cards, check_no_leak
from domain.testing.ending import check_end, check_turns
from domain.testing.facts import check_facts
from domain.testing.golden import check_golden, record_golden
from domain.testing.playing import Played, Policy, at_random, by_rate, play
from domain.testing.privacy import check_worlds
from domain.values import PUBLIC, Seat, Value

MOMENTS: Final = 3
"""At so many moments of a game the costly laws are asked, besides its beginning and end and two of each phase."""


def check_game(case: Case, options: Value, seats: int, seed: int) -> Played:
    """Play one game by chance and heuristic, seat by seat, and ask every law of it; gives the game."""
    rng = random.Random(seed)  # noqa: S311 - a simulated table
    policies = [at_random if rng.random() < 1 / 2 else by_rate for _ in range(seats)]
    game = case.game

    def watch(state: Any) -> None:
        check_turns(game, state, seats)
        check_cards(case, options, state)
        check_moves(case, state)

    played = play(case, options, seats, RandomChance(rng), policies, rng, watch=watch)
    check_end(case, played)
    check_codec(case, played)
    check_no_leak(case, played)
    words = Vocabulary(game, options, seats, used_commands(case, played))
    for version in _moments(case, played, rng):
        step = played.steps[version - 1]
        check_redaction(case, step.events, options, seats)
        check_views(game, step.after, seats)
        tried = probes(game, step.after, seats, words, rng)
        check_commands(case, step.after, tried)
        logs = [played.log(version, game, Seat(seat)) for seat in range(seats)]
        check_worlds(case, options, seats, step.after, logs, tried, rng)
    return played


def _moments(case: Case, played: Played, rng: random.Random) -> list[int]:
    last = len(played.steps)
    phases: dict[object, list[int]] = {}
    for version, step in enumerate(played.steps, 1):
        phase = getattr(case.game.view(step.after, PUBLIC, over=False, shown=False), "phase", None)
        phases.setdefault(phase, []).append(version)
    of_phases = [version for versions in phases.values() for version in rng.sample(versions, min(2, len(versions)))]
    return sorted({1, last, *of_phases, *(rng.randint(1, last) for _ in range(MOMENTS))})


__all__ = [
    "Case",
    "Played",
    "Policy",
    "Zone",
    "at_random",
    "by_rate",
    "check_cards",
    "check_codec",
    "check_commands",
    "check_end",
    "check_facts",
    "check_game",
    "check_golden",
    "check_moves",
    "check_no_leak",
    "check_redaction",
    "check_round_trip",
    "check_turns",
    "check_views",
    "check_worlds",
    "expect",
    "play",
    "record_golden",
]
