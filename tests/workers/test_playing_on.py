"""The use case of workers: whatever is due at a table happens, once, and nothing else."""

import os
import random

import pytest

from domain.bots import BOTS
from domain.clock import TurnClock
from domain.errors import Refusal
from domain.games import GAMES
from domain.log import seen_log
from domain.table_rules import Resign
from domain.values import Seat
from service.application import turns
from service.application.choosing import FAILED, ILLEGAL, LATE, UNKNOWN, Thinking, TimeUp
from service.application.closing import Closing
from service.application.due import ABANDONED_MS
from service.application.handle import Attempt
from service.application.turns import STRETCH_MS, TRIES, Played, Player
from service.settings import LEASE
from tests.workers.tables import Rig
from workers.limits import thinking_limit


@pytest.fixture
def rig() -> Rig:
    return Rig()


def player(rig: Rig, **more) -> Player:
    return Player(rig.new_desk(), **more)


def with_bot(bot, name: str = "greedy", **others) -> Thinking:
    return Thinking(bots={**BOTS, **others, name: bot})


def fails(game, seen, rng):
    raise KeyError("broken")


def hangs(game, seen, rng):
    raise TimeUp


def chooses_what_is_not_offered(game, seen, rng):
    return "something else"


# ---- whole tables


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("which", ["fewest", "most"])
def test_a_table_of_bots_plays_to_its_end(rig, game, which):
    seats = {"fewest": min, "most": max}[which](GAMES[game].seats)
    table = rig.table(game, *(["greedy", "easy"] * seats)[:seats])

    played = player(rig).play_on(table, 1)

    live = rig.desk.table(table)
    assert "finished" == live.table.status
    assert Played(entries=live.version - 1, version=live.version, why="idle") == played
    assert [] == rig.events(table, "bot_replaced")


def test_the_same_secret_gives_the_same_table(rig):
    for name in ("t", "u"):
        rig.table("beam-me-up", "easy", "random", "greedy", name=name, chosen_seed="42")
        player(rig).play_on(name, 1)

    assert rig.events("t")[1:] == rig.events("u")[1:]


def test_bots_play_until_a_person_must_act(rig):
    table = rig.table("beam-me-up", "greedy", "me", "greedy")
    player(rig).play_on(table, 1)

    assert (Seat(1),) == rig.desk.table(table).table.to_act
    assert rig.store.mark(table) is None


def test_where_many_seats_are_to_act_at_once_every_bot_does(rig):
    table = rig.table("universal-match", "greedy", "me", "easy", "random")
    player(rig).play_on(table, 1)

    assert [0, 2, 3] == sorted(event.seat for event in rig.events(table, "board_chosen"))
    assert (Seat(1),) == rig.desk.table(table).table.to_act


@pytest.mark.parametrize("seed", ["a", "b"])
def test_all_bots_answer_an_offer_while_a_person_thinks_about_it(rig, seed):
    options = {"advanced_b": True, "target": 50}
    table = rig.table("universal-match", "me", "random", "random", options=options, chosen_seed=seed)
    at, rng, offers = player(rig), random.Random(seed), 0
    at.play_on(table, 1)
    while rig.desk.table(table).table.status == "playing":
        now = rig.desk.table(table).table
        view = now.game.view(now.play, Seat(0), over=False, shown=False)
        assert (Seat(0),) == now.to_act
        if view.phase == "offer":
            offers += 1
            assert [1, 2] == sorted({*view.offer.answered, view.offer.seat})
        rig.move(table, 0, rng.randrange(len(now.game.legal(now.play, Seat(0)))))
        at.play_on(table, 1)

    assert offers > 0
    assert [] == rig.events(table, "bot_replaced")


def test_a_seat_that_resigned_is_played_on_by_its_bot(rig):
    table = rig.table("planet-pioneer", "greedy", "me", "greedy")
    player(rig).play_on(table, 1)
    rig.desk.handle(table, lambda _: (Resign(Seat(1)), Seat(1)), Attempt(command_id="resign"))
    player(rig).play_on(table, 1)

    assert "finished" == rig.desk.table(table).table.status
    assert [] == rig.events(table, "bot_replaced")


def test_what_a_bot_is_given_is_what_its_seat_saw_and_no_more(rig):
    table = rig.table("beam-me-up", "greedy", "greedy", chosen_seed="seen")
    desk = rig.new_desk()
    looked = 0

    def looks(game, seen, rng):
        nonlocal looked
        looked += 1
        live = desk.table(table)
        now = live.table
        if looked % 7 == 1:
            assert seen_log(game, live.entries, seen.seat) == seen.log
            assert game.view(now.play, seen.seat, over=False, shown=False) == seen.view
            assert game.legal(now.play, seen.seat) == seen.commands
        return BOTS["greedy"](game, seen, rng)

    Player(desk, thinking=with_bot(looks)).play_on(table, 1)

    assert looked == sum(entry.seat is not None for entry in desk.table(table).entries) > 50


def test_a_table_that_went_back_in_time_gives_bots_its_new_log(rig):
    at = player(rig)
    first = rig.table("beam-me-up", "greedy", "me")
    at.play_on(first, 1)
    del rig.store._streams[first], rig.store._secrets[first]
    at._desk.forget(first)
    rig.desk = rig.new_desk()
    rig.table("beam-me-up", "greedy", "me")
    at.play_on(first, 1)

    live = at._desk.table(first)
    seen = at._logs.seen(first, live.table, live.entries, Seat(0))
    assert seen_log(GAMES["beam-me-up"], rig.desk.table(first).entries, Seat(0)) == seen.log


# ---- stretches


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("most", [1, 7, 1000])
def test_the_log_is_the_same_however_many_moves_are_committed_at_once(rig, monkeypatch, game, most):
    rig.table(game, "easy", "random", "greedy", name="t", chosen_seed="42")
    rig.table(game, "easy", "random", "greedy", name="u", chosen_seed="42")
    player(rig).play_on("t", 1)
    monkeypatch.setattr(turns, "MOST", most)
    player(rig).play_on("u", 1)

    assert rig.events("t")[1:] == rig.events("u")[1:]
    assert [e.due for e in rig.desk.table("t").entries] == [e.due for e in rig.desk.table("u").entries]


@pytest.mark.parametrize("game", GAMES)
def test_where_a_person_sits_each_move_of_a_bot_is_there_before_the_next_bot_thinks(rig, game):
    """His clock may run with it."""
    table = rig.table(game, "me", *["greedy"] * 3, clock=TurnClock(seconds=60))

    def looks(rules, seen, rng):
        assert len(seen.log) == len(seen_log(GAMES[game], rig.desk.table(table).entries, seen.seat))
        return BOTS["greedy"](rules, seen, rng)

    at = player(rig, thinking=with_bot(looks))
    for _ in range(5):
        at.play_on(table, 1)
        assert Seat(0) in rig.desk.table(table).table.to_act
        rig.move(table, 0)
    assert [] == rig.events(table, "bot_replaced")


def test_a_stretch_ends_after_its_time(rig):
    table = rig.table("beam-me-up", "greedy", "greedy")
    commits = []

    def slow(game, seen, rng):
        rig.now_ms += STRETCH_MS // 2
        commits.append(rig.desk.table(table).version)
        return BOTS["greedy"](game, seen, rng)

    player(rig, thinking=with_bot(slow)).play_on(table, 1)

    assert [1, 1, 3, 3, 5, 5] == commits[:6]


def test_a_bot_that_hangs_in_a_stretch_loses_nothing_of_what_was_chosen_before(rig):
    table = rig.table("beam-me-up", "greedy", "greedy")
    calls = iter(range(100))

    def hangs_later(game, seen, rng):
        return hangs(game, seen, rng) if next(calls) == 5 else BOTS["greedy"](game, seen, rng)

    played = player(rig, thinking=with_bot(hangs_later)).play_on(table, 1)

    assert Played(entries=5, version=6, why="stuck") == played
    assert 6 == rig.desk.table(table).version


def test_a_bot_that_takes_its_process_down_in_a_stretch_is_replaced_where_it_does_so_and_nowhere_else(rig):
    table = rig.table("beam-me-up", "easy", "greedy")

    def kills_at_5(game, seen, rng):
        if len(seen.log) > 5:
            raise SystemExit
        return BOTS["easy"](game, seen, rng)

    thinking = with_bot(kills_at_5, "easy")
    tries: dict[int, int] = {}
    while not rig.events(table, "bot_replaced"):
        version = rig.desk.table(table).version
        tries[version] = tries.get(version, -1) + 1
        with pytest.raises(SystemExit):  # the lease hands it out again, with one more try at that version
            player(rig, thinking=thinking).play_on(table, version, tries[version])

    live = rig.desk.table(table)
    [replaced] = [entry for entry in live.entries if b"bot_replaced" in entry.events]
    assert Seat(0) == replaced.seat
    assert {1: 1, replaced.version - 1: TRIES} == {at: n for at, n in tries.items() if n}


# ---- bots that fail


@pytest.mark.parametrize(
    ("bot", "reason"), [(fails, FAILED), (chooses_what_is_not_offered, ILLEGAL)], ids=["raises", "illegal"]
)
def test_for_a_bot_that_fails_the_fallback_moves_and_says_why(rig, bot, reason):
    table = rig.table("beam-me-up", "easy", "greedy")
    player(rig, thinking=with_bot(bot, "easy")).play_on(table, 1)

    replaced = rig.events(table, "bot_replaced")
    assert "finished" == rig.desk.table(table).table.status
    assert {(0, "easy", reason)} == {(event.seat, event.bot, event.reason) for event in replaced}


def test_for_a_fallback_that_fails_too_the_default_move_is_made(rig):
    table = rig.table("beam-me-up", "easy", "greedy")
    player(rig, thinking=with_bot(fails, easy=fails)).play_on(table, 1)

    replaced = rig.events(table, "bot_replaced")
    assert "finished" == rig.desk.table(table).table.status
    assert {"easy", "greedy"} == {event.bot for event in replaced}


def test_for_a_bot_that_is_not_there_the_fallback_moves(rig):
    table = rig.table("planet-pioneer", "easy", "greedy")
    thinking = Thinking(bots={"greedy": BOTS["greedy"]})
    player(rig, thinking=thinking).play_on(table, 1)

    assert {UNKNOWN} == {event.reason for event in rig.events(table, "bot_replaced")}
    assert "finished" == rig.desk.table(table).table.status


def test_a_bot_that_hangs_leaves_the_table_as_it_was_for_another_try(rig):
    table = rig.table("beam-me-up", "easy", "easy")
    stuck = player(rig, thinking=with_bot(hangs, "easy"))

    for attempt in range(TRIES):
        assert Played(entries=0, version=1, why="stuck") == stuck.play_on(table, 1, attempt)
    assert 1 == rig.desk.table(table).version


def test_after_so_many_tries_another_bot_moves_and_then_the_own_one_again(rig):
    table = rig.table("beam-me-up", "easy", "easy")
    played = player(rig, thinking=with_bot(hangs, "easy")).play_on(table, 1, TRIES)

    assert Played(entries=1, version=2, why="stuck") == played
    assert [LATE] == [event.reason for event in rig.events(table, "bot_replaced")]


def test_tries_at_an_older_version_do_not_count(rig):
    table = rig.table("beam-me-up", "easy", "me")
    player(rig).play_on(table, 1, attempt=0)
    seat = rig.desk.table(table).table.to_act[0]
    rig.move(table, seat)
    player(rig).play_on(table, 1, TRIES)

    assert [] == rig.events(table, "bot_replaced")


def test_where_the_fallback_hangs_too_the_default_move_is_made(rig):
    table = rig.table("beam-me-up", "easy", "easy")
    slow = player(rig, thinking=with_bot(hangs, easy=hangs))

    assert "stuck" == slow.play_on(table, 1, TRIES).why
    assert Played(entries=1, version=2, why="stuck") == slow.play_on(table, 1, TRIES + 1)
    assert "easy" == rig.events(table, "bot_replaced")[0].bot


def test_a_reason_tells_nothing_of_what_the_bot_saw(rig):
    def tells(game, seen, rng):
        raise ValueError(f"my hand is {seen.view}")

    table = rig.table("beam-me-up", "easy", "greedy")
    player(rig, thinking=with_bot(tells, "easy")).play_on(table, 1)

    assert {FAILED} == {event.reason for event in rig.events(table, "bot_replaced")}


# ---- others at the same table


def test_two_workers_at_one_table_write_every_move_once(rig):
    table = rig.table("beam-me-up", "greedy", "greedy")
    other = player(rig)
    calls = 0

    def interrupted(game, seen, rng):
        nonlocal calls
        calls += 1
        if calls % 5 == 1:
            other.play_on(table, 1)
        return BOTS["greedy"](game, seen, rng)

    assert "overtaken" == player(rig, thinking=with_bot(interrupted)).play_on(table, 1).why
    live = rig.desk.table(table)
    assert "finished" == live.table.status
    assert len(live.entries) == len({entry.command_id for entry in live.entries})


def test_an_answer_for_an_old_position_is_thrown_away(rig):
    table = rig.table("universal-match", "me", "greedy", "greedy")

    def meanwhile_the_person_chooses(game, seen, rng):
        if rig.desk.table(table).version == 1:
            rig.move(table, 0)
        return seen.commands[0]

    played = player(rig, thinking=with_bot(meanwhile_the_person_chooses)).play_on(table, 1)

    assert Played(entries=0, version=1, why="overtaken") == played
    assert 2 == rig.desk.table(table).version


def test_a_bot_whose_table_has_ended_meanwhile_moves_no_more(rig):
    table = rig.table("beam-me-up", "greedy", "me")
    at = rig.desk.table(table).table.to_act[0]
    if at == 1:
        rig.move(table, 1)

    def meanwhile_the_person_resigns(game, seen, rng):
        if rig.desk.table(table).table.status == "playing":
            rig.desk.handle(table, lambda _: (Resign(Seat(1)), Seat(1)), Attempt(command_id="resign"))
        return seen.commands[0]

    assert "overtaken" == player(rig, thinking=with_bot(meanwhile_the_person_resigns)).play_on(table, 1).why
    assert "finished" == rig.desk.table(table).table.status


def test_a_table_that_is_gone_ends_a_hint_quietly(rig):
    assert Played(entries=0, version=7, why="overtaken") == player(rig).play_on("nowhere", 7)


def test_history_that_was_lost_ends_a_hint_quietly(rig, monkeypatch):
    monkeypatch.setattr(turns, "MOST", 2)
    table = rig.table("beam-me-up", "greedy", "greedy")

    def loses(game, seen, rng):
        rig.store._streams[table] = rig.store._streams[table][:3]
        return seen.commands[0]

    count = iter(range(100))
    thinking = with_bot(lambda *args: loses(*args) if next(count) == 10 else BOTS["greedy"](*args))
    at = player(rig, thinking=thinking)

    assert "overtaken" == at.play_on(table, 1).why
    at.play_on(table, 3)
    assert "finished" == rig.new_desk().table(table).table.status


def test_who_wants_to_stop_stops_between_two_entries(rig):
    table = rig.table("beam-me-up", "greedy", "greedy")
    left = iter([False, False, False, True])
    played = player(rig, enough=lambda: next(left)).play_on(table, 1)

    assert Played(entries=3, version=4, why="enough") == played


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_four_searching_bots_goes_on_and_nobody_thinks_past_the_lease(rig, game):
    table = rig.table(game, "hard", "expert", "hard", "expert")
    lease = float(LEASE.default)
    version = 1
    for _ in range(2):  # two jobs of four moves each, as a worker does them; a bot past the limit would be "stuck"
        left = iter([False] * 4 + [True])
        thinking = Thinking(limit=lambda: thinking_limit(lease * 2 / 3))
        played = player(rig, thinking=thinking, enough=lambda left=left: next(left)).play_on(table, version)
        assert Played(entries=4, version=version + 4, why="enough") == played
        version = played.version
    assert [] == rig.events(table, "bot_replaced")


# ---- clocks, abandoned tables, closing


def test_a_clock_that_has_run_out_makes_its_move_and_no_sooner(rig):
    table = rig.table("beam-me-up", "me", "greedy", clock=TurnClock(seconds=60))
    player(rig).play_on(table, 1)
    before = rig.desk.table(table).version

    rig.now_ms += 59_999
    assert 0 == player(rig).play_on(table, before).entries
    rig.now_ms += 1
    player(rig).play_on(table, before)

    assert [0] == [event.seat for event in rig.events(table, "turn_timed_out")]
    assert (Seat(0),) == rig.desk.table(table).table.to_act


def test_a_bot_is_not_held_up_by_a_clock(rig):
    table = rig.table("universal-match", "me", "greedy", clock=TurnClock(seconds=1))
    rig.now_ms += 10_000
    player(rig).play_on(table, 1)

    live = rig.desk.table(table)
    assert [1, 0] == [event.seat for event in rig.events(table, "board_chosen")][:2]
    assert None is live.entries[2].seat


def test_a_table_that_nobody_starts_is_aborted_after_seven_days_and_no_sooner(rig):
    table = rig.table("beam-me-up", "me", "open")
    rig.now_ms += ABANDONED_MS - 1
    assert 0 == player(rig).play_on(table, 1).entries
    rig.now_ms += 1
    player(rig).play_on(table, 1)

    assert "aborted" == rig.desk.table(table).table.status
    assert ["not_started"] == [event.reason for event in rig.events(table, "table_aborted")]


def test_when_a_table_has_ended_the_closing_steps_run_and_it_is_due_no_more(rig):
    table = rig.table("beam-me-up", "greedy", "greedy")
    closed = []
    player(rig, close=Closing(rig.store, [lambda live: closed.append(live.id)])).play_on(table, 1)

    assert [table] == closed
    assert rig.store.mark(table) is None


def test_a_closing_step_that_fails_is_due_again(rig):
    table = rig.table("beam-me-up", "greedy", "greedy")
    closed = []

    def fails_at_first(live):
        closed.append(live.id)
        if len(closed) == 1:
            raise OSError

    closing = Closing(rig.store, [fails_at_first])
    with pytest.raises(OSError):
        player(rig, close=closing).play_on(table, 1)
    assert rig.store.mark(table) is not None

    player(rig, close=closing).play_on(table, 1)
    assert rig.store.mark(table) is None


def test_a_rule_that_refuses_the_default_move_is_not_hidden(rig, monkeypatch):
    table = rig.table("beam-me-up", "easy", "greedy")
    broken = player(rig, thinking=with_bot(fails, easy=fails))
    game = broken._desk.table(table).table.game
    monkeypatch.setattr(
        broken, "_add", lambda *_: (_ for _ in ()).throw(Refusal("illegal_command", f"{game.name} {os.getpid()}"))
    )
    with pytest.raises(Refusal):
        broken.play_on(table, 1)
