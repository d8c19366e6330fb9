"""A store and processes that run tournaments on it in memory, and are born anew whenever they were killed."""

import functools
import os
import random
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from domain.game import AnyGame
from domain.games import GAMES
from domain.history import canonical
from domain.tournament.commands import AddEntries, Create, NewEntry, Start, TournamentCommand
from domain.tournament.plan import Plan
from domain.tournament.standings import standings
from domain.tournament.state import Tournament
from service.application.closing import Closing
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.application.ports import Answer, Committed, Mark
from service.application.ratings import RatedPlayer, Ratings, rated_result
from service.application.tournament_desk import LiveTournament, TournamentDesk
from service.application.tournament_driving import Driver, Drives
from service.application.turns import Player
from service.store.memory import MemoryStore
from service.store.tournaments import MemoryRatedGames
from tests.support.high_card import HIGH_CARD

T = TypeVar("T")

CUP = "cup_test"
KEY = b"server key"
ALL_GAMES: Mapping[str, AnyGame] = {**GAMES, HIGH_CARD.name: HIGH_CARD}


class Killed(BaseException):
    """The process ended right after a write."""


class Deadly(MemoryStore):
    """Kills its process right after some of its writes, which it counts: new tables, entries, marks taken away.

    `fatal` tells for each write, by number from 1, whether it is the last thing that the process does.
    """

    def __init__(self, clock: Callable[[], int], fatal: Callable[[int], bool]) -> None:
        super().__init__(clock)
        self.fatal = fatal
        self.writes = 0
        self.deaths = 0

    def create(self, table: str, *args: Any, **more: Any) -> Answer:
        return self._killing(super().create(table, *args, **more))

    def commit(self, table: str, *args: Any, **more: Any) -> Answer:
        return self._killing(super().commit(table, *args, **more))

    def commit_all(self, table: str, *args: Any, **more: Any) -> Answer:
        return self._killing(super().commit_all(table, *args, **more))

    def clear(self, mark: Mark) -> bool:
        return self._killing(super().clear(mark))

    def _killing(self, answer: T) -> T:
        self.writes += isinstance(answer, Committed) or answer is True
        if (isinstance(answer, Committed) or answer is True) and self.fatal(self.writes):
            self.deaths += 1
            raise Killed
        return answer


class Process:
    """What one process holds; it knows nothing of the others but what the store says."""

    def __init__(self, world: "World") -> None:
        self.leases = world.lease_ms > 0
        self.tables = Desk(world.store, NoHints(), ALL_GAMES, os.urandom, lambda: world.now)
        self.desk = TournamentDesk(world.store, NoHints(), KEY, os.urandom, lambda: world.now)
        self.ratings = Ratings(world.kept)
        driver = Driver(self.desk, self.tables, world.store, self.ratings.tournament_game)
        closing = Closing(world.store, [self.ratings.table_closed, driver.table_closed])
        self.drives = Drives(Player(self.tables, closing, enough=world.enough), driver)


class World:
    """A store, and processes that are born anew whenever they were killed."""

    def __init__(
        self,
        fatal: Callable[[int], bool] = lambda _: False,
        workers: int = 1,
        enough: Callable[[], bool] = lambda: False,
        lease_ms: int = 0,
    ) -> None:
        """`lease_ms`: so long a mark rests once it was handed out, as with the relay; 0: it is due again at once."""
        self.now = 1_000_000
        self.enough = enough
        self.lease_ms = lease_ms
        self.store = Deadly(lambda: self.now, fatal)
        self.kept = MemoryRatedGames()
        self.processes = [Process(self) for _ in range(workers)]

    @property
    def desk(self) -> TournamentDesk:
        """The tournaments as the first process has them."""
        return self.processes[0].desk

    @property
    def tables(self) -> Desk:
        """The tables as the first process has them."""
        return self.processes[0].tables

    @property
    def ratings(self) -> Ratings:
        """The ratings as the first process has them."""
        return self.processes[0].ratings

    def surviving(self, step: Callable[[Process], Any], worker: int = 0) -> None:
        """Do something in a process; where that kills it, it is born anew and has done what it had done."""
        try:
            step(self.processes[worker])
        except Killed:
            self.processes[worker] = Process(self)

    def do(self, command: TournamentCommand, key: str) -> None:
        """Hand in a command as a client does: under its key until it is answered."""
        self.until_done(lambda: self.desk.handle(CUP, lambda _: command, Attempt(command_id=key)))

    def until_done(self, step: Callable[[], Any]) -> None:
        """Try again after each death."""
        while True:
            deaths = self.store.deaths
            self.surviving(lambda _: step())
            if deaths == self.store.deaths:
                return

    def make(self, plan: Plan, entries: tuple[NewEntry, ...], seed: str | None = "s") -> None:
        """Make a tournament, enter all, start it."""
        wish = Create(plan=plan, organiser="boss", seats=(2, 3, 4, 5, 6), chosen_seed=seed)
        self.until_done(lambda: self.desk.create(CUP, wish, Attempt(command_id="make")))
        self.do(AddEntries(entries, by="boss", bulk=True), "enter")
        self.do(Start(by="boss"), "start")

    def step(self, order: random.Random | None = None, *, doubled: bool = False) -> bool:
        """Do once what is due, by random processes in a random order if wished; tell whether there was anything."""
        marks = list(self.store.due(100))
        if order is not None:
            order.shuffle(marks)
        for mark in marks:
            if self.lease_ms:
                self.store.lease(mark, self.lease_ms)
            worker = 0 if order is None else order.randrange(len(self.processes))
            for _ in range(1 + doubled):
                self.surviving(functools.partial(_play_on, mark.table), worker)
        return bool(marks)

    def go_on(self, order: random.Random | None = None, *, doubled: bool = False) -> Tournament:
        """Do what is due until nothing is."""
        while self.step(order, doubled=doubled):
            pass
        return self.desk.get(CUP).state

    def numbers(self) -> bytes:
        """Give standings and ratings as bytes."""
        t = self.desk.get(CUP).state
        rows = [*standings(t), *self.ratings.of_game(t.plan.game)]
        return canonical([msgspec.to_builtins(row) for row in rows]).replace(b"-0.0", b"0.0")


def _play_on(table: str, process: Process) -> None:
    while process.drives.play_on(table, 0).why == "enough" and process.leases:
        pass


def ratings_anew(live: LiveTournament) -> tuple[RatedPlayer, ...]:
    """Give the ratings of a rated tournament from its log alone."""
    t, anew = live.state, MemoryRatedGames()
    for one in t.rounds:
        for pairing, leg, game in one.games():
            if game in one.results:
                anew.put(t.plan.game, rated_result(t, one, pairing, leg, live.recorded_ms[game]))
    return Ratings(anew).of_game(t.plan.game)
