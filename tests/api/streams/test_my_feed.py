"""A player's own feed over real HTTP: pages, Server-Sent Events, JSON Lines; resumed at any place."""

import dataclasses
import threading

import msgspec
import pytest

from service.application.places import Places
from service.application.watch import Watch
from service.bootstrap import in_memory
from service.config import load
from tests.api.streams.conftest import EVENTS, HEARTBEAT_S, LINES, House, open_house
from tests.support.wire import wait_for

ME = "/v1/me/stream"


@pytest.fixture
def house():
    """A served API whose entries are told."""
    services = in_memory(load({"STARLEDGER_RATE_LIMITS": "off"}))
    watch = Watch(services.store, services.desk.forget, Places(16), Places(2), heartbeat_s=HEARTBEAT_S)
    with open_house(dataclasses.replace(services, watch=watch)) as opened:
        yield opened


class Two:
    """Two players at a table of two seats."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.ada, self.bob = house.player("Ada"), house.player("Bob")

    def table(self) -> str:
        """Make a table for two; it starts."""
        asked = {"game": "universal-match", "seats": [{"kind": "me"}, {"kind": "player", "player": self.bob[0]}]}
        made = self.post("/v1/tables", asked, self.ada[1])
        self.post(f"/v1/tables/{made['id']}/seats", {}, self.bob[1])
        return str(made["id"])

    def resign(self, table: str) -> None:
        self.post(f"/v1/tables/{table}/commands", {"type": "resign"}, self.ada[1])

    def post(self, path: str, body, token):
        return msgspec.json.decode(self.house.get(path, token, "POST", body)[2])

    def page(self, token, **query):
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        return self.house.json(f"{ME}?{asked}", token)


@pytest.fixture
def two(house) -> Two:
    return Two(house)


BOBS = ["table_invited", "table_started", "your_turn", "table_finished"]


def test_a_page_holds_what_happened_at_ones_tables_in_order(two):
    two.resign(two.table())
    page = two.page(two.bob[1])

    assert BOBS == [notice["type"] for notice in page["items"]]
    assert [1, 2, 3, 4] == [notice["id"] for notice in page["items"]]
    assert (1, 4) == (page["first"], page["last"])
    assert ["your_turn"] == [notice["type"] for notice in two.page(two.bob[1], after=2, limit=1)["items"]]


def test_an_event_stream_sends_what_there_is_and_what_comes(house, two):
    table = two.table()
    with house.ask(ME, {**EVENTS, **two.bob[1]}) as stream:
        messages = stream.messages()
        first = [next(messages) for _ in range(3)]
        two.resign(table)
        last = next(messages)

    assert (200, "text/event-stream") == (stream.status, stream.headers["content-type"])
    assert ["1", "2", "3", "4"] == [message.id for message in [*first, last]]
    assert two.page(two.bob[1])["items"] == [message.json for message in [*first, last]]


def test_json_lines_are_the_same_bytes_and_end_where_nobody_follows(house, two):
    two.resign(two.table())
    status, _, content = house.get(f"{ME}?follow=false", {**LINES, **two.bob[1]})
    with house.ask(ME, {**EVENTS, **two.bob[1]}) as stream:
        messages = stream.messages()
        sent = [next(messages).data.encode() for _ in range(4)]

    assert 200 == status
    assert content.splitlines() == sent


def test_a_stream_of_lines_stays_open(house, two):
    with house.ask(ME, {**LINES, **two.ada[1]}) as stream:
        stream.until(lambda body: body.endswith(b"\n"))
        two.table()
        body = stream.until(lambda body: body.count(b"{") >= 2)

    assert ["table_started", "your_turn"] == [msgspec.json.decode(line)["type"] for line in body.split() if line]


def test_it_is_resumed_behind_any_notice_without_a_gap_or_a_double(house, two):
    two.resign(two.table())
    for seen in range(4):
        for path, headers in ((ME, {"Last-Event-ID": str(seen)}), (f"{ME}?after={seen}", {})):
            with house.ask(path, {**EVENTS, **two.bob[1], **headers}) as stream:
                messages = stream.messages()
                got = [next(messages).id for _ in range(4 - seen)]
            assert [str(n) for n in range(seen + 1, 5)] == got


def test_an_id_that_there_never_was_is_a_reset(house, two):
    two.table()
    with house.ask(ME, {**EVENTS, **two.bob[1], "Last-Event-ID": "99"}) as stream:
        (message,) = stream.messages()

    assert ("reset", "history_lost") == (message.event, message.json["reason"])


def test_a_page_can_wait_for_what_comes(two):
    got = []
    waiting = threading.Thread(target=lambda: got.append(two.page(two.bob[1], wait=20)))
    waiting.start()
    wait_for(lambda: two.house.services.feed_watch._followers)
    two.table()
    waiting.join(15)

    assert "table_invited" == got[0]["items"][0]["type"]


def test_a_wait_that_nothing_ends_ends_by_itself_with_an_empty_page(two):
    assert {"items": [], "first": 0, "last": 0} == two.page(two.bob[1], wait=0.05)


def test_a_feed_is_its_players_alone(house, two):
    two.table()

    assert 401 == house.get(ME)[0]
    assert [] == two.page(house.player("Eve")[1])["items"]


def test_a_token_that_is_revoked_ends_its_stream_with_the_next_heartbeat(house, two):
    with house.ask(ME, {**EVENTS, **two.bob[1]}) as stream:
        stream.until(lambda body: b"retry" in body)
        caller = house.caller(two.bob[1])
        house.services.players.revoke(caller, caller.token)
        stream.until()

    assert stream.is_whole
    assert 401 == house.get(ME, two.bob[1])[0]


def test_a_heartbeat_comes_and_who_has_gone_gives_his_place_back(house, two):
    with house.ask(ME, {**EVENTS, **two.bob[1]}) as stream:
        stream.until(lambda body: body.count(b": still here") >= 2)
        assert 1 == house.services.watch.streams.taken
    wait_for(lambda: not house.services.watch.streams.taken)
    wait_for(lambda: not house.services.feed_watch._followers)


def test_where_all_places_are_taken_it_is_503(house, two):
    streams = [house.ask(ME, {**EVENTS, **two.bob[1]}) for _ in range(16)]
    try:
        for stream in streams:
            stream.until(lambda body: b"retry" in body)
        status, headers, _ = house.get(ME, {**EVENTS, **two.bob[1]})
    finally:
        for stream in streams:
            stream.socket.close()

    assert (503, "5") == (status, headers["retry-after"])


def test_a_head_holds_no_place(house, two):
    assert 200 == house.get(ME, {**EVENTS, **two.bob[1]}, method="HEAD")[0]
    assert not house.services.watch.streams.taken


def test_a_wish_for_another_format_is_refused(house, two):
    assert 406 == house.get(ME, {"Accept": "text/html", **two.bob[1]})[0]
