"""Lists of tables: filters, pages, and what happens while they change."""

import itertools
import random
from typing import Any

import pytest

from service.application.directory import Listing, Place
from tests.support.api import Api

BMU = "beam-me-up"


@pytest.fixture
def clock(services, monkeypatch):
    """A clock that the desk reads: a new millisecond at each look."""
    ticks = itertools.count(1_700_000_000_000)
    monkeypatch.setattr(services.desk, "now_ms", lambda: next(ticks))
    return ticks


def ids(page: Any) -> list[str]:
    return [item["id"] for item in page["items"]]


def all_pages(caller: Api, query: str = "", limit: int = 2) -> list[str]:
    """Go through a list by `next_cursor`, and check that `Link` says the same."""
    found: list[str] = []
    path = f"/v1/tables?limit={limit}{query}"
    while True:
        answer = caller.get(path)
        page = answer.json
        assert len(page["items"]) <= limit
        found += ids(page)
        if page["next_cursor"] is None:
            assert 'rel="next"' not in answer.headers.get("Link", "")
            return found
        link = answer.headers["Link"]
        assert '>; rel="next"' in link
        path = link[1:].partition(">")[0]
        assert f"cursor={page['next_cursor']}" in path


def test_tables_are_listed_newest_first(ada, public, clock):
    made = [ada.table(BMU, "me", "open")["id"] for _ in range(5)]
    assert made[::-1] == all_pages(public) == all_pages(public, limit=1) == all_pages(public, limit=5)
    assert made[::-1] == ids(public.get("/v1/tables").json)


def test_tables_of_the_same_millisecond_are_neither_skipped_nor_doubled(ada, public, services, monkeypatch):
    monkeypatch.setattr(services.desk, "now_ms", lambda: 1_700_000_000_000)
    made = {ada.table(BMU, "me", "open")["id"] for _ in range(7)}
    found = all_pages(public)
    assert (7, made) == (len(found), set(found))


def test_an_item_is_the_table_without_its_view(ada, public):
    table = ada.table(BMU, "me", "open")
    item = public.get("/v1/tables").json["items"][0]
    assert {name: table[name] for name in item} == item
    assert {"view", "you", "clock", "fairness"} == set(table) - set(item)


def test_a_list_looks_only_at_tables_whose_log_has_grown_and_asks_for_names_at_once(ada, bob, public, services):
    tables = [ada.table(BMU, "me", "open")["id"] for _ in range(4)]
    public.get("/v1/tables")
    outlines, looked, asked = services.directory._outlines, [], []
    look, names = outlines._look, outlines._names

    def looking(table):
        looked.append(table)
        return look(table)

    def asking(ids):
        asked.append(tuple(ids))
        return names(ids)

    outlines._look, outlines._names = looking, asking

    before = public.get("/v1/tables").data
    assert ([], before) == (looked, public.get("/v1/tables").data)
    for table in tables[:2]:
        bob.sit(table)
    item = public.get("/v1/tables").json["items"][-1]
    assert ("playing", tables[0]) == (item["status"], item["id"])
    assert set(tables[:2]) == set(looked)
    assert tuple(sorted((ada.id, bob.id))) == asked[0]


def test_a_list_of_the_archive_pushes_out_no_table_that_is_being_played(ada, public, services):
    bots = [{"kind": "ai", "bot": "random"}] * 3
    ended = [ada.table("universal-match", *bots, options={"target": "one_hand"})["id"] for _ in range(2)]
    playing = ada.table(BMU, "me", {"kind": "ai", "bot": "easy"})["id"]
    for table in (*ended, playing):
        services.desk.forget(table)
    for table in ended:
        services.directory._outlines._look(table)
    assert playing == services.directory._outlines._look(playing).id

    desk = services.directory._outlines._look.__self__
    assert [False, False, True] == [desk._tables.has(table) for table in (*ended, playing)]


def test_filters(ada, bob, public, clock):
    open_ = ada.table(BMU, "me", "open")["id"]
    playing = ada.table(BMU, "me", "open")["id"]
    bob.sit(playing)
    finished = ada.table("universal-match", *[{"kind": "ai", "bot": "random"}] * 3, options={"target": "one_hand"})[
        "id"
    ]
    aborted = ada.table("planet-pioneer", "me", {"kind": "player", "player": bob.id})["id"]
    reserved = ada.table("planet-pioneer", "me", {"kind": "player", "player": bob.id})["id"]
    ada.delete(f"/v1/tables/{aborted}")
    resigned = ada.table(BMU, "me", {"kind": "ai", "bot": "easy"})["id"]
    ada.do(resigned, {"type": "resign"})

    for query, expected in (
        ("status=open", [reserved, open_]),
        ("status=playing", [playing]),
        ("status=finished", [resigned, finished]),
        ("status=aborted", [aborted]),
        (f"game={BMU}", [resigned, playing, open_]),
        (f"game={BMU}&status=open", [open_]),
        ("game=planet-pioneer&status=finished", []),
        (f"player={bob.id}", [reserved, aborted, playing]),
        (f"player={ada.id}", [resigned, reserved, aborted, playing, open_]),
        (f"player={ada.id}&status=playing&game={BMU}", [playing]),
        ("player=nobody", []),
    ):
        assert expected == all_pages(public, f"&{query}"), query


def test_unlisted_tables_are_in_no_list_not_even_ones_own(ada, bob):
    table = ada.table(BMU, "me", "open", visibility="unlisted")["id"]
    bob.sit(table)
    for query in ("", "?status=playing", f"?player={ada.id}"):
        assert [] == ada.get(f"/v1/tables{query}").json["items"]


def test_a_list_that_changes_neither_skips_nor_doubles_what_was_there(ada, bob, public, clock):
    """Tables are made, started and aborted between pages; those that stayed open come exactly once."""
    rng = random.Random(5)
    there = [ada.table(BMU, "me", "open")["id"] for _ in range(20)]
    found: list[str] = []
    changed: set[str] = set()
    cursor: str | None = ""
    while cursor is not None:
        page = public.get(f"/v1/tables?status=open&limit=3{cursor and '&cursor='}{cursor}").json
        found += ids(page)
        cursor = page["next_cursor"]
        ada.table(BMU, "me", "open")
        table = rng.choice([table for table in there if table not in changed])
        changed.add(table)
        if rng.random() < 0.5:
            bob.sit(table)
        else:
            ada.delete(f"/v1/tables/{table}")

    assert len(found) == len(set(found))
    assert [table for table in there[::-1] if table not in changed] == [
        table for table in found if table not in changed
    ]
    assert set(found) <= set(there)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=x", "limit"),
        ("limit=-1", "limit"),
        ("limit=1.5", "limit"),
        ("limit=", "limit"),
        ("limit=%D9%A1", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=", "cursor"),
        ("cursor=%FF", "cursor"),
        ("cursor=MTcwMA", "cursor"),
        ("game=chess", "game"),
        ("status=won", "status"),
        ("page=2", "page"),
    ],
)
def test_wrong_parameters_are_said_by_name(public, query, field):
    assert {field} == set(public.get(f"/v1/tables?{query}", status=422).json["errors"])


def test_an_entry_of_a_table_that_never_came_is_left_out(services, ada, public, clock):
    """The process died between entering the table in the index and committing it."""
    made = [ada.table(BMU, "me", "open")["id"] for _ in range(3)]
    services.directory._index.put(Listing(place=Place(next(clock), "nevercame"), game=BMU, status="open", players=()))
    assert made[::-1] == all_pages(public) == all_pages(public, "&status=open")


def test_an_index_that_lags_never_lies_and_is_repaired_by_whoever_finds_out(services, ada, bob, public, clock):
    table = ada.table(BMU, "me", "open")["id"]
    services.directory._index.put(
        Listing(place=Place(1_700_000_000_000, table), game=BMU, status="open", players=(ada.id,))
    )
    index = services.directory._index
    put, index.put = index.put, lambda _: None
    bob.sit(table)
    assert [] == public.get("/v1/tables?status=playing").json["items"]
    index.put = put

    assert [] == public.get("/v1/tables?status=open").json["items"]
    assert [table] == ids(public.get("/v1/tables?status=playing").json)


def test_closing_a_table_repairs_its_entry(services, ada, public):
    table = ada.table(BMU, "me", "open")["id"]
    services.directory._index._sets.clear()
    services.directory.record(services.desk.table(table))
    assert [table] == ids(public.get("/v1/tables").json)


def test_a_repeated_creation_does_not_move_a_table_back(ada, public, clock):
    body = {"game": BMU, "seats": [{"kind": "me"}, {"kind": "ai", "bot": "random"}]}
    table = ada.post("/v1/tables", body, status=201, key="k").json["id"]
    ada.do(table, {"type": "resign"})
    later = ada.table(BMU, "me", "open")["id"]
    ada.post("/v1/tables", body, status=201, key="k")
    assert [table] == ids(public.get("/v1/tables?status=finished").json)
    assert [later, table] == all_pages(public)


def test_a_page_that_finds_little_ends_early_with_a_cursor(services, ada, public, clock, monkeypatch):
    """Nobody's request walks the whole index."""
    monkeypatch.setattr("service.application.directory.MOST_SCANNED", 4)
    wanted = ada.table("planet-pioneer", "me", "open")["id"]
    for _ in range(9):
        ada.table(BMU, "me", "open")
    page = public.get(f"/v1/tables?player={ada.id}&game=planet-pioneer").json
    assert [] == page["items"]
    assert page["next_cursor"]
    assert [wanted] == all_pages(public, f"&player={ada.id}&game=planet-pioneer")
