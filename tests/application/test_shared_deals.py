"""Duplicate deals: what would tell a deal is nowhere before its last table has ended (fairness.md 5)."""

import functools
import random
from collections import defaultdict
from collections.abc import Mapping

import msgspec
import pytest

from domain.errors import Refusal
from domain.history import Entry
from domain.log import decode_events
from domain.record import lines_of
from domain.table import Table
from domain.table_events import DealRevealed, TableFinished
from domain.table_rules import Play, TableCommand, TakeSeat, Wish
from domain.tournament.commands import Cancel, Judge, NewEntry
from domain.tournament.events import Result
from domain.tournament.plan import Plan
from domain.values import ALL, PUBLIC, Seat
from domain.verify import verify
from service.application.handle import Attempt
from service.application.live import Live
from service.application.present import is_revealed, table_shown, view_of, viewer_for
from service.application.records import record_of
from service.application.replaying import replayer
from service.application.sequels import fork_wish
from service.store.fsck import check_store
from tests.support.cup import ALL_GAMES, CUP, World
from tests.support.high_card import HIGH_CARD, Show

PLAN = Plan(
    name="Cup", game="high-card", options={}, format="swiss", seats_per_table=4, rounds=3, legs=4, duplicate=True
)


def bots(count: int) -> tuple[NewEntry, ...]:
    return tuple(NewEntry("ai", f"bot {i}", bot="random") for i in range(count))


def players(count: int) -> tuple[NewEntry, ...]:
    return tuple(NewEntry("player", f"P{i}", player=f"p{i}") for i in range(count))


def by_deal(world: World) -> Mapping[str, list[Live]]:
    """Give all tables that there are, by their deals."""
    found: dict[str, list[Live]] = defaultdict(list)
    for one in world.desk.get(CUP).state.rounds:
        for _, _, game in one.games():
            if any(entry for entry in world.store.read(game, 0, 1)):
                live = world.tables.table(game)
                found[str(live.table.deal)].append(live)
    return found


def has_ended(world: World, deal: str) -> bool:
    t = world.desk.get(CUP).state
    _, number, turn = deal.split("/")
    one = t.rounds[int(number) - 1]
    games = [game for pairing, leg, game in one.games() if leg // len(pairing.entries) == int(turn) - 1]
    tables = [world.tables.table(game).table if world.store.read(game, 0, 1) else None for game in games]
    return all(table is not None and table.status in ("finished", "aborted") for table in tables)


def secrets_of(world: World, live: Live) -> list[str]:
    stream = world.store.load(live.id)
    assert stream is not None
    return [stream.secret[1:33].hex(), stream.secret[33:65].hex(), world.desk.get(CUP).secret.secret.hex()]


def assert_withheld(world: World, live: Live) -> None:
    """Nothing that anybody is shown tells the deal: no secret, no hidden card, no record, no fork."""
    table = live.table
    assert table.secret is None
    assert not is_revealed(table)
    shown = b"".join(
        [
            msgspec.json.encode(table_shown(live, table, live.version, PUBLIC, None, lambda _: {})),
            *(entry.events for entry in live.entries),
        ]
    ).decode()
    cup = b"".join(entry.events for entry in world.desk.get(CUP).entries).decode()
    for secret in secrets_of(world, live):
        assert secret not in shown
        assert secret not in cup
    assert '"seed_withheld_until":"' + str(table.deal) in shown
    for eyes in ("all", "0", "1"):
        with pytest.raises(Refusal) as refused:
            viewer_for(table, None, eyes)
        assert "perspective_not_allowed" == refused.value.code
    for refusing in (
        lambda: record_of(live, lambda _: {}),
        lambda: fork_wish(live, 1, (Wish("open"),) * len(table.seats), "x"),
    ):
        with pytest.raises(Refusal) as refused:
            refusing()
        assert "table_not_finished" == refused.value.code
    if table.status == "finished":
        (finished,) = (event for event in _events(live.entries) if isinstance(event, TableFinished))
        assert (None,) * len(table.seats) == finished.hands


def _events(entries: list[Entry]):
    return [event for entry in entries for event in decode_events(HIGH_CARD, entry.events)]


@pytest.mark.parametrize("seed", range(6))
def test_a_deal_is_nowhere_before_its_last_table_has_ended_and_everywhere_then(seed):
    order = random.Random(seed)
    world = World(
        fatal=lambda _: seed % 2 and order.random() < 0.05, workers=1 + seed, enough=lambda: order.random() < 0.4
    )
    world.make(PLAN, bots(8 if seed % 2 else 11), seed=None)
    withheld = 0
    while world.step(order):
        for deal, tables in by_deal(world).items():
            if not has_ended(world, deal):
                withheld += sum(live.table.status == "finished" for live in tables)
                for live in tables:
                    assert_withheld(world, live)
    assert withheld > 20
    t = world.desk.get(CUP).state
    assert "finished" == t.status
    assert world.desk.get(CUP).secret.secret.hex() == t.secret
    for tables in by_deal(world).values():
        assert 1 == len({live.table.secret for live in tables})
        for live in tables:
            assert is_revealed(live.table)
            assert isinstance(_events(live.entries)[-1], DealRevealed)
            assert ALL == viewer_for(live.table, None, "all")
            verify(lines_of(record_of(live, lambda _: {})), ALL_GAMES)
        size = max(len(live.table.seats) for live in tables)
        hands = {view_of(live.table, ALL).cards for live in tables if len(live.table.seats) == size}
        assert 1 == len(hands)
    assert [] == [fault for _, faults in check_store(world.store, None, replayer(ALL_GAMES)) for fault in faults]


def test_seats_go_round_on_the_same_deal_so_that_all_have_had_each_hand():
    world = World()
    world.make(msgspec.structs.replace(PLAN, rounds=1), bots(4), seed=None)
    t = world.go_on()
    (pairing,) = t.rounds[0].tables
    dealt = defaultdict(set)
    for leg, game in enumerate(pairing.games):
        for entry, card in zip(pairing.seats(leg), view_of(world.tables.table(game).table, ALL).cards, strict=True):
            dealt[entry].add(card)
    assert 4 == len(dealt)
    assert 1 == len({frozenset(cards) for cards in dealt.values()})


def test_players_may_enter_only_where_nobody_is_dealt_the_same_twice_or_can_work_it_out():
    for plan, seed in ((PLAN, None), (msgspec.structs.replace(PLAN, legs=1), "s")):
        world = World()
        with pytest.raises(Refusal) as refused:
            world.make(plan, players(4), seed)
        assert "Only built-in bots" in str(refused.value.errors)


def sit_and_play(world: World, game: str, *, until: int | None = None) -> None:
    for seat in world.tables.table(game).table.seats:
        if seat.kind == "open" and seat.reserved is not None:
            take = TakeSeat(seat.reserved)
            world.tables.handle(game, functools.partial(_wish, take, None), Attempt(f"{game}{seat.reserved}"))
    for number in range(len(world.tables.table(game).table.seats))[:until]:
        play = Play(Seat(number), Show())
        world.tables.handle(game, functools.partial(_wish, play, Seat(number)), Attempt(f"{game}-{number}"))


def _wish(command: TableCommand, seat: Seat | None, _: Table) -> tuple[TableCommand, Seat | None]:
    return command, seat


def test_players_see_no_other_table_of_their_deal_before_it_is_over():
    world = World()
    world.make(msgspec.structs.replace(PLAN, legs=1, rounds=1), players(8), seed=None)
    t = world.go_on()
    first, second = (table for table in t.rounds[0].tables)
    sit_and_play(world, first.games[0])
    sit_and_play(world, second.games[0], until=3)
    world.go_on()
    played, live = (world.tables.table(table.games[0]) for table in (first, second))
    assert ("finished", "playing") == (played.table.status, live.table.status)
    for stranger in (None, "p_none", live.table.seats[0].player):
        for eyes in (None, PUBLIC, ALL, "0"):
            with pytest.raises(Refusal):
                viewer_for(played.table, stranger, eyes)
    own = played.table.seats[2].player
    assert Seat(2) == viewer_for(played.table, own, None)
    with pytest.raises(Refusal):
        viewer_for(played.table, own, ALL)
    sit_and_play(world, second.games[0])
    world.go_on()
    for table in (first, second):
        assert ALL == viewer_for(world.tables.table(table.games[0]).table, None, ALL)


def test_a_table_of_bots_alone_shows_nobody_a_deal_that_people_play_elsewhere():
    world = World()
    world.make(msgspec.structs.replace(PLAN, legs=1, rounds=1), (*players(2), *bots(10)), seed=None)
    games = [game for _, _, game in world.go_on().rounds[0].games()]
    tables = [world.tables.table(game).table for game in games]
    alone = [table for table in tables if all(seat.kind == "ai" for seat in table.seats)]
    assert alone
    for table in alone:
        for looker in (None, "p0", "p1", "p_none"):
            for eyes in (None, PUBLIC, ALL, "0"):
                with pytest.raises(Refusal):
                    viewer_for(table, looker, eyes)
    for game in games:
        for seat in world.tables.table(game).table.seats:
            if seat.reserved is not None:
                take = TakeSeat(seat.reserved)
                world.tables.handle(game, functools.partial(_wish, take, None), Attempt(f"{game}{seat.reserved}"))
    world.go_on()
    for game in games:
        while (live := world.tables.table(game)).table.status == "playing":
            play = Play(live.table.to_act[0], Show())
            world.tables.handle(game, functools.partial(_wish, play, play.seat), Attempt(f"{game}{live.version}"))
    world.go_on()
    for game in games:
        assert PUBLIC == viewer_for(world.tables.table(game).table, None, None)
        assert ALL == viewer_for(world.tables.table(game).table, None, ALL)


def test_tables_of_bots_alone_are_watched_where_nobody_else_plays_their_deal():
    world = World(enough=lambda: True)
    world.make(msgspec.structs.replace(PLAN, legs=1, rounds=1), bots(8), seed=None)
    world.step()
    for _, _, game in world.desk.get(CUP).state.rounds[0].games():
        assert PUBLIC == viewer_for(world.tables.table(game).table, None, None)


@pytest.mark.parametrize("how", ["judged", "cancelled"])
def test_a_tournament_that_is_over_keeps_its_secret_while_a_table_is_played(how):
    world = World()
    world.make(msgspec.structs.replace(PLAN, legs=1, rounds=1), players(4), seed=None)
    (game,) = (game for _, _, game in world.go_on().rounds[0].games())
    sit_and_play(world, game, until=3)
    result = Result(places=(1, 2, 3, 4), by="organiser", reason="late")
    world.do(Cancel("boss") if how == "cancelled" else Judge(game, result, "boss"), how)
    t = world.go_on()
    assert {"judged": "finished", "cancelled": "cancelled"}[how] == t.status
    assert t.secret is None
    assert_nowhere(world, game)
    sit_and_play(world, game)
    t = world.go_on()
    assert t.secret is not None
    assert is_revealed(world.tables.table(game).table)
    assert world.store.mark(CUP) is None


def assert_nowhere(world: World, game: str) -> None:
    cup = b"".join(entry.events for entry in world.desk.get(CUP).entries).decode()
    assert not any(secret in cup for secret in secrets_of(world, world.tables.table(game)))
