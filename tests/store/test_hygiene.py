"""After a restart of the server no commit comes before its log is rewritten, whoever comes first."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from service.application.ports import Committed, Unavailable
from service.store.boot import DONE, Hygiene
from service.store.connect import open_client
from service.store.embedded import open_embedded
from service.store.keys import Keys
from service.store.opening import open_store
from service.store.redis_store import RedisStore
from tests.store.conftest import wait_for
from tests.store.entries import entries, entry, head

SLOW_US = 700_000
"""µs that the server is told to take for each key of a rewrite (its own setting for such tests)."""


@pytest.fixture
def own(tmp_path):
    """A pair of servers of the test's own."""
    with open_embedded(tmp_path / "data", fsync="no") as servers:
        yield servers


@pytest.fixture
def client(own):
    with open_client(own.events_url) as client:
        yield client


def restart(client):
    """Kill the server and wait until it is there again (it is supervised)."""
    before = client.info("server")
    os.kill(before["process_id"], signal.SIGKILL)

    def is_back():
        try:
            return client.info("server")["run_id"] != before["run_id"]
        except redis.ConnectionError:
            return False

    wait_for(is_back)


def rewrites(client):
    return client.info("persistence")["aof_rewrites"]


def boots(client):
    return [client.get(key) for key in client.keys("boot:*")]


def test_a_store_rewrites_the_log_once_for_each_run_of_the_server(client):
    assert 0 == rewrites(client)
    for _ in range(3):
        open_store(client, fsync="no")

    assert 1 == rewrites(client)
    assert [DONE] == boots(client)


def test_a_restart_while_we_run_is_seen_at_the_next_commit(client):
    store = open_store(client, fsync="no").store
    chain = entries(2)
    store.create("t", chain[0], b"", None, running=True)

    restart(client)
    assert 0 == rewrites(client)
    assert (chain[0],) == store.read("t")  # reading goes on, and rewrites nothing
    assert 0 == rewrites(client)
    assert Committed() == store.commit("t", head(chain[0]), chain[1], None, running=True)
    assert 1 == rewrites(client)
    assert [DONE, DONE] == boots(client)


def test_a_restart_is_seen_by_the_relay_even_where_nobody_commits(client):
    store = open_store(client, fsync="no").store
    restart(client)

    assert [] == store.due(1)
    assert 1 == rewrites(client)
    assert [] == store.due(1)
    assert 1 == rewrites(client)


def test_every_process_holds_its_commits_until_the_rewrite_is_done_and_one_starts_it(client):
    client.set("a key", "that is slow to write")
    client.config_set("rdb-key-save-delay", SLOW_US)
    stores = [RedisStore(client, Keys(), Hygiene(client, wait_s=0.05)) for _ in range(3)]
    start = threading.Barrier(3)

    def create(store):
        start.wait()
        with pytest.raises(Unavailable, match="restarted and is being made safe"):
            store.create("t", entry(1), b"", None, running=True)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(create, stores))
    assert 1 == client.info("persistence")["aof_rewrite_in_progress"]
    assert 1 == rewrites(client)
    assert DONE not in boots(client)
    assert stores[0].load("t") is None

    client.config_set("rdb-key-save-delay", 0)
    wait_for(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
    assert Committed() == stores[1].create("t", entry(1), b"", None, running=True)
    assert 1 == rewrites(client)
    assert [DONE] == boots(client)


def test_who_can_wait_gets_its_commit_through_when_the_rewrite_is_done(client):
    client.set("a key", "that is slow to write")
    client.config_set("rdb-key-save-delay", SLOW_US // 4)

    assert Committed() == RedisStore(client).create("t", entry(1), b"", None, running=True)
    assert 0 == client.info("persistence")["aof_rewrite_in_progress"]


def test_a_rewrite_that_failed_is_started_again(client, monkeypatch):
    client.set("a key", "that is slow to write")
    client.config_set("rdb-key-save-delay", SLOW_US)
    store = RedisStore(client, Keys(), Hygiene(client, wait_s=0.01))
    with pytest.raises(Unavailable):
        store.create("t", entry(1), b"", None, running=True)
    child = wait_for(lambda: rewriters(client))
    for pid in child:
        os.kill(pid, signal.SIGKILL)
    wait_for(lambda: client.info("persistence")["aof_last_bgrewrite_status"] == "err")
    with pytest.raises(Unavailable, match="rewrite of its append-only file has failed"):
        store.create("t", entry(1), b"", None, running=True)

    client.config_set("rdb-key-save-delay", 0)
    monkeypatch.setattr("service.store.boot._CLAIM_MS", 1)
    client.delete(*client.keys("boot:*"))  # the one who started it has had its time
    assert Committed() == RedisStore(client).create("t", entry(1), b"", None, running=True)
    assert 2 == rewrites(client)


def rewriters(client):
    """The server's own children: its rewriting processes (Linux)."""
    pid = client.info("server")["process_id"]
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_server_without_a_log_has_nothing_to_rewrite(own):
    with open_client(own.queue_url) as client:
        assert Committed() == RedisStore(client).create("t", entry(1), b"", None, running=True)
        assert 0 == rewrites(client)
