"""What every table does, whatever is played: seats, start, resigning, clocks, forks, the end."""

import pytest

from domain.clock import BankClock, TurnClock
from domain.errors import Refusal
from domain.game import Verdict
from domain.log import decode_events, seen_log
from domain.table_events import (
    BotReplaced,
    ClockPaused,
    ClockResumed,
    ClockSet,
    Origin,
    Outcome,
    PauseAsked,
    PositionCopied,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    TableAborted,
    TableCreated,
    TableFinished,
    TableStarted,
    TurnTimedOut,
)
from domain.table_rules import (
    Abort,
    AskPause,
    Expire,
    LeaveSeat,
    Play,
    ReplaceBot,
    Resign,
    TakeSeat,
    legal,
    table_outcome,
)
from domain.values import Seat
from tests.support.simulate import Simulation, played, wish

GAME = "beam-me-up"
ME, OTHER = "p_me", "p_other"


def events_of(table: Simulation, version: int) -> tuple[object, ...]:
    return decode_events(table.table.game, table.entries[version - 1].events)


def refused(table: Simulation, command: object) -> str:
    before, version = table.table, len(table.entries)
    with pytest.raises(Refusal) as refusal:
        table.do(command)  # type: ignore[arg-type]
    assert before == table.table
    assert version == len(table.entries)
    return refusal.value.code


def test_a_table_without_open_seats_starts_in_its_first_entry() -> None:
    kinds = [type(event) for event in events_of(Simulation(wish(GAME, "me", "greedy")), 1)]

    assert [TableCreated, SeatTaken, SeatTaken, TableStarted] == kinds[:4]
    assert len(kinds) > 4


def test_a_table_with_an_open_seat_starts_when_the_last_seat_is_taken() -> None:
    table = Simulation(wish(GAME, "me", "open", "open"))
    table.do(TakeSeat(player="p_b"))

    assert "open" == table.table.status
    assert () == table.table.to_act
    assert [SeatTaken(seat=Seat(2), kind="player", player="p_c"), TableStarted()] == list(
        table.do(TakeSeat(player="p_c"))[:2]
    )
    assert ("playing",) == (table.table.status,)


def test_who_sits_down_gets_the_seat_reserved_for_him_before_an_open_one() -> None:
    table = Simulation(wish(GAME, "me", "open", f"={OTHER}"))

    assert SeatTaken(seat=Seat(2), kind="player", player=OTHER) == table.do(TakeSeat(player=OTHER))[0]


@pytest.mark.parametrize(
    ("player", "seat", "code"),
    [
        (ME, None, "already_seated"),
        (ME, 1, "already_seated"),
        ("p_new", 0, "seat_taken"),
        ("p_new", 2, "seat_reserved"),
        ("p_new", 3, "validation_failed"),
    ],
)
def test_a_seat_is_refused_with_its_reason(player: str, seat: int | None, code: str) -> None:
    table = Simulation(wish(GAME, "me", "open", f"={OTHER}"))

    assert code == refused(table, TakeSeat(player=player, seat=None if seat is None else Seat(seat)))


def test_only_reserved_seats_left_is_seat_reserved() -> None:
    table = Simulation(wish(GAME, "me", f"={OTHER}"))

    assert "seat_reserved" == refused(table, TakeSeat(player="p_new"))


def test_a_chosen_seed_takes_no_entropy() -> None:
    table = Simulation(wish(GAME, "me", "open", chosen_seed="nebula"))

    assert "validation_failed" == refused(table, TakeSeat(player=OTHER, entropy="aGVsbG8"))


def test_the_deal_rests_on_the_entropy_handed_in() -> None:
    deals = set()
    for entropy in ("aGVsbG8", "aGVsbG9", None):
        table = Simulation(wish(GAME, "me", "open"))
        table.do(TakeSeat(player=OTHER, entropy=entropy))
        deals.add(table.table.game.hands(table.table.play))

    assert 3 == len(deals)


@pytest.mark.parametrize(("by", "seat"), [(OTHER, 1), (ME, 1), (ME, 0)])
def test_a_seat_is_left_by_its_player_or_the_creator_before_the_start(by: str, seat: int) -> None:
    table = Simulation(wish(GAME, "me", f"={OTHER}", "open"))
    table.do(TakeSeat(player=OTHER))

    assert (SeatLeft(seat=Seat(seat)),) == table.do(LeaveSeat(seat=Seat(seat), by=by))
    assert "open" == table.table.seats[seat].kind
    assert None is table.table.seats[seat].reserved


def test_nobody_else_may_empty_a_seat_or_abort() -> None:
    table = Simulation(wish(GAME, "me", "open", "open"))
    table.do(TakeSeat(player=OTHER))

    assert "forbidden" == refused(table, LeaveSeat(seat=Seat(0), by=OTHER))
    assert "not_found" == refused(table, LeaveSeat(seat=Seat(2), by=ME))
    assert "forbidden" == refused(table, Abort(by=OTHER))


@pytest.mark.parametrize(("by", "reason"), [(ME, "creator"), (None, "not_started")])
def test_an_aborted_table_reveals_its_secret_and_takes_nothing_more(by: str | None, reason: str) -> None:
    table = Simulation(wish(GAME, "me", "open"))

    assert (TableAborted(reason=reason, secret=table.secret.secret.hex()),) == table.do(Abort(by=by))  # type: ignore[arg-type]
    assert "table_finished" == refused(table, TakeSeat(player=OTHER))
    assert "table_finished" == refused(table, Play(Seat(0), None))  # type: ignore[arg-type]


def test_once_started_seats_are_fixed() -> None:
    table = Simulation(wish(GAME, "me", "greedy"))

    for command in (TakeSeat(player=OTHER), LeaveSeat(seat=Seat(1), by=ME), Abort(by=ME)):
        assert "table_started" == refused(table, command)


def test_before_the_start_no_command_is_possible() -> None:
    table = Simulation(wish(GAME, "me", "open"))

    assert "table_not_started" == refused(table, Resign(Seat(0)))
    assert () == legal(table.table, Seat(0))


@pytest.mark.parametrize(
    ("seats", "more", "field"),
    [
        (["me"], {}, "seats"),
        (["me"] + ["greedy"] * 4, {}, "seats"),
        (["me", "me"], {}, "seats"),
        (["me", f"={ME}"], {}, "seats"),
        ([f"={OTHER}", f"={OTHER}"], {}, "seats"),
        (["me", "greedy"], {"rated": True}, "rated"),
        (["me", "open"], {"rated": True, "chosen_seed": "x"}, "rated"),
    ],
)
def test_a_table_that_can_not_be_is_refused_by_field(seats: list[str], more: dict[str, object], field: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Simulation(wish(GAME, *seats, **more))  # type: ignore[arg-type]

    assert "validation_failed" == refusal.value.code
    assert field in refusal.value.errors


def test_out_of_turn_is_not_your_turn_and_writes_nothing() -> None:
    table = Simulation(wish(GAME, "random", "random", "random"))
    waiting = next(Seat(i) for i in range(3) if i not in table.table.to_act)
    command = table.table.game.legal(table.table.play, table.table.to_act[0])[0]

    assert "not_your_turn" == refused(table, Play(waiting, command))


# G6: giving up


def test_g6_with_two_players_the_other_one_wins_at_once() -> None:
    table = Simulation(wish(GAME, "me", "greedy"))
    resigned, finished = table.do(Resign(Seat(0)))

    assert SeatResigned(seat=Seat(0), played_by=None) == resigned
    assert isinstance(finished, TableFinished)
    assert (
        Outcome(winners=(Seat(1),), scores=(0, 0), places=(2, 1), resigned=(Seat(0),), reason="resignation")
        == finished.outcome
    )


def test_g6_with_more_the_seat_is_played_on_by_greedy_and_the_table_goes_on() -> None:
    table = Simulation(wish(GAME, "me", "greedy", "greedy"))

    assert SeatResigned(seat=Seat(0), played_by="greedy") == table.do(Resign(Seat(0)))[0]
    assert "playing" == table.table.status
    assert "greedy" == table.table.seats[0].driver
    assert "seat_resigned" == refused(table, Resign(Seat(0)))
    assert () == legal(table.table, Seat(0))


def test_g6_who_resigned_comes_after_all_others_and_can_not_win() -> None:
    table = Simulation(wish(GAME, "me", "greedy", "greedy"))
    table.do(Resign(Seat(0)))
    outcome = table_outcome(table.table, Verdict(scores=(9, 0, 0), ranks=((9,), (0,), (0,)), reason="x"), "x")

    assert (Seat(1), Seat(2)) == outcome.winners
    assert (3, 1, 1) == outcome.places


def test_g6_the_table_ends_when_one_seat_is_left_that_has_not_resigned() -> None:
    table = Simulation(wish(GAME, "me", "open", "open"))
    table.do(TakeSeat(player="p_b"))
    table.do(TakeSeat(player="p_c"))
    table.do(Resign(Seat(1)))
    table.do(Resign(Seat(0)))

    assert table.table.outcome is not None
    assert (Seat(2),) == table.table.outcome.winners
    assert "resignation" == table.table.outcome.reason


def test_g9_equal_scores_share_a_place() -> None:
    table = Simulation(wish(GAME, "random", "random", "random"))
    verdict = Verdict(scores=(3, 2, 3), ranks=((3,), (2,), (3,)), reason="all_racers")

    assert Outcome(
        winners=(Seat(0), Seat(2)), scores=(3, 2, 3), places=(1, 3, 1), resigned=(), reason="all_racers"
    ) == table_outcome(table.table, verdict, "all_racers")


def test_resign_is_offered_to_every_seat_also_out_of_turn() -> None:
    table = Simulation(wish(GAME, "me", "open"))
    table.do(TakeSeat(player=OTHER))

    assert all(Resign(Seat(seat)) in legal(table.table, Seat(seat)) for seat in (0, 1))


TURN = TurnClock(seconds=60)
BANK = BankClock(seconds=100, increment=7)


def clocked(clock: object, seats: int = 2) -> Simulation:
    table = Simulation(wish(GAME, "me", *["open"] * (seats - 1), clock=clock))
    for i in range(1, seats):
        table.do(TakeSeat(player=f"p_{i}"))
    return table


def act(table: Simulation, after_ms: int = 5) -> None:
    seat = table.table.to_act[0]
    table.do(Play(seat, table.table.game.legal(table.table.play, seat)[0]), seat, after_ms)


def test_g7_who_must_decide_has_a_deadline_in_the_log() -> None:
    table = clocked(TURN)
    (deadline,) = table.table.time.deadlines

    assert isinstance(events_of(table, len(table.entries))[-1], ClockSet)
    assert table.table.to_act == (deadline.seat,)
    assert 60_000 == deadline.due_ms - table.now_ms


def test_g7_a_bank_shrinks_by_the_time_taken_and_grows_by_the_increment() -> None:
    table = clocked(BANK)
    seat = table.table.to_act[0]
    act(table, after_ms=30_000)

    assert 100_000 - 30_000 + 7_000 == table.table.time.banks[seat]


@pytest.mark.parametrize("late_ms", [0, 1, 5_000])
def test_g7_an_expiry_before_its_time_is_refused_and_from_then_on_counts(late_ms: int) -> None:
    table = clocked(TURN)
    seat = table.table.to_act[0]

    assert "not_your_turn" == refused(table, Expire(seat))
    timed_out = table.do(Expire(seat), after_ms=60_000 - 5 + late_ms)[0]
    assert TurnTimedOut(seat=seat, policy="default_move") == timed_out


def test_g7_default_move_moves_as_the_game_says() -> None:
    table = clocked(TURN)
    seat = table.table.to_act[0]
    move = table.table.game.default_move(table.table.play, seat)
    other = clocked(TURN)
    moved = table.do(Expire(seat), after_ms=60_000)[1:]

    assert moved == other.do(Play(seat, move), seat, after_ms=60_000)


def test_g7_the_policy_bot_plays_the_seat_on() -> None:
    table = clocked(TurnClock(seconds=60, on_expiry="bot", bot="random"))
    seat = table.table.to_act[0]
    table.do(Expire(seat), after_ms=60_000)

    assert "random" == table.table.seats[seat].driver
    assert not table.table.seats[seat].resigned
    assert seat not in {deadline.seat for deadline in table.table.time.deadlines}


def test_g7_under_the_policy_bot_the_player_moves_no_more_but_may_resign() -> None:
    table = clocked(TurnClock(seconds=60, on_expiry="bot", bot="random"))
    seat = table.table.to_act[0]
    table.do(Expire(seat), after_ms=60_000)
    command = table.table.game.legal(table.table.play, seat)[0]

    assert (Resign(seat),) == legal(table.table, seat)
    assert "not_your_turn" == refused(table, Play(seat, command, by_player=True))
    assert "illegal_command" == refused(table, AskPause(seat, go_on=False))
    table.do(Resign(seat), seat)
    assert table.table.seats[seat].resigned


def test_g7_the_bot_moves_for_the_seat_that_it_plays_on() -> None:
    table = clocked(TurnClock(seconds=60, on_expiry="bot", bot="random"))
    seat = table.table.to_act[0]
    table.do(Expire(seat), after_ms=60_000)

    assert table.do(Play(seat, table.table.game.legal(table.table.play, seat)[0]), seat)


def test_g7_the_policy_resign_resigns() -> None:
    table = clocked(TurnClock(seconds=60, on_expiry="resign"))
    seat = table.table.to_act[0]
    table.do(Expire(seat), after_ms=60_000)

    assert (seat,) == (table.table.outcome.resigned if table.table.outcome else ())


def test_g7_a_move_that_is_in_the_log_first_wins_against_the_expiry() -> None:
    table = clocked(TURN)
    seat = table.table.to_act[0]
    act(table, after_ms=60_000)

    assert "not_your_turn" == refused(table, Expire(seat))


def test_g7_built_in_bots_have_no_deadline() -> None:
    table = Simulation(wish(GAME, "greedy", "greedy", clock=TURN))

    assert () == table.table.time.deadlines


@pytest.mark.parametrize("clock", [TURN, BANK])
def test_g7_the_clocks_stand_while_all_seats_agree(clock: object) -> None:
    table = clocked(clock)
    due = table.table.time.deadlines[0].due_ms

    assert (PauseAsked(seat=Seat(0), go_on=False),) == table.do(AskPause(Seat(0), go_on=False))
    assert AskPause(Seat(0), go_on=False) not in legal(table.table, Seat(0))
    asked, paused = table.do(AskPause(Seat(1), go_on=False))
    assert isinstance(paused, ClockPaused)
    assert (Seat(0), Seat(1)) == paused.by
    assert "not_your_turn" == refused(table, Expire(table.table.to_act[0]))

    table.do(AskPause(Seat(1), go_on=True), after_ms=1_000_000)
    asked, resumed = table.do(AskPause(Seat(0), go_on=True), after_ms=5)
    assert PauseAsked(seat=Seat(0), go_on=True) == asked
    assert isinstance(resumed, ClockResumed)
    assert due + 1_000_005 + 5 == table.table.time.deadlines[0].due_ms


def test_g7_what_is_played_while_the_clocks_stand_costs_no_time() -> None:
    table = clocked(BANK)
    seat = table.table.to_act[0]
    table.do(AskPause(Seat(0), go_on=False), after_ms=0)
    table.do(AskPause(Seat(1), go_on=False), after_ms=0)
    act(table, after_ms=500_000)

    assert 100_000 + 7_000 == table.table.time.banks[seat]


def test_g7_a_table_without_a_clock_knows_no_pause() -> None:
    table = Simulation(wish(GAME, "me", "greedy"))

    assert "illegal_command" == refused(table, AskPause(Seat(0), go_on=False))
    assert (Resign(Seat(0)),) == legal(table.table, Seat(0))[-1:]


# Bots that fail, forks, the end


def test_the_fallback_moves_for_a_bot_and_says_so() -> None:
    table = Simulation(wish(GAME, "random", "random"))
    seat = table.table.to_act[0]
    command = table.table.game.default_move(table.table.play, seat)
    events = table.do(ReplaceBot(seat=seat, command=command, reason="no answer"))

    assert BotReplaced(seat=seat, bot="random", reason="no answer") == events[0]
    assert len(events) > 1


@pytest.mark.parametrize("at", [1, 7, 20])
def test_a_fork_starts_as_the_origin_stood(at: int) -> None:
    origin = Simulation(wish(GAME, "random", "random"))
    while len(origin.entries) < at:
        origin.move()
    position = seen_log(origin.table.game, origin.entries, "all")
    fork = Simulation(
        wish(GAME, "me", "greedy", origin=Origin(table="t_origin", version=at), position=position), seed=9
    )

    assert origin.table.play == fork.table.play
    assert any(isinstance(event, PositionCopied) for event in events_of(fork, 1))


def test_a_fork_with_an_open_seat_starts_when_it_is_taken() -> None:
    origin = Simulation(wish(GAME, "random", "random"))
    while len(origin.entries) < 9:
        origin.move()
    position = seen_log(origin.table.game, origin.entries, "all")
    fork = Simulation(wish(GAME, "me", "open", origin=Origin(table="t_origin", version=9), position=position))

    assert ("open", None, ()) == (fork.table.status, fork.table.play, fork.table.to_act)
    fork.do(LeaveSeat(seat=Seat(0), by="p_me"))
    fork.do(TakeSeat(player="p_a"), Seat(0))
    fork.do(TakeSeat(player="p_b"), Seat(1))
    assert "playing" == fork.table.status
    assert origin.table.play == fork.table.play
    assert [SeatTaken, TableStarted] == [type(event) for event in events_of(fork, 4)]


def test_the_last_entry_shows_all_hands_and_the_secret() -> None:
    table = played(GAME, 3)
    last = events_of(table, len(table.entries))[-1]

    assert isinstance(last, TableFinished)
    assert table.secret.secret.hex() == last.secret
    assert table.table.game.hands(table.table.play) == last.hands
    assert "table_finished" == refused(table, Resign(Seat(0)))
