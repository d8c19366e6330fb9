"""A person at a terminal, with pipes for hands and eyes."""

import json
import subprocess
import sys

import pytest

from tests.support.running import ROOT, Running, environment

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


def play(server: Running, typed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service.cli", "play", *arguments],
        check=False,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        env=environment(server.data, PORT=server.port),
    )


def test_a_person_plays_in_the_terminal_leaves_and_comes_back(shared):
    left = play(shared, "1\n" * 3, "planet-pioneer", "--bots", "greedy", "--seed", "play", "--name", "Ada")
    assert 0 == left.returncode, left.stderr
    assert "Your hand" in left.stdout
    again = left.stdout.rpartition(" play --table ")[2].split()[0]

    ended = play(shared, "1\n" * 200, "--table", again)
    assert 0 == ended.returncode, ended.stderr
    assert "The end" in ended.stdout
    assert f"/v1/tables/{again}/record" in ended.stdout
    kept = json.loads((shared.data / "terminal.json").read_text())
    assert "Ada" == kept[shared.base]["name"]
    assert 0o600 == (shared.data / "terminal.json").stat().st_mode & 0o777

    chosen = play(shared, "9\n1\n99\n?\nq\n")
    assert 0 == chosen.returncode, chosen.stderr
    assert "Give a number from 1 to 3." in chosen.stdout
    assert "Give a number from 1 to 6." in chosen.stdout
    assert 2 == chosen.stdout.count("Racers to be had")

    refused = play(shared, "", "chess")
    assert 1 == refused.returncode
    assert 1 == refused.stderr.count("\n"), refused.stderr
