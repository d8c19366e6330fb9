"""`starledger verify` of a whole event as one file: its tables one by one, then what its log makes of them."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from domain.chance import chosen_secret
from service.api.app import create_app
from service.bootstrap import in_memory
from service.cli import main
from service.cli.tournament_course import counted
from service.config import load
from tests.support.api import Api

Rows = list[dict[str, Any]]
CUP = {
    "name": "Cup",
    "game": "universal-match",
    "options": {"target": "one_hand"},
    "format": "round_robin",
    "seats_per_table": 2,
}


def event(*bots: str, is_judged: bool = False, **more: Any) -> Rows:
    """Give the lines of an event that was played."""
    ada = Api(create_app(in_memory(load({"STARLEDGER_RATE_LIMITS": "off"})))).register("Ada")
    path = f"/v1/tournaments/{ada.post('/v1/tournaments', {**CUP, **more}, status=201).json['id']}"
    entries = [{"kind": "ai", "bot": bot} for bot in bots]
    ada.post(f"{path}/entries/bulk", {"entries": entries}, status=201)
    ada.post(f"{path}/start")
    if is_judged:
        game = ada.get(f"{path}/rounds/1").json["tables"][0]["games"][0]["id"]
        ada.post(f"{path}/tables/{game}/result", {"places": [2, 1], "reason": "It was so."})
    return [json.loads(line) for line in ada.get(f"{path}/record").text.splitlines()]


@pytest.fixture(scope="module")
def drawn() -> Rows:
    return event("greedy", "easy", "random")


@pytest.fixture(scope="module")
def seeded() -> Rows:
    return event("greedy", "easy", seed="s", legs=2)


@pytest.fixture
def verify(tmp_path):
    def run(rows: Rows | bytes, *options: str) -> tuple[int, list[str]]:
        path = tmp_path / "record.jsonl"
        text = rows if isinstance(rows, bytes) else b"".join(map(line, rows))
        path.write_bytes(text)
        result = CliRunner().invoke(main, ["verify", *options, str(path)])
        assert isinstance(result.exception, SystemExit | None), result.exception
        return result.exit_code, result.output.replace(f"{tmp_path}/", "").splitlines()

    return run


def line(row: Any) -> bytes:
    return json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def at(rows: Rows, kind: str) -> list[int]:
    return [number for number, row in enumerate(rows) if row["type"] == kind]


def copied(rows: Rows) -> Rows:
    found: Rows = json.loads(json.dumps(rows))
    return found


@pytest.mark.parametrize(
    ("wish", "bots", "tables"),
    [
        ({}, ("greedy", "easy", "random"), 3),
        ({"seed": "s", "legs": 2}, ("greedy", "easy"), 2),
        ({"legs": 2, "duplicate": True}, ("greedy", "easy"), 2),
        ({"is_judged": True}, ("greedy", "easy"), 1),
        ({"format": "knockout"}, ("greedy", "easy", "random", "random"), 3),
    ],
    ids=["drawn", "seeded", "duplicate", "judged", "knockout"],
)
def test_an_event_is_right_when_all_its_tables_are_and_the_rest_follows(verify, wish, bots, tables):
    rows = event(*bots, **wish)
    code, said = verify(rows)
    assert 0 == code, said
    games = [row["table"] for row in rows if row["type"] == "table"]
    assert tables == len(games)
    assert [f"record.jsonl: table {game}: right" for game in games] == [
        each.partition(": universal-match")[0] for each in said[:-1]
    ]
    rounds = max(row["round"] for row in rows if row["type"] == "table")
    assert (
        f"record.jsonl: right: the event Cup, {counted(rounds, 'round')}, {counted(tables, 'game')}, {tables} of them with "
        "their records; standings and deals follow" == said[-1]
    )


def changed_result(rows: Rows) -> None:
    for row in rows:
        for happened in row.get("entry", {}).get("events", ()):
            if happened["type"] == "result_recorded":
                happened["result"]["places"].reverse()
                return


def swapped(rows: Rows) -> None:
    one, other = at(rows, "table")[:2]
    rows[one]["record"], rows[other]["record"] = rows[other]["record"], rows[one]["record"]


def salted(rows: Rows) -> None:
    rows[at(rows, "table")[0]]["record"][3]["salt"] = "0" * 32


def doubled(rows: Rows) -> None:
    rows.insert(at(rows, "table")[1], rows[at(rows, "table")[0]])


def renamed(rows: Rows) -> None:
    rows[at(rows, "table")[0]]["table"] = "another"


def credited(rows: Rows) -> None:
    """Let one entrant have all that another has played."""
    text = json.dumps(rows).replace('"e1"', '"e9"').replace('"e2"', '"e1"').replace('"e9"', '"e2"')
    swapped_ids: Rows = json.loads(text)
    for row in swapped_ids:
        for happened in row.get("entry", {}).get("events", ()):
            if happened["type"] == "entry_added":
                happened["entry"] = {"e1": "e2", "e2": "e1"}.get(happened["entry"], happened["entry"])
    rows[:] = swapped_ids


def promoted(rows: Rows) -> None:
    rows[-1]["standings"].reverse()


def skipped(rows: Rows) -> None:
    del rows[at(rows, "entry")[2]]


def nonsense(rows: Rows) -> None:
    rows[at(rows, "entry")[-1]]["entry"]["events"] = [{"type": "round_closed", "round": 77}]


def other_secret(rows: Rows) -> None:
    rows[0]["tournament"]["secret"] = "00" * 32
    rows[at(rows, "entry")[-1]]["entry"]["events"][-1]["secret"] = "00" * 32


WRONG: list[tuple[Callable[[Rows], None], str, str]] = [
    (changed_result, "table", "did not end as the event's log says: places"),
    (swapped, "table", "this is the record of table"),
    (salted, "table", "the record of table"),
    (credited, "table", "is not played by"),
    (renamed, "table", "the event has no table another"),
    (other_secret, "table", "the event's secret is not the one that it committed to"),
    (lambda rows: rows[0]["tournament"].update(name="Bowl"), "table", "the log gives name 'Cup'; the first line has 'Bowl'"),
    (skipped, "entry", "this is version 4, where version 3 belongs"),
    (nonsense, "entry", "this is no line of an event"),
    (promoted, "standings", "the standings do not follow from the results"),
    (lambda rows: rows.pop(at(rows, "table")[1]), "standings", "is missing"),  # type: ignore[list-item]
    (lambda rows: rows.pop(), "", "the file ends before the standings: it was cut off"),  # type: ignore[list-item]
    (doubled, "", "already"),
    (lambda rows: rows.append(rows[-1]), "", "nothing comes behind the standings"),
    (lambda rows: rows.insert(1, {"type": "joke"}), "joke", "this line does not belong here"),
    (lambda rows: rows[0].update(tournament=7), "tournament", "this line does not belong here"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "kind", "reason"), WRONG, ids=[reason for _, _, reason in WRONG])
def test_what_was_changed_in_an_event_is_told_by_its_line(verify, drawn, change, kind, reason):
    rows = copied(drawn)
    change(rows)
    code, said = verify(rows)
    assert 1 == code
    before, _, told = said[-1].partition(": wrong at line ")
    assert "record.jsonl" == before
    number, _, why = told.partition(": ")
    assert reason in why
    assert kind in ("", rows[int(number) - 1]["type"])


def test_deals_that_do_not_follow_from_the_events_seed_are_found(verify, seeded):
    rows, other = copied(seeded), chosen_secret("t")
    rows[0]["tournament"].update(secret=other.secret.hex(), commitment=other.commitment)
    entries = [row["entry"] for row in rows if row["type"] == "entry"]
    entries[0]["events"][0].update(chosen_seed="t", commitment=other.commitment)
    entries[-1]["events"][-1].update(secret=other.secret.hex())
    code, said = verify(rows)
    assert 1 == code
    assert "does not follow from the event's secret" in said[-1]


def test_an_event_that_is_cut_off_in_a_line_is_told(verify, drawn):
    code, said = verify(b"".join(map(line, drawn))[:-10])
    assert (1, f"record.jsonl: line {len(drawn)} of the event is cut off") == (code, said[-1].partition(",")[0])


def test_the_report_on_an_event_as_json(verify, drawn):
    good = json.loads(verify(drawn, "--json")[1][-1])
    bad = json.loads(verify(drawn[:-1], "--json")[1][-1])
    assert (True, 3, 3, 3) == (good["valid"], *(good["event"][name] for name in ("rounds", "games", "tables")))
    assert (False, len(drawn) - 1) == (bad["valid"], bad["event"]["first_wrong"]["line"])


def test_whatever_stands_in_an_event_ends_in_no_traceback(verify, seeded):
    chance = random.Random(7)
    skeleton = [row for row in seeded if row["type"] != "table"]
    for _ in range(60):
        rows = copied(skeleton)
        holder: Any = chance.choice(rows)
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            key = chance.choice(keys)
            if not isinstance(holder[key], dict | list) or not holder[key] or chance.random() < 0.2:
                break
            holder = holder[key]
        holder[key] = chance.choice([None, [], {}, "", -1, 10**40, "x", True])
        assert 1 == verify(rows)[0]  # without its tables it can't be right


def test_a_folder_is_checked_file_by_file(tmp_path, drawn):
    (tmp_path / "record.jsonl").write_bytes(b"".join(map(line, drawn)))
    (tmp_path / "standings.csv").write_text("place\n")
    (tmp_path / "records").mkdir()
    for row in drawn:
        if row["type"] == "table":
            (tmp_path / "records" / f"{row['table']}.slr.jsonl").write_bytes(b"".join(map(line, row["record"])))
    said = CliRunner().invoke(main, ["verify", str(tmp_path)])
    assert 0 == said.exit_code, said.output
    assert 4 + 3 == len(said.output.splitlines())
    record = next((tmp_path / "records").iterdir())
    record.write_bytes(record.read_bytes().replace(b'"seat":1', b'"seat":0', 1))
    said = CliRunner().invoke(main, ["verify", str(tmp_path)])
    assert 1 == said.exit_code
    assert [record.name] == [
        Path(each.partition(":")[0]).name for each in said.output.splitlines() if "wrong at" in each
    ]


def test_a_folder_without_records_is_told(tmp_path):
    said = CliRunner().invoke(main, ["verify", str(tmp_path)])
    assert (1, f"{tmp_path}: is a folder without records; their names end in .jsonl, .jsonl.zst, .jsonl.gz\n") == (
        said.exit_code,
        said.output,
    )


def test_replay_of_an_event_names_where_its_tables_are(tmp_path, drawn):
    (tmp_path / "record.jsonl").write_bytes(b"".join(map(line, drawn)))
    said = CliRunner().invoke(main, ["replay", str(tmp_path / "record.jsonl")])
    assert 1 == said.exit_code
    assert "The tables of an event are in its folder records/" in said.output


@pytest.mark.parametrize("is_started", [True, False])
def test_an_event_that_was_cancelled_is_right_too(verify, is_started):
    ada = Api(create_app(in_memory(load({"STARLEDGER_RATE_LIMITS": "off"})))).register("Ada")
    path = f"/v1/tournaments/{ada.post('/v1/tournaments', CUP, status=201).json['id']}"
    entries = [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}, {"kind": "ai", "bot": "easy"}]
    ada.post(f"{path}/entries/bulk", {"entries": entries}, status=201)
    if is_started:
        ada.post(f"{path}/start")
    ada.post(f"{path}/cancel", {"reason": "rain"})
    code, said = verify(ada.get(f"{path}/record").data)
    assert 0 == code, said
    assert said[-1].startswith("record.jsonl: right: the event Cup, ")
