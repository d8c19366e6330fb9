"""T4, T6: a tournament that is killed at every boundary ends as if nothing had been; nobody holds a round up."""

import os

import msgspec
import pytest

from domain.games import GAMES
from domain.history import Entry, canonical
from domain.tournament.commands import AddEntries, Cancel, Create, NewEntry, Start
from domain.tournament.plan import NoShow, Plan
from domain.tournament.standings import standings
from domain.tournament.state import Tournament
from service.application.closing import Closing
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.application.ports import Answer, Committed, Due, Head
from service.application.ratings import Ratings
from service.application.replaying import replayer
from service.application.stream_kinds import is_tournament
from service.application.tournament_desk import TournamentDesk
from service.application.tournament_driving import Driver, Drives
from service.application.turns import Player
from service.store.fsck import check_store
from service.store.memory import MemoryStore
from service.store.tournaments import MemoryRatedGames

CUP = "cup_test"
KEY = b"server key"


class Killed(BaseException):
    """The process ended right after a write."""


class Deadly(MemoryStore):
    """Kills its process after each write of a tournament, and after each table that is made."""

    def __init__(self, clock, *, deadly: bool) -> None:
        super().__init__(clock)
        self.deadly = deadly
        self.deaths = 0

    def create(self, table: str, entry: Entry, secret: bytes, due: Due | None, *, running: bool) -> Answer:
        return self._killing(super().create(table, entry, secret, due, running=running))

    def commit(self, table: str, expected: Head, entry: Entry, due: Due | None, *, running: bool) -> Answer:
        answer = super().commit(table, expected, entry, due, running=running)
        return self._killing(answer) if is_tournament(table) else answer

    def _killing(self, answer: Answer) -> Answer:
        if self.deadly and isinstance(answer, Committed):
            self.deaths += 1
            raise Killed
        return answer


class World:
    """A store, and processes that are born anew whenever they were killed."""

    def __init__(self, *, deadly: bool = False) -> None:
        self.now = 1_000_000
        self.store = Deadly(lambda: self.now, deadly=deadly)
        self.kept = MemoryRatedGames()
        self.be_born()

    def be_born(self) -> None:
        self.tables = Desk(self.store, NoHints(), GAMES, os.urandom, lambda: self.now)
        self.desk = TournamentDesk(self.store, NoHints(), KEY, os.urandom, lambda: self.now)
        self.ratings = Ratings(self.kept)
        self.driver = Driver(self.desk, self.tables, self.store, self.ratings.tournament_game)
        closing = Closing(self.store, [self.ratings.table_closed, self.driver.table_closed])
        self.drives = Drives(Player(self.tables, closing), self.driver)

    def do(self, command, key: str) -> None:
        try:
            self.desk.handle(CUP, lambda _: command, Attempt(command_id=key))
        except Killed:
            self.be_born()
            self.do(command, key)

    def make(self, plan: Plan, entries: tuple[NewEntry, ...], seed: str | None = "s") -> None:
        wish = Create(plan=plan, organiser="boss", seats=(2, 3, 4), chosen_seed=seed)
        try:
            self.desk.create(CUP, wish, Attempt(command_id="make"))
        except Killed:
            self.be_born()
            self.desk.create(CUP, wish, Attempt(command_id="make"))
        self.do(AddEntries(entries, by="boss", bulk=True), "enter")
        self.do(Start(by="boss"), "start")

    def go_on(self, *, doubled: bool = False) -> Tournament:
        """Do what is due until nothing is; `doubled`: everything twice."""
        while marks := self.store.due(100):
            for mark in marks:
                try:
                    self.drives.play_on(mark.table, 0)
                    if doubled:
                        self.drives.play_on(mark.table, 0)
                except Killed:
                    self.be_born()
        return self.desk.get(CUP).state

    def numbers(self) -> bytes:
        t = self.desk.get(CUP).state
        rows = [*standings(t), *self.ratings.of_game(t.plan.game)]
        return canonical([msgspec.to_builtins(row) for row in rows]).replace(b"-0.0", b"0.0")


def bots(count: int) -> tuple[NewEntry, ...]:
    return tuple(NewEntry("ai", f"bot {i}", bot=("random", "easy")[i % 2]) for i in range(count))


PLAN = Plan(
    name="Cup",
    game="beam-me-up",
    options={"earth_racer": False},
    format="swiss",
    seats_per_table=4,
    rounds=3,
    rated=True,
)


@pytest.fixture(scope="module")
def undisturbed() -> bytes:
    world = World()
    world.make(PLAN, bots(9))
    assert "finished" == world.go_on().status
    return world.numbers()


def test_t4_killed_at_every_boundary_the_standings_and_ratings_are_the_same_bytes(undisturbed):
    world = World(deadly=True)
    world.make(PLAN, bots(9))
    t = world.go_on()
    assert "finished" == t.status
    assert undisturbed == world.numbers()
    assert world.store.deaths > 15
    tables = [table for table in world.store.tables() if not is_tournament(table)]
    assert sorted(game for one in t.rounds for _, _, game in one.games()) == sorted(tables)
    assert [] == [fault for _, faults in check_store(world.store, None, replayer(GAMES)) for fault in faults]


def test_every_job_doubled_changes_nothing(undisturbed):
    world = World()
    world.make(PLAN, bots(9))
    world.go_on(doubled=True)
    assert undisturbed == world.numbers()


def test_t8_ratings_made_anew_are_the_same_to_the_last_bit(undisturbed):
    world = World()
    world.make(PLAN, bots(9))
    world.go_on()
    assert world.ratings.of_game("beam-me-up") == Ratings(world.kept).of_game("beam-me-up")


@pytest.mark.parametrize("policy", ["forfeit", "bot"])
def test_t6_who_does_not_sit_down_holds_nobody_up(policy):
    plan = msgspec.structs.replace(
        PLAN, seats_per_table=2, rounds=1, no_show=NoShow(grace=60, policy=policy, bot="random"), rated=True
    )
    world = World()
    world.make(plan, (NewEntry("player", "Ada", player="p_a"), NewEntry("ai", "bot", bot="random")), seed=None)
    assert "running" == world.go_on().status
    world.now += 59_000
    assert "running" == world.go_on().status
    world.now += 1_000
    t = world.go_on()
    assert "finished" == t.status
    (game,) = (game for _, _, game in t.rounds[0].games())
    assert {"forfeit": "aborted", "bot": "finished"}[policy] == world.tables.table(game).table.status
    assert () == world.ratings.of_game("beam-me-up")
    assert [] == [fault for _, faults in check_store(world.store, None, replayer(GAMES)) for fault in faults]


def test_a_cancelled_tournament_aborts_tables_that_never_began():
    world = World()
    players = tuple(NewEntry("player", name, player=f"p_{name}") for name in ("Ada", "Bo"))
    world.make(msgspec.structs.replace(PLAN, seats_per_table=2), players)
    t = world.go_on()
    (game,) = (game for _, _, game in t.rounds[0].games())
    world.do(Cancel(by="boss"), "cancel")
    world.go_on()
    assert "aborted" == world.tables.table(game).table.status
    assert world.store.mark(CUP) is None
