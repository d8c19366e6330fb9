"""The queues of webhooks and the threads that work on them."""

import json
import threading
import zlib

import pytest
from rq.worker import WorkerStatus

from service.application.ports import Damaged, Unavailable
from service.queue import open_worker_client
from service.queue_sends import SENDS, SLOW_SENDS, RqSends
from tests.support.running import wait_for
from workers import sender


@pytest.fixture
def sends(queue_client):
    return RqSends(queue_client)


@pytest.fixture
def work(servers, monkeypatch):
    """Gives a function that works off a queue with a deliverer of the test's."""

    class Deliverer:
        def __init__(self, send):
            self.send = send

    def go(send, sends, queue=SENDS):
        monkeypatch.setattr(sender, "_job", sender.SendJob(Deliverer(send), sends, lambda: False, 0))
        with open_worker_client(servers.queue_url) as client:
            sender.SendWorker(client, queue, "test").work(burst=True, logging_level=None)

    return go


def waiting(queue_client, queue=SENDS):
    return [each.decode() for each in queue_client.lrange(f"rq:queue:{queue}", 0, -1)]


def test_a_hint_holds_the_webhooks_id_as_json_and_nothing_else(sends, queue_client):
    assert sends.hint("w1", is_slow=False)

    (job,) = waiting(queue_client)
    data = json.loads(zlib.decompress(queue_client.hget(f"rq:job:{job}", "data")))
    assert [sender.__name__ + ".send", None, ["w1"], {}] == data


def test_a_hint_that_waits_is_not_doubled(sends, queue_client):
    for _ in range(3):
        sends.hint("w1", is_slow=False)
    sends.hint("w2", is_slow=True)

    assert (1, 1) == (len(waiting(queue_client)), len(waiting(queue_client, SLOW_SENDS)))


def test_a_hint_that_was_lost_in_a_senders_hands_comes_again(sends, queue_client):
    sends.hint("w1", is_slow=False)
    queue_client.delete(f"rq:queue:{SENDS}")
    sends.hint("w1", is_slow=False)

    assert ["w1_1"] == waiting(queue_client)


def test_a_job_sends_to_its_webhook_and_leaves_nothing_behind(sends, queue_client, work):
    served = []
    sends.hint("w1", is_slow=True)
    work(lambda webhook, _enough: served.append(webhook), sends, SLOW_SENDS)

    assert ["w1"] == served
    assert [] == queue_client.keys("rq:job:*")


def test_where_more_is_due_the_job_leaves_a_hint_behind_the_others(sends, work):
    served = []

    def send(webhook, _enough):
        served.append(webhook)
        return served == ["w1"]

    sends.hint("w1", is_slow=False)
    sends.hint("w2", is_slow=False)
    work(send, sends)

    assert ["w1", "w2", "w1"] == served


@pytest.mark.parametrize("failure", [Unavailable("away"), Damaged("torn")])
def test_a_store_that_is_away_or_damaged_ends_the_job_and_no_more(sends, work, failure, caplog):
    served = []

    def send(webhook, _enough):
        served.append(webhook)
        raise failure

    sends.hint("w1", is_slow=False)
    sends.hint("w2", is_slow=False)
    work(send, sends)

    assert ["w1", "w2"] == served
    assert str(failure) in caplog.text


def test_a_queue_that_is_away_is_told_and_never_felt(servers):
    with open_worker_client(f"unix://{servers.queue_url.removeprefix('unix://')}.not") as client:
        assert not RqSends(client).hint("w1", is_slow=False)


def test_senders_are_no_workers_of_turns(queue, servers, queue_client, monkeypatch):
    monkeypatch.setattr(sender, "_BEAT_S", 1)
    stop = threading.Event()
    one = sender._Thread(servers.queue_url, SENDS, 1, stop)
    one.thread.start()
    try:
        wait_for(lambda: one.worker is not None and one.worker.get_state() == WorkerStatus.IDLE, "it listens")
        assert () == queue.workers()
    finally:
        stop.set()
        assert one.worker is not None
        one.worker.ask_to_stop()
        one.thread.join(30)
    assert not one.thread.is_alive()
