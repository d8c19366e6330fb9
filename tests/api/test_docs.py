"""docs/api.md: what it shows works, and what it names is there."""

import json
import re
import shlex
from pathlib import Path

from domain.games import GAMES
from service.api import openapi
from service.api.problem_codes import PROBLEMS
from tests.support.api import Api

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_first_game_of_the_page_can_be_played(public, app):
    session = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)[0].replace("\\\n", " ")
    caller, table, sent = public, "", 0
    for line in session.splitlines():
        if not line.startswith("curl"):
            continue
        words = shlex.split(line)
        path = next(word for word in words if word.startswith("$API")).removeprefix("$API").replace("$TABLE", table)
        body = words[words.index("-d") + 1] if "-d" in words else None
        headers = {h.split(": ")[0].replace("-", "_"): h.split(": ")[1] for h in words if re.match(r"[A-Z][\w-]+: ", h)}
        headers.pop("Authorization", None)
        answer = caller.send("GET" if body is None else "POST", path, None, None, headers, raw=body and body.encode())
        assert answer.status_code < 300, (line, answer.text)
        sent += 1
        if path == "/v1/players":
            caller = Api(app, answer.json["token"], answer.json)
        if path == "/v1/tables":
            table = answer.json["id"]
    assert 7 == sent


def test_every_address_that_the_page_names_is_in_the_contract():
    named = re.findall(r"`(GET|POST|DELETE) (/[^`? ]*)", TEXT)
    paths = openapi.document()["paths"]
    assert len(named) > 8
    assert [] == [(method, path) for method, path in named if method.lower() not in paths.get(path, {})]


def test_every_code_that_the_page_names_is_a_problem():
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", TEXT))
    known = set(PROBLEMS) | {"play_card", "card_played", "next_cursor"}
    assert set() == named - known
    assert "stale_version" in named
    example = json.loads(re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)[0])
    kind = PROBLEMS[example["code"]]
    assert (kind.status, kind.title, f"/problems/{kind.code}") == tuple(
        example[name] for name in ("status", "title", "type")
    )


def test_the_page_names_all_games():
    assert [] == [game for game in GAMES if f"`{game}`" not in TEXT]
