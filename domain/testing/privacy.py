"""The two-world law: what a seat can't tell apart looks, answers and acts alike."""

import random
from collections.abc import Sequence
from typing import Any, Final

from domain.chance import RandomChance
from domain.testing.case import Case, expect
from domain.testing.commands import answer
from domain.testing.conservation import check_cards
from domain.testing.playing import by_rate, seen_by
from domain.testing.shapes import shape
from domain.values import PUBLIC, Command, Event, Seat, Value, Viewer

_ASKED: Final = 150
"""So many commands are asked for in both worlds."""
_FURTHER: Final = 40
"""How many decisions the other world is played on."""


def check_worlds(
    case: Case,
    options: Value,
    seats: int,
    state: Any,
    logs: Sequence[Sequence[Event]],
    tried: Sequence[Sequence[Command]],
    rng: random.Random,
) -> None:
    """For each seat another world that agrees with its log must be the same to that seat.

    `logs` are by seat what it saw, `tried` commands whose answers must be the same in both worlds.
    """
    game = case.game
    for number, log in enumerate(logs):
        seat = Seat(number)
        key = rng.random()
        other = game.resample(options, seats, seat, log, random.Random(key))  # noqa: S311 - a simulated table
        again = game.resample(options, seats, seat, list(log), random.Random(key))  # noqa: S311 - a simulated table
        expect(other == again, "`resample` gives two states with the same chance")
        check_cards(case, options, other)
        viewers: tuple[Viewer, ...] = (seat, PUBLIC)
        for viewer in viewers:
            one, two = (shape(game.view(world, viewer, over=False, shown=False)) for world in (state, other))
            expect(one == two, f"seat {seat} could tell another world by the view of {viewer}:\n{one}\n{two}")
        expect(game.to_act(state) == game.to_act(other), "another world has other seats to act")
        expect(game.legal(state, seat) == game.legal(other, seat), f"seat {seat} has other commands in another world")
        expect((game.outcome(state) is None) == (game.outcome(other) is None), "the game is over in one world only")
        for command in rng.sample(tried[seat], min(_ASKED, len(tried[seat]))):
            one, two = (answer(game, world, seat, command) for world in (state, other))
            expect(one == two, f"{command} of seat {seat} is answered {one} in one world and {two} in another")
        if seat in game.to_act(state):
            _check_choice(case, options, seats, seat, (state, other), log)
            _check_same_step(case, seat, state, other, rng.choice(game.legal(state, seat)))
        _check_playable(case, options, other, rng)


def _check_choice(
    case: Case, options: Value, seats: int, seat: Seat, worlds: tuple[Any, Any], log: Sequence[Event]
) -> None:
    game = case.game
    one, two = (game.default_move(world, seat) for world in worlds)
    expect(one == two, f"the default move of seat {seat} depends on what it can't see: {one}, {two}")
    seen, other = (seen_by(game, world, options, seats, seat, log) for world in worlds)
    rates = game.rate(seen)
    expect(len(rates) == len(seen.commands), f"`rate` gave {len(rates)} figures for {len(seen.commands)} commands")
    expect(all(rate - rate == 0 for rate in rates), f"`rate` gave a figure that is not finite: {rates}")
    expect(list(rates) == list(game.rate(other)), f"`rate` for seat {seat} depends on what it can't see")
    chosen = by_rate(game, seen, random.Random(0))  # noqa: S311 - the policy needs none
    expect(chosen in seen.commands, "the heuristic's best command is not listed")


def _check_same_step(case: Case, seat: Seat, state: Any, other: Any, command: Command) -> None:
    """The same command has the same public effect in both worlds, up to a card that chance turns up."""
    game = case.game
    one, two = (
        game.decide(world, seat, command, RandomChance(random.Random(1)))  # noqa: S311 - a simulated table
        for world in (state, other)
    )
    for first, second in zip(one, two, strict=False):
        left, right = shape(game.redact(first, PUBLIC)), shape(game.redact(second, PUBLIC))
        if case.revealing & {left["type"], right["type"]}:
            return
        expect(left == right, f"{command} causes {left} in one world and {right} in another")
    expect(len(one) == len(two), f"{command} causes {len(one)} events in one world and {len(two)} in another")


def _check_playable(case: Case, options: Value, state: Any, rng: random.Random) -> None:
    """Another world is a state as good as the real one: it can be played on and keeps its cards."""
    game = case.game
    chance = RandomChance(rng)
    for _ in range(_FURTHER):
        to_act = game.to_act(state)
        if not to_act:
            break
        seat = rng.choice(to_act)
        for event in game.decide(state, seat, rng.choice(game.legal(state, seat)), chance):
            state = game.evolve(state, event)
    check_cards(case, options, state)
