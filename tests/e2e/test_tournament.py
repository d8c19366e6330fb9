"""A whole event from a file, killed in the middle with all its processes, and gone on with."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.running import ROOT, cli, environment, wait_for

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


def event(tmp_path, name: str, text: str = FILE, *more: str) -> subprocess.Popen[bytes]:
    (tmp_path / "spring.toml").write_text(text)
    arguments = ["tournament", "run", str(tmp_path / "spring.toml"), "--out", str(tmp_path / name), "--quiet", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "service.cli", *arguments],
        cwd=ROOT,
        env=environment(tmp_path / "unused"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="kills a whole session")
def test_an_event_that_is_killed_goes_on_to_the_same_standings(tmp_path):
    whole = event(tmp_path, "whole", FILE, "--workers", "1")
    said = whole.communicate(timeout=120)[0].decode()
    assert 0 == whole.returncode, said
    assert "greedy" in said

    cut = event(tmp_path, "cut")
    server = tmp_path / "cut" / "server.json"
    wait_for(server.exists, "its server is there", 60)
    wait_for((tmp_path / "cut" / "event.json").exists, "it has its accounts")
    cut.kill()
    cut.communicate()
    with contextlib.suppress(ProcessLookupError):  # it ends with its run as well
        os.killpg(json.loads(server.read_text())["pid"], signal.SIGKILL)

    again = event(tmp_path, "cut")
    said = again.communicate(timeout=120)[0].decode()
    assert 0 == again.returncode, said
    for name in FILES:
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "cut" / name).read_bytes()

    changed = event(tmp_path, "cut", FILE.replace("rounds = 2", "rounds = 1"))
    said = changed.communicate(timeout=60)[0].decode()
    assert 1 == changed.returncode
    assert "was changed since the event in" in said
    assert (tmp_path / "whole" / "results.csv").read_bytes() == (tmp_path / "cut" / "results.csv").read_bytes()
    kinds = [json.loads(line)["type"] for line in (tmp_path / "cut" / "record.jsonl").read_text().splitlines()]
    assert 4 == kinds.count("table")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_the_server_of_an_event_ends_with_a_run_that_is_killed(tmp_path):
    cut = event(tmp_path, "cut", FILE.replace("count = 4", "count = 100"))
    server = tmp_path / "cut" / "server.json"
    wait_for(server.exists, "its server is there", 60)
    pid = json.loads(server.read_text())["pid"]
    wait_for((tmp_path / "cut" / "event.json").exists, "it has its accounts", 60)
    cut.kill()
    cut.communicate()

    def has_ended():
        """What nobody has waited for yet has no words left."""
        try:
            return not Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return True

    wait_for(has_ended, "its server has ended", 60)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_an_event_that_is_asked_to_end_leaves_no_process(tmp_path):
    cut = event(tmp_path, "cut", FILE.replace("count = 4", "count = 100"))
    server = tmp_path / "cut" / "server.json"
    wait_for(server.exists, "its server is there", 60)
    pid = json.loads(server.read_text())["pid"]
    wait_for((tmp_path / "cut" / "event.json").exists, "it has its accounts", 60)
    cut.terminate()
    said = cut.communicate(timeout=60)[0].decode()

    assert (130, ["The same command goes on where it was.", "Stopped."]) == (
        cut.returncode,
        [line for line in said.splitlines() if line],
    )
    assert not server.exists()
    assert not Path(f"/proc/{pid}").exists()


PROGRAMS = """
name = "Outside"
game = "planet-pioneer"
format = "swiss"
seats_per_table = 4
rounds = 1
clock = {{ kind = "turn", seconds = 3, on_expiry = "resign" }}
no_show = {{ grace = 20, policy = "forfeit" }}

[[entrants]]
bot = "random"
count = 4
{programs}
"""
PROGRAM = """
import os, sys, time
import httpx

mode = sys.argv[1]
api = httpx.Client(
    base_url=os.environ["STARLEDGER_URL"],
    headers={"Authorization": "Bearer " + os.environ["STARLEDGER_TOKEN"]},
    timeout=30,
    trust_env=False,
)
cup = os.environ["STARLEDGER_TOURNAMENT"]
assert "STARLEDGER_DATA" not in os.environ
me = api.get("/v1/me").json()["id"]
number = 0
while True:
    for row in api.get(f"/v1/tournaments/{cup}/tables").json()["items"]:
        path = f"/v1/tables/{row['table']}"
        table = api.get(path).json()
        if table["status"] == "open" and any(seat.get("player", {}).get("id") == me for seat in table["seats"]):
            api.post(f"{path}/seats", json={})
        you = table["you"]
        if table["status"] == "playing" and you and you["seat"] in table["to_act"]:
            if mode == "crashes":
                sys.exit(3)
            if mode == "hangs":
                time.sleep(3600)
            commands = api.get(f"{path}/commands").json()["commands"]
            if mode == "cheats":
                commands = [{"type": "build", "card": "the_moon"}]
            if commands:
                number += 1
                api.post(f"{path}/commands", json=commands[0], headers={"Idempotency-Key": f"{row['table']}-{number}"})
    time.sleep(0.1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ends a whole session")
def test_a_program_that_crashes_hangs_or_cheats_forfeits_and_the_event_goes_on(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    programs = "".join(
        f'[[entrants]]\nname = "{mode}"\ncommand = ["{sys.executable}", "{tmp_path / "program.py"}", "{mode}"]\n'
        for mode in ("plays", "crashes", "hangs", "cheats")
    )
    done = event(tmp_path, "outside", PROGRAMS.format(programs=programs))
    said = done.communicate(timeout=170)[0].decode()
    assert 0 == done.returncode, said
    results = json.loads((tmp_path / "outside" / "results.json").read_text())
    forfeits = {game["names"][seat] for game in results for seat in game["forfeits"]}
    assert {"crashes", "hangs", "cheats"} == forfeits
    assert 2 == len(results)
    assert 8 == len(json.loads((tmp_path / "outside" / "standings.json").read_text()))
    assert 8 == len((tmp_path / "outside" / "ratings.csv").read_text().splitlines()) - 1
    checked = cli("verify", str(tmp_path / "outside"), data=tmp_path / "unused")
    assert 0 == checked.returncode, checked.stdout
    assert "right: the event Outside, 1 round, 2 games, " in checked.stdout


def test_what_is_wrong_with_a_file_is_told_by_line_and_field_and_nothing_is_written(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(
        'game = "beam-me-up"\nformat = "swiss"\nseats_per_table = 9\ncolour = "red"\n\n[options]\nearth_racer = 5\n\n'
        '[[entrants]]\nbot = "easy"\n[[entrants]]\nname = "nobody"\n'
    )
    run = cli("tournament", "run", str(path), data=tmp_path / "unused")
    assert 1 == run.returncode
    for fault in (
        "bad.toml:3: seats_per_table: Must be 2 to 6.",
        "bad.toml:4: colour: There is no such field. There are: game, format, seats_per_table",
        "bad.toml:7: options.earth_racer: Must be true or false, not the number 5.",
        "bad.toml:11: entrants[1]: Must have either a bot or a command.",
    ):
        assert fault in run.stderr
    assert ["bad.toml"] == [each.name for each in tmp_path.iterdir()]
