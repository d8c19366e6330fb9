"""Every block of code in every page is run by a test, or says why not; what is no program is checked for what it is."""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from domain.games import GAMES
from domain.options import parse_options
from service.application.webhooks import signature
from service.cli.tournament_event import read_event
from tests.house.files import tracked
from tests.support.running import ROOT, Running
from tests.support.snippets import run, script, snippets

RUN = {
    "README.md": "tests/docs/test_snippets.py",
    "client/README.md": "tests/docs/test_every_block.py",
    "docs/api.md": "tests/docs/test_every_block.py",
    "docs/bots.md": "tests/docs/test_snippets.py",
    "docs/quickstart.md": "tests/docs/test_snippets.py",
    "docs/replaying.md": "tests/docs/test_replaying.py",
    "docs/webhooks.md": "tests/docs/test_every_block.py",
}
"""Pages whose programs are run, and the test that runs them all."""

PROGRAMS = {"sh", "python", "js"}
DATA = {"json", "toml"}
SHAPES = {""}
"""Blocks without a language: messages and shapes with `…` in them, drawings. They are no code."""

_BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A block with the comment before it."""

    page: str
    comment: str
    language: str
    code: str


BLOCKS = [
    Block(str(page.relative_to(ROOT)), *found)
    for page in tracked()
    if page.suffix == ".md"
    for found in _BLOCK.findall(page.read_text(encoding="utf-8"))
]


def of(page: str, language: str) -> list[str]:
    return [block.code for block in BLOCKS if (block.page, block.language) == (page, language)]


def test_every_block_has_a_language_that_is_checked():
    assert set() == {(block.page, block.language) for block in BLOCKS} - {
        (block.page, language) for block in BLOCKS for language in PROGRAMS | DATA | SHAPES
    }
    fences = {page: page.read_text(encoding="utf-8").count("\n```") for page in tracked() if page.suffix == ".md"}
    assert {str(page.relative_to(ROOT)): n // 2 for page, n in fences.items() if n} == {
        block.page: sum(other.page == block.page for other in BLOCKS) for block in BLOCKS
    }


def test_every_program_is_run_or_says_why_not():
    assert [] == [
        (block.page, block.code[:60])
        for block in BLOCKS
        if block.language in PROGRAMS and block.page not in RUN and not re.fullmatch(r"not run: .{10,}", block.comment)
    ]


def test_a_page_whose_programs_call_starledger_says_how_to_have_it():
    callers = {
        block.page for block in BLOCKS if block.language == "sh" and re.search("^starledger ", block.code, re.MULTILINE)
    }
    assert callers
    assert set() == {page for page in callers if ".venv/bin/activate" not in (ROOT / page).read_text(encoding="utf-8")}


@pytest.mark.parametrize("page", RUN)
def test_the_test_that_runs_a_page_is_there(page):
    name = page.removeprefix("docs/")
    assert f'"{name}"' in (text := (ROOT / RUN[page]).read_text(encoding="utf-8")) or f'"{page}"' in text
    assert of(page, "sh") or of(page, "python")


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "json"], ids=lambda block: block.page)
def test_json_is_json_and_what_a_game_takes_is_taken(block):
    try:
        values = [json.loads(block.code)]
    except ValueError:
        values = [json.loads(line) for line in block.code.splitlines()]
    game = GAMES.get(block.page.removeprefix("docs/games/").removesuffix(".md"))
    if game is not None:
        for value in values:
            if "type" in value:
                assert type(msgspec.convert(value, game.commands)) in game.commands.__args__
            elif "deck" not in value:  # a part of a deck
                parse_options(game.options, value)


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "toml"], ids=lambda block: block.page)
def test_toml_is_toml(block):
    assert tomllib.loads(block.code)


def test_the_whole_file_of_a_tournament_is_a_right_one(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))  # where `python` is, once .venv is activated
    whole = [code for code in of("docs/tournaments.md", "toml") if "[[entrants]]" in code]
    assert whole
    for code in whole:
        (tmp_path / "spring.toml").write_text(code)
        assert read_event(tmp_path / "spring.toml").name


def test_the_check_of_a_signature_takes_what_we_sign_and_nothing_else():
    (block,) = snippets(ROOT / "docs/webhooks.md")
    found: dict[str, Any] = {}
    exec(block.code, found)  # noqa: S102 - our own page
    now = int(found["time"].time())
    headers = {"webhook-id": "msg_w_1", "webhook-timestamp": str(now), "webhook-signature": ""}
    secret = "whsec_" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="
    signed = signature(b"A" * 32, "msg_w_1", now, b"{}")

    assert found["is_genuine"](secret, {**headers, "webhook-signature": signed}, b"{}")
    assert found["is_genuine"](secret, {**headers, "webhook-signature": f"v1,other {signed}"}, b"{}")
    assert not found["is_genuine"](secret, {**headers, "webhook-signature": signed}, b"{ }")
    assert not found["is_genuine"](secret, {**headers, "webhook-signature": signed, "webhook-id": "msg_w_2"}, b"{}")
    old = {**headers, "webhook-timestamp": "1", "webhook-signature": signature(b"A" * 32, "msg_w_1", 1, b"{}")}
    assert not found["is_genuine"](secret, old, b"{}")


# ---- on a server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("blocks") / "data", WORKERS=1) as running:
        yield running


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_readme_of_the_client(server, tmp_path):
    first, second = (block.code for block in snippets(ROOT / "client/README.md"))
    code = "\n".join(
        (
            "set -eu",
            f"python3 - <<'PYTHON'\n{first.replace('http://127.0.0.1:8000', server.base)}PYTHON",
            f"cat > dice.py <<'PYTHON'\n{second}PYTHON",
            "python3 -c 'import dice; assert 3 == dice.Dice().choose({}, [3])'",
        )
    )
    done = run(code, tmp_path, 200, server.data)
    assert 0 == done.returncode, done.stdout + done.stderr
    assert done.stdout.startswith("Outcome(winners=[")


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_first_game_of_the_page_of_the_api(server, tmp_path):
    """The reader fills in token and table; here a test does."""
    (block,) = snippets(ROOT / "docs/api.md")
    with httpx.Client(base_url=server.base) as client:
        made = client.post("/v1/players", json={"name": "Ada", "kind": "human"}).json()
        seats = [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}]
        token = {"Authorization": f"Bearer {made['token']}"}
        table = client.post("/v1/tables", json={"game": "beam-me-up", "seats": seats}, headers=token).json()["id"]
        code = block.code.replace("http://127.0.0.1:8000", server.base)
        assert "TOKEN=...\n" in code
        assert "TABLE=...\n" in code
        code = code.replace("TOKEN=...\n", f"TOKEN={made['token']}\n").replace("TABLE=...\n", f"TABLE={table}\n")
        done = run(script([block._replace(code=code)]), tmp_path, 60, server.data)

        assert 0 == done.returncode, done.stdout + done.stderr
        assert '"/problems/' not in done.stdout
        assert "event: end" in done.stdout
        assert "finished" == client.get(f"/v1/tables/{table}").json()["status"]
