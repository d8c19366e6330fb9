"""The queue on RQ: hints that may be lost, never doubled without need, and never in anybody's way."""

import json
import time

import pytest
import rq
from redis import RedisError
from rq.serializers import JSONSerializer

from service.queue import QUEUE, RqQueue, WorkerSeen, open_queue_client, open_worker_client
from tests.workers.conftest import LEASE_S
from workers.worker import TurnWorker


def waiting(queue_client):
    return rq.Queue(QUEUE, connection=queue_client, serializer=JSONSerializer).job_ids


def test_a_hint_holds_table_and_version_and_nothing_else(queue, queue_client):
    queue.enqueue("t", 12)

    job = rq.Queue(QUEUE, connection=queue_client, serializer=JSONSerializer).jobs[0]
    assert ("workers.turns.play", ["t", 12], {}) == (job.func_name, job.args, job.kwargs)
    assert (0, 3600, 8) == (job.result_ttl, job.failure_ttl, job.timeout)
    assert job.retries_left is None
    assert "t_12_0" == job.id


def test_a_hint_is_stored_as_json(queue, queue_client):
    queue.enqueue("t", 12)

    raw = queue_client.hget("rq:job:t_12_0", "data")
    assert ["workers.turns.play", None, ["t", 12], {}] == json.loads(__import__("zlib").decompress(raw))


def test_the_same_hint_twice_is_one(queue, queue_client):
    for _ in range(3):
        queue.enqueue("t", 12)
    queue.enqueue("t", 13)

    assert ["t_13_0", "t_12_0"] == waiting(queue_client)
    assert 2 == queue.waiting()


def test_who_waits_for_an_answer_goes_before_tables_of_bots(queue, queue_client):
    queue.go_on("bots", 30)
    queue.go_on("others", 7)
    queue.enqueue("person", 12)

    assert ["person_12_0", "bots_30_0", "others_7_0"] == waiting(queue_client)


def test_a_clock_that_has_run_out_goes_before_tables_of_bots(queue, queue_client):
    queue.go_on("bots", 30)
    queue.remind("late", 4)

    assert ["late_4_0", "bots_30_0"] == waiting(queue_client)


def test_a_reminder_does_not_double_a_hint_that_waits(queue, queue_client):
    queue.enqueue("t", 12)

    assert queue.remind("t", 12)
    assert ["t_12_0"] == waiting(queue_client)


def test_a_reminder_for_a_hint_that_was_lost_stands_in_the_queue(queue, queue_client):
    queue.enqueue("t", 12)
    queue_client.lpop(f"rq:queue:{QUEUE}")

    assert queue.remind("t", 12)
    assert ["t_12_0_1"] == waiting(queue_client)
    assert queue.remind("t", 12)
    assert ["t_12_0_1"] == waiting(queue_client)


def test_a_reminder_after_all_was_lost_stands_in_the_queue(queue, queue_client):
    queue.enqueue("t", 12)
    queue_client.flushall()

    assert queue.remind("t", 12)
    assert ["t_12_0"] == waiting(queue_client)


def test_a_table_at_which_a_worker_plays_needs_no_reminder(queue, queue_client):
    queue.begin("t", 12)

    assert queue.remind("t", 14)
    assert [] == waiting(queue_client)


def test_a_worker_that_does_not_come_back_leaves_the_table_free_after_the_lease(queue, queue_client):
    queue.begin("t", 12)
    assert 0 < queue_client.pttl("turns:playing:t") <= LEASE_S * 1000

    queue_client.delete("turns:playing:t")  # as the lease does
    queue.remind("t", 12)
    assert ["t_12_1"] == waiting(queue_client)


def test_tries_that_came_to_nothing_are_counted_by_version(queue):
    assert [0, 1, 2] == [queue.begin("t", 12) for _ in range(3)]
    assert 0 == queue.begin("t", 13)
    assert 0 == queue.begin("u", 12)


def test_who_comes_back_leaves_no_try_in_the_count(queue, queue_client):
    queue.begin("t", 12)
    queue.end("t", 12)

    assert 0 == queue.begin("t", 12)
    queue.end("t", 12)
    assert [] == queue_client.keys("turns:*")


def test_a_bot_that_was_stuck_counts_as_a_try_where_it_was_stuck(queue):
    queue.begin("t", 12)
    queue.end("t", 12, stuck=15)
    assert 0 == queue.begin("t", 12)
    assert 1 == queue.begin("t", 15)

    queue.end("t", 15, stuck=15)
    assert 2 == queue.begin("t", 15)


def test_a_queue_that_is_away_is_never_felt(servers):
    with open_queue_client("unix:///nowhere/at/all.sock") as client:
        away = RqQueue(client, LEASE_S)
        began = time.monotonic()
        for version in range(1000):
            away.enqueue("t", version)
            assert not away.remind("t", version)
            assert 0 == away.begin("t", version)
            away.end("t", version)

        assert time.monotonic() - began < 2
        with pytest.raises(RedisError):
            away.workers()


def test_after_a_rest_a_queue_that_is_back_takes_hints_again(queue, queue_client, monkeypatch):
    monkeypatch.setattr(queue, "_push", lambda *_, **__: (_ for _ in ()).throw(RedisError("away")))
    queue.enqueue("t", 1)
    monkeypatch.undo()
    queue.enqueue("t", 2)
    assert [] == waiting(queue_client)

    queue._rests_until = time.monotonic()
    queue.enqueue("t", 3)
    assert ["t_3_0"] == waiting(queue_client)


def test_workers_that_are_alive_are_seen(queue, servers):
    with open_worker_client(servers.queue_url) as client:
        worker = TurnWorker(client, "one", LEASE_S)
        worker.register_birth()
        worker.heartbeat()

        seen = queue.workers()
        assert [("one", worker.pid)] == [(each.name, each.pid) for each in seen]
        assert isinstance(seen[0], WorkerSeen)
        assert seen[0].silent_s < 5

        worker.register_death()
        assert () == queue.workers()


def test_a_worker_that_was_killed_is_soon_forgotten(queue, servers, queue_client):
    with open_worker_client(servers.queue_url) as client:
        worker = TurnWorker(client, "one", LEASE_S)
        worker.register_birth()
        worker.heartbeat()

        assert 0 < queue_client.ttl("rq:worker:one") <= 16
        queue_client.delete("rq:worker:one")
        assert () == queue.workers()
