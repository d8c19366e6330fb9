"""Lists read forward and back, while they change: nothing that was there is skipped, nothing comes twice."""

import random
import re
from typing import Any

import pytest

from service.application.directory import Directory, Listing, Place, Wanted
from service.store import MemoryTableIndex, MemoryTournamentIndex, RedisTableIndex, RedisTournamentIndex
from tests.api.test_lists import clock  # noqa: F401 - a fixture
from tests.support.api import Api
from tests.support.servers import events_client, servers  # noqa: F401 - fixtures


def links(answer: Any) -> dict[str, str]:
    return {rel: path for path, rel in re.findall(r'<([^>]+)>; rel="(\w+)"', answer.headers.get("Link", ""))}


def ids(answer: Any) -> list[str]:
    return [item["id"] for item in answer.json["items"]]


def make(ada: Api, count: int = 1) -> list[str]:
    return [ada.table("beam-me-up", "me", "open")["id"] for _ in range(count)]


def test_forward_to_the_end_and_back_to_the_beginning_are_the_same_pages(ada, public, clock):  # noqa: F811
    make(ada, 7)
    pages = [public.get("/v1/tables?limit=3")]
    while "next" in links(pages[-1]):
        pages.append(public.get(links(pages[-1])["next"]))
    back = [pages[-1]]
    while "prev" in links(back[-1]):
        back.append(public.get(links(back[-1])["prev"]))

    assert [3, 3, 1] == [len(ids(page)) for page in pages]
    assert "prev" not in links(pages[0])
    assert [ids(page) for page in pages] == [ids(page) for page in reversed(back) if ids(page)]
    assert pages[1].json["next_cursor"] == back[1].json["next_cursor"]


def test_a_page_back_shows_what_came_meanwhile_and_leads_on(ada, public, clock):  # noqa: F811
    make(ada, 4)
    second = public.get(links(public.get("/v1/tables?limit=2"))["next"])
    new = make(ada, 2)
    first = public.get(links(second)["prev"])
    newest = public.get(links(first)["prev"])

    assert list(reversed(new)) == ids(newest)
    assert ids(first) == ids(public.get(links(newest)["next"]))
    assert ids(second) == ids(public.get(links(first)["next"]))


def test_filters_hold_in_both_directions(ada, public, clock):  # noqa: F811
    tables = make(ada, 6)
    for table in tables[::2]:
        ada.delete(f"/v1/tables/{table}")
    last = public.get(links(public.get("/v1/tables?limit=2&status=open"))["next"])
    first = public.get(links(last)["prev"])

    assert [tables[5], tables[3], tables[1]] == [*ids(first), *ids(last)]


def test_tournaments_are_read_in_both_directions_while_others_come(ada, public):
    def new(count: int) -> list[str]:
        plan = {"name": "Cup", "format": "swiss", "seats_per_table": 2}
        games = ("beam-me-up", "universal-match")
        return [
            ada.post("/v1/tournaments", {**plan, "game": games[n % 2]}, status=201).json["id"] for n in range(count)
        ]

    made = new(5)
    order = ids(public.get("/v1/tournaments"))
    pages = [public.get("/v1/tournaments?limit=2")]
    while "next" in links(pages[-1]):
        pages.append(public.get(links(pages[-1])["next"]))
    back = [pages[-1]]
    while "prev" in links(back[-1]):
        back.append(public.get(links(back[-1])["prev"]))
    assert sorted(made) == sorted(order)
    assert [order[:2], order[2:4], order[4:]] == [ids(page) for page in pages]
    assert [order[4:], order[2:4], order[:2]] == [ids(page) for page in back if ids(page)]

    later = new(1)
    first = public.get(links(back[1])["prev"])
    assert (order[:2], later) == (ids(first), ids(public.get(links(first)["prev"])))
    bmu = public.get("/v1/tournaments?limit=1&game=beam-me-up")
    second = public.get(links(bmu)["next"])
    assert ids(bmu) == ids(public.get(links(second)["prev"]))
    assert {"beam-me-up"} == {item["game"] for page in (bmu, second) for item in page.json["items"]}


@pytest.mark.parametrize("cursor", ["x", "PDE", "PHguYQ", "LTEuYQ"])
def test_what_is_no_cursor_is_refused(public, cursor):
    assert "cursor" in public.get(f"/v1/tables?cursor={cursor}", status=422).json["errors"]


@pytest.mark.parametrize("kind", ["memory", "server"])
def test_an_index_of_tournaments_gives_what_is_behind_a_place_and_what_is_newer(request, kind):
    index: Any = MemoryTournamentIndex()
    if kind == "server":
        index = RedisTournamentIndex(request.getfixturevalue("events_client"))
    places = [Place(created_ms=1000 + n // 3, table=f"cup_{n}") for n in range(9)]
    for place in random.Random(1).sample(places, 9):
        index.put(place)

    assert [] == list(index.rows(places[8], 3, is_back=True))
    for at, place in enumerate(places):
        assert list(reversed(places[:at]))[:2] == list(index.rows(place, 2))
        assert places[at + 1 :][:2] == list(index.rows(place, 2, is_back=True))


class _Shown:
    """A table as a list needs it."""

    def __init__(self, place: Place) -> None:
        self.place = place


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", ["memory", "server"])
def test_whatever_is_added_meanwhile_a_walk_sees_all_that_was_there_once(request, kind, seed, monkeypatch):
    """Tables come at any place (clocks of several processes differ), steps go forward and back as they like."""
    index: Any = MemoryTableIndex() if kind == "memory" else RedisTableIndex(request.getfixturevalue("events_client"))
    rng = random.Random(seed)
    places: dict[str, Place] = {}

    def add() -> None:
        place = Place(rng.randrange(1000, 1020), f"t{len(places)}")
        places[place.table] = place
        index.put(Listing(place=place, game="g", status="open", players=()))

    directory = Directory(index, lambda tables: [_Shown(places[each]) for each in tables])  # type: ignore[misc]
    monkeypatch.setattr(directory, "_fits", lambda *_: True)
    for _ in range(rng.randrange(1, 25)):
        add()
    before = set(places)
    limit = rng.randrange(1, 6)
    page = directory.page(Wanted(), None, limit)
    walked = [page]
    while page.more is not None:
        add()
        page = directory.page(Wanted(), page.more, limit)
        walked.append(page)
    forward = [live.place for each in walked for live in each.tables]  # type: ignore[attr-defined]
    assert sorted(forward, key=lambda p: (p.created_ms, p.table.encode()), reverse=True) == forward
    assert len(set(forward)) == len(forward)
    assert before <= {place.table for place in forward}

    known = set(places)
    back = [live.place for live in page.tables]  # type: ignore[attr-defined]
    while page.newer is not None:
        add()
        page = directory.page_back(Wanted(), page.newer, limit)
        assert len(page.tables) <= limit
        back = [*(live.place for live in page.tables), *back]  # type: ignore[attr-defined]
    assert sorted(back, key=lambda p: (p.created_ms, p.table.encode()), reverse=True) == back
    assert len(set(back)) == len(back)
    oldest = min((place.created_ms, place.table.encode()) for place in back)
    assert {t for t in known if (places[t].created_ms, t.encode()) >= oldest} <= {place.table for place in back}
