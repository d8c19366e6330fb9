"""Records over HTTP: the same bytes, checked whole, imported all or nothing."""

import gzip
import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domain.games import GAMES
from domain.history import canonical
from domain.record import MEDIA_TYPE, encode_record
from service.application.ports import Unavailable
from service.application.records import CHECKS
from service.store.memory import MemoryStore
from tests.support.api import Api, play
from tests.support.finished import resigned
from tests.support.simulate import TABLE, played

VERIFY, IMPORT = "/v1/records/verify", "/v1/records"


@pytest.fixture
def record(ada, bob, public) -> bytes:
    data: bytes = public.get(f"/v1/tables/{resigned(ada, bob)}/record").data
    return data


def damaged(record: bytes, version: int) -> bytes:
    """Change one byte of an entry's time."""
    lines = record.splitlines(keepends=True)
    line = json.loads(lines[version])
    line["salt"] = "0" * 32
    lines[version] = canonical(line) + b"\n"
    return b"".join(lines)


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_a_finished_table_is_right_and_always_the_same(ada, bob, public, game):
    table = resigned(ada, bob, game)
    answer = public.get(f"/v1/tables/{table}/record")

    assert MEDIA_TYPE == answer.content_type
    assert f'attachment; filename="{table}.slr.jsonl"' == answer.headers["Content-Disposition"]
    assert answer.data == bob.get(f"/v1/tables/{table}/record").data
    report = public.record(VERIFY, answer.data, status=200).json
    assert (True, table, game) == (report["valid"], report["table"], report["game"])
    assert [{"check": check, "result": "ok"} for check in CHECKS] == report["checks"]
    assert "first_wrong" not in report


def test_names_stand_in_the_last_line_and_nowhere_else(ada, bob, record):
    *chained, names = record.splitlines()

    assert {ada.id: "Ada", bob.id: "Bob"} == json.loads(names)["names"]
    assert b"Ada" not in b"".join(chained)


def test_a_record_that_one_holds_is_not_sent_again(ada, bob, public):
    path = f"/v1/tables/{resigned(ada, bob)}/record"
    tag = public.get(path).headers["ETag"]

    assert b"" == public.get(path, status=304, If_None_Match=tag).data
    head = public.send("HEAD", path, None, 200, {})
    assert (tag, b"") == (head.headers["ETag"], head.data)
    assert str(len(public.get(path).data)) == head.headers["Content-Length"]


def test_a_record_comes_in_gzip_under_a_tag_of_its_own_to_whoever_takes_it(ada, bob, public):
    table = ada.table("universal-match", "me", "open", options={"target": "one_hand"})["id"]
    bob.sit(table)
    play(table, [ada, bob], random.Random(1))
    path = f"/v1/tables/{table}/record"
    plain = public.get(path, Accept_Encoding="identity")
    packed = [public.get(path, Accept_Encoding="gzip") for _ in range(2)]

    assert plain.data == gzip.decompress(packed[0].data)
    assert packed[0].data == packed[1].data
    assert "gzip" == packed[0].headers["Content-Encoding"]
    assert len(packed[0].data) < len(plain.data) / 2
    assert plain.headers["ETag"] != packed[0].headers["ETag"]
    assert plain.data == public.get(path, Accept_Encoding="gzip;q=0").data
    for held in (plain, packed[0]):
        public.get(path, status=304, If_None_Match=held.headers["ETag"])


def test_a_record_is_json_lines_to_whoever_asks_for_them(ada, bob, public):
    path = f"/v1/tables/{resigned(ada, bob)}/record"
    own, lines = public.get(path), public.get(path, Accept="application/x-ndjson")

    assert [MEDIA_TYPE, "application/x-ndjson"] == [each.headers["Content-Type"] for each in (own, lines)]
    assert own.data == lines.data
    assert own.headers["ETag"] != lines.headers["ETag"]
    assert MEDIA_TYPE == public.get(path, Accept="application/x-ndjson;q=0.5, */*").headers["Content-Type"]
    public.get(path, status=406, Accept="application/json")


def test_before_the_end_there_is_no_record(ada, bob, public):
    table = ada.table("beam-me-up", "me", "open")["id"]
    assert "table_not_finished" == public.get(f"/v1/tables/{table}/record", status=409).json["code"]
    bob.sit(table)
    assert "table_not_finished" == ada.get(f"/v1/tables/{table}/record", status=409).json["code"]
    aborted = ada.table("beam-me-up", "me", "open")["id"]
    ada.delete(f"/v1/tables/{aborted}")
    assert "table_not_finished" == ada.get(f"/v1/tables/{aborted}/record", status=409).json["code"]
    public.get("/v1/tables/nothing/record", status=404)


def test_a_wrong_record_is_reported_with_its_first_wrong_line(public, record):
    report = public.record(VERIFY, damaged(record, 4), status=200).json

    assert not report["valid"]
    assert (5, 4) == (report["first_wrong"]["line"], report["first_wrong"]["version"])
    assert ["ok", "wrong", *["not_reached"] * 4] == [check["result"] for check in report["checks"]]


@pytest.mark.parametrize(
    "junk",
    [b"", b"\n", b"{}", b"null\n", b"\xff" * 50, b"[" * 1_000_000, b'{"type":"header"}\n' * 10_000, b"\n" * 1_000_000],
    ids=lambda junk: repr(junk[:10]),
)
def test_a_foreign_file_is_wrong_at_its_first_line(ada, public, junk):
    report = public.record(VERIFY, junk, status=200).json
    assert (False, 1, None) == (report["valid"], report["first_wrong"]["line"], report["table"])
    refused = ada.record(IMPORT, junk, status=422).json
    assert (1, report["first_wrong"]["reason"]) == (refused["line"], refused["reason"])


def test_a_body_may_be_packed_and_never_larger_than_a_record_unpacked(ada, public, record):
    assert public.record(VERIFY, gzip.compress(record), status=200, Content_Encoding="gzip").json["valid"]
    members = gzip.compress(record[:1000]) + gzip.compress(record[1000:])
    assert public.record(VERIFY, members, status=200, Content_Encoding="gzip").json["valid"]
    public.record(VERIFY, gzip.compress(record) + b"junk", status=400, Content_Encoding="gzip")
    bomb = gzip.compress(b"\n" * (9 << 20))
    assert len(bomb) < 10_000
    public.record(VERIFY, bomb, status=413, Content_Encoding="gzip")
    public.record(VERIFY, b"\n" * ((8 << 20) + 1), status=413)
    public.record(VERIFY, record, status=400, Content_Encoding="gzip")
    public.record(VERIFY, gzip.compress(record)[:-20], status=400, Content_Encoding="gzip")
    public.record(VERIFY, record, status=415, Content_Encoding="br")
    public.record(VERIFY, record, status=415, Content_Type="application/json")
    public.record(IMPORT, record, status=401)


# ---- import


def imported(person: Api, record: bytes) -> dict[str, Any]:
    answer = person.record(IMPORT, record)
    assert f"/v1/tables/{answer.json['id']}" == answer.headers["Location"]
    table: dict[str, Any] = answer.json
    return table


def test_an_imported_table_can_be_read_replayed_and_forked_not_played_on(ada, bob, public, record):
    table = imported(ada, record)["id"]
    original = json.loads(record.splitlines()[0])["table"]
    shown = ada.get(f"/v1/tables/{table}").json

    assert table != original
    assert ("finished", True, None, False) == (shown["status"], shown["imported"], shown["you"], shown["rated"])
    assert [ada.id, bob.id] == [seat["player"]["id"] for seat in shown["seats"]]
    assert ["Ada", "Bob"] == [seat["player"]["name"] for seat in shown["seats"]]
    for path in ("events?as=all&limit=200", "replay?as=1"):
        here, there = (public.get(f"/v1/tables/{each}/{path}").json["items"] for each in (table, original))
        assert here == there
    assert "not_seated" == ada.do(table, {"type": "resign"}, status=403)["code"]
    assert "not_seated" == ada.post(f"/v1/tables/{table}/rematch", {}, status=403).json["code"]
    fork = bob.post(f"/v1/tables/{table}/forks", {"at": 3, "seats": [{"kind": "me"}, {"kind": "open"}]}, status=201)
    assert {"table": table, "version": 3} == fork.json["origin"]


def test_an_imported_table_s_record_is_what_was_imported(ada, public, record):
    again = public.get(f"/v1/tables/{imported(ada, record)['id']}/record")

    assert record == again.data
    assert public.record(VERIFY, again.data, status=200).json["valid"]


def test_players_of_a_record_are_not_the_accounts_here(ada, public, record):
    """Whoever writes a record chooses its ids and names, so they say nothing about accounts."""
    *chained, _ = record.splitlines(keepends=True)
    forged = b"".join(chained) + canonical({"type": "names", "names": {ada.id: "Ada the Great"}}) + b"\n"
    table = imported(ada, forged)

    assert "Ada the Great" == table["seats"][0]["player"]["name"]
    assert table["id"] not in [item["id"] for item in public.get(f"/v1/tables?player={ada.id}").json["items"]]
    assert table["id"] in [item["id"] for item in public.get("/v1/tables?status=finished").json["items"]]
    assert None is ada.get(f"/v1/tables/{table['id']}").json["you"]


def test_the_same_record_is_one_table_however_often_it_comes(ada, bob, record):
    first = imported(ada, record)
    assert first == imported(bob, record)
    keyed = ada.record(IMPORT, record, Idempotency_Key="k1")
    again = ada.record(IMPORT, record, Idempotency_Key="k1")
    assert (keyed.data, "true") == (again.data, again.headers["Idempotent-Replayed"])
    ada.record(IMPORT, record + b"\n", status=422, Idempotency_Key="k1")


def test_a_record_imported_by_many_at_once_is_one_table(app, ada, record):
    persons = [ada, *(Api(app, ada.token) for _ in range(5))]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda each: each.record(IMPORT, record, status=None), persons))

    assert {201} <= {answer.status_code for answer in answers} <= {201, 503}
    assert 1 == len({answer.json["id"] for answer in answers if answer.status_code == 201})


@pytest.mark.parametrize("version", [1, 4, 8])
def test_a_damaged_record_is_refused_with_its_place_and_nothing_is_written(services, ada, record, version):
    before = set(services.store.tables())
    problem = ada.record(IMPORT, damaged(record, version), status=422).json

    assert ("validation_failed", version + 1, version) == (problem["code"], problem["line"], problem["version"])
    assert "hash" in problem["reason"]
    assert "record" in problem["errors"]
    assert before == set(services.store.tables())


def test_a_record_from_the_future_is_refused(services, ada, record, monkeypatch):
    monkeypatch.setattr(services.records, "_now_ms", lambda: 1_000_000_000_000)

    assert "future" in ada.record(IMPORT, record, status=422).json["reason"]


def test_a_table_of_bots_from_another_server(ada, public):
    elsewhere = played("universal-match", 2, options={"target": "one_hand"})
    record = encode_record(elsewhere.table, TABLE, elsewhere.entries, {})
    table = imported(ada, record)

    assert ["random"] * 2 == [seat["bot"] for seat in table["seats"]]
    assert record == public.get(f"/v1/tables/{table['id']}/record").data


def test_a_fork_s_record_is_right_and_a_fork_of_a_fork_too(ada, bob, public, record):
    at = imported(ada, record)["id"]
    for version in (4, 2):
        seats = {"at": version, "seats": [{"kind": "open"}, {"kind": "me"}]}
        fork = ada.post(f"/v1/tables/{at}/forks", seats, status=201).json["id"]
        bob.sit(fork)
        bob.do(fork, {"type": "resign"})
        text = public.get(f"/v1/tables/{fork}/record").data
        assert public.record(VERIFY, text, status=200).json["valid"]
        assert text == public.get(f"/v1/tables/{imported(ada, text)['id']}/record").data
        at = fork


def test_records_of_everybody_are_checked_a_few_at_a_time(services, public, record):
    places = services.records.places
    taken = [places.take("others") for _ in range(places.most)]
    assert all(taken)
    answer = public.record(VERIFY, record, status=503)
    assert answer.json["retryable"]
    for place in taken:
        place.give_back()
    public.record(VERIFY, record, status=200)
    assert 0 == places.taken


def test_a_store_that_fails_while_it_is_written_leaves_nothing(services, ada, record, monkeypatch):
    def fail(self, table, entries, secret):
        raise Unavailable("gone")

    with monkeypatch.context() as patch:
        patch.setattr(MemoryStore, "write_whole", fail)
        ada.record(IMPORT, record, status=503)
    imported(ada, record)
