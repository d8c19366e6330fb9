"""Replay: frames are what each viewer saw, once folded."""

import json
import random
from typing import Any

import pytest

from domain.games import GAMES
from service.application.frames import frames
from tests.support.api import Api, play
from tests.support.finished import resigned

NDJSON = "application/x-ndjson"


def pages(person: Api, table: str, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    path = f"/v1/tables/{table}/replay?{query}"
    following = path
    while True:
        page = person.get(following)
        found += page.json["items"]
        cursor = page.json["next_cursor"]
        assert (cursor is not None) == ("Link" in page.headers)
        if cursor is None:
            return found
        following = f"{path}&cursor={cursor}"


@pytest.mark.parametrize("game", GAMES)
def test_a_frame_is_the_entry_and_the_table_as_they_were(ada, bob, public, game):
    table = resigned(ada, bob, game)
    for eyes in ("public", "0", "1", "all"):
        log = public.get(f"/v1/tables/{table}/events?as={eyes}&limit=200").json["items"]
        found = pages(public, table, f"as={eyes}&limit=4")

        assert log == [
            {name: value for name, value in frame.items() if name not in ("view", "to_act")} for frame in found
        ]
        for frame in found:
            then = public.get(f"/v1/tables/{table}?as={eyes}&at={frame['version']}").json
            assert (then["view"], then["to_act"]) == (frame["view"], frame["to_act"])


def test_lines_and_pages_hold_the_same_frames(ada, bob, public):
    table = resigned(ada, bob)
    lines = public.get(f"/v1/tables/{table}/replay?as=1", Accept=NDJSON)

    assert NDJSON == lines.mimetype
    assert pages(public, table, "as=1&limit=3") == [json.loads(line) for line in lines.data.splitlines()]


def test_from_and_to_are_versions_both_included(ada, bob, public):
    table = resigned(ada, bob)

    assert [3, 4, 5] == [frame["version"] for frame in pages(public, table, "from=3&to=5")]
    assert [3] == [frame["version"] for frame in pages(public, table, "from=3&to=3")]
    assert [3, 4, 5] == [frame["version"] for frame in pages(public, table, "from=3&to=5&limit=1")]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=0", "from"),
        ("to=0", "to"),
        ("from=99", "from"),
        ("to=99", "to"),
        ("from=5&to=4", "to"),
        ("from=x", "from"),
        ("from=-1", "from"),
        ("to=1e9", "to"),
        ("from=99999999999999", "from"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("as=7", "as"),
        ("as=", "as"),
        ("cursor=zzz", "cursor"),
        ("cursor=ZjE&from=2", "cursor"),
        ("until=5", "until"),
    ],
)
def test_bounds_are_checked_by_field(ada, bob, public, query, field):
    table = resigned(ada, bob, moves=2)

    assert field in public.get(f"/v1/tables/{table}/replay?{query}", status=422).json["errors"]


def test_a_table_that_is_played_gives_everybody_his_own_perspective_only(ada, bob, public):
    table = ada.table("beam-me-up", "me", "open")["id"]
    bob.sit(table)
    for person, eyes in ((ada, "1"), (ada, "all"), (public, "0"), (bob, "0")):
        assert "perspective_not_allowed" == person.get(f"/v1/tables/{table}/replay?as={eyes}", status=403).json["code"]
    own = ada.get(f"/v1/tables/{table}/replay").json["items"]

    assert own == ada.get(f"/v1/tables/{table}/replay?as=0").json["items"]
    assert (
        public.get(f"/v1/tables/{table}/replay").json["items"]
        == ada.get(f"/v1/tables/{table}/replay?as=public").json["items"]
    )
    assert "hand" in own[-1]["view"]["seats"][0]
    assert "hand" not in own[-1]["view"]["seats"][1]


def test_what_a_seat_was_shown_while_it_played_is_what_its_replay_shows(ada, bob):
    table = ada.table("beam-me-up", "me", "open", options={"earth_racer": False})["id"]
    bob.sit(table)
    seen: dict[int, dict[str, Any]] = {}

    def look() -> None:
        now = bob.get(f"/v1/tables/{table}").json
        if now["status"] == "playing":
            seen[now["version"]] = now["view"]

    play(table, [ada, bob], random.Random(4), look)
    replay = {frame["version"]: frame["view"] for frame in pages(bob, table, "as=1&limit=200")}

    assert len(seen) > 20
    for version, view in seen.items():
        assert view == replay[version]


def test_all_shows_every_card_of_a_finished_table(ada, bob, public):
    table = resigned(ada, bob)
    dealt = next(event for event in pages(public, table, "as=all")[1]["events"] if event["type"] == "cards_dealt")

    assert all("cards" in hand for hand in dealt["hands"])
    assert "cards" in dealt["pile"]


def test_a_replay_folds_its_log_once(services, ada, bob, monkeypatch):
    table = resigned(ada, bob)
    live = services.desk.table(table)
    folded = 0
    applied = live._applied

    def counting(before, entry):
        nonlocal folded
        folded += 1
        return applied(before, entry)

    monkeypatch.setattr(live, "_applied", counting)

    assert live.version == len(list(frames(live, "public", 1, live.version)))
    assert live.version == folded


def test_head_and_an_unknown_table(ada, bob, public):
    table = resigned(ada, bob, moves=1)

    assert b"" == public.send("HEAD", f"/v1/tables/{table}/replay", None, 200, {}).data
    public.get("/v1/tables/nothing/replay", status=404)
    public.get(f"/v1/tables/{table}/replay", status=406, Accept="text/html")
