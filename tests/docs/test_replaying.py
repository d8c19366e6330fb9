"""Every snippet of docs/replaying.md, run in its order on a server of its own."""

import shutil
from pathlib import Path

import httpx
import pytest

from tests.support.running import ROOT, Running, wait_for
from tests.support.snippets import run, script, snippets

SNIPPETS = snippets(ROOT / "docs/replaying.md")
BOT = {"kind": "ai", "bot": "greedy"}


@pytest.mark.e2e
@pytest.mark.timeout(240)
@pytest.mark.slow
@pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "cmp"))), reason="needs bash, curl and cmp")
def test_every_snippet_runs(tmp_path: Path) -> None:
    assert len(SNIPPETS) >= 15
    with Running(tmp_path / "data", WORKERS=1) as server, httpx.Client(base_url=server.base) as client:
        token = client.post("/v1/players", json={"name": "Ada", "kind": "human"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        table = finished_table(client)
        done = run(script(SNIPPETS), tmp_path, 220, server.data, BASE=server.base, TOKEN=token, TABLE=table)

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
