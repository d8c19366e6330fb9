"""All parts die at random while people play: what was acknowledged is in the log once, and every table ends."""

import contextlib
import os
import random
import signal
import sys
import threading
import time

import pytest

from tests.support.running import Person, Running, cli, wait_for

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="finds its victims in /proc"),
]

VICTIMS = ("-m service.api.server", "-m workers worker", "-m workers relay", "queue.sock", "events.sock")
KILLING_S = 20.0


class Playing(threading.Thread):
    """A person who plays one table of each game, trying everything again until it is answered."""

    def __init__(self, base: str, number: int) -> None:
        super().__init__(daemon=True)
        self.person = Person(base, f"P{number}")
        self.tables: dict[str, str] = {}
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            for game in ("planet-pioneer", "universal-match", "beam-me-up"):
                self.tables[game] = self.person.table(game, "greedy", "easy")
                self.person.play(self.tables[game])
        except BaseException as failure:  # noqa: BLE001 - told by the test
            self.failure = failure


def kill_at_random(server: Running, rng: random.Random, until: float) -> list[str]:
    """Kill one part after the other, each a moment after the last."""
    killed = []
    while time.monotonic() < until:
        time.sleep(rng.uniform(0.2, 1.6))
        words = rng.choice(VICTIMS)
        for pid in server.processes(words)[:1]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed.append(words)
    return killed


@pytest.mark.parametrize("seed", [1])
def test_every_acknowledged_command_is_in_the_log_once_and_every_table_ends(tmp_path, seed):
    data = tmp_path / "data"
    with Running(data, WORKERS=2, LEASE=1, RELAY_PERIOD=0.2) as server:
        people = [Playing(server.base, number) for number in range(2)]
        for each in people:
            each.start()
        killed = kill_at_random(server, random.Random(seed), time.monotonic() + KILLING_S)
        assert set(VICTIMS) == set(killed), "every part was killed at least once"
        wait_for(lambda: not any(each.is_alive() for each in people), "all tables end", 150)

        for each in people:
            assert each.failure is None, f"{each.failure!r}\n{server.said()}"
            for table in each.tables.values():
                check(each.person, table)
            each.person.close()
        checked = cli("fsck", data=data)
        assert 0 == checked.returncode, checked.stdout
        assert "6 tables checked" in checked.stdout
        assert 0 == server.stop()
        assert [] == server.processes()


def check(person: Person, table: str) -> None:
    log = person.log(table)
    mine = [entry["version"] for entry in log if entry.get("seat") == 0]
    acknowledged = [version for each, version in person.acknowledged if each == table]

    assert "finished" == person.get(f"/v1/tables/{table}")["status"]
    assert list(range(1, len(log) + 1)) == [entry["version"] for entry in log]
    assert len(acknowledged) == len(set(acknowledged))
    assert mine == [1, *acknowledged]
