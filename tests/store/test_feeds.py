"""Players' feeds: the same laws in memory and on the real server."""

import json
import threading
import time

import pytest
import redis

from service.application.feeds import Bounds, Publication
from service.application.ports import Damaged, Unavailable
from service.store.feeds import MemoryFeeds, RedisFeeds

KEPT = 5


@pytest.fixture(params=["memory", "server"])
def feeds(request):
    if request.param == "memory":
        return MemoryFeeds(kept=KEPT)
    request.getfixturevalue("real_store")
    return RedisFeeds(request.getfixturevalue("events_client"), kept=KEPT)


def note(n: int) -> bytes:
    return json.dumps({"n": n}).encode()


def numbers(feeds, player: str, after: int = 0) -> list[tuple[int, int]]:
    return [(number, json.loads(notice)["n"]) for number, notice in feeds.notices(player, after, 100)]


def test_notices_are_numbered_from_1_by_player_and_hold_their_number(feeds):
    assert 0 == feeds.publish("t", 0, 2, [("ada", note(1)), ("bob", note(2)), ("ada", note(3))])

    assert [(1, 1), (2, 3)] == numbers(feeds, "ada")
    assert [(1, 2)] == numbers(feeds, "bob")
    assert {"id": 2, "n": 3} == json.loads(feeds.notices("ada", 1, 10)[0][1])
    assert 2 == feeds.position("t")


def test_what_was_told_is_not_told_again(feeds):
    feeds.publish("t", 0, 2, [("ada", note(1))])

    assert 2 == feeds.publish("t", 0, 2, [("ada", note(1))])
    assert 2 == feeds.publish("t", 1, 3, [("ada", note(1))])
    assert [(1, 1)] == numbers(feeds, "ada")


def test_tables_have_positions_of_their_own(feeds):
    feeds.publish("t", 0, 2, [("ada", note(1))])
    feeds.publish("u", 0, 7, [("ada", note(2))])

    assert (2, 7, 0) == (feeds.position("t"), feeds.position("u"), feeds.position("v"))
    assert [(1, 1), (2, 2)] == numbers(feeds, "ada")


def test_several_tables_are_told_at_once_each_by_its_own_position(feeds):
    feeds.publish("u", 0, 3, [])

    def told(table, after, upto, n):
        return Publication(table=table, after=after, upto=upto, told=[("ada", note(n))])

    assert [0, 3, 0] == list(feeds.publish_all([told("t", 0, 2, 1), told("u", 1, 4, 2), told("v", 0, 1, 3)]))
    assert [(1, 1), (2, 3)] == numbers(feeds, "ada")
    assert (2, 3, 1) == tuple(map(feeds.position, "tuv"))
    assert [2, 3] == list(feeds.publish_all([told("t", 0, 2, 1), told("u", 3, 4, 4)]))
    assert [(1, 1), (2, 3), (3, 4)] == numbers(feeds, "ada")
    assert [] == list(feeds.publish_all([]))


def test_several_tables_are_told_also_after_the_server_has_lost_its_scripts(real_store, events_client):
    feeds = RedisFeeds(events_client, kept=KEPT)
    events_client.script_flush()
    publications = [Publication(table=table, after=0, upto=1, told=[("ada", note(1))]) for table in "tu"]

    assert [0, 0] == feeds.publish_all(publications)
    assert [(1, 1), (2, 1)] == numbers(feeds, "ada")


def test_entries_that_tell_nobody_anything_move_the_position(feeds):
    feeds.publish("t", 0, 9, [])

    assert 9 == feeds.position("t")
    assert Bounds(0, 0) == feeds.bounds("ada")


def test_the_oldest_are_forgotten_and_the_count_goes_on(feeds):
    for n in range(1, 9):
        feeds.publish("t", n - 1, n, [("ada", note(n))])

    assert [(n, n) for n in range(4, 9)] == numbers(feeds, "ada")
    assert Bounds(4, 8) == feeds.bounds("ada")


def test_a_reader_gets_what_is_behind_an_id_and_no_more_than_it_wants(feeds):
    feeds.publish("t", 0, 1, [("ada", note(n)) for n in range(5)])

    assert [3, 4] == [number for number, _ in feeds.notices("ada", 2, 2)]


def test_many_who_publish_the_same_write_it_once(feeds):
    gate = threading.Barrier(6)

    def publish():
        gate.wait()
        for n in range(20):
            feeds.publish("t", n, n + 1, [("ada", note(n))] if n < KEPT else [])

    threads = [threading.Thread(target=publish) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [(n + 1, n) for n in range(KEPT)] == numbers(feeds, "ada")
    assert 20 == feeds.position("t")


def test_waiting_ends_with_news_of_one_of_the_players(feeds):
    found: list[object] = []
    waiting = threading.Thread(target=lambda: found.append(feeds.wait_for({"ada": 0, "bob": 0}, 20_000)))
    waiting.start()
    feeds.publish("t", 0, 1, [("bob", note(1))])
    waiting.join(15)

    assert [{"bob": 1}] == found


def test_waiting_ends_when_it_is_woken(feeds):
    waiting = threading.Thread(target=lambda: feeds.wait_for({"ada": 0}, 60_000))
    waiting.start()
    until = time.monotonic() + 15
    while waiting.is_alive() and time.monotonic() < until:
        feeds.wake()
        waiting.join(0.05)

    assert not waiting.is_alive()


def test_a_key_of_another_type_stops_a_publication_before_it_wrote_anything(real_store, events_client):
    events_client.set("feed:bob", "x")
    feeds = RedisFeeds(events_client)
    with pytest.raises(Damaged):
        feeds.publish("t", 0, 1, [("ada", note(1)), ("bob", note(2))])

    assert 0 == feeds.position("t")
    assert Bounds(0, 0) == feeds.bounds("ada")


def test_a_store_that_is_down_is_said_to_be():
    with pytest.raises(Unavailable):
        RedisFeeds(redis.Redis.from_url("redis://127.0.0.1:1/0")).position("t")
