"""T1: what pairing promises, over random events; an independent checker looks only at what was paired."""

import itertools
import os
import random
from collections.abc import Iterator

import pytest

from domain.tournament.check import faults, seat_spread
from domain.tournament.commands import Judge, Withdraw
from domain.tournament.history import Met
from domain.tournament.pairing import Costs, Field, pair, repeats, sizes
from domain.tournament.plan import Format
from domain.tournament.seating import seated
from domain.tournament.settling import settled
from tests.domain.tournament.event import Cup, dice, plan

EVENTS = int(os.environ.get("STARLEDGER_EVENTS", "240"))
"""Random events; 10000 for a whole night."""


def test_tables_have_k_or_one_less_seats_with_the_fewest_byes():
    for seats, entrants in itertools.product(range(2, 7), range(2, 60)):
        found = sizes(entrants, seats)
        if entrants < seats:
            assert (entrants,) == found
            continue
        allowed = {seats, seats - 1} - {1}
        assert set(found) <= allowed
        fewest = min(
            entrants - a * seats - b * (seats - 1 if seats > 2 else seats)
            for a in range(entrants // seats + 1)
            for b in range(entrants // seats + 2)
            if a * seats + b * (seats - 1 if seats > 2 else seats) <= entrants
        )
        assert fewest == entrants - sum(found)


@pytest.mark.parametrize("seed", range(EVENTS))
def test_t1_random_events_keep_the_promises_of_pairing(seed):
    rng = random.Random(seed)
    format_: Format = rng.choice(["swiss", "swiss", "swiss", "round_robin", "knockout", "gauntlet"])
    seats = rng.choice([2, 2, 3, 4, 5, 6])
    entrants = rng.choice([rng.randint(2, 12), rng.randint(2, 30), rng.randint(2, 30 if EVENTS < 1000 else 200)])
    rounds = rng.randint(1, 6) if format_ == "swiss" else None
    cup = Cup(plan(format_, seats, rounds=rounds, legs=rng.choice([1, 1, 2])), entrants, seed)
    cup.start()
    while "running" == cup.t.status:
        cup.pair()
        if cup.t.current is None:
            continue
        if format_ == "swiss" and rng.random() < 0.2:
            cup.enter(1)  # late
        if rng.random() < 0.2 and len(cup.t.active) > 3:
            cup.do(Withdraw(rng.choice(cup.t.active), by="boss"))
        cup.play_round(rng, rng.shuffle)
        if rng.random() < 0.2:
            pairing, _, game = rng.choice(list(rng.choice([one for one in cup.t.rounds if one.tables]).games()))
            cup.do(Judge(game, dice(rng, len(pairing.entries)), by="boss"))  # corrected

    assert [] == faults(cup.t.rounds, seats, cup.active)
    if format_ == "swiss":
        assert 2 >= max(seat_spread(cup.t.rounds, seats).values(), default=0)


@pytest.mark.parametrize("met_before", [False, True])
def test_t1_where_no_order_of_a_table_spreads_its_seats_one_changes_places_with_another_table(met_before):
    """The cheapest change that makes no meeting again: with the second table, or with the third where all of it is known."""
    entries = [f"e{i:02}" for i in range(16)]
    tables = tuple(tuple(entries[i : i + 4]) for i in range(0, 16, 4))
    seats = {(entry, 4, seat): count for entry in tables[0] for seat, count in ((0, 1), (1, 1), (3, 2))}
    pairs = {(one, other): 1 for one in tables[0] for other in tables[1]} if met_before else {}
    field = Field(
        points={entry: 120 * (len(tables) - i // 4) for i, entry in enumerate(entries)},
        lots={entry: i for i, entry in enumerate(entries)},
        met=Met(meetings={**pairs, **{pair_[::-1]: 1 for pair_ in pairs}}, byes={}, seats=seats, games={}),
    )
    found = settled(tables, field, 1)
    assert tables[3] == found[3]
    assert [met_before, not met_before] == [tables[1] == found[1], tables[2] == found[2]]
    assert 3 == len(set(found[0]) & set(tables[0]))
    assert sorted(entries) == sorted(entry for table in found for entry in table)
    assert 0 == repeats(found, field.met)
    for table in found:
        for seat, entry in enumerate(seated(table, field.met, 1)):
            counts = [field.met.sat(entry, each, 4) + (each == seat) for each in range(4)]
            assert 2 >= max(counts) - min(counts)


@pytest.mark.parametrize("seed", range(12))
def test_t1_up_to_twelve_no_meeting_again_that_a_brute_search_avoids(seed):
    rng = random.Random(seed)
    seats = rng.choice([2, 3, 4])
    entries = [f"e{i}" for i in range(rng.choice([6, 7, 8]))]
    meetings = {}
    for one, other in itertools.combinations(entries, 2):
        meetings[one, other] = meetings[other, one] = rng.choice([0, 0, 1, 2])
    field = Field(
        points={entry: 120 * rng.randrange(4) for entry in entries},
        lots={entry: place for place, entry in enumerate(entries)},
        met=Met(meetings=meetings, byes={}, seats={}, games={}),
    )
    found = pair(field, seats, seed)
    wanted = sizes(len(entries), seats)
    best = min(
        sum(meetings[pair_] ** 2 for table in tables for pair_ in itertools.combinations(table, 2))
        for tables in _all_ways(tuple(entries), wanted)
    )
    assert best == sum(meetings[pair_] ** 2 for table in found.tables for pair_ in itertools.combinations(table, 2))


def _all_ways(left: tuple[str, ...], wanted: tuple[int, ...]) -> Iterator[list[tuple[str, ...]]]:
    if not wanted:
        yield []
        return
    for table in itertools.combinations(left, wanted[0]):
        for rest in _all_ways(tuple(each for each in left if each not in table), wanted[1:]):
            yield [table, *rest]


def test_the_order_of_entries_in_the_request_does_not_matter():
    rng = random.Random(3)
    entries = [f"e{i}" for i in range(30)]
    points = {entry: 120 * rng.randrange(4) for entry in entries}
    lots = {entry: place for place, entry in enumerate(entries)}
    met = Met(meetings={}, byes={}, seats={}, games={})
    shuffled = rng.sample(entries, len(entries))
    other = Field(points={entry: points[entry] for entry in shuffled}, lots=lots, met=met)
    assert pair(Field(points=points, lots=lots, met=met), 4, 7) == pair(other, 4, 7)


def test_what_a_table_costs_does_not_depend_on_who_is_named_first():
    """Points of pods come in thirds and fifths; half of a difference must round alike in both directions."""
    rng = random.Random(5)
    entries = [f"e{i}" for i in range(24)]
    points = {entry: rng.randrange(480) for entry in entries}
    field = Field(points=points, lots=dict.fromkeys(entries, 0), met=Met(meetings={}, byes={}, seats={}, games={}))
    for table in itertools.combinations(entries[:9], 3):
        assert 1 == len({Costs(field).table(order) for order in itertools.permutations(table)})


def test_a_round_robin_of_pairs_lets_all_meet_once():
    for entrants in (2, 5, 6, 9):
        cup = Cup(plan("round_robin", 2), entrants)
        cup.start()
        cup.play(random.Random(1))
        assert "finished" == cup.t.status
        met = sorted(tuple(sorted(table.entries)) for one in cup.t.rounds for table in one.tables)
        assert sorted(tuple(sorted(each)) for each in itertools.combinations(cup.t.roster, 2)) == met


def test_a_knockout_of_pairs_has_byes_in_its_first_round_only():
    for entrants in (2, 3, 5, 8, 11):
        cup = Cup(plan("knockout", 2), entrants)
        cup.start()
        cup.play(random.Random(1))
        assert all(not one.byes for one in cup.t.rounds[1:])
        assert 1 == len(cup.t.rounds[-1].tables)


def test_in_a_gauntlet_the_first_entry_meets_all_others():
    for entrants, seats in ((5, 2), (8, 4), (9, 3)):
        cup = Cup(plan("gauntlet", seats), entrants)
        cup.start()
        cup.play(random.Random(1))
        assert all("e1" in one.tables[0].entries for one in cup.t.rounds)
        assert set(cup.t.roster) == {entry for one in cup.t.rounds for entry in one.tables[0].entries}


def test_repeats_are_counted():
    met = Met(meetings={("a", "b"): 2, ("b", "a"): 2}, byes={}, seats={}, games={})
    assert 2 == repeats([("a", "b"), ("c", "d")], met)
