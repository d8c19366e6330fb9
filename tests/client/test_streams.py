"""Streams and exports that are cut, refused or reset on the way: each item comes once, or the caller is told."""

import json
import time

import httpx
import pytest
from starledger_client import Client, HistoryLost, Problem, Unauthenticated, Unreachable, core

FEED = {"time": "2026-05-01T12:00:00Z", "type": "your_turn", "game": "g", "version": 1}


def message(number: int) -> str:
    return f"id: {number}\ndata: {json.dumps({'id': number, **FEED})}\n\n"


@pytest.fixture
def serve(monkeypatch):
    """Gives a client whose requests are answered one after the other by what the test lists, without waiting."""
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)

    def make(*answers):
        asked: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(request)
            given = answers[min(len(asked), len(answers)) - 1]
            if isinstance(given, Exception):
                raise given
            if isinstance(given, str):
                return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=given)
            assert isinstance(given, httpx.Response)
            return given

        client = Client("http://x", "token")
        client._http = httpx.Client(base_url="http://x", transport=httpx.MockTransport(answer))
        return client, asked, pauses

    return make


def refusal(status: int, **headers: str) -> httpx.Response:
    return httpx.Response(status, headers=headers, json={"code": "c", "detail": "d"})


def test_a_stream_that_is_cut_goes_on_behind_its_last_item(serve):
    client, asked, _ = serve(
        message(4) + message(5) + "id: 6\nda",
        httpx.ConnectError("refused"),
        refusal(503, **{"retry-after": "5"}),
        message(5) + message(6) + "event: end\ndata: {}\n\n",
    )

    assert [4, 5, 6] == [notice.id for notice in client.follow_me(after=3)]
    assert ["3", "5", "5", "5"] == [request.headers["last-event-id"] for request in asked]


def test_a_stream_waits_as_long_as_it_is_told(serve):
    client, _, pauses = serve(refusal(429, **{"retry-after": "7"}), "event: end\ndata: {}\n\n")

    assert [] == list(client.follow_me())
    assert 7 <= pauses[0] < 7.2


def test_a_request_waits_as_long_as_it_is_told_and_goes_out_again_under_the_same_key(serve):
    client, asked, pauses = serve(refusal(429, **{"retry-after": "7"}), httpx.Response(204))
    client.delete_webhook("w")

    assert 7 <= pauses[0] < 7.2
    assert 1 == len({request.headers["idempotency-key"] for request in asked})


def test_a_stream_that_was_too_slow_goes_on_and_one_whose_history_is_lost_says_so(serve):
    slow = 'event: reset\ndata: {"reason": "too_slow", "version": 9, "after": 4}\n\n'
    lost = 'event: reset\nid:\ndata: {"reason": "history_lost", "version": 2, "after": 0}\n\n'
    client, asked, _ = serve(message(4) + slow, message(5) + lost)
    seen: list[int] = []
    with pytest.raises(HistoryLost) as told:
        note_all(client.follow_me(after=3), seen)

    assert ([4, 5], 2) == (seen, told.value.version)
    assert "4" == asked[1].headers["last-event-id"]


def note_all(notices, seen):
    for notice in notices:
        seen.append(notice.id)


def test_a_stream_that_is_refused_for_good_is_not_asked_for_again(serve):
    client, asked, _ = serve(refusal(401))
    with pytest.raises(Unauthenticated):
        list(client.follow_me())

    assert 1 == len(asked)


def test_a_stream_that_never_comes_up_is_given_up(serve):
    client, asked, _ = serve(httpx.ConnectError("refused"))
    with pytest.raises(Unreachable, match="refused"):
        list(client.follow_me())

    assert core.RETRIES + 1 == len(asked)


def line(number: int) -> str:
    facts = {
        "type": "record",
        "table": f"t{number}",
        "game": "g",
        "created": "",
        "finished": "",
        "cursor": f"c{number}",
    }
    return json.dumps({**facts, "record": [{"n": number}]}) + "\n"


TRAILER = json.dumps({"type": "trailer", "tables": 1, "entries": 1, "complete": True, "next_cursor": None}) + "\n"


def test_an_export_that_is_cut_goes_on_behind_its_last_whole_line(serve):
    client, asked, _ = serve(
        httpx.Response(200, text=line(1) + line(2)), refusal(503), httpx.Response(200, text=line(3) + TRAILER)
    )
    tables = list(client.export(game="g"))

    assert ["t1", "t2", "t3"] == [each.table for each in tables]
    assert b'{"n": 1}\n' == tables[0].file()
    assert [None, "c2", "c2"] == [request.url.params.get("cursor") for request in asked]


def test_an_export_that_gives_nothing_again_and_again_is_given_up(serve):
    client, _, _ = serve(httpx.Response(200, text=""))
    with pytest.raises(Unreachable, match="too early"):
        list(client.export())


def test_an_export_that_is_refused_says_why(serve):
    client, _, _ = serve(refusal(422))
    with pytest.raises(Problem, match="422"):
        list(client.export(since="yesterday"))


def test_an_id_can_lead_to_no_other_path(serve):
    client, asked, _ = serve(refusal(404))
    with pytest.raises(Problem):
        client.table("../me?x=1")

    assert b"/v1/tables/..%2Fme%3Fx%3D1" == asked[0].url.raw_path
