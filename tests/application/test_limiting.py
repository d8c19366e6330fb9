"""Rate limits: what a caller gets, however a process spends its shares, and when counting fails."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.application.limiting import Flow, Limiter
from service.application.ports import Unavailable
from service.store.buckets import MemoryBuckets


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.s = 1000.0

    def __call__(self) -> float:
        return self.s


class Away:
    """Buckets on a server that is gone."""

    def __init__(self) -> None:
        self.asked = 0

    def take(self, key, flow, count):
        self.asked += 1
        raise Unavailable(key)


class Counted:
    """Buckets that count how often they are asked."""

    def __init__(self, clock: Clock) -> None:
        self.asked = 0
        self._buckets = MemoryBuckets(clock)

    def take(self, key, flow, count):
        self.asked += 1
        return self._buckets.take(key, flow, count)


def limiter(clock: Clock, per_second: int = 5, burst: int = 10, buckets=None) -> Limiter:
    flows = dict.fromkeys(("commands", "reads"), Flow(per_second, burst))
    return Limiter(flows, buckets or MemoryBuckets(clock), MemoryBuckets(clock), clock)


def allowed(limits: Limiter, times: int, who: str = "ada", bucket: str = "commands") -> int:
    return sum(limits.spend(bucket, who).is_allowed for _ in range(times))


def test_the_burst_fits_and_no_request_more():
    assert 10 == allowed(limiter(Clock()), 50)


def test_then_as_many_flow_in_as_the_rate_says():
    clock = Clock()
    limits = limiter(clock)
    allowed(limits, 50)
    clock.s += 0.4

    assert 2 == allowed(limits, 50)


def test_the_bucket_never_holds_more_than_the_burst():
    clock = Clock()
    limits = limiter(clock)
    allowed(limits, 3)
    clock.s += 3600

    assert 10 == allowed(limits, 50)


def test_a_flood_of_reads_takes_nothing_from_commands():
    limits = limiter(Clock())
    allowed(limits, 1000, bucket="reads")

    assert 10 == allowed(limits, 50, bucket="commands")


def test_one_callers_flood_takes_nothing_from_another():
    limits = limiter(Clock())
    allowed(limits, 1000, "ada")

    assert 10 == allowed(limits, 50, "bob")


@pytest.mark.parametrize(("per_second", "burst"), [(50, 500), (500, 5000), (10, 200), (1, 5), (1, 1), (1, 1000)])
def test_what_is_left_is_counted_down_one_by_one_to_the_refusal(per_second, burst):
    limits = limiter(Clock(), per_second, burst)
    seen = [limits.spend("reads", "ada") for _ in range(burst)]
    refused = limits.spend("reads", "ada")

    assert list(range(burst - 1, -1, -1)) == [standing.left for standing in seen]
    assert (False, 0) == (refused.is_allowed, refused.left)


@pytest.mark.parametrize(("per_second", "burst"), [(50, 500), (3, 5), (1, 1)])
def test_after_the_wait_that_it_named_the_request_fits(per_second, burst):
    clock = Clock()
    limits = limiter(clock, per_second, burst)
    allowed(limits, burst)
    refused = limits.spend("reads", "ada"), limits.spend("commands", "ada")
    clock.s += refused[1].wait_s

    assert limits.spend("commands", "ada").is_allowed


def test_a_large_bucket_is_asked_once_for_many_requests_and_an_empty_one_not_at_all():
    clock = Clock()
    buckets = Counted(clock)
    limits = limiter(clock, 500, 5000, buckets)
    allowed(limits, 5000)
    asked = buckets.asked
    allowed(limits, 1)
    allowed(limits, 10_000)

    assert (50, 51) == (asked, buckets.asked)


@given(
    per_second=st.integers(1, 2000),
    burst_of=st.integers(1, 20),
    steps=st.lists(st.tuples(st.integers(0, 300), st.floats(0, 3)), max_size=30),
)
def test_however_it_is_spent_never_more_passes_than_burst_and_flow(per_second, burst_of, steps):
    clock = Clock()
    burst = per_second * burst_of
    limits = limiter(clock, per_second, burst)
    passed, began = 0, clock.s
    for requests, pause in steps:
        passed += allowed(limits, requests)
        assert passed <= burst + (clock.s - began) * per_second + 1
        clock.s += pause


@given(per_second=st.integers(5, 2000), burst_of=st.integers(1, 20), pauses=st.lists(st.integers(1, 5), max_size=40))
def test_who_stays_below_the_flow_is_never_refused(per_second, burst_of, pauses):
    """Shares that a process did not spend are forfeit, and still the bucket does not run dry."""
    clock = Clock()
    limits = limiter(clock, per_second, per_second * burst_of)
    for pause in pauses:
        assert limits.spend("reads", "ada").is_allowed
        clock.s += pause / 2


def test_a_server_that_does_not_count_refuses_nobody_and_this_process_counts_alone():
    away = Away()
    limits = limiter(Clock(), buckets=away)

    assert 10 == allowed(limits, 50)
    assert away.asked


def test_many_threads_get_no_more_than_one():
    limits = limiter(Clock(), 100, 1000)
    passed: list[int] = []
    threads = [threading.Thread(target=lambda: passed.append(allowed(limits, 400))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 1000 == sum(passed)


def test_two_processes_share_one_bucket():
    clock = Clock()
    buckets = MemoryBuckets(clock)
    one, two = (limiter(clock, buckets=buckets) for _ in range(2))

    assert 10 == sum(allowed(each, 1) for _ in range(20) for each in (one, two))
