"""What a tournament accepts, and that nothing counts twice."""

import random

import msgspec
import pytest
from msgspec import structs

from domain.errors import Refusal
from domain.history import canonical, encode_events
from domain.tournament.commands import (
    AddEntries,
    Cancel,
    CheckIn,
    Judge,
    MarkPresenceChecked,
    MarkTablesMade,
    NewEntry,
    NoteAbsence,
    PairRound,
    Pause,
    Record,
    Resume,
    Start,
    Withdraw,
)
from domain.tournament.events import Result, RoundPaired, TournamentFinished, TournamentStarted
from domain.tournament.log import applied, decode
from domain.tournament.plan import NoShow
from domain.tournament.rules import MOST_WITHDRAWN, preview
from domain.tournament.standings import standings
from domain.tournament.waiting import blockers
from tests.domain.tournament.event import Cup, dice, plan


def started(entrants: int = 4, **more) -> Cup:
    cup = Cup(plan(**more), entrants)
    cup.start()
    return cup


def test_starting_pairing_and_results_sent_twice_count_once():
    cup = started(rounds=1)
    assert () == cup.do(Start(by="boss"))
    cup.pair()
    assert () == cup.do(PairRound(1))
    game = cup.t.rounds[0].tables[0].games[0]
    assert cup.do(Record(game, Result(places=(1, 2))))
    before = cup.t
    assert () == cup.do(Record(game, Result(places=(2, 1))))
    assert before == cup.t


def test_a_round_closes_by_its_last_result_and_the_last_round_ends_it():
    cup = started(rounds=1)
    cup.pair()
    cup.play_round(random.Random(1))
    assert isinstance(cup.log[-1][-1], TournamentFinished)
    assert cup.t.rounds[0].closed
    with pytest.raises(Refusal) as refused:
        cup.do(Pause(by="boss"))
    assert "tournament_over" == refused.value.code


def test_t5_standings_do_not_depend_on_the_order_of_results():
    found = set()
    for order in range(5):
        cup = started(9, seats=3, rounds=3)
        rng = random.Random(1)
        while "running" == cup.t.status:
            cup.pair()
            cup.play_round(rng, random.Random(order).shuffle)
        found.add(canonical([msgspec.to_builtins(row) for row in standings(cup.t)]))
    assert 1 == len(found)


def test_the_log_folds_to_the_state():
    cup = started(7, seats=3, rounds=2)
    cup.play(random.Random(1))
    events = [event for entry in cup.log for event in decode(encode_events(entry))]
    assert cup.t == applied("t1", None, events)


def test_nothing_starts_without_a_named_reason():
    cup = Cup(plan(starts_at_ms=5, check_in=True))
    codes = [each.code for each in blockers(cup.t, 0)]
    assert ["not_enough_entrants", "waiting_for_start"] == codes
    cup.do(AddEntries((NewEntry("player", "Ada", player="a"), NewEntry("player", "Bo", player="b")), by="boss"))
    assert ["not_enough_entrants", "waiting_for_check_in", "waiting_for_start"] == [
        each.code for each in blockers(cup.t, 0)
    ]
    with pytest.raises(Refusal) as refused:
        cup.do(Start(by="boss"))
    assert "cannot_start" == refused.value.code
    for entry, player in (("e1", "a"), ("e2", "b")):
        cup.do(CheckIn(entry, by=player))
    with pytest.raises(Refusal):
        cup.do(Start(by=None), now_ms=4)
    assert isinstance(cup.do(Start(by=None), now_ms=5)[0], TournamentStarted)
    assert ["round_to_be_paired"] == [each.code for each in blockers(cup.t, 5)]
    cup.pair()
    assert cup.t.rounds[0].tables[0].games == blockers(cup.t, 5)[0].names


def test_a_pause_lets_results_in_and_no_round_begin():
    cup = started(rounds=2)
    cup.pair()
    cup.do(Pause(by="boss"))
    cup.play_round(random.Random(1))
    assert () == cup.do(PairRound(2))
    cup.do(Resume(by="boss"))
    assert isinstance(cup.do(PairRound(2))[0], RoundPaired)


def test_who_does_not_come_forfeits_and_the_others_share_the_first_place():
    cup = started(3, seats=3, rounds=1)
    cup.pair()
    (table,) = cup.t.rounds[0].tables
    cup.do(NoteAbsence(table.games[0], (1,)))
    assert (
        Result((1, 3, 1), forfeits=(1,), by="no_show", reason="not seated in time")
        == cup.t.rounds[0].results[table.games[0]]
    )
    points = {row.entry: row.points for row in standings(cup.t)}
    assert [1.5, 0.0, 1.5] == [points[entry] for entry in table.entries]
    assert () == cup.do(MarkPresenceChecked(1))


def test_a_bot_in_the_seat_of_the_absent_plays_on():
    cup = started(2, rounds=1, no_show=NoShow(policy="bot"))
    cup.pair()
    game = cup.t.rounds[0].tables[0].games[0]
    cup.do(NoteAbsence(game, (0,)))
    assert cup.t.current is not None
    assert (game,) == cup.t.current.absences
    cup.do(Record(game, Result((1, 2))))
    assert "finished" == cup.t.status


def test_a_correction_and_its_reversal_restore_the_standings():
    cup = started(6, rounds=2)
    cup.play(random.Random(2))
    before = standings(cup.t)
    table = cup.t.rounds[0].tables[0]
    old = cup.t.rounds[0].results[table.games[0]]
    new = Result(places=(2, 1) if old.places != (2, 1) else (1, 2), by="organiser", reason="seen twice")
    cup.do(Judge(table.games[0], new, by="boss"))
    assert before != standings(cup.t)
    cup.do(Judge(table.games[0], old, by="boss"))
    assert before == standings(cup.t)
    with pytest.raises(Refusal) as refused:
        cup.do(Judge(table.games[0], new, by="e1"))
    assert "forbidden" == refused.value.code
    with pytest.raises(Refusal):
        cup.do(Judge(table.games[0], structs.replace(new, places=(2, 2)), by="boss"))


def test_a_round_that_is_judged_before_its_tables_stand_closes_when_they_do():
    """Else a game would be named whose table nobody ever makes."""
    cup = started(4, rounds=2)
    cup.do(PairRound(1))
    for _, _, game in cup.t.rounds[0].games():
        cup.do(Judge(game, Result(places=(1, 2), by="organiser", reason="seen"), by="boss"))
    assert not cup.t.rounds[0].closed
    assert ["tables_to_be_made"] == [each.code for each in blockers(cup.t, 0)]
    cup.do(MarkTablesMade(1))
    assert cup.t.rounds[0].closed


def test_who_withdraws_is_paired_no_more_and_keeps_what_he_got():
    cup = started(4, rounds=2)
    cup.pair()
    cup.do(Withdraw("e1", by="boss"))
    cup.play_round(random.Random(1))
    cup.pair()
    assert cup.t.current is not None
    placed = {entry for table in cup.t.current.tables for entry in table.entries} | {*cup.t.current.byes}
    assert {"e2", "e3", "e4"} == placed
    assert "e1" in {row.entry for row in standings(cup.t)}


def test_who_comes_and_goes_makes_no_log_without_end():
    cup = Cup(plan(), 2)
    mine = NewEntry(kind="player", name="Ada", player="ada")
    for _ in range(MOST_WITHDRAWN):
        cup.do(AddEntries((mine,), by="ada"))
        cup.do(Withdraw([*cup.t.entrants][-1], by="ada"))
    with pytest.raises(Refusal) as refused:
        cup.do(AddEntries((mine,), by="ada"))
    cup.do(AddEntries((mine,), by="boss"))

    assert "forbidden" == refused.value.code
    assert not [*cup.t.entrants.values()][-1].withdrawn


def test_an_event_with_one_left_ends_by_itself():
    cup = started(2, rounds=5)
    cup.pair()
    cup.do(Withdraw("e2", by="boss"))
    cup.play_round(random.Random(1))
    cup.do(PairRound(2))
    assert ("finished", "too_few_left") == (cup.t.status, cup.t.ended)


def test_a_cancelled_event_takes_nothing_more():
    cup = started()
    cup.pair()
    cup.do(Cancel(by="boss", reason="rain"))
    game = cup.t.rounds[0].tables[0].games[0]
    assert () == cup.do(Record(game, dice(random.Random(1), 2)))
    assert () == cup.do(Cancel(by="boss"))


def test_a_preview_is_what_is_paired():
    cup = started(9, seats=4, rounds=3)
    wanted = preview(cup.t, cup.tools, 0)
    assert (wanted,) == cup.do(PairRound(1))


def test_a_round_robin_goes_on_where_those_who_are_left_do_not_meet_in_a_round():
    cup = started(4, format_="round_robin")
    cup.pair()
    (one, other) = (table.entries for table in cup.t.rounds[0].tables)
    for entry in (one[1], other[1]):
        cup.do(Withdraw(entry, by="boss"))
    cup.play_round(random.Random(1))
    cup.play(random.Random(1))
    assert ("finished", "all_rounds") == (cup.t.status, cup.t.ended)
    assert {one[0], other[0]} in [{*table.entries} for each in cup.t.rounds[1:] for table in each.tables]
    assert [1, 2, 3] == [each.number for each in cup.t.rounds]


def test_a_gauntlet_that_has_met_all_who_are_left_has_had_all_its_rounds():
    cup = started(4, format_="gauntlet")
    cup.pair()
    cup.play_round(random.Random(1))
    for entry in ("e3", "e4"):
        cup.do(Withdraw(entry, by="boss"))
    cup.play(random.Random(1))
    assert "all_rounds" == cup.t.ended


def test_a_table_that_nobody_started_tells_its_absences_whoever_ended_it():
    cup = started(2, rounds=1)
    cup.pair()
    game = cup.t.rounds[0].tables[0].games[0]
    cup.do(Record(game, Result((1, 2), forfeits=(1,), by="no_show")))
    assert (game,) == cup.t.rounds[0].absences
