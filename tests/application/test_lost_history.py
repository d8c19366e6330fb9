"""A store that comes back with less than it had: what is read afterwards is what it has."""

import pytest

from domain.errors import Refusal
from service.store.memory import MemoryStore
from tests.support.desks import desk_on, move, new_table


@pytest.mark.parametrize("kept", [1, 4, 9])
def test_a_table_that_lost_entries_is_read_anew(kept):
    store = MemoryStore()
    desk = desk_on(store)
    table = new_table(desk).id
    move(desk, table, 9)
    store._streams[table] = store._streams[table][:kept]

    assert kept == desk.table(table).version
    assert kept + 1 == move(desk, table)


def test_a_table_that_went_on_otherwise_is_read_anew():
    store = MemoryStore()
    desk, other = desk_on(store), desk_on(store)
    table = new_table(desk).id
    move(desk, table, 9)
    store._streams[table] = store._streams[table][:5]
    other.table(table)
    move(other, table, 6, seed=7)

    assert store._streams[table][-1].hash == desk.table(table).head.hash
    assert 11 == desk.table(table).version


def test_a_table_that_is_gone_is_not_found():
    store = MemoryStore()
    desk = desk_on(store)
    table = new_table(desk).id
    move(desk, table, 3)
    del store._streams[table]

    with pytest.raises(Refusal) as refused:
        desk.table(table)
    assert "not_found" == refused.value.code
