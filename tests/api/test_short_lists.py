"""Lists that are short or made whole: they have `limit` and `cursor` as all lists do."""

import re
from typing import Any

import pytest

from service.api.app import create_app
from service.api.openapi import document
from service.bootstrap import in_memory
from service.config import load
from tests.support.api import Api

CUP = {"name": "Cup", "game": "beam-me-up", "format": "swiss", "seats_per_table": 2, "rounds": 1}


@pytest.fixture(scope="module")
def ada():
    """A player whose lists have several items each; the first tournament's tables are played to their ends."""
    services = in_memory(load({"STARLEDGER_RATE_LIMITS": "off", "STARLEDGER_WEBHOOKS_PRIVATE": "on"}))
    ada = Api(create_app(services)).register("Ada")
    for n in range(4):
        ada.post("/v1/me/tokens", {"scopes": []}, status=201)
        ada.post("/v1/webhooks", {"url": f"http://127.0.0.1:{n + 1}/"}, status=201)
        cup = ada.post("/v1/tournaments", {**CUP, "rated": not n}, status=201).json["id"]
        bots = [{"kind": "ai", "bot": bot} for bot in ("random", "easy", "greedy", "random")]
        ada.post(f"/v1/tournaments/{cup}/entries/bulk", {"entries": bots}, status=201)
        if not n:
            ada.post(f"/v1/tournaments/{cup}/start")
            ada.cup = cup  # type: ignore[attr-defined]
    return ada


LISTS = ("/v1/me/tokens", "/v1/webhooks", "/v1/games", "/v1/ratings?game=beam-me-up", "/v1/tournaments/{cup}/tables")


def path_of(ada: Any, where: str, **more: object) -> str:
    path = where.format(cup=ada.cup)
    asked = "&".join(f"{name}={value}" for name, value in more.items())
    return f"{path}{'&' if '?' in path else '?'}{asked}"


@pytest.mark.parametrize("where", LISTS)
def test_page_by_page_is_the_whole_list_in_its_order(ada, where):
    whole = ada.get(path_of(ada, where, limit=200)).json
    read, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        answer = ada.get(path_of(ada, where, limit=1, **({"cursor": cursor} if cursor else {})))
        read += answer.json["items"]
        cursor, pages = answer.json["next_cursor"], pages + 1
        leads_on = re.fullmatch(r'<([^>]+)>; rel="next"', answer.headers.get("Link", ""))
        assert bool(cursor) == bool(leads_on)
        if leads_on is not None:
            assert whole["items"][pages : pages + 1] == ada.get(leads_on[1]).json["items"]

    assert None is whole["next_cursor"]
    assert whole["items"] == read
    assert len(read) >= 2


@pytest.mark.parametrize("where", LISTS)
@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"limit": 201}, {"limit": "x"}, {"cursor": "x"}, {"cursor": "WzEsMiwzXQ"}]
)
def test_what_is_no_part_of_a_list_is_refused_by_name(ada, where, wrong):
    assert list(wrong) == list(ada.get(path_of(ada, where, **wrong), status=422).json["errors"])


def test_what_goes_and_comes_shifts_no_page(ada):
    first = ada.get("/v1/me/tokens?limit=2").json
    ada.delete(f"/v1/me/tokens/{first['items'][1]['id']}")
    made = ada.post("/v1/me/tokens", {"scopes": []}, status=201).json["id"]
    rest = ada.get(f"/v1/me/tokens?limit=200&cursor={first['next_cursor']}").json["items"]

    whole = [token["id"] for token in ada.get("/v1/me/tokens").json["items"]]
    assert whole == [first["items"][0]["id"], *(token["id"] for token in rest)]
    assert made in whole


def test_every_list_has_limit_and_cursor():
    contract = document()
    for path, methods in contract["paths"].items():
        answer = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).get("application/json")
        schema = str((answer or {}).get("schema", {}).get("$ref", "")).rpartition("/")[2]
        listed = contract["components"]["schemas"].get(schema, {}).get("properties", {})
        if "next_cursor" in listed:
            assert {"limit", "cursor"} <= {each.get("name") for each in methods["get"]["parameters"]}, path
            assert "Link" in methods["get"]["responses"]["200"]["headers"], path
