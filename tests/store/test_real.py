"""What only a real server shows: memory that is full, a replica, scripts flushed, keys of another type, blocking."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from service.application.ports import Committed, Conflict, Damaged, Due, Mark, Unavailable
from service.store.connect import open_client
from service.store.errors import translate
from service.store.redis_store import RedisStore
from tests.store.conftest import RedisRig, wait_for
from tests.store.entries import due, entries, entry, head

NOW = Due(what="ai:1")


@pytest.fixture
def rig(events_client):
    return RedisRig(events_client)


@pytest.fixture
def one(rig):
    """The first entry of the table `t`."""
    first = entry(1)
    assert Committed() == rig.store.create("t", first, b"secret", NOW, running=True)
    return first


def everything(client):
    """All that is stored, but for what hygiene and set-up note."""
    keys = sorted(key for key in client.keys("*") if not key.startswith((b"boot:", b"starledger:")))
    return {key: client.dump(key) for key in keys}


@pytest.fixture
def full(events_client):
    """A server whose memory is full until the test ends."""
    yield lambda: events_client.config_set("maxmemory", "1")
    events_client.config_set("maxmemory", "0")


def test_when_memory_is_full_nothing_is_written_and_the_store_is_unavailable(rig, one, full):
    before = everything(rig.client)
    full()

    with pytest.raises(Unavailable, match="memory is full"):
        rig.store.commit("t", head(one), entry(2, one.hash), None, running=False)
    with pytest.raises(Unavailable, match="memory is full"):
        rig.store.create("u", entry(1), b"secret", NOW, running=True)
    assert before == everything(rig.client)


def test_when_memory_is_full_reading_and_conflicts_go_on(rig, one, full):
    full()

    assert (due(one, "ai:1@+0"),) == rig.store.load("t").entries
    assert Conflict(tail=(due(one, "ai:1@+0"),)) == rig.store.create(
        "t", entry(1, command_id="x"), b"", None, running=True
    )


def test_a_replica_takes_no_commits(rig, one):
    rig.client.replicaof("127.0.0.1", 1)
    try:
        with pytest.raises(Unavailable, match="replica"):
            rig.store.commit("t", head(one), entry(2, one.hash), None, running=True)
    finally:
        rig.client.replicaof("no", "one")

    assert Committed() == rig.store.commit("t", head(one), entry(2, one.hash), None, running=True)


def test_scripts_that_were_flushed_are_loaded_again_without_another_rewrite(rig, one):
    rewrites = rig.client.info("persistence")["aof_rewrites"]
    rig.client.script_flush()

    assert Committed() == rig.store.commit("t", head(one), entry(2, one.hash), NOW, running=True)
    rig.client.script_flush()
    assert rig.store.clear(rig.store.mark("t"))
    assert rewrites == rig.client.info("persistence")["aof_rewrites"]


@pytest.mark.parametrize("which", ["outbox", "running", "secret"])
def test_a_key_of_another_type_beside_the_stream_stops_the_commit_before_it_writes(rig, which):
    bucket = rig.keys.bucket("t")
    key = {"outbox": rig.keys.outbox(bucket), "running": rig.keys.running(bucket), "secret": rig.keys.secret("t")}[
        which
    ]
    rig.client.hset(key, "a", "hash")
    before = everything(rig.client)

    with pytest.raises(Damaged, match="is of another type"):
        rig.store.create("t", entry(1), b"secret", NOW, running=True)
    assert before == everything(rig.client)


def test_a_stream_of_another_type_is_damage(rig):
    rig.client.set(rig.keys.stream("t"), "text")

    with pytest.raises(Damaged):
        rig.store.create("t", entry(1), b"", None, running=True)
    with pytest.raises(Damaged):
        rig.store.load("t")


def test_a_server_that_is_not_there_is_unavailable(tmp_path):
    store = RedisStore(open_client(f"unix://{tmp_path}/nobody"))

    for call in (
        lambda: store.create("t", entry(1), b"", None, running=True),
        lambda: store.load("t"),
        lambda: store.read("t"),
        lambda: store.wait({"t": 0}, 10),
        lambda: store.due(1),
        lambda: store.lease(Mark(table="t", due_ms=0), 1),
        store.running,
        lambda: list(store.tables()),
    ):
        with pytest.raises(Unavailable, match="can't be reached"):
            call()


def test_the_stream_holds_the_nine_fields_in_the_same_order_in_every_entry(rig, one):
    chain = entries(2)
    rig.store.commit("t", head(one), chain[1], None, running=True)

    rows = rig.client.xrange(rig.keys.stream("t"))
    assert [b"1-0", b"2-0"] == [entry_id for entry_id, _ in rows]
    assert [[b"c", b"b", b"k", b"p", b"d", b"s", b"h", b"n", b"t"]] * 2 == [list(fields) for _, fields in rows]
    assert bytes.fromhex(chain[1].hash) == rows[1][1][b"h"]


def logged(client):
    """The bytes of the append-only files."""
    folder = Path(client.config_get("dir")["dir"]) / "appendonlydir"
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.incr.aof")))


def test_a_commit_that_moves_no_mark_is_one_command_in_the_log(rig):
    """What is not wrapped in MULTI can't be torn apart."""
    chain = entries(2)
    rig.store.create("u", chain[0], b"", None, running=True)
    before = logged(rig.client)
    rig.store.commit("u", head(chain[0]), chain[1], None, running=True)

    added = logged(rig.client).removeprefix(before)
    assert 1 == added.count(b"XADD")
    assert b"MULTI" not in added


def test_a_commit_that_moves_its_mark_is_one_block_in_the_log(rig, one):
    before = logged(rig.client)
    rig.store.commit("t", head(one), entry(2, one.hash), NOW, running=True)

    added = logged(rig.client).removeprefix(before)
    assert [1, 1, 1, 1] == [added.count(word) for word in (b"MULTI", b"XADD", b"ZADD", b"EXEC")]


def test_one_wake_ends_a_wait_that_the_server_has_blocked(rig, one):
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(rig.store.wait, {"t": 1}, 60_000)
        wait_for(lambda: any("b" in each["flags"] for each in rig.client.client_list()))
        rig.store.wake()

        assert {} == waiting.result(1)


def test_who_waits_past_one_slice_still_gets_the_entry(rig, one, monkeypatch):
    monkeypatch.setattr(rig.store._waiter, "_slice_ms", 5)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(rig.store.wait, {"t": 1}, 60_000)
        calls = rig.client.info("commandstats")["cmdstat_xread"]["calls"]
        wait_for(lambda: rig.client.info("commandstats")["cmdstat_xread"]["calls"] > calls + 3)
        second = entry(2, one.hash)
        rig.store.commit("t", head(one), second, None, running=True)

        assert {"t": (second,)} == waiting.result(10)


def test_120_threads_of_one_process_commit_at_once(rig):
    start = threading.Barrier(120)

    def create(n):
        start.wait()
        return rig.store.create(f"t{n}", entry(1), b"", None, running=True)

    with ThreadPoolExecutor(120) as pool:
        assert [Committed()] * 120 == list(pool.map(create, range(120)))


def test_both_protocols_give_the_same(servers, events_client, rig, one):
    for protocol in (2, 3):
        with open_client(f"{servers.events_url}?protocol={protocol}") as client:
            store = RedisStore(client, rig.keys)
            assert rig.store.load("t") == store.load("t")
            assert rig.store.read("t") == store.read("t")
            assert {"t": rig.store.read("t")} == store.wait({"t": 0}, 1000)
            assert rig.store.due(1) == store.due(1)
            assert rig.store.running() == store.running()
            assert rig.store.mark("t") == store.mark("t")
            client.script_flush()
            assert Conflict(tail=rig.store.read("t")) == store.create(
                "t", entry(1, command_id="x"), b"", None, running=True
            )


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (redis.ConnectionError("Connection refused"), Unavailable),
        (redis.TimeoutError("Timeout reading from socket"), Unavailable),
        (redis.exceptions.BusyLoadingError("Redis is loading the dataset in memory"), Unavailable),
        (redis.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."), Unavailable),
        (redis.exceptions.ReadOnlyError("You can't write against a read only replica."), Unavailable),
        (redis.ResponseError("ERR Error running script: -READONLY You can't write against a read only"), Unavailable),
        (redis.ResponseError("BUSY Redis is busy running a script."), Unavailable),
        (redis.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), Unavailable),
        (redis.ResponseError("NOREPLICAS Not enough good replicas to write."), Unavailable),
        (redis.exceptions.TryAgainError("Multiple keys request during rehashing of slot"), Unavailable),
        (redis.exceptions.ClusterDownError("CLUSTERDOWN The cluster is down"), Unavailable),
        (redis.exceptions.NoPermissionError("this user has no permissions"), Unavailable),
        (redis.ResponseError("WRONGTYPE Operation against a key"), Damaged),
        (redis.ResponseError("ERR unknown command"), Damaged),
        (redis.exceptions.NoScriptError("No matching script."), Damaged),
    ],
)
def test_every_foreign_error_has_its_place_in_the_table(error, kind):
    assert type(translate(error)) is kind
