"""T4, T5, T6, T8: kills, doubled jobs, many workers and absent players change nothing and hold nobody up."""

import functools
import itertools
import operator
import os
import random
from fractions import Fraction

import msgspec
import pytest

from domain.table_rules import TakeSeat
from domain.tournament.commands import Cancel, Judge, NewEntry, PairRound
from domain.tournament.events import AbsenceNoted, Result
from domain.tournament.log import applied, decode
from domain.tournament.plan import Crowd, NoShow, Plan, Sprt
from domain.tournament.sprt import LEAST_BLOCKS, blocks
from domain.tournament.standings import standings
from service.application.handle import Attempt
from service.application.replaying import replayer
from service.application.stream_kinds import is_tournament
from service.application.tournament_driving import Driver
from service.store.fsck import Fault, check_store
from tests.support.cup import ALL_GAMES, CUP, World, ratings_anew

EVERY = int(os.environ.get("STARLEDGER_EVERY_BOUNDARY", "7"))
"""A run dies at every so many boundaries; 1: at each of them."""


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
QUICK = msgspec.structs.replace(PLAN, game="high-card", options={}, rounds=5)
ENTRIES = bots(16)


def faults(world: World) -> list[Fault]:
    return [fault for _, faults in check_store(world.store, None, replayer(ALL_GAMES)) for fault in faults]


def games_of(world: World) -> list[str]:
    return sorted(game for one in world.desk.get(CUP).state.rounds for _, _, game in one.games())


@pytest.fixture(scope="module")
def undisturbed() -> World:
    world = World()
    world.make(QUICK, ENTRIES)
    assert "finished" == world.go_on().status
    return world


def test_t4_killed_at_many_boundaries_of_real_games_the_numbers_are_the_same_bytes():
    plan = msgspec.structs.replace(PLAN, game="planet-pioneer", options={}, rounds=2)
    whole, cut = World(), World(fatal=lambda write: write % 7 == 0 or write < 20)
    for world in (whole, cut):
        world.make(plan, bots(7))
        assert "finished" == world.go_on().status
    assert cut.store.deaths > 20
    assert whole.numbers() == cut.numbers()
    assert games_of(cut) == sorted(table for table in cut.store.tables() if not is_tournament(table))
    assert [] == faults(cut)


def test_t4_killed_once_at_any_boundary_nothing_is_lost_and_nothing_doubled(undisturbed):
    wanted, whole = undisturbed.numbers(), undisturbed.store.writes
    assert whole > 80
    for boundary in range(1, whole + 1, EVERY):
        world = World(fatal=functools.partial(operator.eq, boundary))
        world.make(QUICK, ENTRIES)
        world.go_on()
        assert 1 == world.store.deaths
        assert wanted == world.numbers(), boundary
        assert games_of(undisturbed) == sorted(table for table in world.store.tables() if not is_tournament(table))


def test_every_job_doubled_changes_nothing(undisturbed):
    world = World()
    world.make(QUICK, ENTRIES)
    world.go_on(doubled=True)
    assert undisturbed.numbers() == world.numbers()
    assert undisturbed.desk.get(CUP).version == world.desk.get(CUP).version


@pytest.mark.parametrize("workers", [1, 2, 4, 8])
def test_t5_the_numbers_are_the_same_bytes_for_any_workers_and_any_order_of_ends(undisturbed, workers):
    for seed in range(3):
        order = random.Random(f"{workers} {seed}")
        world = World(workers=workers, enough=functools.partial(_sometimes, order))
        world.make(QUICK, ENTRIES)
        world.go_on(order)
        assert undisturbed.numbers() == world.numbers()


def _sometimes(order: random.Random) -> bool:
    return order.random() < 0.2


def test_the_past_of_a_tournament_is_the_fold_of_its_entries_in_whatever_order_it_is_looked_at(undisturbed):
    live = undisturbed.desk.get(CUP)
    versions = random.Random(1).choices(range(1, live.version + 1), k=40)
    for version in versions:
        wanted = applied(CUP, None, decode(live.entries[0].events))
        for entry in live.entries[1:version]:
            wanted = applied(CUP, wanted, decode(entry.events))
        assert wanted == live.at(version)
        assert standings(wanted) == live.standings(version) == live.standings(version)


def test_t8_ratings_made_anew_from_the_streams_are_the_same_to_the_last_bit(undisturbed):
    world = undisturbed
    live = world.desk.get(CUP)
    table = live.state.rounds[2].tables[0].games[0]
    before = world.ratings.of_game("high-card")

    assert before == ratings_anew(live)
    old = live.state.rounds[2].results[table]
    places = tuple(reversed(old.places)) if old.places != old.places[::-1] else (1, 2, 3, 4)
    world.do(Judge(table, Result(places=places, by="organiser", reason="miscounted"), by="boss"), "correct")
    world.go_on()
    assert before != world.ratings.of_game("high-card") == ratings_anew(live)
    world.do(Judge(table, old, by="boss"), "restore")
    world.go_on()
    assert before == world.ratings.of_game("high-card") == ratings_anew(live)


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
    assert [] == faults(world)


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


def test_the_log_holds_no_event_twice(undisturbed):
    events = [event for entry in undisturbed.desk.get(CUP).entries for event in decode(entry.events)]
    assert len(events) == len({repr(event) for event in events})


def test_a_sequential_test_stops_as_soon_as_it_knows():
    plan = msgspec.structs.replace(
        QUICK,
        format="round_robin",
        seats_per_table=2,
        legs=2,
        rounds=400,
        duplicate=True,
        entrants=Crowd(2, 2),
        sprt=Sprt(elo0=0, elo1=60),
    )
    world = World()
    world.make(plan, bots(2))
    t = world.go_on()
    # Both sides of the same deal, and nothing to choose: every block is a tie.
    assert {Fraction(1, 2)} == set(blocks(t))
    assert ("sprt_h0", LEAST_BLOCKS) == (t.ended, len(t.rounds))
    assert t.secret is not None


NO_SHOW = msgspec.structs.replace(
    QUICK, seats_per_table=3, rounds=1, no_show=NoShow(grace=60, policy="bot", bot="random"), clock=None
)
PLAYERS = tuple(NewEntry("player", name, player=f"p_{name}") for name in ("Ada", "Bo", "Cy"))


@pytest.mark.parametrize("policy", ["forfeit", "bot"])
def test_who_was_absent_is_noted_and_not_rated_whatever_write_was_the_last_of_a_process(policy):
    plan = msgspec.structs.replace(NO_SHOW, no_show=NoShow(grace=60, policy=policy, bot="random"))
    last = itertools.count(1)
    for fatal in last:
        world = World(fatal=fatal.__eq__)
        world.make(plan, (*PLAYERS[:2], *bots(1)), seed=None)
        world.go_on()
        world.now += 60_000
        t = world.go_on()
        (game,) = (game for _, _, game in t.rounds[0].games())
        assert ("finished", (game,)) == (t.status, t.rounds[0].absences), fatal
        assert () == world.ratings.of_game("high-card"), fatal
        noted = [
            event.entries
            for entry in world.desk.get(CUP).entries
            for event in decode(entry.events)
            if isinstance(event, AbsenceNoted)
        ]
        assert [{"e1", "e2"}] == [{*entries} for entries in noted], fatal
        if not world.store.deaths:
            break
    assert fatal > 8


def test_a_player_who_sits_down_while_bots_take_the_seats_of_the_absent_holds_nobody_up(monkeypatch):
    world = World()
    world.make(NO_SHOW, PLAYERS, seed=None)
    t = world.go_on()
    (game,) = (game for _, _, game in t.rounds[0].games())
    seats = t.rounds[0].tables[0].seats(0)
    late = t.entrants[seats[0]].player
    assert late
    fill = Driver._fill

    def sits_down_first(driver, *given):
        attempt = Attempt(command_id="late")
        world.tables.handle(game, lambda _: (TakeSeat(late), None), attempt)
        return fill(driver, *given)

    monkeypatch.setattr(Driver, "_fill", sits_down_first)
    world.now += 60_000
    world.go_on()
    table = world.tables.table(game).table
    assert ["player", "ai", "ai"] == [seat.kind for seat in table.seats]
    assert "playing" == table.status
    noted = [
        {*event.entries}
        for entry in world.desk.get(CUP).entries
        for event in decode(entry.events)
        if isinstance(event, AbsenceNoted)
    ]
    assert [{*seats[1:]}] == noted


def test_the_time_to_sit_down_begins_when_the_tables_are_there():
    world = World()
    world.make(NO_SHOW, PLAYERS, seed=None)
    world.do(PairRound(1), "pair")
    world.now += 3_600_000
    t = world.go_on()
    assert () == t.rounds[0].absences
    world.now += 60_000
    assert 1 == len(world.go_on().rounds[0].absences)


@pytest.mark.parametrize("when", ["before its table stands", "while it waits", "with its round"])
def test_a_table_whose_game_is_judged_waits_for_nobody(when):
    """It is there, since its address has been told, and ends at the next step of the tournament."""
    world = World()
    world.make(msgspec.structs.replace(NO_SHOW, seats_per_table=2, rounds=2), PLAYERS[:2] + bots(2), seed=None)
    world.do(PairRound(1), "pair")
    if when != "before its table stands":
        world.go_on()
    games = [(game, len(pairing.entries)) for pairing, _, game in world.desk.get(CUP).state.rounds[0].games()]
    judged = games if when == "with its round" else games[:1]
    for game, seats in judged:
        result = Result(places=tuple(range(1, seats + 1)), by="organiser", reason="agreed")
        world.do(Judge(game, result, by="boss"), f"judge {game}")
    world.go_on()
    world.now += 60_000
    world.go_on()
    for game, _ in games:
        assert world.tables.table(game).table.status in ("aborted", "finished")
    assert len(world.desk.get(CUP).state.rounds) > 1


def test_a_table_of_a_tournament_waits_for_its_players_longer_than_one_that_nobody_starts():
    week = 7 * 24 * 3600
    world = World()
    plan = msgspec.structs.replace(NO_SHOW, no_show=NoShow(grace=2 * week))
    world.make(plan, PLAYERS, seed=None)
    world.go_on()
    world.now += week * 1000 + 1
    assert "running" == world.go_on().status
    world.now += week * 1000
    assert "finished" == world.go_on().status
