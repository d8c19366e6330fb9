"""A log torn by a crash: cut at the last whole commit, a copy kept; other damage is left for a person."""

import itertools
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from domain.history import first_broken
from service.application.ports import Committed, Due
from service.store.aof import BadLog
from service.store.connect import open_client
from service.store.embedded import open_embedded
from service.store.fsck import check_table
from service.store.opening import open_store
from service.store.redis_store import RedisStore
from service.store.server import find_binary, start
from tests.store.conftest import REDIS
from tests.store.entries import entries, entry, head

COUNT = 6


def later(each):
    """Something due at another time after each entry, so that each commit moves its mark: a block in the log."""
    return Due(what="ai:0", delay_ms=1000 * each.version)


@pytest.fixture
def whole(tmp_path):
    """A data folder that was stopped cleanly after six commits, each a block of its own in the log."""
    chain = entries(COUNT)
    with open_embedded(tmp_path / "whole", fsync="no") as servers, open_client(servers.events_url) as client:
        store = open_store(client, fsync="no").store
        store.create("t", chain[0], b"secret", later(chain[0]), running=True)
        for before, each in itertools.pairwise(chain):
            store.commit("t", head(before), each, later(each), running=True)
    return tmp_path / "whole"


def log_of(data):
    """The append-only file that is written to."""
    [log] = [path for path in (data / "events" / "appendonlydir").glob("*.incr.aof") if path.stat().st_size]
    return log


def copies(data):
    return list((data / "events").glob("torn-*"))


def after_two_restarts(data):
    """Restart, commit behind what is left, restart again: the versions seen each time; all must be sound."""
    seen = []
    for _ in range(2):
        with open_embedded(data, fsync="no") as servers, open_client(servers.events_url) as client:
            store = open_store(client, fsync="no").store
            kept = store.read("t")
            assert first_broken(kept) is None
            assert [] == list(check_table(store, "t"))
            seen.append(len(kept))
            after = entry(kept[-1].version + 1, kept[-1].hash, "after the crash", seat=3)
            assert Committed() == store.commit("t", head(kept[-1]), after, later(after), running=True)
    return seen


def block_start(log, number):
    """The offset of the block that holds this commit."""
    at = -1
    for _ in range(number):
        at = log.index(b"*1\r\n$5\r\nMULTI", at + 1)
    return at


@pytest.mark.parametrize("part", [0.02, 0.3, 0.6, 0.9, 0.98])
def test_a_log_torn_inside_the_last_commit_loses_that_commit_alone_and_for_ever(whole, part):
    log = log_of(whole)
    text = log.read_bytes()
    start = block_start(text, COUNT)
    log.write_bytes(text[: start + 1 + int((len(text) - start - 1) * part)])

    assert [COUNT - 1, COUNT] == after_two_restarts(whole)
    [copy] = copies(whole)
    assert log.name in [path.name for path in copy.iterdir()]


@pytest.mark.parametrize(
    "tail", [bytes(4096), b"*3\r\n$3\r\nSE", b"\xff\xfe garbage"], ids=["zeros", "half", "garbage"]
)
def test_what_a_crash_left_behind_the_last_commit_is_cut_off(whole, tail):
    log = log_of(whole)
    log.write_bytes(log.read_bytes() + tail)

    assert [COUNT, COUNT + 1] == after_two_restarts(whole)
    assert 1 == len(copies(whole))


@contextmanager
def foreign(binary, data):
    """An operator's own server, that cuts a torn log by itself as Redis does by default; it is killed at the end."""
    settings = {
        "port": "0",
        "unixsocket": data / "s",
        "dir": data / "events",
        "save": "",
        "appendonly": "yes",
        "appendfsync": "no",
        "aof-load-truncated": "yes",
    }
    server = start(binary, settings, data / "log")
    try:
        server.wait_until_ready(threading.Event())
        with open_client(server.url) as client:
            yield client
    finally:
        server.process.kill()
        server.stop()


@pytest.mark.parametrize("binary", [find_binary(), *([Path(REDIS)] if REDIS else [])], ids=lambda path: path.name)
@pytest.mark.parametrize("part", [0.1, 0.45, 0.6, 0.8, 0.97])
def test_on_a_server_that_is_not_ours_no_dead_commit_comes_back_at_the_second_restart(tmp_path, binary, part):
    """Without the rewrite before the first commit, Redis 7.0.15 loses an acknowledged commit here to the dead one."""
    (tmp_path / "events").mkdir()
    chain = entries(COUNT)
    with foreign(binary, tmp_path) as client:
        store = RedisStore(client)
        store.create("t", chain[0], b"", later(chain[0]), running=True)
        for before, each in itertools.pairwise(chain):
            store.commit("t", head(before), each, later(each), running=True)
    log = log_of(tmp_path)
    text = log.read_bytes()
    torn = block_start(text, COUNT)
    log.write_bytes(text[: torn + 1 + int((len(text) - torn - 1) * part)])

    with foreign(binary, tmp_path) as client:
        store = RedisStore(client)
        kept = store.read("t")
        assert COUNT - 1 == len(kept)
        after = entry(COUNT, kept[-1].hash, "after the crash", seat=3)
        assert Committed() == store.commit("t", head(kept[-1]), after, later(after), running=True)
        acknowledged = store.read("t")
    with foreign(binary, tmp_path) as client:
        assert acknowledged == RedisStore(client).read("t")


def test_a_whole_log_is_left_as_it_is(whole):
    assert [COUNT, COUNT + 1] == after_two_restarts(whole)
    assert [] == copies(whole)


def test_damage_that_a_crash_can_not_do_is_left_for_a_person(whole):
    log = log_of(whole)
    text = bytearray(log.read_bytes())
    middle = block_start(bytes(text), 2)
    text[middle : middle + 4] = b"\0\0\0\0"
    text += text[block_start(bytes(text), 3) :] * 12_000  # more behind it than is ever in flight
    log.write_bytes(text)

    with pytest.raises(BadLog, match=r"cutting would lose \d+ bytes\. Nothing was changed; a copy is in"):
        open_embedded(whole, fsync="no")
    assert bytes(text) == log.read_bytes()
    [copy] = copies(whole)
    assert bytes(text) == (copy / log.name).read_bytes()
    shutil.rmtree(copy)
