"""Servers, workers and relays of a test's own, to be killed."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.bootstrap import Services, connect
from service.config import load
from service.store.embedded import EmbeddedServers, open_embedded
from tests.support.running import environment, start

LEASE_S = 1.0
PERIOD_S = 0.2
SLACK_S = 8.0
"""What a loaded machine may add: a process that starts, a job that waits for the processor."""


class Parts:
    """A pair of servers with processes beside it; `log` is what these have written."""

    def __init__(self, folder: Path, servers: EmbeddedServers) -> None:
        self.servers = servers
        self.log = folder / "log"
        settings = {"REDIS_URL": servers.events_url, "QUEUE_URL": servers.queue_url, "LOG": "info"}
        self._environment = environment(folder / "data", **settings, LEASE=LEASE_S, RELAY_PERIOD=PERIOD_S)
        self._processes: list[subprocess.Popen[bytes]] = []

    def allow(self, **settings: object) -> None:
        """Set more, for what is started or connected from now on."""
        self._environment |= {f"STARLEDGER_{name}": str(value) for name, value in settings.items()}

    def start(self, *program: str) -> subprocess.Popen[bytes]:
        """Start one of our programs: module and arguments, or the path of a script."""
        how = () if program[0].endswith(".py") else ("-m",)
        process = start([sys.executable, *how, *program], self._environment, self.log)
        self._processes.append(process)
        return process

    def connect(self) -> Services:
        """Give services on these servers."""
        return connect(load({name: value for name, value in self._environment.items() if "STARLEDGER_" in name}))

    def end(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with open_embedded(tmp_path / "data") as servers:
        made = Parts(tmp_path, servers)
        try:
            yield made
        finally:
            made.end()


@pytest.fixture
def services(parts: Parts) -> Iterator[Services]:
    connected = parts.connect()
    yield connected
    connected.close()
