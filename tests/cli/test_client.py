"""The command line's own client: what it waits for, and what it passes on."""

import time

import httpx
import pytest

from service.cli.client import Client, Refused


@pytest.fixture
def server(monkeypatch, tmp_path):
    """Give a client at a server that gives these answers, one after the other, and the seconds that it slept."""

    def made(answers, patience_s):
        slept: list[float] = []
        monkeypatch.setattr(time, "sleep", slept.append)
        client = Client("http://server", tmp_path, patience_s)
        monkeypatch.setattr(client, "_http", httpx.Client(transport=httpx.MockTransport(lambda _: answers.pop(0))))
        return client, slept

    return made


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
