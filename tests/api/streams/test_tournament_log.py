"""A tournament's log over real HTTP: the same rules as a table's, in pages that can wait, as a stream, as lines."""

import threading
import time

import msgspec
import pytest

from service.application.ports import Unavailable
from tests.api.streams.conftest import EVENTS, LINES
from tests.support.wire import wait_for

CUP = {"name": "Cup", "game": "universal-match", "format": "round_robin", "seats_per_table": 2}


class Cup:
    """An organiser's tournament."""

    def __init__(self, house) -> None:
        self.house = house
        self.me = house.player("Ada")[1]
        self.id = self.post("/v1/tournaments", CUP)["id"]
        self.events = f"/v1/tournaments/{self.id}/events"

    def post(self, path, body):
        return msgspec.json.decode(self.house.get(path, self.me, "POST", body)[2])

    def enter(self) -> None:
        self.post(f"/v1/tournaments/{self.id}/entries", {"entry": {"kind": "ai", "bot": "easy"}})

    def cancel(self) -> None:
        self.post(f"/v1/tournaments/{self.id}/cancel", {})

    def page(self, **query):
        return self.house.json(f"{self.events}?" + "&".join(f"{name}={value}" for name, value in query.items()))


@pytest.fixture
def cup(house) -> Cup:
    made = Cup(house)
    made.enter()
    return made


def test_lines_end_with_the_last_entry_and_go_on_where_they_are_followed(house, cup):
    lines = house.get(cup.events, LINES)[2].splitlines()
    with house.ask(f"{cup.events}?follow=true", LINES) as stream:
        first = stream.until(lambda body: body.count(b"}\n") == len(lines))
        cup.enter()
        third = stream.until(lambda body: b"}\n" in body)
        cup.cancel()
        followed = [line for line in (first + third + stream.until()).splitlines() if line]

    assert 2 == len(lines)
    assert lines == followed[:2]
    assert stream.is_whole
    assert cup.page()["items"] == [msgspec.json.decode(line) for line in followed]


def test_an_event_stream_goes_on_behind_the_last_id_and_ends_with_the_tournament(house, cup):
    with house.ask(cup.events, {**EVENTS, "Last-Event-ID": "1"}) as stream:
        messages = stream.messages()
        first = next(messages)
        cup.cancel()
        second, end = next(messages), next(messages)

    assert ["2", "3", None] == [first.id, second.id, end.id]
    assert ("end", {"status": "cancelled", "version": 3}) == (end.event, end.json)
    assert cup.page(after=1)["items"] == [first.json, second.json]
    assert (204, b"") == house.get(cup.events, {**EVENTS, "Last-Event-ID": "3"})[::2]


@pytest.mark.parametrize("accept", [EVENTS, LINES])
def test_a_place_that_the_log_has_not_reached_is_a_reset(house, cup, accept):
    body = house.get(f"{cup.events}?follow=true", {**accept, "Last-Event-ID": "9"})[2]
    assert b'"reason":"history_lost"' in body
    assert b'"version":2' in body


def test_a_page_waits_for_what_comes(house, cup):
    threading.Timer(0.2, cup.enter).start()
    waited = cup.page(after=2, wait=30)
    began = time.monotonic()

    assert [3] == [entry["version"] for entry in waited["items"]]
    assert [] == cup.page(after=3, wait=0.3)["items"]
    assert time.monotonic() - began >= 0.3
    cup.cancel()
    assert "cancelled" == cup.page(after=4, wait=30)["status"]


def test_a_stream_ends_when_its_token_is_revoked_and_gives_its_place_back(house, cup):
    token = cup.post("/v1/me/tokens", {"scopes": []})
    with house.ask(cup.events, {**EVENTS, "Authorization": f"Bearer {token['token']}"}) as stream:
        next(stream.messages())
        house.services.players.revoke(house.caller(cup.me), token["id"])
        stream.until()

    assert stream.is_whole
    wait_for(lambda: house.services.watch.streams.taken == 0)


def test_a_store_that_is_away_for_a_moment_is_waited_for_and_one_that_stays_away_ends_the_stream(
    house, cup, monkeypatch
):
    desk = house.services.tournaments
    follower = house.services.outlooks.follow(desk.get(cup.id), 2)
    states = []
    with monkeypatch.context() as away:

        def silent(_id):
            raise Unavailable("away")

        away.setattr(desk, "get", silent)
        follower.wait(0)
        states.append(follower.state)
        away.setattr("service.application.tournament_follower.OUTAGE_S", -1)
        states.append(follower.state)
    follower.wait(0)
    assert ["live", "ending", "live"] == [*states, follower.state]


def test_many_who_follow_a_tournament_cost_one_look_at_a_time_and_all_hear_the_news(house, cup, monkeypatch):
    desk, looks = house.services.tournaments, []
    read = desk.get

    def counted(tournament):
        looks.append(threading.get_ident())
        return read(tournament)

    monkeypatch.setattr(desk, "get", counted)
    followers = [house.services.outlooks.follow(read(cup.id), 2) for _ in range(20)]
    head = followers[0].head
    threads = [threading.Thread(target=each.wait, args=(30.0,)) for each in followers]
    for each in followers:
        each.version = head
    for thread in threads:
        thread.start()
    wait_for(lambda: looks)
    cup.cancel()
    for thread in threads:
        thread.join(30.0)
        assert not thread.is_alive()

    assert all(each.head > head for each in followers)
    assert len(set(looks)) < len(followers) / 2
    for each in followers:
        each.close()
