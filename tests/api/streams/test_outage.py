"""Streams over a real store that is killed under them, and streams that can't go on."""

import contextlib
import dataclasses
import json
import os
import signal

import pytest

from service.api.framing import FRAMINGS, EventStream
from service.api.streams import Stream
from service.application import watch
from service.application.places import Places
from service.application.ports import Unavailable
from service.application.watch import Watch
from service.bootstrap import connect
from service.config import load
from service.store.connect import open_client
from service.store.embedded import open_embedded
from tests.api.streams.conftest import EVENTS, open_house
from tests.support.wire import EventParser, wait_for

LIMIT_S = 60


@pytest.fixture
def pair(tmp_path):
    """Servers of this test's own, to be killed."""
    with open_embedded(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def house(pair, tmp_path):
    config = load(
        {
            "STARLEDGER_DATA": str(tmp_path / "data"),
            "STARLEDGER_REDIS_URL": pair.events_url,
            "STARLEDGER_QUEUE_URL": pair.queue_url,
            "STARLEDGER_RATE_LIMITS": "off",
        }
    )
    services = connect(config)
    watch = Watch(services.store, services.desk.forget, Places(16), Places(4), heartbeat_s=0.15, outage_s=LIMIT_S)
    with open_house(dataclasses.replace(services, watch=watch)) as opened:
        yield opened


def kill(url):
    with open_client(url) as client:
        os.kill(int(client.info("server")["process_id"]), signal.SIGKILL)


def move_on(house, table, goal):
    """Make a move to this version, however often the store is away."""

    def has_moved():
        with contextlib.suppress(Unavailable):
            return house.desk.table(table).version >= goal or house.move(table) >= goal
        return False

    wait_for(has_moved, LIMIT_S)


def test_streams_live_on_over_a_store_that_is_killed(house, pair):
    live = house.table()
    other = house.table("random", "random")
    with (
        house.ask(f"/v1/tables/{live.id}/events", EVENTS) as stream,
        house.ask(f"/v1/tables/{other.id}/events", EVENTS) as quiet,
    ):
        messages, quiet_messages = stream.messages(), quiet.messages()
        assert "1" == next(messages).id
        assert "1" == next(quiet_messages).id
        for version in range(2, 14):
            if version % 4 == 0:
                kill(pair.events_url)
            move_on(house, live.id, version)
            assert str(version) == next(messages).id
        move_on(house, other.id, 2)

        assert "2" == next(quiet_messages).id
    assert 13 == len(house.lines(live.id))


def test_a_reader_far_behind_is_told_so_and_where_to_go_on(open_houses, monkeypatch):
    monkeypatch.setattr(watch, "MOST_BEHIND", 20)
    house = open_houses()
    live = house.table()
    services = house.services
    place = services.watch.streams.take("somebody")
    body = Stream(services.watch.open(live, "public", 0), EventStream(), place, 60, is_allowed=lambda: True)
    parser = EventParser()
    assert [] == parser.feed(next(body))
    assert ["1"] == [message.id for message in parser.feed(next(body))]
    house.move(live.id, 30)
    wait_for(lambda: services.watch._feeds[live.id].head[0] == 31)

    (message,) = parser.feed(next(body))
    assert ("reset", None) == (message.event, message.id)
    assert {"reason": "too_slow", "version": 31, "after": 1} == message.json
    assert "1" == parser.last_id
    assert [] == list(body)
    body.close()
    assert 0 == services.watch.streams.taken
    assert 30 == len(house.lines(live.id, {"Last-Event-ID": parser.last_id}))


def test_a_history_that_was_lost_is_told_in_each_format(open_houses):
    house = open_houses()
    live = house.table()
    for media, framing in FRAMINGS.items():
        services = house.services
        place = services.watch.streams.take("somebody")
        watcher = services.watch.open(live, "public", 0)
        watcher._feed.lost = True
        body = Stream(watcher, framing, place, 60, is_allowed=lambda: True)
        said = b"".join(body)
        body.close()

        told = {"reason": "history_lost", "version": 1, "after": 0}
        if media == "text/event-stream":
            parser = EventParser(last_id="1")
            (message,) = parser.feed(said)
            assert ("reset", "", told) == (parser.last_id or message.event, message.id, message.json)
        else:
            assert {"reset": told} == json.loads(said)


def test_a_body_that_was_never_begun_gives_its_place_back(open_houses):
    house = open_houses()
    live = house.table()
    services = house.services
    place = services.watch.streams.take("somebody")
    body = Stream(services.watch.open(live, "public", 0), EventStream(), place, 60, is_allowed=lambda: True)
    body.close()
    body.close()

    assert 0 == services.watch.streams.taken
    assert 0 == services.watch.count
