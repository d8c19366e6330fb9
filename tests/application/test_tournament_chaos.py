"""T6: whatever players, processes and clocks do, every round closes by its deadline, or says what it waits for."""

import functools
import os
import random

import pytest
from msgspec import structs

from domain.clock import TurnClock
from domain.errors import Refusal
from domain.table import Table
from domain.table_rules import Play, TableCommand, TakeSeat
from domain.tournament.commands import Judge, NewEntry, Pause, Record, Resume, Withdraw
from domain.tournament.log import fold
from domain.tournament.plan import Format, NoShow, Plan
from domain.tournament.state import Tournament
from domain.tournament.waiting import blockers
from domain.values import Seat
from service.application.handle import Attempt
from service.application.present import is_revealed
from service.application.replaying import replayer
from service.application.stream_kinds import is_tournament
from service.store.fsck import check_store
from tests.domain.tournament.event import dice
from tests.support.cup import ALL_GAMES, CUP, World, ratings_anew
from tests.support.high_card import Show

RUNS = int(os.environ.get("STARLEDGER_CHAOS", "60"))
"""Random events; 10000 for a whole night."""
GRACE_S, MOVE_S, LATE_MS = 60, 30, 5_000
HABITS = ("there", "slow", "away")


def plan_of(rng: random.Random) -> Plan:
    format_: Format = rng.choice(["swiss", "swiss", "round_robin", "knockout", "gauntlet"])
    clock = rng.choice(
        [
            TurnClock(seconds=MOVE_S, on_expiry="default_move"),
            TurnClock(seconds=MOVE_S, on_expiry="resign"),
            TurnClock(seconds=MOVE_S, on_expiry="bot", bot="random"),
        ]
    )
    legs = rng.choice([1, 1, 2])
    return Plan(
        name="Chaos",
        game="high-card",
        options={},
        format=format_,
        seats_per_table=rng.choice([2, 3, 4]),
        rounds=rng.randint(1, 3) if format_ in ("swiss", "round_robin") else None,
        legs=legs,
        duplicate=legs == 1 and rng.random() < 0.3,
        clock=clock,
        no_show=NoShow(grace=GRACE_S, policy=rng.choice(["forfeit", "bot"]), bot="random", rated=rng.random() < 0.5),
        rated=True,
    )


class Chaos:
    """One event: who is there and who is not, what dies, what comes twice or late, where clocks jump."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.world = World(
            fatal=lambda _: rng.random() < 0.02,
            workers=rng.randint(1, 3),
            enough=lambda: rng.random() < 0.2,
            lease_ms=LATE_MS,
        )
        self.count = 0
        self.habits: dict[str, str] = {}
        entries: list[NewEntry] = []
        for number in range(rng.randint(2, 9)):
            if rng.random() < 0.5:
                entries.append(NewEntry("player", f"P{number}", player=f"p{number}"))
                self.habits[f"p{number}"] = rng.choice(HABITS)
            else:
                entries.append(NewEntry("ai", f"B{number}", bot="random"))
        self.world.make(plan_of(rng), tuple(entries), None)

    @property
    def t(self) -> Tournament:
        return self.world.desk.get(CUP).state

    def run(self) -> Tournament:
        for _ in range(600):
            while self.world.step(self.rng, doubled=self.rng.random() < 0.2):
                self.meddle()
            self.nobody_is_late()
            if self.t.status in ("finished", "cancelled") and not self.marks():
                return self.t
            self.meddle()
            self.players()
            self.world.now += self.rng.choice([0, 1_000, LATE_MS, 31_000])
            if self.rng.random() < 0.02:
                self.world.now += self.rng.choice([-90_000, 3_600_000])
        raise AssertionError(f"not over: {blockers(self.t, self.world.now)}")

    def marks(self) -> bool:
        return any(self.world.store.mark(stream) is not None for stream in self.world.store.tables())

    def nobody_is_late(self) -> None:
        """What was due five seconds ago has happened, or there is a reason with names."""
        t, now = self.t, self.world.now
        current = t.current
        if t.status in ("finished", "cancelled"):
            return
        reasons = blockers(t, now)
        assert reasons
        if current is None or not current.made:
            assert any(each.code in ("round_to_be_paired", "tables_to_be_made", "paused") for each in reasons)
            return
        assert current.missing() == next(each.names for each in reasons if each.code == "waiting_for_results")

    def players(self) -> None:
        current = self.t.current
        for _, _, game in () if current is None else current.games():
            try:
                table = self.world.tables.table(game).table
            except Refusal:
                continue
            for number, seat in enumerate(table.seats):
                who = seat.player or seat.reserved
                if (
                    who is None
                    or self.habits[who] == "away"
                    or (self.habits[who] == "slow" and self.rng.random() < 0.7)
                ):
                    continue
                if table.status == "open" and seat.kind == "open":
                    self.try_(game, TakeSeat(who), None)
                elif table.status == "playing" and Seat(number) in table.to_act and seat.driver is None:
                    self.try_(game, Play(Seat(number), Show()), Seat(number))

    def try_(self, game: str, command: TableCommand, seat: Seat | None) -> None:
        self.count += 1
        attempt = Attempt(command_id=f"try {self.count}")
        try:
            self.world.until_done(
                lambda: self.world.tables.handle(game, functools.partial(_wish, command, seat), attempt)
            )
        except Refusal:
            return

    def meddle(self) -> None:
        rng, t = self.rng, self.t
        self.count += 1
        games = [(game, len(pairing.entries)) for one in t.rounds for pairing, _, game in one.games()]
        try:
            if rng.random() < 0.02 and t.active:
                self.world.do(Withdraw(rng.choice(t.active), by="boss"), f"w{self.count}")
            if rng.random() < 0.02 and games:
                game, seats = rng.choice(games)
                result = structs.replace(dice(rng, seats), by="organiser", reason="seen")
                self.world.do(Judge(game, result, by="boss"), f"j{self.count}")
            if rng.random() < 0.02:
                self.world.do(Pause(by="boss"), f"p{self.count}")
            if rng.random() < 0.3 and t.status == "paused":
                self.world.do(Resume(by="boss"), f"r{self.count}")
            if rng.random() < 0.1 and t.rounds and t.rounds[0].results:
                game = rng.choice(list(t.rounds[0].results))
                version = self.world.desk.get(CUP).version
                self.world.do(Record(game, dice(rng, 2)), f"l{self.count}")  # late: the first one counts
                assert version == self.world.desk.get(CUP).version
        except Refusal:
            return


def _wish(command: TableCommand, seat: Seat | None, _: Table) -> tuple[TableCommand, Seat | None]:
    return command, seat


@pytest.mark.parametrize("seed", range(RUNS))
def test_t6_whatever_happens_every_round_closes_or_names_what_it_waits_for(seed):
    chaos = Chaos(seed)
    t = chaos.run()
    world = chaos.world
    games = [game for one in t.rounds for _, _, game in one.games()]
    assert len(set(games)) == len(games)
    assert set(games) == {table for table in world.store.tables() if not is_tournament(table)}
    assert all(one.closed for one in t.rounds)
    assert t == fold(CUP, world.desk.get(CUP).entries)
    assert t.secret is not None
    for game in games:
        table = world.tables.table(game).table
        assert table.status in ("finished", "aborted")
        assert table.status == "aborted" or is_revealed(table)
    assert ratings_anew(world.desk.get(CUP)) == world.ratings.of_game("high-card")
    assert [] == [fault for _, faults in check_store(world.store, None, replayer(ALL_GAMES)) for fault in faults]
