"""What a tournament costs: tables a minute of greedy bots, all in one process, against the bare loop of the rules."""

import random
import time
from typing import Any

from domain.bots import BOTS
from domain.chance import Secret
from domain.game import Seen
from domain.games import GAMES
from domain.tournament.commands import AddEntries, Create, NewEntry, Start
from domain.tournament.plan import Plan
from domain.values import Seat
from service.application.handle import Attempt
from service.bootstrap import in_memory
from service.config import load

ENTRANTS = 16
ROUNDS = 3
SEATS = 4


def whole(game: str) -> tuple[int, float]:
    """Play an event through desk, log, hashes and driver, in memory; gives tables and seconds of processor time."""
    services = in_memory(load({}))
    plan = Plan("b", game, {}, "swiss", SEATS, rounds=ROUNDS)
    desk = services.tournaments
    began = time.process_time()
    desk.create("cup_bench", Create(plan, "boss", GAMES[game].seats, chosen_seed="b"), Attempt("make"))
    entries = tuple(NewEntry("ai", "bot", bot="greedy") for _ in range(ENTRANTS))
    for number, command in enumerate((AddEntries(entries, "boss", bulk=True), Start("boss"))):
        desk.handle("cup_bench", lambda _, command=command: command, Attempt(str(number)))  # type: ignore[misc]
    state = desk.get("cup_bench").state
    if state.status != "finished":
        raise SystemExit(f"the event of {game} did not end")
    return sum(len(one.tables) for one in state.rounds), time.process_time() - began


def bare(game: str, tables: int) -> float:
    """Play as many tables by the rules alone, with the same bots; gives seconds of processor time."""
    rules = GAMES[game]
    options: Any = rules.options()
    began = time.process_time()
    for number in range(tables):
        chance = Secret(number.to_bytes(32, "big"), bytes(32)).chance("t", [None] * SEATS)
        state = rules.initial(options, SEATS)
        log = list(rules.deal(state, chance))
        for event in log:
            state = rules.evolve(state, event)
        rng = random.Random(number)
        seen_logs = {seat: [rules.redact(event, seat) for event in log] for seat in map(Seat, range(SEATS))}
        while seats := rules.to_act(state):
            seat = seats[0]
            commands = rules.legal(state, seat)
            view = rules.view(state, seat, over=False, shown=False)
            seen = Seen(options, SEATS, seat, view, commands, tuple(seen_logs[seat]))
            for event in rules.decide(state, seat, BOTS["greedy"](rules, seen, rng), chance):
                state = rules.evolve(state, event)
                for each, kept in seen_logs.items():
                    kept.append(rules.redact(event, each))
    return time.process_time() - began


if __name__ == "__main__":
    for name in GAMES:
        tables, seconds = whole(name)
        alone = bare(name, tables)
        print(
            f"{name:16} {tables} tables of {SEATS} greedy bots: {60 * tables / seconds:6.0f} tables a minute and core; "
            f"rules and bots alone take {alone / seconds:4.0%} of it, {1000 * (seconds - alone) / tables:6.1f} ms a table "
            "is log, hashes and driving"
        )
