"""What every event store does, run on every one: memory, fakeredis, the embedded server, Redis where there is one."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.application.ports import (
    Committed,
    Conflict,
    Diverged,
    Due,
    Duplicate,
    Gone,
    Head,
    Mark,
    Proof,
    Stream,
    Unproven,
)
from tests.store.conftest import TAIL_LIMIT
from tests.store.entries import due, entries, entry, head

NOW = Due(what="ai:1", delay_ms=0)
LATER = Due(what="timeout:0", delay_ms=60_000)


def fill(store, table, chain, next_due=None):
    """Write a chain of entries; every one must be taken."""
    answers = [store.create(table, chain[0], b"secret", next_due, running=True)]
    answers += [
        store.commit(table, head(before), each, next_due, running=True) for before, each in itertools.pairwise(chain)
    ]
    assert [Committed()] * len(chain) == answers
    return chain


# ---- writing and reading back


def test_what_was_written_is_read_back_whole_with_the_secret(store):
    odd = entry(2, entry(1).hash, "ai-tüt-2", seat=None, events=bytes(range(256)))
    fill(store, "t", [entry(1, seat=None), odd])

    assert Stream(entries=(entry(1, seat=None), odd), secret=b"secret") == store.load("t")


def test_a_secret_may_hold_any_bytes(store):
    store.create("t", entry(1), bytes(range(256)), None, running=True)

    assert bytes(range(256)) == store.load("t").secret


def test_what_is_due_next_stands_in_the_entry(store):
    store.create("t", entry(1), b"", LATER, running=True)

    assert "timeout:0@+60000" == store.load("t").entries[0].due
    assert LATER == Due.decode(store.load("t").entries[0].due)


def test_an_unknown_table_is_none_and_has_no_entries(store):
    assert store.load("t") is None
    assert () == store.read("t")


def test_a_commit_with_a_proof_counts_while_the_key_holds_what_it_says(rig):
    chain = fill(rig.store, "t", entries(2))
    after = entry(3, chain[1].hash)
    proof = Proof(key="token:a", held=b"\x00good")

    def commit():
        return rig.store.commit("t", head(chain[1]), after, NOW, running=True, proof=proof)

    with pytest.raises(Unproven):
        commit()  # there is no such key
    rig.hold("token:a", b"revoked")
    with pytest.raises(Unproven):
        commit()
    assert tuple(chain) == rig.store.load("t").entries

    rig.hold("token:a", b"\x00good")
    assert Committed() == commit()
    rig.hold("token:a", b"revoked")
    with pytest.raises(Unproven):
        commit()  # also where it was committed before: a repeat is an answer too


def test_the_last_entry_is_given_alone(store):
    chain = fill(store, "t", entries(3))

    assert chain[-1] == store.last("t")
    assert store.last("u") is None


def test_the_heads_of_many_tables_are_given_at_once(store):
    one, two = fill(store, "t", entries(3)), fill(store, "u", entries(1))

    assert (head(one[-1]), None, head(two[-1])) == tuple(store.heads(["t", "none", "u"]))
    assert () == tuple(store.heads([]))


def test_entries_behind_a_version_are_read_in_pages(store):
    chain = fill(store, "t", entries(4))

    assert tuple(chain[1:3]) == store.read("t", after=1, limit=2)
    assert tuple(chain[3:]) == store.read("t", after=3, limit=2)
    assert () == store.read("t", after=4)


def test_an_entry_that_is_not_the_next_is_the_callers_mistake(store):
    with pytest.raises(ValueError, match="entry 3 can't stand behind version 1"):
        store.commit("t", Head(version=1, hash=entry(1).hash), entry(3), None, running=True)


# ---- several at once


def test_entries_committed_together_are_all_there_each_with_its_own_due_and_the_mark_of_the_last(store):
    chain = entries(5)
    fill(store, "t", chain[:2])
    together = [due(chain[2], "ai:1@+0"), due(chain[3], "ai:0@+0"), chain[4]]

    assert Committed() == store.commit_all("t", head(chain[1]), together, LATER, running=True)
    assert (*chain[:2], *together[:2], due(chain[4], "timeout:0@+60000")) == store.load("t").entries
    assert [] == list(store.due(10))
    assert store.mark("t") is not None


@pytest.mark.parametrize("known", [0, 1, 2])
def test_of_entries_committed_together_none_is_there_where_others_were_faster(store, known):
    chain = entries(4)
    first = fill(store, "t", chain[:1])[0]
    rivals = [entry(2, first.hash, "rival")]
    rivals.append(entry(3, rivals[0].hash, "rival too"))
    for before, rival in itertools.pairwise([first, *rivals[:known]]):
        store.commit("t", head(before), rival, None, running=True)

    answer = store.commit_all("t", head(first), chain[1:], NOW, running=True)

    assert (Conflict(tail=tuple(rivals[:known])) if known else Committed()) == answer
    assert 1 + (known or 3) == len(store.load("t").entries)


def test_entries_committed_together_twice_are_a_duplicate_of_the_first(store):
    chain = entries(4)
    first = fill(store, "t", chain[:1])[0]
    store.commit_all("t", head(first), chain[1:], None, running=True)

    assert Duplicate(version=2, tail=tuple(chain[1:])) == store.commit_all(
        "t", head(first), chain[1:], None, running=True
    )
    assert tuple(chain) == store.load("t").entries


def test_entries_that_do_not_follow_each_other_are_the_callers_mistake(store):
    chain = entries(4)
    first = fill(store, "t", chain[:1])[0]
    for wrong in ([], [chain[2]], [chain[1], chain[3]]):
        with pytest.raises(ValueError, match="entry"):
            store.commit_all("t", head(first), wrong, None, running=True)
    assert (first,) == store.load("t").entries


# ---- one winner


def test_of_20_writers_at_one_version_one_wins_and_nothing_is_partial(store):
    first = fill(store, "t", entries(1))[0]
    rivals = [entry(2, first.hash, f"rival-{n}") for n in range(20)]
    start = threading.Barrier(20)

    def write(n):
        start.wait()
        return store.commit("t", head(first), rivals[n], Due(what=f"ai:{n}"), running=True)

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(write, range(20)))

    [winner] = [n for n, answer in enumerate(answers) if answer == Committed()]
    kept = due(rivals[winner], f"ai:{winner}@+0")
    assert [Conflict(tail=(kept,))] * 19 == [answer for n, answer in enumerate(answers) if n != winner]
    assert (due(first, ""), kept) == store.load("t").entries
    assert ["t"] == [mark.table for mark in store.due(10)]


def test_of_20_creators_of_one_table_one_wins_and_its_secret_stays(store):
    start = threading.Barrier(20)

    def create(n):
        start.wait()
        return store.create("t", entry(1, command_id=f"rival-{n}"), b"secret %d" % n, None, running=True)

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(create, range(20)))

    [winner] = [n for n, answer in enumerate(answers) if answer == Committed()]
    assert Stream(entries=(entry(1, command_id=f"rival-{winner}"),), secret=b"secret %d" % winner) == store.load("t")


def test_a_table_made_twice_with_the_same_command_id_is_a_duplicate(store):
    store.create("t", entry(1), b"one", None, running=True)

    assert Duplicate(version=1, tail=(entry(1),)) == store.create("t", entry(1), b"two", NOW, running=True)
    assert b"one" == store.load("t").secret
    assert [] == store.due(1)


def test_a_table_made_twice_with_another_command_id_is_a_conflict(store):
    store.create("t", entry(1), b"one", None, running=True)

    assert Conflict(tail=(entry(1),)) == store.create("t", entry(1, command_id="x"), b"two", NOW, running=True)
    assert b"one" == store.load("t").secret


# ---- commands that come twice


def test_a_command_that_stands_behind_its_base_is_a_duplicate_with_its_position(store):
    chain = fill(store, "t", entries(4))

    again = entry(2, chain[0].hash, "c3")
    assert Duplicate(version=3, tail=tuple(chain[1:])) == store.commit("t", head(chain[0]), again, NOW, running=True)
    assert tuple(chain) == store.load("t").entries


def test_a_command_that_stands_at_or_before_its_base_is_found_in_what_load_gives(store):
    chain = fill(store, "t", entries(3))

    assert [each.command_id for each in chain] == [each.command_id for each in store.load("t").entries]


def test_a_duplicate_behind_more_entries_than_come_with_the_verdict_is_found(store):
    chain = fill(store, "t", entries(3 * TAIL_LIMIT + 2))

    again = entry(2, chain[0].hash, chain[-1].command_id)
    assert Duplicate(version=len(chain), tail=tuple(chain[1:])) == store.commit(
        "t", head(chain[0]), again, None, running=True
    )


# ---- tails


@pytest.mark.parametrize("missed", [1, TAIL_LIMIT - 1, TAIL_LIMIT, TAIL_LIMIT + 1, 2 * TAIL_LIMIT, 2 * TAIL_LIMIT + 1])
def test_a_conflict_gives_all_entries_that_the_caller_has_missed(store, missed):
    chain = fill(store, "t", entries(missed + 1))

    answer = store.commit("t", head(chain[0]), entry(2, chain[0].hash, "mine"), NOW, running=False)
    assert Conflict(tail=tuple(chain[1:])) == answer
    assert ["t"] == list(store.running())


# ---- another history


def test_another_hash_at_the_head_is_diverged(store):
    chain = fill(store, "t", entries(2))

    other = Head(version=2, hash=chain[0].hash)
    assert Diverged() == store.commit("t", other, entry(3, chain[0].hash), None, running=True)
    assert tuple(chain) == store.load("t").entries


def test_another_hash_below_the_head_is_diverged_and_gives_no_tail(store):
    chain = fill(store, "t", entries(3))

    other = Head(version=2, hash=chain[0].hash)
    assert Diverged() == store.commit("t", other, entry(3, chain[0].hash), None, running=True)


def test_a_version_that_the_stream_has_lost_is_diverged(rig):
    chain = fill(rig.store, "t", entries(3))
    rig.lose_behind("t", 2)

    assert Diverged() == rig.store.commit("t", head(chain[2]), entry(4, chain[2].hash), None, running=True)
    assert tuple(chain[:2]) == rig.store.load("t").entries


def test_history_lost_and_written_anew_is_diverged_for_who_knows_the_old_one(rig):
    chain = fill(rig.store, "t", entries(3))
    rig.lose_behind("t", 2)
    rig.store.commit("t", head(chain[1]), entry(3, chain[1].hash, "other", seat=5), None, running=True)

    assert Diverged() == rig.store.commit("t", head(chain[2]), entry(4, chain[2].hash), None, running=True)


def test_a_stream_that_is_gone_is_gone_and_not_made_again(rig):
    chain = fill(rig.store, "t", entries(1))
    rig.forget("t")

    assert Gone() == rig.store.commit("t", head(chain[0]), entry(2, chain[0].hash), NOW, running=True)
    assert rig.store.load("t") is None
    assert [] == rig.store.due(1)


# ---- the outbox


def test_a_commit_sets_its_mark_and_the_next_one_clears_it(store):
    chain = entries(2)
    store.create("t", chain[0], b"", NOW, running=True)
    assert ["t"] == [mark.table for mark in store.due(1)]

    store.commit("t", head(chain[0]), chain[1], None, running=True)
    assert [] == store.due(1)
    assert store.mark("t") is None


def test_what_is_due_later_is_not_due_now_but_marked(store):
    before = time.time_ns() // 1_000_000
    store.create("t", entry(1), b"", LATER, running=True)
    after = time.time_ns() // 1_000_000

    assert [] == store.due(1)
    assert before + 60_000 <= store.mark("t").due_ms <= after + 60_000


def test_marks_come_oldest_first_over_all_buckets_and_no_more_than_asked_for(store):
    tables = [f"t{n}" for n in range(20)]
    for age, table in enumerate(tables):
        store.create(table, entry(1), b"", NOW, running=True)
        assert store.lease(store.mark(table), for_ms=-1000 * (age + 1))

    assert tables[::-1] == [mark.table for mark in store.due(100)]
    assert tables[:-6:-1] == [mark.table for mark in store.due(5)]


def test_a_leased_mark_is_not_due_until_its_lease_ends(store):
    store.create("t", entry(1), b"", NOW, running=True)
    [seen] = store.due(1)

    assert store.lease(seen, for_ms=60_000)
    assert [] == store.due(1)
    assert seen.due_ms + 59_000 < store.mark("t").due_ms

    assert store.lease(store.mark("t"), for_ms=-1)
    assert ["t"] == [mark.table for mark in store.due(1)]


def test_of_two_relays_with_the_same_mark_one_gets_the_lease(store):
    store.create("t", entry(1), b"", NOW, running=True)
    [seen] = store.due(1)

    assert [True, False] == [store.lease(seen, for_ms=60_000) for _ in range(2)]


def test_a_lease_of_a_mark_that_a_commit_has_moved_or_cleared_does_nothing(store):
    chain = entries(3)
    store.create("t", chain[0], b"", NOW, running=True)
    [seen] = store.due(1)
    store.commit("t", head(chain[0]), chain[1], LATER, running=True)
    moved = store.mark("t")

    assert not store.lease(seen, for_ms=1)
    assert moved == store.mark("t")

    store.commit("t", head(chain[1]), chain[2], None, running=True)
    assert not store.lease(moved, for_ms=1)
    assert store.mark("t") is None


def test_a_mark_is_cleared_only_if_it_is_the_one_that_was_seen(store):
    store.create("t", entry(1), b"", NOW, running=True)
    [seen] = store.due(1)

    assert not store.clear(Mark(table="t", due_ms=seen.due_ms + 1))
    assert [seen] == list(store.due(1))
    assert store.clear(seen)
    assert not store.clear(seen)
    assert store.mark("t") is None


# ---- running tables


def test_running_tables_are_those_not_yet_ended(store):
    chain = fill(store, "a", entries(2))
    fill(store, "b", entries(1))
    store.create("c", entry(1), b"", None, running=False)
    store.commit("a", head(chain[1]), entry(3, chain[1].hash), None, running=False)

    assert ["b"] == list(store.running())
    assert [False, True, False] == [store.is_running(table) for table in "abc"]


def test_every_table_is_listed_once(store):
    tables = {f"t:{n}" for n in range(40)}
    for table in tables:
        store.create(table, entry(1), b"", NOW, running=True)

    assert sorted(tables) == sorted(store.tables())


# ---- the slow sweep


def test_lost_marks_are_rebuilt_from_the_last_entry(rig):
    chain = fill(rig.store, "t", entries(2), NOW)
    rig.forget_marks()
    assert ([], []) == (list(rig.store.due(1)), list(rig.store.running()))

    assert rig.store.repair("t", NOW, head(chain[1]), running=True)
    assert ["t"] == [mark.table for mark in rig.store.due(1)]
    assert ["t"] == list(rig.store.running())


def test_a_rebuilt_mark_is_counted_from_the_entrys_own_time(rig):
    chain = fill(rig.store, "t", entries(2), LATER)
    rig.forget_marks()

    assert rig.store.repair("t", LATER, head(chain[1]), running=True)
    assert Mark(table="t", due_ms=chain[1].time_ms + 60_000) == rig.store.mark("t")


def test_the_sweep_leaves_a_leased_mark_where_it_is(store):
    chain = fill(store, "t", entries(2), NOW)
    store.lease(store.mark("t"), for_ms=60_000)
    leased = store.mark("t")

    assert store.repair("t", NOW, head(chain[1]), running=True)
    assert leased == store.mark("t")


def test_the_sweep_takes_away_a_mark_that_the_last_entry_does_not_ask_for(store):
    chain = fill(store, "t", entries(2), NOW)

    assert store.repair("t", None, head(chain[1]), running=False)
    assert store.mark("t") is None
    assert [] == list(store.running())


def test_a_sweep_that_a_commit_has_overtaken_changes_nothing(store):
    chain = fill(store, "t", entries(2), NOW)
    kept = store.mark("t")

    assert not store.repair("t", None, head(chain[0]), running=False)
    assert not store.repair("t", None, Head(version=2, hash=chain[0].hash), running=False)
    assert not store.repair("gone", NOW, head(chain[0]), running=True)
    assert kept == store.mark("t")
    assert ["t"] == list(store.running())


# ---- waiting


def test_waiting_gives_at_once_what_is_there(store):
    chain = fill(store, "t", entries(3))

    assert {"t": tuple(chain[1:])} == store.wait({"t": 1, "u": 0}, timeout_ms=10_000)


def test_waiting_ends_with_nothing_after_its_time(store):
    fill(store, "t", entries(1))

    assert {} == store.wait({"t": 1, "u": 0}, timeout_ms=20)
    assert {} == store.wait({}, timeout_ms=20)


def test_a_commit_wakes_who_waits_for_its_table(store):
    chain = fill(store, "t", entries(1))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(store.wait, {"t": 1, "u": 0}, 20_000)
        second = entry(2, chain[0].hash)
        assert Committed() == store.commit("t", head(chain[0]), second, None, running=True)

        assert {"t": (second,)} == waiting.result(10)


@pytest.mark.parametrize("tables", [{"t": 1}, {}])
def test_who_waits_can_be_woken_to_watch_other_tables(store, tables):
    fill(store, "t", entries(1))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(store.wait, tables, 60_000)
        while not waiting.done():  # an early wake is for the next wait, so one may come too soon, none too late
            store.wake()

        assert {} == waiting.result(10)


def test_a_wake_before_the_wait_ends_it_at_once(store):
    fill(store, "t", entries(1))
    store.wake()

    assert {} == store.wait({"t": 1}, timeout_ms=60_000)
