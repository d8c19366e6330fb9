"""The buckets of rate limits: the same laws in memory and on the real server."""

import socket
import time

import pytest

from service.application.limiting import Flow
from service.application.ports import Unavailable
from service.store.buckets import MemoryBuckets, RedisBuckets, open_limits_client

SLOW = Flow(per_second=1, burst=10)


@pytest.fixture(params=["memory", "server"])
def buckets(request):
    if request.param == "memory":
        return MemoryBuckets()
    return RedisBuckets(request.getfixturevalue("queue_client"))


def test_an_unknown_bucket_is_full_and_gives_what_is_in_it(buckets):
    first = buckets.take("reads:a", SLOW, 4)
    second = buckets.take("reads:a", SLOW, 100)
    third = buckets.take("reads:a", SLOW, 1)

    assert [4, 6, 0] == [taken.count for taken in (first, second, third)]
    assert pytest.approx(6, abs=0.5) == first.left
    assert 0 <= third.left < 1


def test_buckets_are_apart(buckets):
    buckets.take("reads:a", SLOW, 10)

    assert 10 == buckets.take("commands:a", SLOW, 10).count
    assert 10 == buckets.take("reads:b", SLOW, 10).count


def test_it_flows_in(buckets):
    fast = Flow(per_second=1000, burst=1000)
    buckets.take("reads:a", fast, 1000)
    until = time.monotonic() + 10
    got = 0
    while got < 200 and time.monotonic() < until:
        got += buckets.take("reads:a", fast, 50).count

    assert got >= 200


def test_a_lower_limit_counts_at_once_for_a_bucket_that_was_larger(buckets):
    buckets.take("reads:a", Flow(1, 1000), 900)

    assert buckets.take("reads:a", Flow(1, 5), 5).count <= 5


def test_a_full_bucket_leaves_no_key_behind(queue_client):
    RedisBuckets(queue_client).take("reads:a", Flow(per_second=1000, burst=1000), 20)
    until = time.monotonic() + 10
    while queue_client.keys("*") and time.monotonic() < until:
        time.sleep(0.005)

    assert [] == queue_client.keys("*")


def test_a_flushed_script_is_sent_again(queue_client):
    buckets = RedisBuckets(queue_client)
    buckets.take("reads:a", SLOW, 1)
    queue_client.script_flush()

    assert 9 == buckets.take("reads:a", SLOW, 100).count


def test_a_server_that_is_down_is_asked_once_a_second_and_not_by_each_request():
    now = [0.0]
    buckets = RedisBuckets(open_limits_client("redis://127.0.0.1:1/0"), lambda: now[0])
    asked = []
    command = buckets._command

    def asking(*args):
        asked.append(args)
        return command(*args)

    buckets._command = asking
    for _ in range(5):
        with pytest.raises(Unavailable):
            buckets.take("reads:a", SLOW, 1)
    now[0] = 1.5
    with pytest.raises(Unavailable):
        buckets.take("reads:a", SLOW, 1)

    assert 2 == len(asked)


def test_a_server_that_hangs_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        buckets = RedisBuckets(open_limits_client(f"redis://127.0.0.1:{silent.getsockname()[1]}/0"))
        began = time.monotonic()
        with pytest.raises(Unavailable):
            buckets.take("reads:a", SLOW, 1)

        assert time.monotonic() - began < 2


def test_a_key_of_another_type_is_no_reason_to_fail_a_request(queue_client):
    queue_client.lpush("limit:reads:a", "x")
    with pytest.raises(Unavailable):
        RedisBuckets(queue_client).take("reads:a", SLOW, 1)
