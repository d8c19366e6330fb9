"""Export in bulk: every finished public table once, cut off anywhere, going on."""

import json
from typing import Any

import pytest

from domain.history import rfc3339
from service.application import export
from service.application.export import Selected
from tests.support.finished import resigned


def lines(person, query: str = "") -> tuple[list[dict[str, Any]], dict[str, Any]]:
    *tables, trailer = [json.loads(line) for line in person.get(f"/v1/export?{query}").data.splitlines()]
    assert "trailer" == trailer["type"]
    assert len(tables) == trailer["tables"]
    return tables, trailer


def ids(person, query: str = "") -> list[str]:
    return [table["table"] for table in lines(person, query)[0]]


@pytest.fixture
def five(ada, bob) -> list[str]:
    """Five finished tables, newest first."""
    games = ("beam-me-up", "universal-match", "beam-me-up", "beam-me-up", "universal-match")
    return [resigned(ada, bob, game, moves=1) for game in games][::-1]


def test_every_finished_public_table_is_there_once_newest_first(ada, bob, public, five):
    ada.table("beam-me-up", "me", "open")
    resigned(ada, bob, visibility="unlisted")
    ada.delete(f"/v1/tables/{ada.table('beam-me-up', 'me', 'open')['id']}")
    tables, trailer = lines(public)

    assert sorted(five) == sorted(table["table"] for table in tables)
    assert sorted((table["created"] for table in tables), reverse=True) == [table["created"] for table in tables]
    assert (5, True, None) == (trailer["tables"], trailer["complete"], trailer["next_cursor"])
    assert sum(table["record"][-2]["entries"] for table in tables) == trailer["entries"]


def test_the_items_of_a_line_are_the_lines_of_the_record_byte_for_byte(public, five):
    for line in public.get("/v1/export").data.splitlines()[:-1]:
        table = json.loads(line)
        record = public.get(f"/v1/tables/{table['table']}/record").data

        assert b'"record":[' + b",".join(record.splitlines()) + b"]" in line


def test_an_export_that_was_cut_off_goes_on_behind_its_last_whole_line(public, five):
    whole = ids(public)
    for cut in range(5):
        tables, _ = lines(public)
        cursor = tables[cut]["cursor"]
        assert whole[cut + 1 :] == ids(public, f"cursor={cursor}")


def test_a_limit_ends_it_with_the_place_to_go_on_from(public, five):
    found: list[str] = []
    cursor, trailer = "", dict[str, Any]()
    for _ in range(3):
        tables, trailer = lines(public, f"limit=2{cursor}")
        found += [table["table"] for table in tables]
        cursor = f"&cursor={trailer['next_cursor']}"
    assert (True, None) == (trailer["complete"], trailer["next_cursor"])
    assert ids(public) == found


def test_filters(ada, bob, public, five):
    carl = ada.register("Carl")
    with_carl = resigned(ada, carl)

    assert 2 == len(ids(public, "game=universal-match"))
    assert [with_carl] == ids(public, f"player={carl.id}")
    assert 6 == len(ids(public, f"player={ada.id}"))
    assert [] == ids(public, "player=nobody")


def test_from_is_the_first_moment_and_to_the_first_that_is_too_late(services, public, five):
    created = {table: services.desk.table(table).entries[0].time_ms for table in five}
    cut = sorted(created.values())[2]
    after = {table for table, at in created.items() if at >= cut}

    assert after == set(ids(public, f"from={rfc3339(cut)}"))
    assert set(five) - after == set(ids(public, f"to={rfc3339(cut)}"))
    assert after == set(ids(public, f"from={rfc3339(cut).replace('Z', '%2B00:00')}"))
    assert [] == ids(public, f"from={rfc3339(cut)}&to={rfc3339(cut)}")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("game=chess", "game"),
        ("from=yesterday", "from"),
        ("from=2026-02-30T00:00:00Z", "from"),
        ("to=2026-05-01", "to"),
        ("cursor=zzz", "cursor"),
        ("limit=0", "limit"),
        ("tournament=nothing", "tournament"),
        ("since=1", "since"),
    ],
)
def test_what_is_wrong_is_said_by_field(public, query, field):
    assert field in public.get(f"/v1/export?{query}", status=422).json["errors"]


def test_imported_tables_are_there_and_say_so(ada, public, five):
    record = public.get(f"/v1/tables/{five[0]}/record").data
    table = ada.record("/v1/records", record).json["id"]
    marked = {line["table"]: line.get("imported") for line in lines(public)[0]}

    assert marked == {table: True, **dict.fromkeys(five)}


def test_a_place_is_taken_while_it_runs_and_given_back(services, public, five):
    streams = services.watch.streams
    public.get("/v1/export")
    assert 0 == streams.taken
    taken = [streams.take(str(n)) for n in range(streams.most)]
    assert all(taken)
    assert public.get("/v1/export", status=503).headers["Retry-After"]
    for place in taken:
        place.give_back()


def test_it_holds_no_more_than_a_page_of_tables(services, public, five, monkeypatch):
    """Tables are read past the cache of live ones, and only as far as somebody reads."""
    loaded = []
    load = services.store.load

    def counting(_: object, table: str) -> object:
        loaded.append(table)
        return load(table)

    monkeypatch.setattr(type(services.store), "load", counting)
    monkeypatch.setattr(export, "PAGE", 2)
    walk = services.export.walk(Selected(), None)
    next(walk)

    assert len(loaded) <= 3
    walk.close()
