"""The log in pages, and waiting for one."""

import threading
import time

import pytest

from tests.api.streams.conftest import EVENTS, LINES
from tests.support.wire import wait_for


def events(table, **query):
    return f"/v1/tables/{table}/events?" + "&".join(f"{name}={value}" for name, value in query.items())


def test_a_page_has_the_entries_behind_after_up_to_limit(house):
    live = house.table()
    house.move(live.id, 9)

    for query, versions in (
        ({}, range(1, 11)),
        ({"after": 0, "limit": 3}, range(1, 4)),
        ({"after": 7}, range(8, 11)),
        ({"after": 10}, range(0)),
        ({"after": 999}, range(0)),
    ):
        page = house.json(events(live.id, **query))
        assert list(versions) == [entry["version"] for entry in page["items"]]
        assert (10, "playing") == (page["version"], page["status"])


def test_a_page_has_fifty_entries_where_nothing_else_is_asked_for(house):
    live = house.table()
    house.move(live.id, 60)

    assert 50 == len(house.json(events(live.id))["items"])


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("after", "-1"),
        ("after", "1.5"),
        ("limit", "0"),
        ("limit", "201"),
        ("wait", "31"),
        ("wait", "-1"),
        ("wait", "nan"),
        ("wait", "1e"),
        ("wait", ""),
        ("follow", "1"),
    ],
)
def test_a_wrong_parameter_is_named(house, name, wrong):
    live = house.table()
    status, _, _ = house.get(events(live.id, **{name: wrong}))

    assert 422 == status
    assert [name] == list(house.json(events(live.id, **{name: wrong}))["errors"])


def test_wait_is_over_at_once_where_there_is_something_behind_after(house):
    live = house.table()
    began = time.monotonic()
    page = house.json(events(live.id, wait=30))

    assert [1] == [entry["version"] for entry in page["items"]]
    assert time.monotonic() - began < 5


def test_wait_ends_with_the_next_entry(house):
    live = house.table()
    got = []
    asking = threading.Thread(target=lambda: got.append(house.json(events(live.id, after=1, wait=30))))
    asking.start()
    wait_for(lambda: house.services.watch.count == 1)
    house.move(live.id)
    asking.join(10)

    assert [2] == [entry["version"] for entry in got[0]["items"]]
    assert 2 == got[0]["version"]


def test_wait_ends_with_an_empty_page(house):
    live = house.table()
    began = time.monotonic()
    page = house.json(events(live.id, after=1, wait=0.3))

    assert ([], 1, "playing") == (page["items"], page["version"], page["status"])
    assert 0.3 <= time.monotonic() - began < 5
    assert 0 == house.services.watch.waits.taken
    assert 0 == house.services.watch.count


def test_an_ended_table_never_waits(house):
    live = house.played()
    began = time.monotonic()
    page = house.json(events(live.id, after=live.version, wait=30))

    assert ([], "finished") == (page["items"], page["status"])
    assert time.monotonic() - began < 5


def test_where_too_many_wait_the_next_is_answered_at_once(open_houses):
    house = open_houses(waits=1)
    live = house.table()
    with house.ask(events(live.id, after=1, wait=30)) as waiting:
        wait_for(lambda: house.services.watch.waits.taken == 1)
        status, headers, body = house.get(events(live.id, after=1, wait=30))
        house.move(live.id)

        assert (200, "1") == (status, headers["retry-after"])
        assert b'{"items":[],"version":1,"status":"playing"}' == body
        assert b'"version":2' in waiting.until()


def test_a_stop_ends_those_who_wait(house):
    live = house.table()
    with house.ask(events(live.id, after=1, wait=30)) as waiting:
        wait_for(lambda: house.services.watch.waits.taken == 1)
        house.services.watch.close()

        assert b'{"items":[],"version":1,"status":"playing"}' == waiting.until()


def test_an_unknown_table_is_not_found_in_every_format(house):
    for headers in ({}, EVENTS, LINES):
        assert 404 == house.get(events("aaaaaaaaaaaaaaaaaaaaaaaaaa"), headers)[0]


def test_another_format_is_not_acceptable(house):
    live = house.table()

    assert 406 == house.get(events(live.id), {"Accept": "text/csv"})[0]
