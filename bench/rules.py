"""How fast the rules are: random and greedy play and folding, for each game and number of seats, on one core.

Run: `python bench/rules.py [--seconds S] [--game NAME]`. A decision is what the one door does without a store: list what is
legal, choose, decide, apply. The floor of each row is the same loop over a rule that does nothing but make one
event and one state (what immutable values cost by themselves); the ratio says how much of it the rules leave.

Seconds are those that the processor spent on this, so that what else runs on the machine counts little.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator

import msgspec

from domain.bots import BOTS
from domain.chance import RandomChance
from domain.game import AnyGame, Seen
from domain.games import GAMES
from domain.options import parse_options
from domain.values import Event, Seat, Value


class _State(Value, frozen=True):
    turn: int
    parts: tuple[int, ...]


class _Done(Event, frozen=True, tag="done"):
    seat: int


def _floor(seconds: float) -> float:
    """Decisions a second of a game without rules."""
    rng = random.Random(0)
    state, count, end = _State(0, tuple(range(8))), 0, time.process_time() + seconds
    while time.process_time() < end:
        for _ in range(1_000):
            legal = (0, 1, 2, 3, 4)
            event = _Done(legal[rng.randrange(5)])
            state = msgspec.structs.replace(state, turn=state.turn + event.seat)
        count += 1_000
    return count / seconds


def _games(game: AnyGame, seats: int, choose: Callable[..., object], rng: random.Random) -> Iterator[list[Event]]:
    chance = RandomChance(rng)
    options = parse_options(game.options, {})
    while True:
        state = game.initial(options, seats)
        log = list(game.deal(state, chance))
        for event in log:
            state = game.evolve(state, event)
        while to_act := game.to_act(state):
            seat = to_act[0]
            command = choose(game, state, seat, options, seats, rng)
            for event in game.decide(state, seat, command, chance):
                state = game.evolve(state, event)
                log.append(event)
            yield []
        yield log


def _random(game: AnyGame, state: Value, seat: Seat, _options: Value, _seats: int, rng: random.Random) -> object:
    commands = game.legal(state, seat)
    return commands[rng.randrange(len(commands))]


def _greedy(game: AnyGame, state: Value, seat: Seat, options: Value, seats: int, rng: random.Random) -> object:
    view = game.view(state, seat, over=False, shown=False)
    seen = Seen(options=options, seats=seats, seat=seat, view=view, commands=game.legal(state, seat), log=())
    return BOTS["greedy"](game, seen, rng)


def _play(game: AnyGame, seats: int, choose: Callable[..., object], seconds: float) -> tuple[float, float, list[Event]]:
    decisions, finished, last = 0, 0, []
    end = time.process_time() + seconds
    start = time.process_time()
    for log in _games(game, seats, choose, random.Random(1)):
        if log:
            finished, last = finished + 1, log
            if time.process_time() > end:
                break
        else:
            decisions += 1
    spent = time.process_time() - start
    return decisions / spent, finished / spent, last


def _fold(game: AnyGame, seats: int, log: list[Event], seconds: float) -> float:
    options = parse_options(game.options, {})
    events, end = 0, time.process_time() + seconds
    start = time.process_time()
    while time.process_time() < end:
        state = game.initial(options, seats)
        for event in log:
            state = game.evolve(state, event)
        events += len(log)
    return events / (time.process_time() - start)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--game", choices=sorted(GAMES))
    wanted = parser.parse_args()
    floor = _floor(wanted.seconds)
    print(f"floor: {floor:,.0f} decisions/s of a game without rules\n")
    print(
        "| game | seats | random decisions/s | of the floor | random games/s | greedy decisions/s | greedy games/s | folded events/s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, game in GAMES.items():
        for seats in game.seats if wanted.game in (None, name) else ():
            decisions, games, log = _play(game, seats, _random, wanted.seconds)
            greedy, greedy_games, _ = _play(game, seats, _greedy, wanted.seconds)
            folded = _fold(game, seats, log, wanted.seconds)
            print(
                f"| {name} | {seats} | {decisions:,.0f} | {decisions / floor:.2f} | {games:,.1f} | {greedy:,.0f} "
                f"| {greedy_games:,.1f} | {folded:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
