"""Games of bots for the laws: every decision as the bot saw it, and what its choice is.

`STARLEDGER_TIMES=100` asks the laws that count at so many times as many games; 1 is for every day.
"""

import hashlib
import os
import random
from typing import Any

import msgspec

from domain.bots import BOTS
from domain.chance import RandomChance
from domain.game import Seen
from domain.values import Seat

TIMES = int(os.environ.get("STARLEDGER_TIMES", "1"))


def seen_by(game, options, seats, state, seat, log):
    return Seen(
        options=options,
        seats=seats,
        seat=Seat(seat),
        view=game.view(state, Seat(seat), over=False, shown=False),
        commands=game.legal(state, Seat(seat)),
        log=tuple(log),
    )


def decisions(game, options, seats, seed, choose, most=100_000):
    """Play a game and give each decision: the state, what the seat saw, and what `choose` made of it."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = game.initial(options, seats)
    logs: list[list[Any]] = [[] for _ in range(seats)]

    def happened(events):
        nonlocal state
        for event in events:
            state = game.evolve(state, event)
            for seat, log in enumerate(logs):
                log.append(game.redact(event, Seat(seat)))

    happened(game.deal(state, chance))
    for _ in range(most):
        to_act = game.to_act(state)
        if not to_act:
            return
        seat = to_act[0]
        seen = seen_by(game, options, seats, state, seat, logs[seat])
        command = choose(game, seen, rng)
        yield state, seen, command
        happened(game.decide(state, seat, command, chance))  # raises where the command is not allowed


def bytes_of(seen):
    """What a bot is given, in bytes."""
    return msgspec.json.encode(seen)


def moves(game, level, seats, seed, count):
    """A digest of what a bot chooses at moments of a greedy game."""
    digest = hashlib.sha256()
    found = list(decisions(game, game.options(), seats, seed, BOTS["greedy"], 60))
    for place in range(0, len(found), max(1, len(found) // count)):
        _, seen, _ = found[place]
        digest.update(msgspec.json.encode(BOTS[level](game, seen, random.Random(place))))
    return digest.hexdigest()
