"""Clocks (G7) end to end on a real store: deadlines in the outbox, and a move against its expiry."""

import os
import threading

import pytest

from domain.clock import BankClock, TurnClock
from domain.errors import Refusal
from domain.games import GAMES
from domain.log import decode_events
from domain.table_events import ClockSet, TurnTimedOut
from domain.table_rules import Play, TakeSeat
from domain.values import Seat
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.application.ports import Due
from service.application.turns import Player
from tests.support.simulate import wish

RACES = 40
TURN = TurnClock(seconds=60)


class Hand:
    """The processes' clock, in the test's hand."""

    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def desk(real_store, hand):
    return new_desk(real_store, hand)


def new_desk(store, hand) -> Desk:
    """Give a desk as another process would have it."""
    return Desk(store, NoHints(), GAMES, os.urandom, hand)


def new_attempt() -> Attempt:
    return Attempt(command_id=os.urandom(8).hex())


def seated(desk: Desk, name: str, game: str = "beam-me-up", clock=TURN) -> str:
    desk.create(name, wish(game, "me", "open", clock=clock), new_attempt())
    desk.handle(name, lambda _: (TakeSeat(player="bob"), None), new_attempt())
    return name


def move_of(seat: Seat):
    def first(now):
        return Play(seat, now.game.legal(now.play, seat)[0]), seat

    return first


def events(desk: Desk, table: str):
    live = desk.table(table)
    return [(entry.version, each) for entry in live.entries for each in decode_events(live.game, entry.events)]


def test_g7_the_deadline_stands_in_the_outbox_with_the_entry_that_set_it(desk, real_store, hand):
    table = seated(desk, "t")
    live = desk.table(table)
    (deadline,) = live.table.time.deadlines
    mark = real_store.mark(table)

    assert hand.now_ms + 60_000 == deadline.due_ms
    assert Due(f"timeout:{deadline.seat}", 60_000) == Due.decode(live.entries[-1].due)
    assert mark is not None
    hand.now_ms += 10_000
    desk.handle(table, move_of(deadline.seat), new_attempt())
    later = real_store.mark(table)
    assert later is not None
    assert later.due_ms > mark.due_ms


@pytest.mark.parametrize("who", ["default_move", "bot", "resign"])
def test_g7_what_the_policy_says_happens_at_the_deadline_and_not_a_millisecond_before(desk, real_store, hand, who):
    clock = TurnClock(seconds=60, on_expiry=who, bot="greedy") if who == "bot" else TurnClock(60, on_expiry=who)
    table = seated(desk, "t", clock=clock)
    version = desk.table(table).version
    worker = Player(new_desk(real_store, hand))
    hand.now_ms += 59_999
    assert 0 == worker.play_on(table, version).entries
    hand.now_ms += 1
    assert worker.play_on(table, version).entries

    timed_out = [each for _, each in events(desk, table) if isinstance(each, TurnTimedOut)]
    assert [who] == [each.policy for each in timed_out]
    assert {"default_move": "playing", "bot": "playing", "resign": "finished"}[who] == desk.table(table).table.status


@pytest.mark.slow
def test_g7_a_move_and_its_expiry_at_the_same_instant_have_one_winner(real_store, hand):
    """Two processes, one real store: whichever entry is first in the log counts, the other one never happened."""
    api, worker = new_desk(real_store, hand), new_desk(real_store, hand)
    won = {"move": 0, "expiry": 0}
    for n in range(RACES):
        table = seated(api, f"race{n}")
        head = api.table(table).version
        (deadline,) = api.table(table).table.time.deadlines
        seat = deadline.seat
        worker.table(table)
        hand.now_ms = deadline.due_ms
        gate = threading.Barrier(2)
        answers: dict[str, object] = {}

        def play(table=table, seat=seat, gate=gate, answers=answers):
            gate.wait()
            try:
                answers["move"] = api.handle(table, move_of(seat), Attempt(command_id=f"m-{table}")).entry.version
            except (Refusal, IndexError) as refused:  # after the expiry there may be nothing to choose from
                answers["move"] = refused

        def expire(table=table, head=head, gate=gate, answers=answers):
            gate.wait()
            answers["expiry"] = Player(worker).play_on(table, head)

        threads = [threading.Thread(target=play), threading.Thread(target=expire)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        fresh = new_desk(real_store, hand).table(table)
        first = decode_events(fresh.game, fresh.entries[head].events)
        expired = isinstance(first[0], TurnTimedOut)
        won["expiry" if expired else "move"] += 1
        of_seat = [
            entry
            for entry in fresh.entries[head:]
            if isinstance(each := decode_events(fresh.game, entry.events)[0], TurnTimedOut) and each.seat == seat
        ]
        assert len(of_seat) == expired, "a decision was both made and timed out"
        if not expired:
            assert head + 1 == answers["move"]
            assert f"m-{table}" == fresh.entries[head].command_id
        elif not isinstance(answers["move"], int):
            assert f"m-{table}" not in fresh.ids
    assert RACES == sum(won.values())


def test_g7_two_workers_expire_a_turn_once(real_store, hand):
    desk = new_desk(real_store, hand)
    table = seated(desk, "t")
    version = desk.table(table).version
    hand.now_ms += 60_000
    gate = threading.Barrier(3)

    def work():
        worker = Player(new_desk(real_store, hand))
        gate.wait()
        worker.play_on(table, version)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 1 == sum(isinstance(each, TurnTimedOut) for _, each in events(desk, table))


def test_g7_u8_all_who_choose_at_once_answer_to_the_same_clock(desk, real_store, hand):
    """Who has chosen has no deadline any more; for who has not, it stays where it was."""
    table = seated(desk, "t", "universal-match")
    both = desk.table(table).table.time.deadlines
    assert {(Seat(0), hand.now_ms + 60_000), (Seat(1), hand.now_ms + 60_000)} == {(d.seat, d.due_ms) for d in both}

    hand.now_ms += 20_000
    desk.handle(table, move_of(Seat(0)), new_attempt())
    left = desk.table(table).table.time.deadlines
    assert [(Seat(1), hand.now_ms + 40_000)] == [(d.seat, d.due_ms) for d in left]

    hand.now_ms += 40_000
    Player(new_desk(real_store, hand)).play_on(table, 1)
    assert [Seat(1)] == [each.seat for _, each in events(desk, table) if isinstance(each, TurnTimedOut)]


def test_g7_a_bank_pays_for_what_was_thought_and_earns_its_increment(desk, hand):
    table = seated(desk, "t", clock=BankClock(seconds=100, increment=7))
    seat = desk.table(table).table.to_act[0]
    hand.now_ms += 30_000
    desk.handle(table, move_of(seat), new_attempt())

    set_to = [each for _, each in events(desk, table) if isinstance(each, ClockSet)][-1]
    assert 77_000 == set_to.banks_ms[seat]
    assert 100_000 == set_to.banks_ms[1 - seat]


def test_g7_every_deadline_that_counts_is_an_event_of_the_log(desk, real_store, hand):
    """The state of the clock is what the events say: folded anew it is the same, whoever held it."""
    table = seated(desk, "t")
    for _ in range(6):
        hand.now_ms += 45_000
        live = desk.table(table)
        if live.table.status != "playing":
            break
        desk.handle(table, move_of(live.table.to_act[0]), new_attempt())
    assert new_desk(real_store, hand).table(table).table.time == desk.table(table).table.time
