"""The command line's own client: what it waits for, and what it passes on."""

import time

import httpx
import pytest

from service.bootstrap import NotStarted
from service.cli.client import Away, Client, Refused


@pytest.fixture
def told():
    """Give what clients told of their waiting."""
    return list[str]()


@pytest.fixture
def server(monkeypatch, tmp_path, told):
    """Give a client at a server that gives these answers, one after the other, and the seconds that it slept."""

    def made(answers, patience_s):
        slept: list[float] = []
        monkeypatch.setattr(time, "sleep", slept.append)
        client = Client("http://server", tmp_path, patience_s, told.append)
        monkeypatch.setattr(client, "_http", httpx.Client(transport=httpx.MockTransport(lambda _: answer(answers))))
        return client, slept

    return made


def answer(answers):
    found = answers.pop(0)
    if isinstance(found, Exception):
        raise found
    return found


def too_much(seconds):
    headers = {} if seconds is None else {"Retry-After": str(seconds)}
    return httpx.Response(429, json={"code": "rate_limited", "detail": "Too much."}, headers=headers)


def test_who_has_patience_asks_again_when_the_server_says(server):
    client, slept = server([too_much(7), too_much(0), too_much(40), too_much(1), httpx.Response(200, json={})], 60)
    assert {} == client.post("/v1/players", {"name": "Ada"})
    assert [7, 40, 1] == [seconds for seconds in slept if seconds >= 1]
    assert 4 == len(slept)
    assert min(slept) > 0  # never at once


@pytest.mark.parametrize(
    ("seconds", "patience_s"), [(61, 60), (1, 0), (None, 60), ("Mon, 30 Nov 2026 18:00:00 GMT", 60)]
)
def test_who_has_none_is_told(server, seconds, patience_s):
    client, slept = server([too_much(seconds)], patience_s)
    with pytest.raises(Refused) as refused:
        client.get("/v1/me")
    assert ("rate_limited", []) == (refused.value.code, slept)


AWAY = httpx.ConnectError("refused")
PROXY = httpx.Response(502, html="<h1>Bad Gateway</h1>")
STORE = httpx.Response(503, json={"code": "unavailable", "detail": "The store is away."})
FINE = httpx.Response(200, json={})


def test_who_has_patience_waits_for_a_server_that_was_there_and_tells_why(server, told):
    client, _ = server([FINE, *[AWAY] * 3, PROXY, STORE, FINE], 60)
    client.get("/v1/me")
    assert {} == client.get("/v1/me")
    assert [
        "No server answers on http://server (ConnectError). It is asked again.",
        "http://server can't answer now (502). It is asked again.",
        "http://server can't answer now (503). It is asked again.",
        "http://server answers again.",
    ] == told


def test_a_server_that_never_answered_is_not_waited_for(server, told):
    client, _ = server([AWAY] * 3, 60)
    with pytest.raises(Away):
        client.get("/v1/me")
    assert [] == told


@pytest.mark.parametrize(("last", "error"), [(AWAY, Away), (STORE, Refused)])
def test_patience_ends(server, monkeypatch, last, error):
    client, _ = server([FINE, *[last] * 20], 60)
    client.get("/v1/me")
    clock = iter(range(0, 1000, 20))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with pytest.raises(error):
        client.get("/v1/me")


def test_what_is_refused_for_good_is_not_asked_again(server):
    client, slept = server([FINE, httpx.Response(404, json={"code": "not_found", "detail": "No."})], 60)
    client.get("/v1/me")
    with pytest.raises(Refused):
        client.get("/v1/me")
    assert [] == slept


@pytest.mark.parametrize("answer", [{}, {"token": None}, {"token": 7, "id": "x"}])
def test_what_makes_no_account_is_no_starledger(server, answer):
    client, _ = server([httpx.Response(200, json=answer)], 0)
    with pytest.raises(NotStarted, match="is not Starledger: it gave no token"):
        client.sign_in("Ada")


@pytest.mark.parametrize("answer", [httpx.Response(200, html="<h1>Hello</h1>"), httpx.Response(200, json=[1])])
def test_what_is_no_starledger_is_told_in_a_line(server, answer):
    client, _ = server([answer], 0)
    with pytest.raises(NotStarted, match="is not Starledger"):
        client.get("/v1/me")


@pytest.mark.parametrize(
    ("answer", "hindrance"),
    [
        (httpx.Response(200, json={"status": "ready"}), None),
        (httpx.Response(503, json={"detail": "Not able to serve. store: away"}), "Not able to serve. store: away"),
        (PROXY, None),
        (httpx.Response(503, html="<h1>Busy</h1>"), None),
        (httpx.Response(503, json=[]), None),
        (AWAY, None),
    ],
)
def test_a_server_is_asked_once_what_holds_it_up(server, answer, hindrance):
    client, slept = server([answer], 60)
    assert (hindrance, []) == (client.hindrance(), slept)
