"""Whatever process of a pair of servers is killed -9: the servers come back, one a role, and none is left behind."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from service.store import folder, server
from service.store.embedded import FolderInUse, open_embedded
from service.store.folder import DataFolder
from tests.store.conftest import wait_for
from tests.store.test_embedded import is_alive, launcher, pid_of, read, try_pid, write  # noqa: F401 - a fixture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

WATCHER = """
import os, sys
from pathlib import Path
from service.store.folder import DataFolder

fd = DataFolder(Path(sys.argv[1])).lock()
child = os.fork()
if child == 0:
    os.close(1)
    sys.stdin.read()
    os._exit(0)
print(child, flush=True)
os.kill(os.getpid(), 9)
"""
"""Takes the lock, gives it to a child, and is killed: the child has it still."""


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def line(pid):
    """Give the processes from a server up to the one that we have started."""
    found = [pid]
    while (above := parent_of(found[-1])) not in {os.getpid(), 1}:
        found.append(above)
    return found


def serving(socket):
    """Give the processes that serve on a socket, by the title that the server gives itself."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().decode()
            if words.startswith("valkey-server") and str(socket) in words and is_alive(entry.name):
                found.append(int(entry.name))
    return found


def killed(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("how", ["tied by the kernel", "watched by a keeper"])
@pytest.mark.parametrize("role", ["events", "queue"])
def test_a_server_comes_back_whichever_of_its_processes_is_killed_and_leaves_no_other(tmp_path, monkeypatch, role, how):
    monkeypatch.setattr(server, "_WATCHED", how == "watched by a keeper")
    with open_embedded(tmp_path) as servers:
        url = servers.events_url if role == "events" else servers.queue_url
        socket = Path(url.removeprefix("unix://"))
        write(servers.events_url, count=3)
        for _ in range(2):
            before = pid_of(url)
            killed(line(before)[-1])  # the process that we have started
            wait_for(lambda before=before: try_pid(url) not in {None, before})
            wait_for(lambda: serving(socket) == [pid_of(url)])
        assert 3 == read(servers.events_url)
    assert [] == serving(socket)
    with open_embedded(tmp_path) as servers:
        assert 3 == read(servers.events_url)


def test_a_server_that_is_killed_while_it_starts_is_started_again(tmp_path):
    others = children()  # servers of the whole session
    with open_embedded(tmp_path) as servers:
        supervised = servers._events
        for _ in range(3):
            before = supervised.server.process.pid
            killed(before)
            (starting,) = wait_for(lambda before=before: children() - others - {before, pid_of(servers.queue_url)})
            killed(starting)
            wait_for(lambda before=before: supervised.server.process.pid != before and try_pid(servers.events_url))
        assert {pid_of(servers.events_url), pid_of(servers.queue_url)} == children() - others


def children():
    """Give the processes that threads of this one have started and that live."""
    found = set()
    for listed in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found |= {int(pid) for pid in listed.read_text().split() if is_alive(pid)}
    return found


def test_a_launcher_that_is_killed_takes_servers_with_it_that_were_started_again(tmp_path, launcher):  # noqa: F811
    parent, *urls = launcher(tmp_path)
    pids = []
    for url in urls:
        before = pid_of(url)
        killed(before)
        wait_for(lambda url=url, before=before: try_pid(url) not in {None, before})
        pids.append(pid_of(url))

    parent.kill()
    wait_for(lambda: not any(is_alive(pid) for pid in pids))


def test_a_server_that_stands_still_while_it_starts_is_only_not_started(tmp_path, monkeypatch):
    """An answer that doesn't come is not an error that ends the supervision."""
    monkeypatch.setattr(server, "_START_S", 0.5)
    others = children()

    class Silent:
        def ping(self):
            raise redis.TimeoutError

        def close(self):
            pass

    monkeypatch.setattr(server, "open_client", lambda _: Silent())
    with pytest.raises(server.NotStarted, match="did not start"):
        open_embedded(tmp_path)
    assert set() == children() - others


# ---- who has the folder


def test_the_process_that_really_has_the_folder_is_named_when_the_one_that_took_it_is_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "_LINGER_S", 0.2)
    with subprocess.Popen(
        [sys.executable, "-c", WATCHER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as gone:
        assert gone.stdout
        left = int(gone.stdout.readline())
        gone.wait()
        with pytest.raises(FolderInUse, match=rf"is in use by process {left} \(python.*\)\. Stop that process, or"):
            open_embedded(tmp_path)
        killed(left)
    open_embedded(tmp_path).stop()


def test_a_folder_that_is_held_from_where_no_process_can_be_seen_says_how_to_look(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "_LINGER_S", 0.2)
    monkeypatch.setattr(folder, "_holders", lambda _: [])
    held = DataFolder(tmp_path).lock()
    os.pwrite(held, b'{"pid": 4194305}', 0)  # above every process id
    lock = re.escape(str(tmp_path / "lock"))

    with pytest.raises(FolderInUse, match=rf"another user's or another container's.*lsof {lock}.*choose another"):
        DataFolder(tmp_path).lock()
    os.close(held)
