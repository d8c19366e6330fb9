"""`.ci/run`: runs what the README says, tells the truth in its exit code, and leaves nothing behind."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.house.files import ROOT


@pytest.fixture
def ci(tmp_path):
    """Give a function that runs `.ci/run` with a `make` in place of ours: a shell script with `$1` the target."""

    def run(make: str) -> subprocess.CompletedProcess[str]:
        stand_in = tmp_path / "make"
        stand_in.write_text(f"#!/bin/sh\n{make}\n")
        stand_in.chmod(0o755)
        env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CI": "true", "CI_RUN_BROWSER": "no"}
        return subprocess.run(
            ["bash", ROOT / ".ci" / "run"],
            env=env,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def test_ci_runs_the_command_of_the_readme_and_then_the_checks(ci):
    done = ci('echo "made $1 in $PWD"')
    made = [line for line in done.stdout.splitlines() if line.startswith("made")]
    assert [f"made test in {ROOT}", f"made check in {ROOT}"] == made
    assert 0 == done.returncode
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", ["test", "check"])
def test_ci_fails_if_one_part_fails_and_runs_the_other_all_the_same(ci, target):
    done = ci(f'echo "made $1"; [ "$1" != {target} ]')
    assert 1 == done.returncode
    made = [line for line in done.stdout.splitlines() if line.startswith("made")]
    assert ["made test", "made check"] == made
    assert re.search(rf"== make {target}\b.*: failed with 1", done.stdout)


def test_ci_is_over_within_twenty_minutes_whatever_its_parts_do(ci):
    limits = [int(found) for found in re.findall(r"== make .*at most (\d+) s", ci("true").stdout)]
    assert 2 == len(limits)
    assert sum(limits) <= 20 * 60


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_ci_leaves_no_process_behind_that_its_commands_started(ci, tmp_path):
    done = ci(
        f'[ "$1" = test ] || exit 0\n'
        f"cd {tmp_path}; touch pids\n"
        "sh -c 'echo $$ >>pids; exec sleep 600' &\n"  # in the group of the command
        "setsid sh -c 'echo $$ >>pids; exec sleep 600' &\n"  # in a session of its own
        "setsid sh -c 'trap \"\" TERM; echo $$ >>pids; while :; do sleep 1; done' &\n"  # deaf to SIGTERM
        "while [ $(wc -l <pids) -lt 3 ]; do sleep 0.05; done"
    )
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert 3 == len(pids)
    limit = time.monotonic() + 5
    while any(_alive(pid) for pid in pids) and time.monotonic() < limit:
        time.sleep(0.05)
    assert [] == [pid for pid in pids if _alive(pid)]
    assert 0 == done.returncode
    assert "left behind" in done.stdout


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
