"""Bodies that trickle in, on real sockets: they keep nobody from an answer, and have an end themselves."""

import contextlib
import json
import socket
import threading
import time

import pytest

from service.api import intake
from service.api.app import create_app
from service.api.intake import Incoming, Intake
from service.bootstrap import in_memory
from service.config import load
from tests.server.test_serving import Served, hello
from tests.support.wire import Connection, wait_for

CHUNKED = (
    b"POST /v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
)
PLAYER = json.dumps({"name": "Ada", "kind": "human"}).encode()


def reader(environ, start_response):
    environ["wsgi.input"].read()
    return hello(environ, start_response)


def head(length, path="/v1/players"):
    return (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


LONG = head(5_000_000, "/v1/records/verify").replace(b"application/json", b"application/vnd.starledger.record+jsonl")


@pytest.fixture
def slow():
    """Open connections that are closed at the end, by the bytes that they have sent and their own address."""
    with contextlib.ExitStack() as stack:

        def begin(port, sent, source="127.0.0.1"):
            connection = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))
            stack.enter_context(connection)
            connection.sendall(sent)
            return connection

        yield begin


def everything(connection):
    received = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            received += part
    return received


def api():
    return create_app(in_memory(load({"STARLEDGER_RATE_LIMITS": "off"})))


def test_two_hundred_bodies_that_do_not_come_keep_nobody_from_an_answer(slow):
    with Served(api(), threads=8, bodies=intake.MOST) as served:
        for number in range(200):
            slow(served.port, (head(100) + b"{", LONG + b"{", CHUNKED + b"1\r\n{\r\n")[number % 3])
        for _ in range(20):
            with Connection(served.port, "/v1/games") as asked:
                asked.until()
                assert 200 == asked.status
            with Connection(
                served.port, "/v1/players", {"Content-Type": "application/json"}, "POST", PLAYER
            ) as registered:
                registered.until()
                assert 201 == registered.status


def test_where_more_bodies_are_on_their_way_than_there_may_be_the_slowest_of_the_greediest_address_goes(slow):
    with Served(reader, threads=4, bodies=8) as served:
        of_another = slow(served.port, head(2) + b"{", "127.0.0.2")
        greedy = [slow(served.port, head(2) + b"{") for _ in range(40)]
        with Connection(served.port, "/", {}, "POST", PLAYER) as asked:
            assert b"hello" == asked.until()
        of_another.sendall(b"}")
        assert b"hello" in of_another.recv(65536)
        wait_for(lambda: sum(b" 408 " in peeked(each) for each in greedy) >= 40 - 8)


def peeked(connection):
    connection.settimeout(0)
    try:
        return connection.recv(65536, socket.MSG_PEEK)
    except BlockingIOError:
        return b""
    finally:
        connection.settimeout(30)


@pytest.mark.parametrize(
    "sent",
    [head(100) + b"{", LONG + b"{", CHUNKED + b"1\r\n{\r\n"],
    ids=["short", "long", "chunked"],
)
def test_a_body_that_takes_too_long_is_408_and_its_connection_is_closed(monkeypatch, slow, sent):
    monkeypatch.setattr(intake, "SECONDS", 0.3)
    with Served(api()) as served:
        first, _, body = everything(slow(served.port, sent)).partition(b"\r\n\r\n")
        assert first.startswith(b"HTTP/1.1 408 ")
        assert b"application/problem+json" in first
        problem = json.loads(body)
        assert ("body_too_slow", 408, True) == (problem["code"], problem["status"], problem["retryable"])
        with Connection(served.port, "/problems/body_too_slow") as page:
            assert b"15 seconds" in page.until()


def test_a_body_that_trickles_in_has_an_end_too(monkeypatch, slow):
    monkeypatch.setattr(intake, "SECONDS", 0.5)
    with Served(api()) as served:
        connection = slow(served.port, head(10_000) + b"{")
        sent = 0
        with contextlib.suppress(ConnectionError):
            while not peeked(connection) and sent < 3000:
                connection.sendall(b" ")
                sent += 1
                time.sleep(0.01)
        assert 0 < sent < 3000


def test_a_body_that_keeps_coming_has_all_the_time_that_it_needs():
    now = time.monotonic()

    class Link:
        def read(self, size):
            return bytes(size)

    incoming = Incoming("a", print)
    assert bytes(640 * 1024) == incoming.take(Link(), 640 * 1024)
    assert incoming.until - now >= intake.SECONDS + 10


def test_a_body_is_read_in_pieces_without_a_loss():
    pieces = [b"a" * 65536, b"b" * 65536, b"c" * 10]
    for size, expected in ((-1, b"".join(pieces)), (131_082, b"".join(pieces)), (65_536, pieces[0])):
        left = list(pieces)

        class Link:
            def read(self, _size):
                return left.pop(0) if left else b""  # noqa: B023 - read at once

        assert expected == Incoming("a", print).take(Link(), size)


def test_a_stop_waits_for_no_body_that_does_not_come(slow):
    others = set(threading.enumerate())  # where bodies of other servers may still be waited for
    with Served(reader, stop_s=2.0) as served:
        connection = slow(served.port, head(100) + b"{")
        wait_for(lambda: any(thread.name == "bodies" for thread in set(threading.enumerate()) - others))
        served.server.stop()
        served.thread.join(30)
        assert served.server.is_clean
        assert b" 408 " in everything(connection)


def test_an_intake_knows_how_many_wait():
    given_up = []

    def incoming(name):
        return Incoming(name, lambda why: given_up.append((name, why)))

    bodies = Intake(2)
    first, second, third = map(incoming, "aab")
    second.since += 1
    with bodies.waiting(first), bodies.waiting(second), bodies.waiting(third):
        assert ["a"] == [name for name, _ in given_up]
        assert (True, False, False) == tuple(each.is_given_up for each in (first, second, third))
    with bodies.waiting(first), bodies.waiting(second):
        assert 1 == len(given_up)
    bodies.hurry(0)
