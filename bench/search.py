"""What thinking costs: processor time a move of the searching bots, and steps a second of the tables they search.

    python bench/search.py [--moves 40] [--game beam-me-up] [--seats 2 4] [--levels hard expert]

The positions are those of a game of greedy bots, every third one; a table's steps are decisions as the heuristic takes
them, on one core. The ratio sets them against the same steps by `decide` and `evolve` (`domain/bots/imagined.py`).
"""

import argparse
import random
import time
from collections.abc import Iterator

from domain.bots import BOTS
from domain.bots.imagined import ByTheRules, imagine
from domain.chance import RandomChance
from domain.game import AnyGame, Imagined, Seen
from domain.games import GAMES
from domain.luck import Luck
from domain.values import Event, Seat

EVERY = 3
STEPS = 12


def positions(game: AnyGame, seats: int, seed: int) -> Iterator[Seen]:
    """Give what the seats see in games of greedy bots, one after the other."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    options = game.options()
    while True:
        state = game.initial(options, seats)
        events = game.deal(state, chance)
        logs: list[list[Event]] = [[] for _ in range(seats)]
        number = 0
        while events:
            for event in events:
                state = game.evolve(state, event)
                for seat, log in enumerate(logs):
                    log.append(game.redact(event, Seat(seat)))
            to_act = game.to_act(state)
            if not to_act:
                break
            seat = to_act[0]
            view = game.view(state, seat, over=False, shown=False)
            seen = Seen(
                options=options,
                seats=seats,
                seat=seat,
                view=view,
                commands=game.legal(state, seat),
                log=tuple(logs[seat]),
            )
            number += 1
            if number % EVERY == 0:
                yield seen
            events = game.decide(state, seat, BOTS["greedy"](game, seen, rng), chance)


def thinking(game: AnyGame, seats: int, level: str, moves: int) -> list[float]:
    """Measure the processor time of so many moves, in ms, ascending."""
    times = []
    for number, seen in zip(range(moves), positions(game, seats, 1), strict=False):
        began = time.process_time()
        BOTS[level](game, seen, random.Random(number))
        times.append((time.process_time() - began) * 1000)
    return sorted(times)


def steps(game: AnyGame, seats: int, moves: int, *, fast: bool) -> float:
    """Measure how many decisions a second a table takes, worlds and all."""
    spent = 0.0
    for number, seen in zip(range(moves), positions(game, seats, 2), strict=False):
        began = time.process_time()
        state = game.resample(seen.options, seats, seen.seat, seen.log, random.Random(number))
        luck = Luck(number)
        table: Imagined = (
            imagine(game, seen.options, seats, state, luck)
            if fast
            else ByTheRules(game, seen.options, seats, state, luck)
        )
        table.play_on(STEPS)
        spent += time.process_time() - began
    return moves * STEPS / spent


def main() -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=40, help="moves of each level (default: 40)")
    parser.add_argument("--game", nargs="*", choices=sorted(GAMES), help="only these")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 4], help="numbers of seats (default: 2 4)")
    parser.add_argument("--levels", nargs="*", default=["hard", "expert"], choices=list(BOTS))
    asked = parser.parse_args()
    print("| game | seats | level | mean, ms of CPU | p50 | p95 | most |\n|---|---|---|---|---|---|---|")
    for name in asked.game or GAMES:
        for seats in asked.seats:
            for level in asked.levels:
                times = thinking(GAMES[name], seats, level, asked.moves)
                middle, high = times[len(times) // 2], times[int(len(times) * 0.95)]
                mean = sum(times) / len(times)
                print(
                    f"| {name} | {seats} | {level} | {mean:.1f} | {middle:.1f} | {high:.1f} | {times[-1]:.1f} |",
                    flush=True,
                )
    print("\n| game | seats | steps/s | by the rules | ratio |\n|---|---|---|---|---|")
    for name in asked.game or GAMES:
        for seats in asked.seats:
            quick, slow = (steps(GAMES[name], seats, asked.moves, fast=fast) for fast in (True, False))
            print(f"| {name} | {seats} | {quick:,.0f} | {slow:,.0f} | {quick / slow:.1f} |", flush=True)


if __name__ == "__main__":
    main()
