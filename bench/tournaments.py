"""What a tournament costs: greedy bots in one process in memory, by layer, and on the real servers with workers.

The layers are processor time a table: the rules and bots alone; the log of the tables around them (commands, entries,
hashes, what each bot has seen); and the manager: lots, pairings, results, standings, marks, closing. Making a table is
counted with its log, as without a tournament somebody else would make it.
"""

import argparse
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from domain.bots import BOTS
from domain.chance import Secret
from domain.game import Seen
from domain.games import GAMES
from domain.tournament.commands import AddEntries, Create, NewEntry, Start
from domain.tournament.plan import Plan
from domain.values import Seat, Value
from service.application.closing import Closing
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.application.tournament_desk import TournamentDesk
from service.application.tournament_driving import Driver, Drives
from service.application.turns import Player
from service.store import MemoryStore

ENTRANTS = 16
ROUNDS = 3
SEATS = 4
CUP = "cup_bench"
GOAL_MS = 2.0
"""T3: what the manager may cost a table, in ms of processor time."""


class Layers(Value, frozen=True):
    """Seconds of processor time: all, and of it the manager's own."""

    tables: int
    whole: float
    manager: float


class Stopwatch:
    """Adds up processor time spent in some functions."""

    def __init__(self) -> None:
        self.spent = 0.0

    def on(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Give the function with its time measured."""

        def timed(*args: Any, **more: Any) -> Any:
            began = time.process_time()
            try:
                return function(*args, **more)
            finally:
                self.spent += time.process_time() - began

        return timed


def whole(game: str) -> Layers:
    """Play an event through desks, log, hashes and driver, in memory."""
    store = MemoryStore()
    tables = Desk(store, NoHints(), GAMES, os.urandom)
    desk = TournamentDesk(store, NoHints(), b"key", os.urandom, tables.now_ms)
    making, playing, closing = Stopwatch(), Stopwatch(), Stopwatch()
    tables.create = making.on(tables.create)  # type: ignore[method-assign]
    driver = Driver(desk, tables, store)
    player = Player(tables, Closing(store, [closing.on(driver.table_closed)]))
    player.play_on = playing.on(player.play_on)  # type: ignore[method-assign]
    drives = Drives(player, driver)
    plan = Plan("b", game, {}, "swiss", SEATS, rounds=ROUNDS)
    entries = tuple(NewEntry("ai", "bot", bot="greedy") for _ in range(ENTRANTS))
    began = time.process_time()
    desk.create(CUP, Create(plan, "boss", GAMES[game].seats, chosen_seed="b"), Attempt("make"))
    for number, command in enumerate((AddEntries(entries, "boss", bulk=True), Start("boss"))):
        desk.handle(CUP, lambda _, command=command: command, Attempt(str(number)))  # type: ignore[misc]
    while marks := store.due(100):
        for mark in marks:
            drives.play_on(mark.table, 0)
    spent = time.process_time() - began
    state = desk.get(CUP).state
    if state.status != "finished":
        raise SystemExit(f"the event of {game} did not end")
    manager = spent - playing.spent + closing.spent - making.spent
    return Layers(sum(len(one.tables) for one in state.rounds), spent, manager)


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


def real(game: str, workers: int, entrants: int) -> None:
    """Play an event on a server of its own that keeps everything, with so many workers, and say how long it took."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["run", "--port", str(port), "--data", folder, "--workers", str(workers)]
        server = subprocess.Popen(
            [sys.executable, "-m", "service.cli", *arguments],
            env={**os.environ, "STARLEDGER_RATE_LIMITS": "off"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            client = _client(base)
            wish = {
                "name": "b",
                "game": game,
                "format": "swiss",
                "seats_per_table": SEATS,
                "rounds": ROUNDS,
                "seed": "b",
            }
            cup = f"/v1/tournaments/{client.post('/v1/tournaments', json=wish).raise_for_status().json()['id']}"
            bots = [{"kind": "ai", "bot": "greedy"}] * entrants
            client.post(f"{cup}/entries/bulk", json={"entries": bots}).raise_for_status()
            began, busy = time.perf_counter(), _busy(server.pid)
            client.post(f"{cup}/start").raise_for_status()
            while client.get(cup).json()["status"] != "finished":
                time.sleep(0.1)
            wall, spent = time.perf_counter() - began, _busy(server.pid) - busy
            rounds = [client.get(f"{cup}/rounds/{number}").json() for number in range(1, ROUNDS + 1)]
            tables = sum(len(one["tables"]) for one in rounds)
        finally:
            server.terminate()
            server.wait(30)
    print(
        f"{game:16} {tables} tables, {workers} workers, every move on disk: {tables / wall:5.1f} tables/s of wall time, "
        f"{1000 * spent / tables:6.1f} ms of processor time a table in all processes"
    )


def _busy(server: int) -> float:
    """Give the seconds of processor time that a process and all below it have used (Linux; elsewhere 0)."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(path.parent.name)
        parents[process], ticks[process] = int(fields[1]), int(fields[11]) + int(fields[12])
    family = {server}
    while more := {process for process, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(ticks.get(process, 0) for process in family) / os.sysconf("SC_CLK_TCK")


def _client(base: str) -> httpx.Client:
    """Give a client of a server that is coming up, as a player of its own."""
    until = time.monotonic() + 60
    while True:
        try:
            made = httpx.post(f"{base}/v1/players", json={"name": "bench", "kind": "bot"}, trust_env=False)
        except httpx.TransportError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            token = made.raise_for_status().json()["token"]
            return httpx.Client(
                base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=30, trust_env=False
            )


def main() -> int:
    """Measure; ends with 1 where the manager costs more than it may."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--real", action="store_true", help="on real servers, with 1 and 2 workers")
    parser.add_argument("--entrants", type=int, default=64, help="of an event on real servers")
    args = parser.parse_args()
    slow = False
    for game in GAMES:
        if args.real:
            for workers in (1, 2):
                real(game, workers, args.entrants)
            continue
        found = min((whole(game) for _ in range(3)), key=lambda each: each.whole)
        alone = min(bare(game, found.tables) for _ in range(3))
        log = found.whole - found.manager - alone
        a_table = {name: 1000 * spent / found.tables for name, spent in
                   (("rules and bots", alone), ("log", log), ("manager", found.manager))}  # fmt: skip
        print(
            f"{game:16} {found.tables} tables of {SEATS} greedy bots: {60 * found.tables / found.whole:5.0f} tables a "
            f"minute and core; ms a table: " + ", ".join(f"{name} {ms:.1f}" for name, ms in a_table.items())
        )
        slow = slow or a_table["manager"] > GOAL_MS
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
