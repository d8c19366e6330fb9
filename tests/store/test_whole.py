"""Writing a whole table at once, on every store: all or nothing, and once."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from service.application.ports import Conflict, Damaged, Stream
from service.store.fsck import check_table
from service.store.redis_store import RedisStore
from tests.store.entries import entries, entry

LONG = 2000


def whole(count: int = 3):
    """Entries as a record has them: nothing of the service's own bookkeeping."""
    return [msgspec.structs.replace(each, command_id="", body="") for each in entries(count)]


def test_a_whole_table_is_read_back_as_it_was_written(store):
    assert store.write_whole("t", whole(), b"secret")

    assert Stream(entries=tuple(whole()), secret=b"secret") == store.load("t")
    assert whole()[-1] == store.last("t")
    assert ["t"] == list(store.tables())


def test_it_is_due_for_nothing_and_not_running(store):
    store.write_whole("t", whole(), b"secret")

    assert (None, False) == (store.mark("t"), store.is_running("t"))
    assert [] == list(store.due(10))
    assert [] == list(check_table(store, "t"))


def test_a_table_that_is_there_stays_as_it_is(store):
    store.write_whole("t", whole(3), b"secret")

    assert not store.write_whole("t", whole(5), b"another")
    assert Stream(entries=tuple(whole(3)), secret=b"secret") == store.load("t")
    assert isinstance(store.create("t", entry(1, command_id="x"), b"", None, running=True), Conflict)


def test_a_long_table_is_written_whole(store):
    assert store.write_whole("t", whole(LONG), bytes(range(256)))

    assert tuple(whole(LONG)) == store.load("t").entries
    assert bytes(range(256)) == store.load("t").secret


def test_of_many_writers_one_writes_all_of_it(store):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: store.write_whole("t", whole(20 + n), b"%d" % n), range(8)))

    assert 1 == sum(answers)
    written = answers.index(True)
    assert Stream(entries=tuple(whole(20 + written)), secret=b"%d" % written) == store.load("t")


def test_entries_with_a_gap_are_the_callers_mistake(store):
    with pytest.raises(ValueError, match="can't stand in the place"):
        store.write_whole("t", [whole(3)[0], whole(3)[2]], b"")
    assert store.load("t") is None


@pytest.mark.parametrize("beside", ["stream", "secret"])
def test_a_key_of_another_type_stops_it_before_anything_is_written(rig, beside):
    if not isinstance(rig.store, RedisStore):
        pytest.skip("only a server has keys")
    key = getattr(rig.keys, beside)("t")
    rig.client.rpush(key, "foreign")

    with pytest.raises(Damaged):
        rig.store.write_whole("t", whole(), b"secret")
    assert [key.encode()] == list(rig.client.scan_iter("g:*"))
