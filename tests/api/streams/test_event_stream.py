"""The log as Server-Sent Events, over real HTTP."""

import threading
import time

import pytest

from domain.table_rules import TakeSeat
from service.application.handle import Attempt
from tests.api.streams.conftest import EVENTS, HEARTBEAT_S
from tests.support.wire import wait_for


def events(table, **query):
    return f"/v1/tables/{table}/events?" + "&".join(f"{name}={value}" for name, value in query.items())


def test_a_stream_begins_at_version_1_and_each_message_is_an_entry_with_its_version_as_id(house):
    live = house.table()
    house.move(live.id, 5)

    with house.ask(events(live.id), EVENTS) as stream:
        messages = stream.messages()
        got = [next(messages) for _ in range(6)]

    assert stream.status == 200
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.parser.retry_ms == 2000
    assert [str(n) for n in range(1, 7)] == [message.id for message in got]
    assert ["message"] * 6 == [message.event for message in got]
    assert house.lines(live.id) == [message.data.encode() for message in got]


def test_an_entry_comes_as_soon_as_it_is_in_the_store(house):
    live = house.table()
    with house.ask(events(live.id), EVENTS) as stream:
        messages = stream.messages()
        next(messages)
        for version in range(2, 30):
            assert version == house.move(live.id)
            assert str(version) == next(messages).id


def test_last_event_id_goes_on_behind_it_and_before_after(house):
    live = house.table()
    house.move(live.id, 9)

    for path, headers, first in (
        (events(live.id), {"Last-Event-ID": "4"}, "5"),
        (events(live.id, after=7), {}, "8"),
        (events(live.id, after=7), {"Last-Event-ID": "2"}, "3"),
        (events(live.id, after=7), {"Last-Event-ID": "0"}, "1"),
        (events(live.id, after=7), {"Last-Event-ID": ""}, "8"),
    ):
        with house.ask(path, {**EVENTS, **headers}) as stream:
            assert first == next(stream.messages()).id


def test_a_malformed_last_event_id_is_a_problem(house):
    live = house.table()
    for wrong in ("x", "-1", "1.0", "12.1", "0x1", "1" * 30):
        status, headers, body = house.get(events(live.id), {**EVENTS, "Last-Event-ID": wrong})

        assert (400, "application/problem+json") == (status, headers["content-type"])
        assert b'"malformed_request"' in body


def test_an_id_beyond_the_head_is_answered_by_reset_with_an_empty_id(house):
    live = house.table()
    for path, headers in ((events(live.id), {"Last-Event-ID": "2"}), (events(live.id, after=999), {})):
        with house.ask(path, {**EVENTS, **headers}) as stream:
            (message,) = stream.messages()

        assert ("reset", "") == (message.event, message.id)
        assert {"reason": "history_lost", "version": 1, "after": 0} == message.json


def test_end_follows_the_last_entry_of_a_finished_table_and_a_resume_after_it_is_204(house):
    live = house.played()

    with house.ask(events(live.id), EVENTS) as stream:
        *entries, end = stream.messages()

    assert live.version == len(entries)
    assert ("end", None, {"status": "finished", "version": live.version}) == (end.event, end.id, end.json)
    assert str(live.version) == stream.parser.last_id
    for path, headers in (
        (events(live.id), {"Last-Event-ID": str(live.version)}),
        (events(live.id, after=live.version), {}),
    ):
        assert (204, b"") == house.get(path, {**EVENTS, **headers})[::2]


def test_an_open_stream_ends_by_itself_when_the_table_does(house):
    live = house.table("random", "random")
    with house.ask(events(live.id), EVENTS) as stream:
        mover = threading.Thread(target=house.move, args=(live.id, 10_000))
        mover.start()
        *entries, end = stream.messages()
        mover.join()

    assert "end" == end.event
    assert house.lines(live.id) == [message.data.encode() for message in entries]


def test_an_aborted_table_ends_too(house):
    _, token = house.player()
    made = house.get(
        "/v1/tables",
        token,
        "POST",
        {"game": "beam-me-up", "seats": [{"kind": "me"}, {"kind": "open"}]},
    )
    path = made[1]["location"]
    with house.ask(f"{path}/events", EVENTS) as stream:
        messages = stream.messages()
        next(messages)
        assert 204 == house.get(path, token, "DELETE")[0]
        aborted, end = messages

    assert "table_aborted" == aborted.json["events"][0]["type"]
    assert ("end", {"status": "aborted", "version": 2}) == (end.event, end.json)


def test_a_quiet_stream_says_that_it_is_still_there(house):
    live = house.table()
    with house.ask(events(live.id), EVENTS) as stream:
        body = stream.until(lambda body: body.count(b"\n:") >= 3)

    assert 3 <= body.count(b": still here\n\n")


def test_the_heartbeat_keeps_its_rhythm_whatever_happens_at_the_table(house):
    live = house.table()
    with house.ask(events(live.id), EVENTS) as stream:
        seen, began = stream.until(lambda body: b": still here" in body), time.monotonic()
        moves = 0
        while (beats := seen.count(b": still here")) < 4:
            if moves < 20 * beats:
                moves += 1
                house.move(live.id)
            seen += stream.receive()

    assert 3 * HEARTBEAT_S == pytest.approx(time.monotonic() - began, rel=0.5)


def test_unknown_tables_and_foreign_eyes_are_problems_not_streams(house):
    live = house.table()
    for path, status in (
        (events("nowhere"), 404),
        (events(live.id, **{"as": "all"}), 403),
        (events(live.id, **{"as": 1}), 403),
        (events(live.id, **{"as": "nobody"}), 422),
        (events(live.id, after="x"), 422),
        (events(live.id, other=1), 422),
    ):
        got, headers, _ = house.get(path, EVENTS)
        assert (status, "application/problem+json") == (got, headers["content-type"])
    assert 0 == house.services.watch.streams.taken
    assert 0 == house.services.watch.count


def test_a_head_request_holds_no_place(house):
    live = house.table()
    with house.ask(events(live.id), EVENTS, "HEAD") as answer:
        answer.receive()

    assert (200, "text/event-stream") == (answer.status, answer.headers["content-type"])
    assert 0 == house.services.watch.streams.taken


def test_beyond_the_places_it_is_503_with_retry_after_and_pages_still_come(open_houses):
    house = open_houses(streams=2)
    live = house.table()
    with house.ask(events(live.id), EVENTS) as one, house.ask(events(live.id), EVENTS) as two:
        next(one.messages())
        next(two.messages())
        status, headers, body = house.get(events(live.id), EVENTS)

        assert (503, "5") == (status, headers["retry-after"])
        assert b'"unavailable"' in body
        assert 200 == house.get(events(live.id))[0]


def test_a_client_who_goes_gives_his_place_back_within_a_heartbeat(house):
    live = house.table()
    for _ in range(40):  # more than there are places
        with house.ask(events(live.id), EVENTS) as stream:
            next(stream.messages())
        wait_for(lambda: house.services.watch.streams.taken < 8, 20 * HEARTBEAT_S)

    wait_for(lambda: house.services.watch.streams.taken == 0 and house.services.watch.count == 0, 20 * HEARTBEAT_S)


def test_a_revoked_token_ends_its_stream_and_no_other(house):
    live = house.table()
    _, token = house.player()
    caller = house.caller(token)
    with house.ask(events(live.id), {**EVENTS, **token}) as mine, house.ask(events(live.id), EVENTS) as other:
        next(mine.messages())
        next(other.messages())
        house.services.players.revoke(caller, caller.token)
        mine.until()
        house.move(live.id)

        assert b"id: 2" in other.until(lambda body: b"id: 2" in body)
    assert 401 == house.get(events(live.id), {**EVENTS, **token})[0]


def test_who_sits_down_later_keeps_the_eyes_that_he_came_with(house):
    player, token = house.player()
    live = house.table("open", "open")
    with house.ask(events(live.id), {**EVENTS, **token}) as stream:
        messages = stream.messages()
        next(messages)
        for each in (player, "p_other"):
            house.desk.handle(live.id, lambda _, each=each: (TakeSeat(each), None), Attempt(f"sit-{each}"))
        next(messages)
        started = next(messages)

    dealt = next(event for event in started.json["events"] if event["type"] == "cards_dealt")
    assert not any("cards" in hand for hand in dealt["hands"])
    mine = house.json(events(live.id), token)["items"][2]
    dealt = next(event for event in mine["events"] if event["type"] == "cards_dealt")
    assert [True, False] == ["cards" in hand for hand in dealt["hands"]]


def test_a_stop_ends_all_streams(open_houses):
    house = open_houses()
    live = house.table()
    streams = [house.ask(events(live.id), EVENTS) for _ in range(5)]
    for stream in streams:
        next(stream.messages())
    house.services.watch.close()
    for stream in streams:
        stream.until()
        stream.socket.close()

    assert 503 == house.get(events(live.id), EVENTS)[0]
    wait_for(lambda: house.services.watch.streams.taken == 0)
