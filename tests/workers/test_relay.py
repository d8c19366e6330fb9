"""The relay hands out what is due until it is done; the sweep finds what nobody marked any more."""

import pytest

from domain.table_rules import TakeSeat
from service.application.handle import Attempt
from service.application.ports import Mark
from service.application.turns import Player
from service.store import MemoryStore
from tests.workers.tables import Rig
from workers.relay import BATCH, Relay
from workers.sweep import Sweep

LEASE_S = 15.0


class Heard:
    """A queue that keeps what it is asked."""

    def __init__(self, *, is_there: bool = True) -> None:
        self.asked: list[tuple[str, int]] = []
        self.is_there = is_there

    def remind(self, table: str, version: int) -> bool:
        if self.is_there:
            self.asked.append((table, version))
        return self.is_there


def relay(rig: Rig, queue: Heard) -> Relay:
    return Relay(rig.store, rig.store, queue, LEASE_S)


def test_what_is_due_is_handed_out_with_its_version_and_rests_for_the_lease(rig):
    rig.table("beam-me-up", "greedy", "greedy")
    queue = Heard()

    assert 1 == relay(rig, queue).step()
    assert 0 == relay(rig, queue).step()
    assert [("t", 1)] == queue.asked
    assert Mark("t", rig.now_ms + 15_000) == rig.store.mark("t")


def test_after_the_lease_it_is_handed_out_again(rig):
    rig.table("beam-me-up", "greedy", "greedy")
    queue = Heard()
    relay(rig, queue).step()
    rig.now_ms += 15_000
    relay(rig, queue).step()

    assert [("t", 1), ("t", 1)] == queue.asked


def test_what_is_not_due_yet_is_left_alone(rig):
    rig.table("beam-me-up", "me", "open")
    queue = Heard()

    assert 0 == relay(rig, queue).step()
    assert [] == queue.asked


def test_while_the_queue_is_away_nothing_is_leased(rig):
    rig.table("beam-me-up", "greedy", "greedy")
    queue = Heard(is_there=False)
    assert 0 == relay(rig, queue).step()

    queue.is_there = True
    assert 1 == relay(rig, queue).step()


def test_a_relay_that_dies_between_hint_and_lease_hands_out_twice_and_that_is_all(rig):
    rig.table("beam-me-up", "greedy", "greedy")

    class Dies(Heard):
        def remind(self, table: str, version: int) -> bool:
            super().remind(table, version)
            raise SystemExit

    queue, heard = Dies(), Heard()
    with pytest.raises(SystemExit):
        relay(rig, queue).step()
    relay(rig, heard).step()

    assert [("t", 1)] == queue.asked == heard.asked
    Player(rig.desk).play_on("t", 1)
    Player(rig.desk).play_on("t", 1)
    assert "finished" == rig.desk.table("t").table.status


def test_a_mark_that_a_commit_moved_meanwhile_is_not_leased(rig):
    rig.table("beam-me-up", "greedy", "greedy")

    class Plays(Heard):
        def remind(self, table: str, version: int) -> bool:
            rig.now_ms += 5
            Player(rig.desk, enough=iter([False, True]).__next__).play_on(table, version)
            return super().remind(table, version)

    assert 0 == relay(rig, Plays()).step()
    assert Mark("t", rig.now_ms) == rig.store.mark("t")


def test_a_mark_without_a_table_is_taken_away(rig):
    rig.store._marks["ghost"] = rig.now_ms
    queue = Heard()

    assert 0 == relay(rig, queue).step()
    assert rig.store.mark("ghost") is None
    assert [] == queue.asked


def test_more_than_a_batch_goes_out_in_several_steps(rig):
    for n in range(BATCH + 3):
        rig.table("universal-match", "greedy", "greedy", name=f"t{n}")
    queue = Heard()

    assert [BATCH, 3, 0] == [relay(rig, queue).step() for _ in range(3)]
    assert BATCH + 3 == len({table for table, _ in queue.asked})


# ---- the sweep


def lose_marks(store: MemoryStore) -> None:
    store._marks.clear()


def test_marks_that_were_lost_come_back_from_the_last_entry(rig):
    for n in range(5):
        rig.table("beam-me-up", "greedy", "greedy", name=f"t{n}")
    lose_marks(rig.store)
    assert [] == rig.store.due(10)

    assert 5 == Sweep(rig.store).step()
    assert 5 == len(rig.store.due(10))


def test_a_table_that_waits_for_a_person_gets_no_mark(rig):
    table = rig.table("universal-match", "me", "greedy")
    Player(rig.desk).play_on(table, 1)
    Sweep(rig.store).step()

    assert rig.store.mark(table) is None
    assert rig.store.is_running(table)


def test_a_table_that_has_ended_leaves_the_running_ones_and_is_due_to_be_closed(rig):
    table = rig.table("beam-me-up", "greedy", "greedy")
    Player(rig.desk).play_on(table, 1)
    rig.store._running.add(table)
    lose_marks(rig.store)
    Sweep(rig.store).step()

    assert not rig.store.is_running(table)
    assert Mark(table, rig.now_ms) == rig.store.mark(table)


def test_a_round_is_done_in_parts_and_the_next_one_waits(rig):
    for n in range(5):
        rig.table("beam-me-up", "me", "open", name=f"t{n}")
    now = [100.0]
    sweep = Sweep(rig.store, now_s=lambda: now[0], pause_s=30)

    assert [2, 2, 1, 0] == [sweep.step(2) for _ in range(4)]
    now[0] += 30
    assert 2 == sweep.step(2)


def test_a_running_table_without_entries_stops_no_sweep(rig):
    rig.store._running.add("ghost")
    rig.table("beam-me-up", "greedy", "greedy")
    lose_marks(rig.store)

    assert 2 == Sweep(rig.store).step()
    assert rig.store.mark("t") is not None


def test_a_table_is_entered_in_the_lists_when_it_is_new_or_may_stand_there_otherwise(rig):
    rig.table("beam-me-up", "me", "open", name="waits")
    rig.table("beam-me-up", "me", "greedy", name="plays")
    entered: list[str] = []
    sweep = Sweep(rig.store, entered.append, pause_s=0)

    def round_() -> list[str]:
        entered.clear()
        while sweep.step() or sweep._round is not None:
            pass
        return sorted(entered)

    sweep._pause_s = 1e9
    assert ["plays", "waits"] == round_()
    sweep._began = float("-inf")
    assert [] == round_()

    rig.desk.handle("waits", lambda _: (TakeSeat(player="p_b"), None), Attempt(command_id="sit"))
    rig.move("plays", 0) if 0 in rig.desk.table("plays").table.to_act else Player(rig.desk).play_on("plays", 1)
    sweep._began = float("-inf")
    assert ["waits"] == round_()
