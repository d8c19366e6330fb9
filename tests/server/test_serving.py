"""The HTTP server in this process: its socket, and what becomes of requests when it stops."""

import socket
import threading
import time

import pytest

from service.api import listening, server
from service.api.at_hand import AT_HAND, AtHand
from service.api.listening import CantListen, listen
from service.api.server import Server
from tests.support.wire import Connection


class Served:
    """A WSGI application served in this process until the end of the block."""

    def __init__(self, app, listener=None, threads=8, stop_s=5.0, stopping=lambda: None, bodies=16):
        listener = listener or listen("127.0.0.1", 0)
        self.port = listener.getsockname()[1]
        self.server = Server(app, listener, threads, stopping, stop_s, bodies)
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.stop()
        self.thread.join()


def hello(_environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"hello"]


class Held:
    """An application whose answer waits for `release`."""

    def __init__(self):
        self.arrived = threading.Semaphore(0)
        self.release = threading.Event()

    def __call__(self, environ, start_response):
        self.arrived.release()
        self.release.wait(20)
        return hello(environ, start_response)


def test_a_request_at_hand_is_answered_before_the_server_ends():
    held = Held()
    with Served(held) as served, Connection(served.port, "/") as asked:
        assert held.arrived.acquire(timeout=10)
        served.server.stop()
        assert served.thread.is_alive()
        held.release.set()

        assert b"hello" == asked.until()
        served.thread.join(10)
        assert not served.thread.is_alive()
        assert served.server.is_clean


def test_idle_connections_do_not_hold_a_stop_back():
    with Served(hello) as served, Connection(served.port, "/") as asked:
        assert b"hello" == asked.until()
        began = time.monotonic()
        served.server.stop()
        served.thread.join(10)

        assert time.monotonic() - began < 2
        assert b"" == asked.socket.recv(1)


def test_what_does_not_end_in_time_is_left_and_said():
    with Served(hello, stop_s=0.2) as served, socket.create_connection(("127.0.0.1", served.port)) as half:
        half.sendall(b"GET / HT")
        with Connection(served.port, "/") as asked:
            asked.until()
        served.server.stop()
        served.thread.join(10)

        assert not served.thread.is_alive()
        assert not served.server.is_clean


def test_stopping_is_called_before_anything_is_closed():
    held = Held()
    called = []

    def stopping():
        called.append(held.release.is_set())
        held.release.set()

    with Served(held, stopping=stopping) as served, Connection(served.port, "/") as asked:
        assert held.arrived.acquire(timeout=10)
        served.server.stop()

        assert b"hello" == asked.until()
    assert [False] == called


def test_so_many_requests_run_at_once_as_there_are_threads():
    held = Held()
    with Served(held, threads=3) as served:
        asked = [Connection(served.port, "/") for _ in range(5)]
        for _ in range(3):
            assert held.arrived.acquire(timeout=10)
        assert not held.arrived.acquire(timeout=0.2)
        held.release.set()

        assert [b"hello"] * 5 == [each.until() for each in asked]
        for each in asked:
            each.socket.close()


def test_no_more_requests_are_worked_on_at_once_than_one_core_can(monkeypatch):
    monkeypatch.setattr(server, "AT_ONCE", 2)
    held = Held()
    with Served(held, threads=10) as served:
        asked = [Connection(served.port, "/") for _ in range(5)]
        for _ in range(2):
            assert held.arrived.acquire(timeout=10)
        assert not held.arrived.acquire(timeout=0.2)
        held.release.set()

        assert [b"hello"] * 5 == [each.until() for each in asked]
        for each in asked:
            each.socket.close()


def test_who_only_waits_leaves_his_place_to_others():
    waiting, others = threading.Event(), threading.Event()

    def app(environ, start_response):
        if environ["PATH_INFO"] == "/waits":
            with environ[AT_HAND].aside():
                waiting.set()
                others.wait(20)
        return hello(environ, start_response)

    at_hand = AtHand(app, 1)
    with Served(at_hand) as served, Connection(served.port, "/waits") as first:
        assert waiting.wait(10)
        with Connection(served.port, "/") as second:
            assert b"hello" == second.until()
        others.set()
        assert b"hello" == first.until()


def post(body, length, more=""):
    return f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n{more}\r\n".encode() + body


def reader(environ, start_response):
    environ["wsgi.input"].read()
    return hello(environ, start_response)


@pytest.mark.parametrize(
    ("request_", "goes_on"),
    [
        (post(b"x" * 60_000, 60_000), True),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", True),
        (post(b"x" * 70_000, 70_000), False),
    ],
    ids=["short", "chunked", "long"],
)
def test_an_answer_to_a_body_that_nobody_read_leaves_the_connection_open_or_says_that_it_closes(request_, goes_on):
    asks_again = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with Served(hello) as served:
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", served.port), timeout=10) as asked:
                asked.sendall(request_)
                first = asked.recv(65536)
                assert goes_on == (b"connection: close" not in first.lower())
                if goes_on:
                    asked.sendall(asks_again)
                    assert b"hello" in asked.recv(65536)


def test_a_stop_waits_for_requests_whose_clients_have_gone():
    held = Held()
    ended = []

    def app(environ, start_response):
        answer = held(environ, start_response)
        ended.append(True)
        return answer

    with Served(app, stop_s=30.0) as served:
        for _ in range(3):
            Connection(served.port, "/").socket.close()
        for _ in range(3):
            assert held.arrived.acquire(timeout=30)
        served.server.stop()
        held.release.set()
        served.thread.join(60)

        assert [True] * 3 == ended
        assert served.server.is_clean


def test_a_client_who_takes_nothing_is_dropped(monkeypatch):
    monkeypatch.setattr(listening, "DEAD_S", 1)
    closed = threading.Event()

    class Endless:
        def __iter__(self):
            return self

        def __next__(self):
            return bytes(65536)

        def close(self):
            closed.set()

    def app(_environ, start_response):
        start_response("200 OK", [])
        return Endless()

    with Served(app) as served, Connection(served.port, "/") as asked:
        asked.socket.recv(1)

        assert closed.wait(15)


def test_a_port_has_one_owner():
    with Served(hello) as served, pytest.raises(CantListen, match=f"127.0.0.1:{served.port}.*STARLEDGER_PORT"):
        listen("127.0.0.1", served.port)


def test_a_port_is_free_again_at_once():
    with Served(hello) as served, Connection(served.port, "/") as asked:
        asked.until()
    with Served(hello, listen("127.0.0.1", served.port)) as again, Connection(again.port, "/") as asked:
        assert b"hello" == asked.until()


def test_many_connections_are_served():
    with Served(hello, threads=4) as served:
        asked = [Connection(served.port, "/") for _ in range(300)]
        assert [b"hello"] * 300 == [each.until() for each in asked]
        for each in asked:
            each.socket.close()
