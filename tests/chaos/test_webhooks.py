"""Senders, relay and queue of webhooks die, and receivers hang: every message arrives, under its own id, in order."""

import contextlib
import json
import socket
import threading

import pytest

from service.application.accounts import Caller
from service.application.notices import NOTICE_TYPES
from tests.chaos.conftest import Parts
from tests.chaos.test_parts import table, wait_for_the_end
from tests.support.running import wait_for

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(240)]


class Receiver:
    """An address that keeps the ids of what it is sent, and answers 200 unless it is told to hang."""

    def __init__(self) -> None:
        self.got: list[str] = []
        self.hangs = False
        self._hanging: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/hook"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # who accepts wakes up
        self._listener.close()
        self._thread.join(30)
        for each in self._hanging:
            each.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection.makefile("rb") as lines:
                length = 0
                while (line := lines.readline().strip().lower()) != b"":
                    name, _, value = line.partition(b": ")
                    if name == b"webhook-id":
                        self.got.append(value.decode())
                    if name == b"content-length":
                        length = int(value)
                lines.read(length)
            if self.hangs:
                self._hanging.append(connection)
            else:
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                connection.close()


@pytest.fixture
def receivers():
    made = []

    def one() -> Receiver:
        made.append(Receiver())
        return made[-1]

    yield one
    for each in made:
        each.close()


@pytest.fixture
def hooked(services):
    """Gives a player a webhook at an address, and a way to tell him something."""
    told: dict[str, int] = {}

    def hook(player: str, url: str) -> str:
        caller = Caller(player=player, token="t", scopes=("webhooks",))
        return str(services.webhooks.add(caller, url, NOTICE_TYPES, None)[0].id)

    def tell(player: str, count: int = 1) -> None:
        feeds = services.feed_watch.store
        for _ in range(count):
            told[player] = told.get(player, 0) + 1
            notice = {"time": "2027-01-15T08:00:00.000Z", "type": "your_turn", "table": "t", "game": "g", "seat": 0}
            encoded = json.dumps({**notice, "version": told[player]}).encode()
            feeds.publish(f"table of {player}", told[player] - 1, told[player], [(player, encoded)])

    return hook, tell


@pytest.fixture
def parts(parts: Parts):
    """Servers and processes as elsewhere; webhooks may go to this machine."""
    parts.allow(WEBHOOKS_PRIVATE="on")
    return parts


def ids(hook: str, *numbers: int) -> list[str]:
    return [f"msg_{hook}_{number}" for number in numbers]


def test_a_sender_that_is_killed_while_it_sends_loses_nothing_and_the_message_comes_again_under_its_id(
    parts, services, hooked, receivers
):
    hook, tell = hooked
    address = receivers()
    address.hangs = True
    webhook = hook("ada", address.url)
    parts.start("workers", "relay")
    sender = parts.start("workers", "sender")
    tell("ada", 3)
    wait_for(lambda: address.got, "the first message is on its way")
    sender.kill()
    sender.wait()
    address.hangs = False
    parts.start("workers", "sender")

    wait_for(lambda: len(address.got) >= 4, "all come", 60)
    assert ids(webhook, 1, 1, 2, 3) == address.got
    wait_for(lambda: [] == list(services.webhooks.store.due(10)), "nothing is due")
    log = services.webhooks.store.deliveries(webhook, None, 10)
    assert [("delivered", 1)] * 3 == [(each.status, len(each.attempts)) for each in log]


def test_a_queue_that_is_flushed_and_a_relay_that_is_killed_lose_nothing(parts, services, hooked, receivers):
    hook, tell = hooked
    address = receivers()
    webhook = hook("ada", address.url)
    relay = parts.start("workers", "relay")
    tell("ada", 2)
    wait_for(lambda: services.queue_client.llen("rq:queue:webhooks-slow"), "a hint waits")
    relay.kill()
    relay.wait()
    services.queue_client.flushall()
    parts.start("workers", "relay")
    parts.start("workers", "sender")

    wait_for(lambda: len(address.got) >= 2, "all come", 60)
    assert ids(webhook, 1, 2) == address.got


def test_receivers_that_hang_hold_up_neither_another_one_nor_a_table(parts, services, hooked, receivers):
    hook, tell = hooked
    good, bad = receivers(), receivers()
    webhook = hook("ada", good.url)
    for role in ("relay", "sender", "worker"):
        parts.start("workers", role)
    tell("ada")
    wait_for(lambda: good.got, "the good one has answered once")
    wait_for(lambda: not services.store_client.sismember("hooks:slow", webhook), "that is noted")
    bad.hangs = True
    for number in range(20):
        hook(f"eve{number}", bad.url)
        tell(f"eve{number}")
    wait_for(lambda: len(bad.got) >= 6, "all threads for the slow ones wait")
    tell("ada", 5)
    table(services, bots=("greedy", "greedy"))

    wait_for(lambda: len(good.got) >= 6, "the good one is served", 14)
    assert ids(webhook, 1, 2, 3, 4, 5, 6) == good.got
    wait_for_the_end(services)
