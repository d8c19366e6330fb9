"""A whole event from a file, killed in the middle with all its processes, and gone on with."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.support.running import ROOT, environment, wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

FILE = """
name = "Spring"
game = "planet-pioneer"
format = "swiss"
seats_per_table = 4
rounds = 2
seed = "spring"
rated = true

[[entrants]]
bot = "greedy"
count = 4

[[entrants]]
name = "dice"
bot = "random"
count = 4
"""
FILES = ("standings.json", "standings.csv", "results.json", "results.csv", "crosstable.csv")


def event(tmp_path, name: str) -> subprocess.Popen[bytes]:
    (tmp_path / "spring.toml").write_text(FILE)
    arguments = ["tournament", "run", str(tmp_path / "spring.toml"), "--out", str(tmp_path / name), "--quiet"]
    return subprocess.Popen(
        [sys.executable, "-m", "service.cli", *arguments],
        cwd=ROOT,
        env=environment(tmp_path / "unused"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="kills a whole session")
def test_an_event_that_is_killed_goes_on_to_the_same_standings(tmp_path):
    whole = event(tmp_path, "whole")
    said = whole.communicate(timeout=120)[0].decode()
    assert 0 == whole.returncode, said
    assert "greedy" in said

    cut = event(tmp_path, "cut")
    server = tmp_path / "cut" / "server.json"
    wait_for(server.exists, "its server is there", 60)
    wait_for((tmp_path / "cut" / "event.json").exists, "it has its accounts")
    cut.kill()
    cut.communicate()
    os.killpg(json.loads(server.read_text())["pid"], signal.SIGKILL)

    again = event(tmp_path, "cut")
    said = again.communicate(timeout=120)[0].decode()
    assert 0 == again.returncode, said
    for name in FILES:
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "cut" / name).read_bytes()
    kinds = [json.loads(line)["type"] for line in (tmp_path / "cut" / "record.jsonl").read_text().splitlines()]
    assert 4 == kinds.count("table")


def test_a_file_that_is_no_event_is_told_in_a_line(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('game = "beam-me-up"\n[[entrants]]\nname = "nobody"\n')
    run = subprocess.run(
        [sys.executable, "-m", "service.cli", "tournament", "run", str(path)],
        cwd=ROOT,
        env=environment(tmp_path / "unused"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert 1 == run.returncode
    assert "entrant 1 must have either a bot or a command" in run.stderr
