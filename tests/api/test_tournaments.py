"""Tournaments over HTTP: made, entered, run by themselves, looked at, judged."""

import json
import os
import random
import re

import pytest

from domain.tournament.commands import AddEntries, NewEntry
from service.application.handle import Attempt
from service.application.tournament_desk import TournamentDesk
from tests.api.test_commands import Store
from tests.support.api import Api, new_key, play

CUP = {"name": "Cup", "game": "beam-me-up", "options": {"earth_racer": False}, "format": "swiss", "seats_per_table": 2}


def cup(organiser: Api, status: int = 201, **more):
    return organiser.post("/v1/tournaments", {**CUP, **more}, status=status)


def enter(organiser: Api, tournament: str, *bots: str):
    entries = [{"kind": "ai", "bot": bot} for bot in bots]
    return organiser.post(f"/v1/tournaments/{tournament}/entries/bulk", {"entries": entries}, status=201).json


@pytest.fixture
def played(ada):
    made = cup(ada, rounds=2, seed="s", rated=True).json["id"]
    enter(ada, made, "greedy", "easy", "random")
    ada.post(f"/v1/tournaments/{made}/start")
    return made


def test_a_tournament_of_bots_runs_by_itself(ada, public, played):
    shown = public.get(f"/v1/tournaments/{played}").json
    assert ("finished", "all_rounds", 2, []) == (shown["status"], shown["ended"], shown["round"], shown["waits_for"])
    standings = public.get(f"/v1/tournaments/{played}/standings").json["standings"]
    assert {"greedy", "easy", "random"} == {row["name"] for row in standings}
    assert 3 * 1.0 + 1.0 == sum(row["points"] for row in standings)
    assert public.get(f"/v1/tournaments/{played}/crosstable").json["crossings"]
    assert public.get(f"/v1/tournaments/{played}/rounds/2").json["closed"]
    public.get(f"/v1/tournaments/{played}/rounds/3", 404)
    table = public.get(f"/v1/tournaments/{played}/tables").json["items"][0]["table"]
    assert played == public.get(f"/v1/tables/{table}").json["creator"]
    lines = [json.loads(line) for line in public.get(f"/v1/tournaments/{played}/record").text.splitlines()]
    assert "tournament" == lines[0]["type"]
    assert 2 == sum(line["type"] == "table" for line in lines)
    assert "standings" == lines[-1]["type"]
    assert [played] == [row["id"] for row in public.get("/v1/tournaments?status=finished").json["items"]]
    assert [] == public.get("/v1/tournaments?status=open").json["items"]


def test_the_same_seed_gives_the_same_standings(ada, played):
    again = cup(ada, rounds=2, seed="s", rated=True).json["id"]
    enter(ada, again, "greedy", "easy", "random")
    ada.post(f"/v1/tournaments/{again}/start")
    first, second = (ada.get(f"/v1/tournaments/{each}/standings").json["standings"] for each in (played, again))
    assert first == second


def test_the_log_comes_in_pages_and_as_a_stream(public, played):
    page = public.get(f"/v1/tournaments/{played}/events?limit=2").json
    assert [1, 2] == [entry["version"] for entry in page["items"]]
    lines = public.get(f"/v1/tournaments/{played}/events", Accept="application/x-ndjson").text.splitlines()
    assert page["version"] == len(lines)
    stream = public.get(f"/v1/tournaments/{played}/events?after=2", Accept="text/event-stream").text
    assert stream.rstrip().splitlines()[-2] == "event: end"


def test_steps_may_be_sent_twice_and_an_unchanged_tournament_is_not_sent_again(ada, played):
    tag = ada.get(f"/v1/tournaments/{played}").headers["ETag"]
    assert tag == ada.post(f"/v1/tournaments/{played}/start", status=None).headers.get("ETag", tag)
    ada.get(f"/v1/tournaments/{played}", 304, If_None_Match=tag)
    key = new_key()
    first = cup(ada, status=201).json["id"]
    entry = {"entry": {"kind": "ai", "bot": "easy"}}
    one = ada.post(f"/v1/tournaments/{first}/entries", entry, 201, key)
    two = ada.post(f"/v1/tournaments/{first}/entries", entry, 201, key)
    assert one.text == two.text
    assert "true" == two.headers["Idempotent-Replayed"]
    assert 1 == len(ada.get(f"/v1/tournaments/{first}").json["entrants"])
    ada.post(f"/v1/tournaments/{first}/start", status=412, If_Match='"1-0000000000000000"')


def test_bulk_entries_are_all_or_nothing_with_reasons_by_row(ada):
    made = cup(ada, entrants={"min": 2, "max": 3}).json["id"]
    wrong = [{"kind": "ai", "bot": "easy"}, {"kind": "player", "player": "nobody"}, {"kind": "ai", "bot": "none"}]
    problem = ada.post(f"/v1/tournaments/{made}/entries/bulk", {"entries": wrong}, status=422).json
    assert {"entries[1].player", "entries[2].bot"} == set(problem["errors"])
    twice = [{"kind": "me"}, *wrong[1:], {"kind": "me"}]
    problem = ada.post(f"/v1/tournaments/{made}/entries/bulk", {"entries": twice}, status=422).json
    assert {"entries[1].player", "entries[2].bot", "entries[3]"} == set(problem["errors"])
    four = [{"kind": "ai", "bot": "easy"}] * 4
    problem = ada.post(f"/v1/tournaments/{made}/entries/bulk", {"entries": four}, status=422).json
    assert {"entries[3]"} == set(problem["errors"])
    dry = {"entries": four[:3], "dry_run": True}
    assert 3 == len(ada.post(f"/v1/tournaments/{made}/entries/bulk", dry, status=200).json["entries"])
    assert [] == ada.get(f"/v1/tournaments/{made}").json["entrants"]


def test_who_may_enter_is_the_organisers_choice(ada, bob):
    made = cup(ada, entry={"kind": "code", "code": "open-sesame"}).json["id"]
    bob.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "me"}}, status=403)
    bob.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "ai", "bot": "easy"}}, status=403)
    entry = bob.post(
        f"/v1/tournaments/{made}/entries", {"entry": {"kind": "me", "code": "open-sesame"}}, status=201
    ).json
    assert bob.id == entry["player"]
    bob.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "me", "code": "open-sesame"}}, status=409)
    assert "open-sesame" not in ada.get(f"/v1/tournaments/{made}/events").text
    assert "digest" not in ada.get(f"/v1/tournaments/{made}/events").text
    bob.post(f"/v1/tournaments/{made}/start", status=403)
    assert "cannot_start" == ada.post(f"/v1/tournaments/{made}/start", status=409).json["code"]
    bob.delete(f"/v1/tournaments/{made}/entries/{entry['entry']}")
    assert ada.get(f"/v1/tournaments/{made}").json["entrants"][0]["withdrawn"]


def test_entry_codes_are_long_and_can_be_tried_ten_times_dry_runs_too(ada, bob, public):
    short = cup(ada, 422, entry={"kind": "code", "code": "seven77"}).json
    assert ["entry.code"] == list(short["errors"])
    made, other = (cup(ada, entry={"kind": "code", "code": "open-sesame"}).json["id"] for _ in range(2))

    def tries(person, code, where=made):
        path = f"/v1/tournaments/{where}/entries"
        mine = {"kind": "me", "code": code}
        yield person.post(path, {"entry": mine}, status=None)
        yield person.post(f"{path}/bulk", {"entries": [mine], "dry_run": True}, status=None)

    wrong = [each.status_code for n in range(5) for each in tries(bob, f"wrong-code-{n}")]
    assert [403, 422] * 5 == wrong
    for refused in tries(bob, "open-sesame"):
        assert (429, "rate_limited") == (refused.status_code, refused.json["code"])
        assert 300 < int(refused.headers["Retry-After"]) <= 360
    assert [201, 422] == [each.status_code for each in tries(bob, "open-sesame", other)]
    assert [201, 422] == [each.status_code for each in tries(public.register("Carl"), "open-sesame")]
    for _ in range(6):
        assert 429 not in [each.status_code for each in tries(ada, "anything")]


def test_players_sit_down_and_play_and_a_correction_and_its_reversal_restore_all(ada, bob, public):
    made = cup(ada, format="round_robin", rated=True).json["id"]
    for person in (ada, bob):
        person.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "me"}}, status=201)
    preview = ada.post(f"/v1/tournaments/{made}/pairings/preview").json
    assert "forbidden" == bob.post(f"/v1/tournaments/{made}/pairings/preview", status=403).json["code"]
    public.post(f"/v1/tournaments/{made}/pairings/preview", status=401)
    assert [{"e1", "e2"}] == [set(table["entries"]) for table in preview["tables"]]
    ada.post(f"/v1/tournaments/{made}/start")
    (table,) = (row["table"] for row in ada.get(f"/v1/tournaments/{made}/tables").json["items"])
    assert "waiting_for_results" == ada.get(f"/v1/tournaments/{made}").json["waits_for"][0]["code"]
    public.register("Carl").sit(table, status=403)
    ada.sit(table)
    ada.delete(f"/v1/tables/{table}/seats/{ada.get(f'/v1/tables/{table}').json['you']['seat']}", 403)
    bob.sit(table)

    play(table, [ada, bob], random.Random(1))
    assert "finished" == ada.get(f"/v1/tournaments/{made}").json["status"]

    def all_numbers():
        return (
            ada.get(f"/v1/tournaments/{made}/standings").json["standings"],
            ada.get("/v1/ratings?game=beam-me-up").json["items"],
            ada.get(f"/v1/players/{bob.id}/ratings").json["items"],
        )

    before = all_numbers()
    result = ada.get(f"/v1/tournaments/{made}/rounds/1").json["tables"][0]["games"][0]["result"]
    other = [3 - place for place in result["places"]] if result["places"] != [1, 1] else [1, 2]
    path = f"/v1/tournaments/{made}/tables/{table}/result"
    for wrong, field in (
        ({"forfeits": [0, 0, 1]}, "forfeits"),
        ({"scores": [10**18, 0]}, "scores[0]"),
        ({"scores": [0, -(10**18)]}, "scores[1]"),
    ):
        refused = ada.post(path, {"places": [1, 2], "reason": "x", **wrong}, status=422).json
        assert [field] == list(refused["errors"])
    bob.post(path, {"places": other, "reason": "x"}, status=403)
    ada.post(path, {"places": [2, 2], "reason": "x"}, status=422)
    ada.post(path, {"places": other, "reason": "miscounted"})
    assert before != all_numbers()
    ada.post(path, {"places": result["places"], "scores": result["scores"], "reason": "no, it was right"})
    assert before == all_numbers()


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"seats_per_table": 9}, "seats_per_table"),
        ({"format": "knockout", "rounds": 3}, "rounds"),
        ({"tie_breaks": ["lot", "lot"]}, "tie_breaks"),
        ({"entry": {"kind": "code"}}, "entry.code"),
        ({"points": {"by_place": [1, 2]}}, "points.by_place"),
        ({"options": {"earth_racer": 5}}, "options.earth_racer"),
        ({"starts_at": "soon"}, "starts_at"),
        ({"sprt": {"elo0": 0, "elo1": 10}}, "sprt"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said_by_field(ada, more, field):
    assert field in cup(ada, status=422, **more).json["errors"]


@pytest.mark.parametrize(
    "time",
    [
        "9999-12-31T23:59:59-14:00",
        "0001-01-01T00:00:00+00:01",
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999Z",
        "2026-12-01",
        "2026-W49-2",
        "20261201T000000Z",
        "2026-12-01T00:00:00",
        "2026-12-01 00:00:00Z",
        "2026-12-01T24:00:00Z",
        "2026-12-01T00:00:00+23:59:59",
        "2026-02-30T00:00:00Z",
        "２026-12-01T00:00:00Z",
        1_800_000_000_000,
    ],
)
def test_a_start_that_is_no_time_of_our_age_makes_no_tournament(ada, time):
    assert ["starts_at"] == list(cup(ada, status=422, starts_at=time).json["errors"])
    assert [] == ada.get("/v1/tournaments").json["items"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("2027-01-01t01:30:00+01:30", "2027-01-01T00:00:00.000Z"),
    ],
)
def test_a_start_is_shown_in_utc_whatever_its_offset(ada, given, shown):
    made = cup(ada, starts_at=given).json
    assert shown == made["starts_at"] == ada.get(f"/v1/tournaments/{made['id']}").json["starts_at"]


@pytest.mark.parametrize("name", [" ", "\u200b", "\u202e", "a\nb", "\0", "x" * 41])
def test_a_bots_name_is_one_as_every_name_is(ada, name):
    path = f"/v1/tournaments/{cup(ada).json['id']}/entries"
    entry = {"kind": "ai", "bot": "easy", "name": name}
    assert ["entry.name"] == list(ada.post(path, {"entry": entry}, status=422).json["errors"])
    rows = [{"kind": "ai", "bot": "easy"}, entry]
    assert ["entries[1].name"] == list(ada.post(f"{path}/bulk", {"entries": rows}, status=422).json["errors"])
    assert "Ann" == ada.post(path, {"entry": {**entry, "name": " Ann "}}, status=201).json["name"]
    assert "easy" == ada.post(path, {"entry": {**entry, "name": None}}, status=201).json["name"]


@pytest.mark.parametrize("reason", ["\0", "a\nb", "\u202e"])
def test_a_reason_for_all_to_read_stands_in_one_line(ada, reason):
    path = f"/v1/tournaments/{cup(ada).json['id']}/cancel"
    assert ["reason"] == list(ada.post(path, {"reason": reason}, status=422).json["errors"])


def test_a_tournament_is_no_table(ada, played):
    ada.get(f"/v1/tables/{played}", 404)
    ada.get("/v1/tournaments/none", 404)


def test_pause_resume_and_cancel_are_the_organisers(ada, bob):
    made = cup(ada).json["id"]
    for person in (ada, bob):
        person.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "me"}}, status=201)
    ada.post(f"/v1/tournaments/{made}/pause", status=409)
    ada.post(f"/v1/tournaments/{made}/start")
    assert "paused" == ada.post(f"/v1/tournaments/{made}/pause").json["status"]
    assert "running" == ada.post(f"/v1/tournaments/{made}/resume").json["status"]
    bob.post(f"/v1/tournaments/{made}/cancel", status=403)
    cancelled = ada.post(f"/v1/tournaments/{made}/cancel", {"reason": "rain"}).json
    assert ("cancelled", "rain") == (cancelled["status"], cancelled["ended"])
    (table,) = (row["table"] for row in ada.get(f"/v1/tournaments/{made}/tables").json["items"])
    assert "aborted" == ada.get(f"/v1/tables/{table}").json["status"]


def test_an_export_gives_the_tables_of_a_tournament(public, played):
    lines = [json.loads(line) for line in public.get(f"/v1/export?tournament={played}").text.splitlines()]
    assert 2 == sum("record" in line for line in lines)
    public.get("/v1/export?tournament=none", 422)


def test_a_chosen_seed_stands_in_the_tournament_as_in_its_log(ada, public, played):
    assert "s" == public.get(f"/v1/tournaments/{played}").json["chosen_seed"]
    assert "chosen_seed" not in cup(ada).json


def test_what_tells_a_duplicate_deal_is_withheld_until_its_last_table_has_ended(ada, bob, public):
    carl, dora = public.register("Carl"), public.register("Dora")
    made = cup(ada, rounds=1, duplicate=True).json["id"]
    for person in (ada, bob, carl, dora):
        person.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "me"}}, status=201)
    ada.post(f"/v1/tournaments/{made}/start")
    first, second = (row["table"] for row in ada.get(f"/v1/tournaments/{made}/tables").json["items"])
    seated: dict[str, list[Api]] = {first: [], second: []}
    for person in (ada, bob, carl, dora):
        mine = next(table for table in seated if person.get(f"/v1/tables/{table}", None).status_code == 200)
        person.post(f"/v1/tables/{mine}/seats", {"entropy": "aGVsbG8"}, status=422)
        person.sit(mine)
        seated[mine].append(person)
    one, other = seated[first]
    assert 1 == len({seated[table][0].get(f"/v1/tables/{table}").json["fairness"]["commitment"] for table in seated})

    one.post(f"/v1/tables/{first}/commands", {"type": "resign"})
    ended = other.get(f"/v1/tables/{first}").json
    assert "finished" == ended["status"]
    assert ended["fairness"]["seed_withheld_until"].startswith(made)
    assert "secret" not in ended["fairness"]
    assert "hand" not in ended["view"]["seats"][1 - ended["you"]["seat"]]
    for path in (f"{first}?as=all", first, f"{first}/events", f"{first}/replay"):
        assert "perspective_not_allowed" == seated[second][0].get(f"/v1/tables/{path}", 403).json["code"]
    other.get(f"/v1/tables/{first}?as=all", 403)
    public.get(f"/v1/tables/{first}/record", 409)
    assert first not in public.get(f"/v1/export?tournament={made}").text

    seated[second][0].post(f"/v1/tables/{second}/commands", {"type": "resign"})
    told = public.get(f"/v1/tables/{first}?as=all").json
    assert "seed_withheld_until" not in told["fairness"]
    assert told["fairness"]["secret"]
    record = public.get(f"/v1/tables/{first}/record").data
    assert public.record("/v1/records/verify", record, 200).json["valid"]
    assert 2 == public.get(f"/v1/tournaments/{made}/record").text.count('"type":"table"')
    assert ada.get(f"/v1/tournaments/{made}").json["secret"]


def test_the_tag_of_a_tournament_is_its_version_its_hash_and_the_public(ada, played):
    shown = ada.get(f"/v1/tournaments/{played}")
    assert re.fullmatch(rf'"{shown.json["version"]}-[0-9a-f]{{16}}-public"', shown.headers["ETag"])
    for view in ("standings", "crosstable", "rounds/1"):
        assert shown.headers["ETag"] == ada.get(f"/v1/tournaments/{played}/{view}").headers["ETag"]


def test_rounds_and_tables_stand_as_they_stood_at_a_version(public, played):
    versions = range(1, public.get(f"/v1/tournaments/{played}").json["version"] + 1)
    tables = [public.get(f"/v1/tournaments/{played}/tables?at={at}").json["items"] for at in versions]
    assert [] == tables[0]
    assert public.get(f"/v1/tournaments/{played}/tables").json["items"] == tables[-1]
    assert {1, 2} == {table["round"] for each in tables for table in each}
    public.get(f"/v1/tournaments/{played}/rounds/1?at=1", 404)
    public.get(f"/v1/tournaments/{played}/rounds/01", 404)
    first = next(at for at, each in zip(versions, tables, strict=True) if each)
    assert not public.get(f"/v1/tournaments/{played}/rounds/1?at={first}").json["closed"]
    assert public.get(f"/v1/tournaments/{played}/rounds/1").json["closed"]
    assert ["at"] == list(public.get(f"/v1/tournaments/{played}/rounds/1?at=999", 422).json["errors"])


def test_a_conflict_names_the_tournaments_version(ada, bob):
    made = cup(ada).json["id"]
    me = {"entry": {"kind": "me"}}
    bob.post(f"/v1/tournaments/{made}/entries", me, status=201)
    told = bob.post(f"/v1/tournaments/{made}/entries", me, status=409).json
    assert ("already_entered", 2) == (told["code"], told["version"])


@pytest.mark.parametrize("is_bound", [False, True])
def test_who_loses_every_race_at_a_tournament_is_told_what_came_meanwhile(ada, services, monkeypatch, is_bound):
    made = cup(ada).json["id"]
    tag = ada.get(f"/v1/tournaments/{made}").headers["ETag"]
    desk = services.tournaments
    rival = TournamentDesk(services.store, services.queue, services.server_key, os.urandom, desk.now_ms)
    entry = NewEntry(kind="ai", name="easy", bot="easy")
    commit = services.store.commit

    def late(*args, **more):
        rival.handle(made, lambda _: AddEntries((entry,), by=ada.id), Attempt(new_key()))
        return commit(*args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(desk, "_store", Store(services.store, late))
        patched.setattr("service.application.tournament_desk.TRIES", 3)
        body = {"entry": {"kind": "ai", "bot": "greedy"}}
        more = {"If_Match": tag} if is_bound else {}
        lost = ada.post(f"/v1/tournaments/{made}/entries", body, status=412 if is_bound else 409, key="race", **more)

    assert ("stale_version" if is_bound else "version_conflict") == lost.json["code"]
    assert ada.get(f"/v1/tournaments/{made}/events?after=1").json["items"] == lost.json["entries"]
    assert (2 if is_bound else 4) == lost.json["version"]
    assert ada.get(f"/v1/tournaments/{made}").headers["ETag"] == lost.headers["ETag"]
    ada.post(f"/v1/tournaments/{made}/entries", body, status=201, key="race")
