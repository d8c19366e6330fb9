"""The store in memory is a model of the one on Redis: whatever is done to both, they answer alike."""

import fakeredis
import hypothesis.strategies as st
from hypothesis import given, settings

from domain.history import GENESIS
from service.application.ports import Committed, Due, Head
from service.store.boot import NoHygiene
from service.store.memory import MemoryStore
from service.store.redis_store import RedisStore
from tests.store.entries import entry

WRONG = "ab" * 32

writes = st.fixed_dictionaries(
    {
        "table": st.sampled_from(["a", "b"]),
        "base": st.integers(0, 8),
        "command_id": st.sampled_from(["x", "y", "z", "u", "v", "w"]),
        "is_right": st.sampled_from([True, True, True, False]),
        "due": st.sampled_from([None, Due(what="ai:0"), Due(what="close", delay_ms=3_600_000)]),
        "running": st.booleans(),
    }
)


def expected(store, table, base, is_right):
    """The token of a base that the caller may have seen, may have got wrong, or can't have seen."""
    if base == 0:
        return Head(version=0, hash="")
    known = {each.version: each.hash for each in store.read(table)}
    return Head(version=base, hash=known.get(base, WRONG) if is_right else WRONG)


def write(store, table, token, command_id, due, running):
    next_entry = entry(token.version + 1, token.hash or GENESIS, command_id)
    if token.version == 0:
        return store.create(table, next_entry, b"secret of %s" % command_id.encode(), due, running=running)
    return store.commit(table, token, next_entry, due, running=running)


@settings(max_examples=60)
@given(st.lists(writes, max_size=30))
def test_memory_and_redis_give_the_same_answers_and_hold_the_same(steps):
    client = fakeredis.FakeRedis()
    stores = (MemoryStore(), RedisStore(client, boot=NoHygiene(client), tail_limit=2))
    taken = {"a": 0, "b": 0}

    for step in steps:
        table = step["table"]
        base = min(step["base"], taken[table] + 1)
        token = expected(stores[0], table, base, step["is_right"])
        one, other = (write(store, table, token, step["command_id"], step["due"], step["running"]) for store in stores)
        assert one == other
        taken[table] += one == Committed()

    for table, count in taken.items():
        one, other = (store.load(table) for store in stores)
        assert one == other
        assert count == (len(one.entries) if one else 0)
        assert stores[0].is_running(table) == stores[1].is_running(table)
        assert (stores[0].mark(table) is None) == (stores[1].mark(table) is None)
    one, other = (sorted(mark.table for mark in store.due(10)) for store in stores)
    assert one == other
