"""Every snippet of the quickstart, of the bots' page and of the README, run on one server."""

import re
import shutil
from pathlib import Path

import pytest
from starledger_client import Client

from tests.support.running import ROOT, Running
from tests.support.snippets import run, script, snippets

QUICKSTART = ROOT / "docs/quickstart.md"
BOTS = ROOT / "docs/bots.md"

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "cmp"))), reason="needs bash, curl and cmp"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("docs") / "data", WORKERS=1) as running:
        yield running


def said(code: str, server: Running, tmp_path: Path) -> str:
    done = run(code, tmp_path, 150, server.data, STARLEDGER_URL=server.base)
    assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_quickstart_in_curl(server, tmp_path):
    blocks = snippets(QUICKSTART, "curl")
    assert len(blocks) >= 6
    out = said(script(blocks), server, tmp_path)
    assert out.startswith("unknown_command\n")
    versions = [int(version) for version in re.findall(r"^id: ?(\d+)$", out, re.MULTILINE)]
    assert list(range(2, 2 + len(versions))) == versions
    assert len(versions) >= 2
    assert "event: end" in out


def test_the_quickstart_in_python(server, tmp_path):
    out = said(script(snippets(QUICKSTART, "Python")), server, tmp_path)
    assert re.fullmatch(
        r"python: finished with \[-?\d+, -?\d+\]\npython: refused, table_finished\npython: stale, the table is at \d+\n",
        out,
    )


@pytest.mark.skipif(not shutil.which("node"), reason="needs node 20 or newer for the JavaScript of docs/quickstart.md")
def test_the_quickstart_in_javascript(server, tmp_path):
    out = said(script(snippets(QUICKSTART, "JavaScript")), server, tmp_path)
    assert re.fullmatch(
        r"javascript: finished with \[ -?\d+, -?\d+ \]\njavascript: live from 4 to \d+ true\n"
        r"javascript: refused, table_finished\n",
        out,
    )


def test_no_block_of_the_pages_for_authors_is_left_out():
    parts = sum(len(snippets(QUICKSTART, part)) for part in ("curl", "Python", "JavaScript"))
    assert parts == len(snippets(QUICKSTART)) == QUICKSTART.read_text(encoding="utf-8").count("\n```") // 2
    assert len(snippets(BOTS)) + 1 == BOTS.read_text(encoding="utf-8").count("\n```") // 2


def test_bots_in_ten_minutes(server, tmp_path):
    out = said(script(snippets(BOTS)), server, tmp_path)
    (opened,) = re.findall(r"^open: (\S+)$", out, re.MULTILINE)
    assert f"finished: {opened} [" in out
    assert re.search(r"^places: \[[12], [12]\]$", out, re.MULTILINE)
    assert "over: Spring all_rounds\n" in out
    assert {"Guest", "random"} == {row.split()[1] for row in out.splitlines()[-2:]}


def test_the_session_of_the_readme(server, tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (session,) = re.findall(r"<!-- session -->\n```sh\n(.*?)```\n<!-- end of session -->", readme, re.DOTALL)
    assert "http://127.0.0.1:8000" in session
    out = said("set -u\n" + session.replace("http://127.0.0.1:8000", server.base), server, tmp_path)
    assert "'winners': [" in out.splitlines()[-1]
    assert '"hand"' in out


def test_the_stream_of_the_readme(server, tmp_path):
    (watch,) = (block for block in snippets(ROOT / "README.md") if "text/event-stream" in block.code)
    with Client(server.base) as client:
        client.create_player("Ada", "human")
        table = client.create_table("beam-me-up", [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}]).id
        client.resign(table)
    out = said(watch.code.replace("http://127.0.0.1:8000", server.base).replace("TABLE", table), server, tmp_path)
    assert "event: end" in out
    assert '"hand"' not in out.partition("table_finished")[0]
