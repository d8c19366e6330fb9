"""fsck: what is wrong is found and named; what is right is left alone."""

import pytest

from service.application.ports import Due, Mark
from service.store.fsck import Fault, check_store, check_table
from tests.store.conftest import RedisRig
from tests.store.entries import entries, entry, head

NOW = Due(what="ai:1")


@pytest.fixture
def table(rig):
    """A table of three entries at which something is due."""
    chain = entries(3)
    rig.store.create("t", chain[0], b"", NOW, running=True)
    for before, each in ((chain[0], chain[1]), (chain[1], chain[2])):
        rig.store.commit("t", head(before), each, NOW, running=True)
    return "t"


def test_a_sound_store_has_no_faults(rig, table):
    rig.store.create("u", entry(1), b"", None, running=False)

    assert {"t": (), "u": ()} == dict(check_store(rig.store))


def test_a_sample_is_checked_alone(rig, table):
    rig.store.create("u", entry(1), b"", None, running=False)

    assert {"u": ()} == dict(check_store(rig.store, ["u"]))


def test_a_gap_in_the_ids_is_named(rig, table):
    rig.take_out("t", 2)

    [fault] = check_table(rig.store, "t")
    assert ("t", 2, "entry 2 is missing: entry 3 stands in its place") == (fault.table, fault.version, fault.reason)


def test_a_changed_entry_breaks_the_chain_at_its_version_and_at_its_table_alone(rig, table):
    rig.store.create("u", entry(1), b"", None, running=False)
    rig.change("t", 2, events=b'[{"type":"forged"}]')

    found = dict(check_store(rig.store))
    assert {"t": [2], "u": []} == {name: [fault.version for fault in faults] for name, faults in found.items()}


def test_an_entry_that_the_rules_do_not_allow_is_named(rig, table):
    def replay(name, stream):
        return (len(stream.entries), "C1: no such move") if name == "t" else None

    assert [Fault("t", 3, "C1: no such move")] == list(check_table(rig.store, "t", replay))


def test_a_broken_chain_is_not_replayed(rig, table):
    rig.change("t", 2, events=b"[1]")

    def replay(_name, _stream):
        raise AssertionError("replayed what can't be trusted")

    assert [2] == [fault.version for fault in check_table(rig.store, "t", replay)]


def test_a_lost_mark_is_named_until_the_sweep_has_rebuilt_it(rig, table):
    assert rig.store.clear(rig.store.mark("t"))
    assert [Fault("t", 3, "its last entry asks for ai:1, and it is not marked as due")] == list(
        check_table(rig.store, "t")
    )

    assert rig.store.repair("t", NOW, head(entries(3)[-1]), running=True)
    assert [] == list(check_table(rig.store, "t"))


def test_a_table_lost_from_the_running_ones_is_named(rig, table):
    rig.forget_marks()

    assert [Fault("t", 3, "its last entry asks for ai:1, and it is not among the running tables")] == list(
        check_table(rig.store, "t")
    )


def test_a_mark_that_no_entry_asks_for_is_named(rig):
    rig.store.create("t", entry(1), b"", None, running=True)
    rig.put_mark(Mark(table="t", due_ms=1))

    assert [Fault("t", 1, "it is marked as due, and its last entry asks for nothing")] == list(
        check_table(rig.store, "t")
    )


def test_a_table_that_has_ended_may_have_been_closed_or_not(rig):
    rig.store.create("t", entry(1), b"", Due(what="close"), running=False)
    assert [] == list(check_table(rig.store, "t"))

    assert rig.store.clear(rig.store.mark("t"))
    assert [] == list(check_table(rig.store, "t"))


def test_a_commit_while_fsck_reads_is_no_fault(rig, table):
    class Busy:
        """The store, with a commit that clears the mark just after the entries were read."""

        tables = rig.store.tables
        is_running = rig.store.is_running
        loads = 0

        def load(self, name):
            return rig.store.load(name)

        def mark(self, name):
            if not self.loads:
                self.loads += 1
                last = rig.store.load(name).entries[-1]
                rig.store.commit(name, head(last), entry(4, last.hash), None, running=True)
            return rig.store.mark(name)

    assert [] == list(check_table(Busy(), "t"))


def test_an_unreadable_entry_is_a_fault_and_not_the_end_of_the_check(events_client):
    rig = RedisRig(events_client)
    for name in "tu":
        rig.store.create(name, entry(1), b"", None, running=False)
    rig.client.execute_command("XADD", rig.keys.stream("t"), "2-0", "no", "entry")

    found = dict(check_store(rig.store))
    assert () == found["u"]
    assert "entry 2-0 of a stream can't be read: KeyError(b'p')" == found["t"][0].reason
