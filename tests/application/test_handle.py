"""The one door: idempotency before the decision, conflicts, repeats, versions (store.md, api.md)."""

import os
import threading

import pytest
from msgspec import structs

from domain.errors import Refusal
from domain.games import GAMES
from domain.log import fold
from domain.table_rules import Play, Resign, TakeSeat
from domain.values import Seat
from service.application.handle import Attempt, Desk, KeyReused, StaleVersion, command_id
from service.application.live import Frozen
from service.application.ports import Due, Head
from service.store.memory import MemoryStore
from tests.support.simulate import wish

GAME = "beam-me-up"
TABLE = "t1"


class Hints:
    """A queue that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        del attempt
        self.asked.append((table, version))


class CountingStore(MemoryStore):
    """A memory store that counts round trips."""

    def __init__(self) -> None:
        super().__init__()
        self.trips = 0

    def commit(self, *args, **kwargs):
        self.trips += 1
        return super().commit(*args, **kwargs)

    def load(self, table):
        self.trips += 1
        return super().load(table)

    def read(self, *args):
        self.trips += 1
        return super().read(*args)


def desk(store: MemoryStore) -> Desk:
    return Desk(store, Hints(), GAMES, os.urandom)


def started(store: MemoryStore, *seats: str) -> Desk:
    one = desk(store)
    one.create(TABLE, wish(GAME, *(seats or ("me", "open"))), Attempt("create"))
    if not seats:
        one.handle(TABLE, lambda _: (TakeSeat(player="p_b"), None), Attempt("sit"))
    return one


def next_move(table):
    seat = table.to_act[0]
    return Play(seat, table.game.legal(table.play, seat)[0]), seat


def test_a_warm_command_costs_one_round_trip() -> None:
    store = CountingStore()
    one = started(store)
    store.trips = 0
    one.handle(TABLE, next_move, Attempt("a"))

    assert 1 == store.trips


def test_a_repeat_is_answered_with_the_table_as_it_was_then() -> None:
    store = MemoryStore()
    one = started(store)
    first = one.handle(TABLE, next_move, Attempt("a", b"body"))
    for later in range(60):
        if one.table(TABLE).table.status == "playing":
            one.handle(TABLE, next_move, Attempt(f"later {later}"))
    for door in (one, desk(store)):
        again = door.handle(TABLE, next_move, Attempt("a", b"body"))

        assert again.replayed
        assert first.entry == again.entry
        assert first.table == again.table


def test_a_repeat_is_found_before_anything_else_is_asked() -> None:
    store = MemoryStore()
    one = started(store)
    first = one.handle(TABLE, next_move, Attempt("a"))
    one.handle(TABLE, lambda _: (Resign(Seat(0)), Seat(0)), Attempt("end"))

    def never(table):
        raise AssertionError(table)

    assert first.entry == one.handle(TABLE, never, Attempt("a", if_match=(1, "00"))).entry


def test_the_same_id_with_another_body_is_refused_and_changes_nothing() -> None:
    store = MemoryStore()
    one = started(store)
    one.handle(TABLE, next_move, Attempt("a", b"body"))
    version = one.table(TABLE).version

    with pytest.raises(KeyReused):
        one.handle(TABLE, next_move, Attempt("a", b"another"))
    assert version == one.table(TABLE).version


def test_a_refused_command_leaves_its_id_free() -> None:
    store = MemoryStore()
    one = started(store)
    waiting = Seat(1 - one.table(TABLE).table.to_act[0])
    command = next_move(one.table(TABLE).table)[0].command

    with pytest.raises(Refusal):
        one.handle(TABLE, lambda _: (Play(waiting, command), waiting), Attempt("a"))
    assert not one.handle(TABLE, next_move, Attempt("a")).replayed


def test_creating_twice_makes_one_table() -> None:
    store = MemoryStore()
    first = desk(store).create(TABLE, wish(GAME, "me", "open"), Attempt("c", b"body"))
    again = desk(store).create(TABLE, wish(GAME, "me", "open"), Attempt("c", b"body"))

    assert again.replayed
    assert first.entry == again.entry
    with pytest.raises(KeyReused):
        desk(store).create(TABLE, wish(GAME, "me", "open"), Attempt("c", b"another"))


def test_a_desk_that_lags_behind_decides_anew_on_the_tail() -> None:
    store = MemoryStore()
    one, other = started(store), desk(store)
    other.table(TABLE)
    one.handle(TABLE, next_move, Attempt("a"))
    done = other.handle(TABLE, next_move, Attempt("b"))

    assert 4 == done.entry.version
    assert fold(TABLE, GAMES, store.read(TABLE)).table == done.table


def test_a_refusal_that_rests_on_a_lagging_table_is_thought_over() -> None:
    store = MemoryStore()
    one, other = started(store), desk(store)
    other.table(TABLE)
    first = one.table(TABLE).table.to_act[0]
    one.handle(TABLE, next_move, Attempt("a"))
    second = one.table(TABLE).table.to_act[0]
    command = next_move(one.table(TABLE).table)[0]

    assert first != second
    assert 4 == other.handle(TABLE, lambda _: (command, second), Attempt("b")).entry.version


def test_with_if_match_a_moved_table_is_stale_and_the_missed_entries_are_known() -> None:
    store = MemoryStore()
    one, other = started(store), desk(store)
    seen = other.table(TABLE).head
    one.handle(TABLE, next_move, Attempt("a"))

    with pytest.raises(StaleVersion) as stale:
        other.handle(TABLE, next_move, Attempt("b", if_match=(seen.version, seen.hash[:16])))
    assert seen.version + 1 == stale.value.live.version
    assert seen.version == stale.value.seen


def test_the_hash_counts_as_well_as_the_version() -> None:
    store = MemoryStore()
    one = started(store)

    with pytest.raises(StaleVersion):
        one.handle(TABLE, next_move, Attempt("a", if_match=(one.table(TABLE).version, "0" * 16)))


def test_twenty_writers_at_one_version_have_one_winner_each_turn() -> None:
    store = MemoryStore()
    started(store)
    start = threading.Barrier(20)
    outcomes: list[str] = []

    def write(n: int) -> None:
        mine = desk(store)
        head = mine.table(TABLE).head
        start.wait()
        try:
            mine.handle(TABLE, next_move, Attempt(f"w{n}", if_match=(head.version, head.hash)))
            outcomes.append("won")
        except StaleVersion:
            outcomes.append("stale")

    writers = [threading.Thread(target=write, args=(n,)) for n in range(20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert 1 == outcomes.count("won")
    assert 19 == outcomes.count("stale")
    assert 3 == len(store.read(TABLE))


def test_one_command_id_from_twenty_threads_is_counted_once() -> None:
    store = MemoryStore()
    started(store)
    doors = [desk(store) for _ in range(4)]
    results: list[int] = []

    def send(door: Desk) -> None:
        results.append(door.handle(TABLE, next_move, Attempt("same")).entry.version)

    senders = [threading.Thread(target=send, args=(doors[n % 4],)) for n in range(20)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()

    assert {3} == set(results)
    assert 20 == len(results)
    assert 3 == len(store.read(TABLE))


def test_history_that_was_lost_is_a_version_conflict_and_then_the_new_history_counts() -> None:
    store, restored = MemoryStore(), MemoryStore()
    one = started(store)
    for entry in store.read(TABLE)[:1]:
        stream = store.load(TABLE)
        assert stream is not None
        restored.create(TABLE, entry, stream.secret, Due("stale", 0), running=True)
    one.__dict__["_store"] = restored

    with pytest.raises(Refusal) as refusal:
        one.handle(TABLE, next_move, Attempt("a"))
    assert "version_conflict" == refusal.value.code
    assert 1 == one.table(TABLE).version


def test_a_table_that_is_gone_is_not_found() -> None:
    one = started(MemoryStore())
    one.__dict__["_store"] = MemoryStore()

    with pytest.raises(Refusal) as refusal:
        one.handle(TABLE, next_move, Attempt("a"))
    assert "not_found" == refusal.value.code


def test_a_broken_chain_freezes_the_table() -> None:
    store = MemoryStore()
    started(store)
    streams = store.__dict__["_streams"][TABLE]
    streams[1] = structs.replace(streams[1], time_ms=streams[1].time_ms + 1)

    with pytest.raises(Frozen) as frozen:
        desk(store).handle(TABLE, next_move, Attempt("a"))
    assert 2 == frozen.value.version


def test_a_hint_follows_a_commit_when_a_bot_is_to_act() -> None:
    store, hints = MemoryStore(), Hints()
    one = Desk(store, hints, GAMES, os.urandom)
    one.create(TABLE, wish(GAME, "greedy", "greedy"), Attempt("c"))

    assert [(TABLE, 1)] == hints.asked
    assert store.due(10)
    assert Head(1, store.read(TABLE)[0].hash) == one.table(TABLE).head


def test_time_in_the_log_never_goes_back() -> None:
    store = MemoryStore()
    clock = iter(range(1_000_000, 0, -1_000))
    one = Desk(store, Hints(), GAMES, os.urandom, now_ms=lambda: next(clock))
    one.create(TABLE, wish(GAME, "me", "open"), Attempt("c"))
    one.handle(TABLE, lambda _: (TakeSeat(player="p_b"), None), Attempt("sit"))
    one.handle(TABLE, next_move, Attempt("a"))
    times = [entry.time_ms for entry in store.read(TABLE)]

    assert sorted(times) == times


def test_ids_of_different_players_never_meet() -> None:
    assert command_id("p_a", "k") != command_id("p_b", "k")
    assert command_id("p_a", "bk") != command_id("p_ab", "k")
