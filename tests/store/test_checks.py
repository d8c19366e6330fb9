"""A store is refused that may evict, or keeps less than was promised; each refusal says what to set."""

import pytest

from service.application.ports import Committed, Unavailable
from service.store.checks import Unfit, check_server
from service.store.connect import open_client
from service.store.keys import BUCKETS_KEY
from service.store.opening import open_store
from tests.store.entries import entry


@pytest.fixture
def setting(events_client):
    """Changes a setting of the server until the test ends."""
    before: dict[str, str] = {}

    def change(name, value):
        before.setdefault(name, events_client.config_get(name)[name])
        events_client.config_set(name, value)

    yield change
    for name, value in before.items():
        events_client.config_set(name, value)


def test_the_embedded_events_server_is_fit_without_warnings(events_client):
    assert () == check_server(events_client)


def test_the_queues_server_is_not_fit_for_events(queue_client):
    with pytest.raises(Unfit, match=r"keeps nothing on disk .* Set `appendonly yes`"):
        check_server(queue_client)


def test_a_server_that_may_evict_is_refused(events_client, setting):
    setting("maxmemory-policy", "allkeys-lru")

    with pytest.raises(Unfit, match=r"maxmemory-policy allkeys-lru\). Set `maxmemory-policy noeviction`"):
        open_store(events_client)


@pytest.mark.parametrize(
    ("kept", "promised", "lost"),
    [
        ("everysec", "always", "up to two seconds"),
        ("no", "always", "about 30 seconds"),
        ("no", "everysec", "about 30 seconds"),
    ],
)
def test_a_server_that_keeps_less_than_was_promised_is_refused(events_client, setting, kept, promised, lost):
    setting("appendfsync", kept)

    with pytest.raises(Unfit, match=f"{lost}.*appendfsync {kept}.*Set `appendfsync {promised}`.*STARLEDGER_FSYNC"):
        check_server(events_client, promised)


@pytest.mark.parametrize("kept", ["everysec", "always"])
def test_a_lowered_promise_is_taken_with_a_warning(events_client, setting, kept):
    setting("appendfsync", kept)

    [warning] = open_store(events_client, fsync="everysec").warnings
    assert "Durability is lowered (fsync everysec): when the power fails, the event store may lose up to two" in warning


def test_an_old_redis_is_refused(events_client, monkeypatch):
    info = events_client.info
    monkeypatch.setattr(events_client, "info", lambda section: {**info(section), "redis_version": "6.2.14"})

    with pytest.raises(Unfit, match=r"Redis 6\.2\.14; it needs 7\.0 or newer"):
        check_server(events_client)


def test_the_trial_leaves_nothing_behind(events_client):
    opened = open_store(events_client)

    assert [] == list(opened.store.tables())
    assert {BUCKETS_KEY.encode()} == {key for key in events_client.keys("*") if not key.startswith(b"boot:")}


def test_the_number_of_buckets_counts_at_the_first_set_up_only(events_client):
    open_store(events_client, buckets=2).store.create("t", entry(1), b"", None, running=True)

    again = open_store(events_client, buckets=16).store
    assert ["t"] == list(again.running())
    assert [entry(1)] == list(again.read("t"))


def test_two_stores_on_one_server_are_one_store(events_client):
    first, second = (open_store(events_client).store for _ in range(2))

    assert Committed() == first.create("t", entry(1), b"", None, running=True)
    assert [entry(1)] == list(second.read("t"))


def test_a_server_that_is_not_there_is_unavailable(tmp_path):
    with open_client(f"unix://{tmp_path}/nobody") as client, pytest.raises(Unavailable, match="can't be reached"):
        open_store(client)
