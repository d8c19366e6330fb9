"""Points and tie-breaks with their working."""

from domain.tournament.commands import Record
from domain.tournament.events import Result
from domain.tournament.plan import UNIT, Points
from domain.tournament.points import bye_points, game_points
from domain.tournament.standings import crosstable, standings
from tests.domain.tournament.event import Cup, plan


def units(result: Result, **more):
    return [each / UNIT for each in game_points(plan(**more), result)]


def test_who_shares_a_place_shares_its_points():
    assert [3, 2, 1, 0] == units(Result((1, 2, 3, 4)), seats=4)
    assert [2.5, 2.5, 1, 0] == units(Result((1, 1, 3, 4)), seats=4)
    assert [1.5] * 4 == units(Result((1, 1, 1, 1)), seats=4)


def test_a_smaller_table_is_worth_as_much_for_its_winner():
    assert [3, 1.5, 0] == units(Result((1, 2, 3)), seats=4)


def test_points_by_place_and_a_bonus_for_a_win():
    more = {"seats": 4, "points": Points(by_place=(5, 3, 1, 0), win_bonus=1)}
    assert [6, 3, 1, 0] == units(Result((1, 2, 3, 4)), **more)
    assert [3, 3, 3, 0] == units(Result((1, 1, 1, 4)), **more)


def test_a_forfeit_gets_nothing_and_a_bye_what_the_plan_says():
    assert [0, 0] == units(Result((1, 1), forfeits=(0, 1)))
    assert [1.0, 0.5, 0.0] == [bye_points(plan(byes=kind)) / UNIT for kind in ("win", "half", "none")]


def four(results, **more):
    """A round robin of four; `results` by pair of entries."""
    cup = Cup(plan("round_robin", 2, **more), 4)
    cup.start()
    while "running" == cup.t.status:
        cup.pair()
        assert cup.t.current is not None
        for pairing, _, game in list(cup.t.current.games()):
            better = results[tuple(sorted(pairing.entries))]
            cup.do(Record(game, Result(tuple(1 if better in (None, entry) else 2 for entry in pairing.entries))))
    return cup


def test_tie_breaks_are_used_in_the_organisers_order_and_show_their_working():
    results = {
        ("e1", "e2"): "e2", ("e1", "e3"): "e1", ("e1", "e4"): "e1",
        ("e2", "e3"): "e3", ("e2", "e4"): "e2", ("e3", "e4"): None,
    }  # fmt: skip
    rows = standings(four(results, tie_breaks=("head_to_head", "lot")).t)
    assert ["e2", "e1", "e3", "e4"] == [row.entry for row in rows]
    assert [1, 2, 3, 4] == [row.place for row in rows]
    assert (1.0, "1 against bot") == (rows[0].tie_breaks[0].value, rows[0].tie_breaks[0].working)
    rows = standings(four(results, tie_breaks=("buchholz",)).t)
    assert "e1" == rows[0].entry or rows[0].place == rows[1].place
    assert all(row.tie_breaks[0].working.count("(") == 3 for row in rows)
    assert [2, 2, 1.5, 0.5] == [row.points for row in rows]


def test_without_tie_breaks_places_are_shared():
    level = dict.fromkeys([("e1", "e2"), ("e1", "e3"), ("e1", "e4"), ("e2", "e3"), ("e2", "e4"), ("e3", "e4")])
    assert [1, 1, 1, 1] == [row.place for row in standings(four(level, tie_breaks=()).t)]


def test_the_crosstable_is_the_same_seen_from_both_sides():
    level = dict.fromkeys([("e1", "e2"), ("e1", "e3"), ("e1", "e4"), ("e2", "e3"), ("e2", "e4"), ("e3", "e4")], "e1")
    found = {(each.entry, each.opponent): each for each in crosstable(four(level).t)}
    assert all(each.ahead == found[each.opponent, each.entry].behind for each in found.values())
    assert 12 == len(found)


def test_a_place_that_was_forfeited_is_no_win_and_no_second_place():
    cup = Cup(plan(seats=3, rounds=1, tie_breaks=("wins", "second_places")), 3)
    cup.start()
    cup.pair()
    (table,) = cup.t.rounds[0].tables
    cup.do(Record(table.games[0], Result((1, 2, 3), forfeits=(0, 1))))
    assert [(0, 0.0, 0.0)] * 3 == [(row.wins, *(each.value for each in row.tie_breaks)) for row in standings(cup.t)]
