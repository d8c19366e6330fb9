"""Players' feeds: what each entry tells to whom, and that nothing is lost or doubled whatever is killed."""

import json
import os
import random
import threading
from typing import Any

import pytest

from domain.clock import TurnClock
from domain.errors import not_your_turn
from domain.games import GAMES
from domain.table_rules import Abort, AskPause, Create, Expire, LeaveSeat, Play, Resign, TakeSeat, Wish
from domain.values import Seat
from service.application.closing import Closing
from service.application.feeds import Feeds, catch_up_step
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.application.ports import Unavailable
from service.application.tournament_desk import LiveTournament
from service.application.turns import Player
from service.store import MemoryStore
from service.store.feeds import MemoryFeeds, RedisFeeds
from tests.support.servers import events_client, real_store, servers  # noqa: F401 - fixtures
from tests.support.simulate import wish
from workers.sweep import Sweep


class House:
    """Two feeds' stores at choice, with a desk whose entries are told at once."""

    def __init__(self, store=None, feed_store=None, *, threaded: bool = False) -> None:
        self.now_ms = 1_800_000_000_000
        self.store = store or MemoryStore()
        self.feed_store = feed_store or MemoryFeeds()
        self.feeds = Feeds(self.feed_store, threaded=threaded)
        self.desk = self.new_desk(self.feeds)

    def new_desk(self, feeds: Feeds | None) -> Desk:
        """Give a desk as another process would have it; without feeds, one that dies right after each commit."""
        committed = None if feeds is None else feeds.note
        return Desk(self.store, NoHints(), GAMES, os.urandom, lambda: self.now_ms, committed=committed)

    def table(self, *seats: str | Wish, name: str = "t", game: str = "beam-me-up", **more) -> str:
        made: Create = wish(game, *seats, **more)
        self.desk.create(name, made, new_attempt())
        return name

    def do(self, command, seat: Seat | None = None, table: str = "t", desk: Desk | None = None) -> None:
        (desk or self.desk).handle(table, lambda _: (command, seat), new_attempt())

    def move(self, seat: int, table: str = "t", desk: Desk | None = None, rng: random.Random | None = None) -> None:
        def choose(now):
            legal = now.game.legal(now.play, Seat(seat))
            if not legal:
                raise not_your_turn("the table that this desk holds lags behind")
            return Play(Seat(seat), rng.choice(legal) if rng else legal[0]), Seat(seat)

        (desk or self.desk).handle(table, choose, new_attempt())

    def told(self, player: str | None) -> list[dict[str, Any]]:
        return [json.loads(notice) for _, notice in self.feed_store.notices(str(player), 0, 1000)]

    def types(self, player: str) -> list[str]:
        return [each["type"] for each in self.told(player)]

    def to_act(self, table: str = "t") -> int:
        return self.desk.table(table).table.to_act[0]


def new_attempt() -> Attempt:
    return Attempt(command_id=os.urandom(8).hex())


@pytest.fixture
def house() -> House:
    return House()


CREATOR = wish("beam-me-up", "me", "open").creator


def seated(house: House, **more) -> str:
    table = house.table("me", "open", **more)
    house.do(TakeSeat(player="bob"))
    return table


def test_when_the_last_one_sits_down_all_are_told_and_who_begins_is_told_his_turn(house):
    seated(house)
    names = [CREATOR, "bob"]
    first = house.to_act()

    assert ["table_started", "your_turn"] == house.types(names[first])
    assert ["table_started"] == house.types(names[1 - first])
    turn = house.told(names[first])[-1]
    assert {"id": 2, "table": "t", "game": "beam-me-up", "seat": first, "version": 2} == {
        name: turn[name] for name in ("id", "table", "game", "seat", "version")
    }


def test_a_player_for_whom_a_seat_is_reserved_is_invited(house):
    house.table("me", Wish(kind="player", player="bob"))

    assert ["table_invited"] == house.types("bob")
    assert 1 == house.told("bob")[0]["seat"]
    assert [] == house.types(CREATOR)


def test_every_new_decision_is_told_once_and_to_who_must_make_it(house):
    """The turn told is the turn had: at every version, whoever was told last and has not moved is to act."""
    seated(house)
    rng = random.Random(1)
    names = [CREATOR, "bob"]
    decisions = {0: 0, 1: 0}
    decisions[house.to_act()] += 1
    for _ in range(60):
        live = house.desk.table("t")
        if live.table.status != "playing":
            break
        house.move(live.table.to_act[0], rng=rng)
        after = house.desk.table("t").table
        for seat in after.to_act:
            decisions[seat] += 1
    assert decisions == {seat: house.types(names[seat]).count("your_turn") for seat in (0, 1)}


def test_where_all_choose_at_once_all_are_told_and_a_choice_of_one_tells_nobody_anew(house):
    seated(house, game="universal-match")
    before = {name: house.types(name) for name in (CREATOR, "bob")}
    assert {CREATOR: ["table_started", "your_turn"], "bob": ["table_started", "your_turn"]} == before
    house.move(0)

    assert before == {name: house.types(name) for name in (CREATOR, "bob")}


def test_the_end_is_told_with_its_outcome_and_no_turn_after_it(house):
    seated(house)
    house.do(Resign(Seat(0)), Seat(0))

    for name in (CREATOR, "bob"):
        last = house.told(name)[-1]
        assert ("table_finished", [1]) == (last["type"], last["outcome"]["winners"])


def test_a_table_that_is_aborted_tells_all_who_sat_or_should_have(house):
    house.table("me", Wish(kind="player", player="bob"))
    house.do(Abort(by=CREATOR))

    assert ["table_invited", "table_aborted"] == house.types("bob")
    assert "creator" == house.told("bob")[-1]["reason"]
    assert ["table_aborted"] == house.types(CREATOR)


def test_who_left_is_told_nothing_more(house):
    house.table("me", "open", "open")
    house.do(TakeSeat(player="bob"))
    house.do(LeaveSeat(seat=Seat(1), by="bob"))
    house.do(Abort(by=CREATOR))

    assert [] == house.types("bob")


def test_a_wish_for_a_pause_is_no_new_turn(house):
    seated(house, clock=TurnClock(seconds=60))
    seat = house.to_act()
    name = [CREATOR, "bob"][seat]
    before = house.types(name)
    house.do(AskPause(Seat(seat), go_on=False), Seat(seat))
    house.do(AskPause(Seat(1 - seat), go_on=False), Seat(1 - seat))
    house.do(AskPause(Seat(seat), go_on=True), Seat(seat))
    house.do(AskPause(Seat(1 - seat), go_on=True), Seat(1 - seat))

    assert before == house.types(name)


def test_a_turn_has_its_deadline_with_it(house):
    seated(house, clock=TurnClock(seconds=60))
    seat = house.to_act()
    assert "2027-01-15T08:01:00.000Z" == house.told([CREATOR, "bob"][seat])[-1]["due"]
    house.now_ms += 60_000
    house.do(Expire(Seat(seat)))

    assert house.types([CREATOR, "bob"][house.to_act()])[-1] == "your_turn"


def test_a_table_of_bots_tells_nobody_anything_and_costs_no_write(house):
    house.table("greedy", "greedy")
    Player(house.desk, Closing(house.store, [house.feeds.catch_up])).play_on("t", 1)

    assert 0 == house.feed_store.position("t")


# ---- nothing lost, nothing doubled


def both(house: House) -> dict[str | None, list[dict[str, Any]]]:
    return {name: house.told(name) for name in (CREATOR, "bob")}


def without_ids(told: dict[str | None, list[dict[str, Any]]]) -> dict[str | None, list[dict[str, Any]]]:
    return {name: [{**each, "id": 0} for each in notices] for name, notices in told.items()}


@pytest.mark.parametrize("seed", range(4))
def test_processes_that_die_right_after_commits_lose_nothing(house, seed):
    """Half of all entries are committed by processes that tell nothing; whoever comes next tells it, in order."""
    rng = random.Random(seed)
    dead = house.new_desk(None)
    seated(house)
    for _ in range(40):
        live = house.desk.table("t")
        if live.table.status != "playing":
            break
        house.move(live.table.to_act[0], desk=rng.choice([house.desk, dead]), rng=rng)
    live = house.desk.table("t")
    house.feeds.catch_up(live)
    house.feeds.catch_up(live)

    told = both(house)
    assert all([n + 1 for n in range(len(notices))] == [each["id"] for each in notices] for notices in told.values())
    again = House()
    again.feeds.catch_up(live)
    assert without_ids(both(again)) == without_ids(told)


def test_the_slow_sweep_tells_what_a_dead_process_did_not(house):
    house.desk = house.new_desk(None)
    seated(house)
    assert [] == house.types("bob")
    sweep = Sweep(house.store, also=catch_up_step(house.feeds, house.new_desk(None).table, no_tournament))
    sweep.step()

    assert "table_started" == house.types("bob")[0]


def no_tournament(name: str) -> LiveTournament:
    raise LookupError(name)


def test_closing_a_table_tells_its_end_before_its_mark_is_taken_away(house):
    house.desk = house.new_desk(None)
    seated(house)
    house.do(Resign(Seat(0)), Seat(0))
    Closing(house.store, [house.feeds.catch_up])(house.desk.table("t"))

    assert "table_finished" == house.types("bob")[-1]
    assert house.store.mark("t") is None


def test_a_store_that_was_away_is_told_later():
    house = House()
    publish = house.feed_store.publish

    def away(*_):
        raise Unavailable("away")

    house.feed_store.__dict__["publish"] = away
    seated(house)
    house.feed_store.__dict__["publish"] = publish
    assert [] == house.types("bob")
    assert house.feeds.flush()

    assert "table_started" == house.types("bob")[0]


@pytest.mark.slow
def test_on_the_real_store_many_processes_tell_everything_once_in_the_order_of_the_log(real_store, events_client):  # noqa: F811
    """Three processes with threads of their own play two tables; some entries are told by none of them."""
    house = House(real_store, RedisFeeds(events_client), threaded=True)
    others = [Feeds(RedisFeeds(events_client)) for _ in range(2)]
    desks = [house.desk, *(house.new_desk(each) for each in others), house.new_desk(None)]
    for name in ("t", "u"):
        house.table("me", "open", name=name)
        house.do(TakeSeat(player="bob"), table=name)

    def play(name: str) -> None:
        rng = random.Random(name)
        for _ in range(50):
            live = house.desk.table(name)
            if live.table.status != "playing":
                return
            house.move(live.table.to_act[0], name, rng.choice(desks), rng)

    threads = [threading.Thread(target=play, args=(name,)) for name in ("t", "u")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for feeds in (house.feeds, *others):
        feeds.close()
    for name in ("t", "u"):
        house.feeds.catch_up(house.desk.table(name))

    expected = House()
    for name in ("t", "u"):
        expected.feeds.catch_up(house.desk.table(name))
    for player in (CREATOR, "bob"):
        told = house.told(player)
        assert list(range(1, len(told) + 1)) == [each["id"] for each in told]
        for name in ("t", "u"):
            of_table = [{**each, "id": 0} for each in told if each["table"] == name]
            assert [{**each, "id": 0} for each in expected.told(player) if each["table"] == name] == of_table


def test_a_damaged_feed_keeps_no_other_player_from_being_told(real_store, events_client):  # noqa: F811
    house = House(real_store, RedisFeeds(events_client))
    events_client.set("feed:eve", "no stream")
    flush = house.feeds.flush
    house.feeds.__dict__["flush"] = lambda: True  # both wait for one flush
    for name, player in (("t", "eve"), ("u", "bob")):
        house.table("me", Wish(kind="player", player=player), name=name)

    assert not flush()
    assert ["table_invited"] == house.types("bob")
    events_client.delete("feed:eve")
    assert flush()
    assert ["table_invited"] == house.types("eve")
    assert ["table_invited"] == house.types("bob")
