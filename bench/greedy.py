"""One greedy player against random ones, in every game: its share of the wins with a 95 % interval.

    python bench/greedy.py [--games 400] [--game beam-me-up] [--seats 4] [--seed 1]

The greedy seat rotates. A shared win counts as its share, so three random players and chance alone give 1/seats.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Iterable

from domain.bots.greedy import choose_greedy
from domain.chance import RandomChance
from domain.game import AnyGame, Seen
from domain.games import GAMES
from domain.values import Event, Seat


def win_share(game: AnyGame, seats: int, greedy: Seat, seed: int) -> float:
    """Play one game with its default options and give the share of the win that the greedy seat gets."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    options = game.options()
    state = game.initial(options, seats)
    log: list[Event] = []

    def happened(events: Iterable[Event]) -> None:
        nonlocal state
        for event in events:
            state = game.evolve(state, event)
            log.append(game.redact(event, greedy))

    happened(game.deal(state, chance))
    while to_act := game.to_act(state):
        seat = to_act[0]
        commands = game.legal(state, seat)
        if seat == greedy:
            view = game.view(state, seat, over=False, shown=False)
            seen = Seen(options=options, seats=seats, seat=seat, view=view, commands=commands, log=tuple(log))
            command = choose_greedy(game, seen, rng)
        else:
            command = rng.choice(commands)
        happened(game.decide(state, seat, command, chance))
    verdict = game.verdict(state)
    best = max(verdict.ranks)
    return verdict.ranks.count(best) ** -1 if verdict.ranks[greedy] == best else 0.0


def main() -> None:
    """Print one line a game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400, help="how many games of each (default: 400)")
    parser.add_argument("--game", choices=sorted(GAMES), help="only this one")
    parser.add_argument("--seats", type=int, help="how many seats (default: as many as the game takes)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: 1)")
    asked = parser.parse_args()
    for game in [GAMES[asked.game]] if asked.game else GAMES.values():
        seats = asked.seats or max(game.seats)
        start = time.perf_counter()
        shares = [win_share(game, seats, Seat(i % seats), asked.seed + i) for i in range(asked.games)]
        mean = statistics.fmean(shares)
        half = 1.96 * statistics.stdev(shares) / math.sqrt(len(shares))
        print(
            f"{game.name}, {seats} seats: one greedy wins {100 * mean:.1f} % ± {100 * half:.1f} of {len(shares)} games "
            f"against random (even: {100 / seats:.0f} %), {time.perf_counter() - start:.0f} s"
        )


if __name__ == "__main__":
    main()
