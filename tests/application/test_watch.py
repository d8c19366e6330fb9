"""Watching tables: one reader for all, cursors that never lose an entry, outages and lost histories."""

import itertools
import threading
import time

import msgspec
import pytest

from domain.history import chain
from domain.log import shown
from service.application import entry_bytes, watch
from service.application.entry_bytes import EntryBytes
from service.application.places import Places
from service.application.ports import Unavailable
from service.application.watch import Watch
from service.store.memory import MemoryStore
from tests.support.desks import desk_on, move, new_table
from tests.support.wire import wait_for


class FlakyStore(MemoryStore):
    """A store that can be away, and that notes what it is asked to wait for."""

    def __init__(self):
        super().__init__()
        self.is_down = False
        self.waited_for = []

    def wait(self, after, timeout_ms):
        self._check()
        self.waited_for.append(dict(after))
        found = super().wait(after, timeout_ms)
        self._check()
        return found

    def read(self, table, after=0, limit=None):
        self._check()
        return super().read(table, after, limit)

    def go_down(self):
        self.is_down = True
        super().wake()

    def _check(self):
        if self.is_down:
            raise Unavailable("the store is away")


class Room:
    """A store, a desk and a watch over it."""

    def __init__(self, outage_s=30.0):
        self.store = FlakyStore()
        self.desk = desk_on(self.store)
        self.forgotten = []
        self.watch = Watch(self.store, self._forget, Places(10), Places(10), outage_s=outage_s)

    def _forget(self, table):
        self.forgotten.append(table)
        self.desk.forget(table)

    def open(self, table, viewer="public", after=0):
        return self.watch.open(self.desk.table(table), viewer, after)

    def replace(self, table, entries):
        """Put another history into the store, behind the desk's back."""
        self.store._streams[table] = list(entries)


@pytest.fixture
def room():
    made = Room()
    yield made
    made.watch.close()


def versions(watcher, until):
    """Take until a version is reached; gives the versions in the order in which they came."""
    got = []
    while watcher.version < until:
        assert watcher.state == "live"
        taken = watcher.take()
        got += [version for version, _ in taken]
        if not taken:
            assert watcher.wait(20)
    return got


def test_a_watcher_gets_every_entry_once_and_in_order(room):
    live = new_table(room.desk)
    with room.open(live.id) as early:
        move(room.desk, live.id, 50)
        with room.open(live.id, after=20) as late:
            mover = threading.Thread(target=move, args=(room.desk, live.id, 100))
            mover.start()

            assert list(range(1, 152)) == versions(early, 151)
            assert list(range(21, 152)) == versions(late, 151)
            mover.join()


def test_each_entry_is_encoded_once_for_each_pair_of_eyes(room, monkeypatch):
    encoded = []

    def counted(game, entry, viewer):
        encoded.append((entry.version, viewer))
        return shown(game, entry, viewer)

    monkeypatch.setattr(entry_bytes, "shown", counted)
    live = new_table(room.desk)
    watchers = [room.open(live.id, viewer, after=1) for viewer in ("public", 0, 1) for _ in range(20)]
    move(room.desk, live.id, 10)
    took = [versions(watcher, 11) for watcher in watchers]

    assert [list(range(2, 12))] * 60 == took
    assert sorted((v, str(eyes)) for v in range(2, 12) for eyes in ("0", "1", "public")) == sorted(
        (v, str(eyes)) for v, eyes in encoded
    )


def test_encoded_entries_are_dropped_where_there_are_too_many_and_made_again_the_same(room):
    live = new_table(room.desk)
    move(room.desk, live.id, 100)
    live = room.desk.table(live.id)
    small = EntryBytes(most_bytes=10_000)
    first = [small.of(live, entry, "public") for entry in live.entries]

    assert small._size <= 10_000
    assert len(small._held) < 50
    assert first == [small.of(live, entry, "public") for entry in live.entries]


def test_one_thread_waits_for_all_tables_and_learns_of_a_new_one_at_once(room):
    tables = [new_table(room.desk).id for _ in range(5)]
    watchers = []
    for table in tables:
        watchers.append(room.open(table, after=1))
        began = time.monotonic()
        move(room.desk, table)
        assert [2] == versions(watchers[-1], 2)
        assert time.monotonic() - began < 2  # far less than a wait of the reader

    assert set(tables) == set(room.store.waited_for[-1])


def test_where_nobody_watches_nothing_is_read(room):
    live = new_table(room.desk)
    room.open(live.id).close()
    wait_for(lambda: not room.watch._feeds)
    move(room.desk, live.id, 3)
    asked = len(room.store.waited_for)
    move(room.desk, live.id, 20)

    assert len(room.store.waited_for) <= asked + 1
    assert 0 == room.watch.count


def test_an_ended_table_is_over_when_all_was_taken_and_is_not_read_for(room):
    live = new_table(room.desk, "random", "random")
    last = move(room.desk, live.id, 10_000)
    with room.open(live.id, after=last - 1) as watcher:
        assert "live" == watcher.state
        assert [last] == [version for version, _ in watcher.take()]
        assert "over" == watcher.state
    assert not any(live.id in asked for asked in room.store.waited_for)


def test_a_short_outage_delays_and_loses_nothing(room):
    live = new_table(room.desk)
    with room.open(live.id, after=1) as watcher:
        move(room.desk, live.id)
        assert [2] == versions(watcher, 2)
        room.store.go_down()
        wait_for(lambda: room.watch._down_since is not None)
        assert "live" == watcher.state
        room.store.is_down = False
        move(room.desk, live.id, 5)

        assert [3, 4, 5, 6, 7] == versions(watcher, 7)
        wait_for(lambda: room.watch._down_since is None)


def test_a_long_outage_ends_the_streams_and_those_after_it_live():
    room = Room(outage_s=0.1)
    live = new_table(room.desk)
    with room.open(live.id, after=1) as watcher:
        room.store.go_down()
        wait_for(lambda: watcher.state == "ending")
        assert [] == watcher.take()
    room.store.is_down = False
    wait_for(lambda: not room.watch.ending)
    with room.open(live.id, after=1) as watcher:
        move(room.desk, live.id)
        assert [2] == versions(watcher, 2)
    room.watch.close()


@pytest.mark.parametrize("kept", [0, 1, 5])
def test_a_history_that_an_outage_cut_off_is_lost(room, kept):
    live = new_table(room.desk)
    move(room.desk, live.id, 9)
    with room.open(live.id, after=3) as watcher:
        wait_for(lambda: room.store.waited_for)
        room.store.go_down()
        wait_for(lambda: room.watch._down_since is not None)
        room.replace(live.id, room.store._streams[live.id][:kept])
        room.store.is_down = False
        wait_for(lambda: watcher.state == "lost")

        assert [] == watcher.take()
    assert [live.id] == room.forgotten


def test_a_history_that_goes_on_otherwise_after_an_outage_is_lost(room):
    live, other = new_table(room.desk), new_table(room.desk)
    for table in (live, other):
        move(room.desk, table.id, 5)
    with room.open(live.id, after=6) as watcher, room.open(other.id, after=6) as untouched:
        wait_for(lambda: room.store.waited_for and len(room.store.waited_for[-1]) == 2)
        room.store.go_down()
        wait_for(lambda: room.watch._down_since is not None)
        room.replace(live.id, [*room.store._streams[live.id][:5], *room.store._streams[other.id][5:]])
        room.store.is_down = False
        wait_for(lambda: watcher.state == "lost")
        move(room.desk, other.id)

        assert [7] == versions(untouched, 7)


def test_an_entry_that_does_not_fit_behind_what_was_shown_is_lost_history(room):
    live, other = new_table(room.desk), new_table(room.desk)
    move(room.desk, other.id, 9)
    with room.open(live.id, after=1) as watcher:
        with room.store._changed:
            room.store._streams[live.id] += room.store._streams[other.id][1:3]
            room.store._changed.notify_all()
        wait_for(lambda: watcher.state == "lost")


def test_after_a_loss_the_table_can_be_watched_anew(room):
    live = new_table(room.desk)
    move(room.desk, live.id, 9)
    with room.open(live.id, after=10) as watcher:
        room.store.go_down()
        wait_for(lambda: room.watch._down_since is not None)
        room.replace(live.id, room.store._streams[live.id][:4])
        room.store.is_down = False
        wait_for(lambda: watcher.state == "lost")
        with room.open(live.id) as again:
            move(room.desk, live.id)

            assert [1, 2, 3, 4, 5] == versions(again, 5)
            assert "lost" == watcher.state


def test_an_entry_of_a_newer_version_ends_the_streams_of_its_table_only(room):
    live, other = new_table(room.desk), new_table(room.desk)
    with room.open(live.id, after=1) as watcher, room.open(other.id, after=1) as untouched:
        entry = room.store._streams[live.id][0]
        events = b'[{"type":"moon_landed"}]'
        sealed = chain(entry.hash, 2, entry.time_ms, None, events, entry.salt)
        unknown = msgspec.structs.replace(entry, version=2, seat=None, events=events, hash=sealed)
        with room.store._changed:
            room.store._streams[live.id].append(unknown)
            room.store._changed.notify_all()
        wait_for(lambda: watcher.state == "ending")
        move(room.desk, other.id)

        assert [2] == versions(untouched, 2)


def test_who_was_up_to_date_and_fell_far_behind_is_too_slow(room, monkeypatch):
    monkeypatch.setattr(watch, "MOST_BEHIND", 20)
    live = new_table(room.desk)
    move(room.desk, live.id, 50)
    with room.open(live.id) as watcher:
        assert list(range(1, 52)) == versions(watcher, 51)  # far behind, but only just come
        move(room.desk, live.id, 21)
        wait_for(lambda: watcher.state == "slow")

        assert [] == watcher.take()
        assert 51 == watcher.version


def test_close_ends_all_and_the_thread(room):
    others = set(threading.enumerate())  # another test's service may still watch in this process
    live = new_table(room.desk)
    waiting = [room.open(live.id, after=1) for _ in range(3)]
    woken = []
    threads = [threading.Thread(target=lambda w=w: woken.append(w.wait(20))) for w in waiting]
    for thread in threads:
        thread.start()
    room.watch.close()
    for thread in threads:
        thread.join(20)

    assert [True] * 3 == woken
    assert ["ending"] * 3 == [watcher.state for watcher in waiting]
    assert "watch" not in [thread.name for thread in set(threading.enumerate()) - others]
    assert "ending" == room.open(live.id).state


def test_places_are_as_many_as_said():
    places = Places(2)
    one, two, none = (places.take("a") for _ in range(3))

    assert one is not None
    assert two is not None
    assert none is None
    one.give_back()
    one.give_back()
    assert 1 == places.taken
    assert places.take("a")


@pytest.mark.parametrize("most", [64, 100, 1536])
def test_whatever_one_caller_takes_the_last_eighth_is_there_for_who_holds_few(most):
    places = Places(most)
    greedy = list(itertools.takewhile(bool, (places.take("greedy") for _ in range(most))))
    assert most - most // 8 == len(greedy)

    others = [places.take(f"other {n}") for n in range(most // 8)]
    assert all(others)
    assert None is places.take("one more")
    assert others[0]
    others[0].give_back()
    assert None is places.take("greedy")
    assert places.take("one more")
    for place in filter(None, greedy):
        place.give_back()
    assert most // 8 == places.taken
    assert places.take("greedy")
