"""Every snippet of docs/replaying.md, run in its order on a server of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.support.running import ROOT, Running, environment, wait_for

SNIPPETS = re.findall(
    r"^```(sh|python)\n(.*?)^```$", (ROOT / "docs/replaying.md").read_text(), re.DOTALL | re.MULTILINE
)
BOT = {"kind": "ai", "bot": "greedy"}


@pytest.mark.e2e
@pytest.mark.timeout(240)
@pytest.mark.slow
@pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "cmp"))), reason="needs bash, curl and cmp")
def test_every_snippet_runs(tmp_path: Path) -> None:
    assert len(SNIPPETS) >= 15
    bin_, work = tmp_path / "bin", tmp_path / "work"
    for folder in (bin_, work):
        folder.mkdir()
    for name, runs in (("starledger", f"{sys.executable} -m service.cli"), ("python3", sys.executable)):
        (bin_ / name).write_text(f'#!/bin/sh\nexec {runs} "$@"\n')
        (bin_ / name).chmod(0o755)
    with Running(tmp_path / "data", WORKERS=1) as server, httpx.Client(base_url=server.base) as client:
        token = client.post("/v1/players", json={"name": "Ada", "kind": "human"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        table = finished_table(client)
        env = environment(tmp_path / "data") | {
            "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}",
            "BASE": server.base,
            "TOKEN": token,
            "TABLE": table,
        }
        shell = "set -eu -o pipefail\n" + "\n".join(
            code if kind == "sh" else f"python3 - <<'PYTHON'\n{code}PYTHON\n" for kind, code in SNIPPETS
        )
        done = subprocess.run(
            ["bash", "-c", shell], cwd=work, env=env, capture_output=True, text=True, check=False, timeout=220
        )

    assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    assert "problem" not in done.stdout
    for said in (
        "table.slr.jsonl: right: beam-me-up",
        "changed.slr.jsonl: wrong at line 5",
        '"valid":true',
        '"origin":',
    ):
        assert said in done.stdout, said


def finished_table(client: httpx.Client) -> str:
    """Let bots play a short game to its end."""
    made = client.post(
        "/v1/tables", json={"game": "beam-me-up", "seats": [BOT, BOT], "options": {"earth_racer": False}}
    ).json()
    path = f"/v1/tables/{made['id']}"
    wait_for(lambda: client.get(path).json()["status"] == "finished", "the bots have finished", 60)
    return str(made["id"])
