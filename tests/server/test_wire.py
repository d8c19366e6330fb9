"""Requests as they may stand on the wire, which a client library would not send: each has an answer of the contract."""

import json
import socket

import pytest

from service.api.app import create_app
from service.api.body import MOST_BYTES
from service.bootstrap import in_memory
from service.config import load
from service.web import web_page
from tests.server.test_serving import Served

HOST = b"Host: x\r\n"
JSON = b"Content-Type: application/json\r\n"


@pytest.fixture(scope="module")
def port():
    services = in_memory(load({"STARLEDGER_RATE_LIMITS": "off"}))
    with Served(create_app(services, [web_page()])) as served:
        yield served.port


def ask(port, first, headers=HOST, body=b""):
    """Give the status, the headers by their names and the body of the answer to a request."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as asked:
        length = b"Content-Length: %d\r\n" % len(body) if body else b""
        asked.sendall(first + b"\r\n" + headers + length + b"Connection: close\r\n\r\n" + body)
        received = b""
        while part := asked.recv(65536):
            received += part
    head, _, rest = received.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    return int(status.split()[1]), {line.partition(": ")[0]: line.partition(": ")[2] for line in lines}, rest


@pytest.fixture(scope="module")
def ada(port):
    """The headers of a player, and a table where he sits."""
    _, _, made = ask(port, b"POST /v1/players HTTP/1.1", HOST + JSON, b'{"name": "Ada", "kind": "human"}')
    own = HOST + JSON + f"Authorization: Bearer {json.loads(made)['token']}\r\n".encode()
    wish = {"game": "beam-me-up", "seats": [{"kind": "me"}, {"kind": "open"}]}
    status, _, table = ask(port, b"POST /v1/tables HTTP/1.1", own, json.dumps(wish).encode())
    assert 201 == status
    return own, json.loads(table)["id"].encode()


@pytest.mark.parametrize(
    ("method", "path", "name", "status"),
    [
        (b"POST", b"/commands", b"Idempotency-Key", 400),
        (b"POST", b"/commands", b"If-Match", 400),
        (b"GET", b"", b"If-None-Match", 400),
    ],
)
def test_a_header_with_bytes_outside_ascii_is_refused_by_name(port, ada, method, path, name, status):
    own, table = ada
    headers = own + name + b": \xff\xfe\r\n"
    body = b'{"type": "resign"}' if method == b"POST" else b""
    given, _, problem = ask(port, b"%b /v1/tables/%b%b HTTP/1.1" % (method, table, path), headers, body)
    assert (status, "malformed_request") == (given, json.loads(problem)["code"])
    assert name.decode() in json.loads(problem)["detail"]


def test_a_token_with_bytes_outside_ascii_is_a_bad_one(port):
    for token in (b"Bearer \xff", b"", b"\xff"):
        status, headers, problem = ask(port, b"GET /v1/games HTTP/1.1", HOST + b"Authorization: " + token + b"\r\n")
        assert (401, "unauthenticated") == (status, json.loads(problem)["code"])
        assert "invalid_token" in headers["www-authenticate"]


def test_two_tokens_are_none(port, ada):
    token = ada[0].partition(b"Authorization")[2]
    assert 401 == ask(port, b"GET /v1/me HTTP/1.1", ada[0] + b"Authorization" + token)[0]


@pytest.mark.parametrize(
    "path", [b"//", b"//v1/games", b"/v1//games", b"/v1/games/", b"/v1/../v1/games", b"*", b"/%00"]
)
def test_an_address_that_is_only_like_one_is_404(port, path):
    status, headers, problem = ask(port, b"GET " + path + b" HTTP/1.1")
    assert (404, "application/problem+json") == (status, headers["content-type"])
    assert "not_found" == json.loads(problem)["code"]


@pytest.mark.parametrize(
    ("first", "headers"),
    [
        (b"GET http://x/v1/games HTTP/1.1", HOST),
        (b"GET http://x/v1/games HTTP/1.1", b""),
        (b"GET /v1/games HTTP/1.0", b""),
        (b"GET /v1/games? HTTP/1.1", HOST),
    ],
)
def test_other_ways_to_ask_for_the_same_get_the_same(port, first, headers):
    assert ask(port, b"GET /v1/games HTTP/1.1")[::2] == ask(port, first, headers)[::2]


@pytest.mark.parametrize("method", [b"PUT", b"PATCH", b"DELETE", b"TRACE", b"PROPFIND", b"NEVER-HEARD-OF"])
def test_a_method_that_an_address_does_not_have_is_405_with_those_that_it_has(port, method):
    status, headers, problem = ask(port, method + b" /v1/games HTTP/1.1")
    assert (405, "method_not_allowed") == (status, json.loads(problem)["code"])
    assert "GET, HEAD, OPTIONS" == headers["allow"]


@pytest.mark.parametrize(
    ("first", "headers", "status"),
    [
        (b"NOT A REQUEST", HOST, b"400"),
        (b"GET /v1/games HTTP/1.1", HOST + b"Content-Length: few\r\n", b"400"),
        (b"GET /%b HTTP/1.1" % (b"a" * 65_534), HOST, b"414"),
        (b"GET /v1/games HTTP/1.1", HOST + b"".join(b"X-%d: y\r\n" % n for n in range(100)), b"431"),
    ],
)
def test_what_is_no_request_is_answered_by_the_http_server_as_the_page_of_errors_says(port, first, headers, status):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as asked:
        asked.sendall(first + b"\r\n" + headers + b"\r\n")
        received = b""
        while part := asked.recv(65536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    assert (status, b"") == (head.split()[1], body)


def test_two_keys_of_one_request_are_refused(port, ada):
    own, table = ada
    keys = b"Idempotency-Key: one\r\nIdempotency-Key: other\r\n"
    status, _, problem = ask(port, b"POST /v1/tables/%b/commands HTTP/1.1" % table, own + keys, b'{"type": "resign"}')
    assert (400, "malformed_request") == (status, json.loads(problem)["code"])
    assert "must stand once" in json.loads(problem)["detail"]


def test_a_body_in_chunks_has_the_same_limit(port):
    for size, expected in ((MOST_BYTES, 201), (MOST_BYTES + 1, 413)):
        body = b'{"name": "Ada"}'.ljust(size)
        chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:9], body[9:])) + b"0\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=30) as asked:
            asked.sendall(
                b"POST /v1/players HTTP/1.1\r\n"
                + HOST
                + JSON
                + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            )
            asked.sendall(chunks)
            assert b"HTTP/1.1 %d" % expected == asked.recv(12)


def test_no_variable_of_the_process_looks_like_a_header(port, monkeypatch):
    monkeypatch.setenv("HTTP_AUTHORIZATION", "Bearer nobody")
    monkeypatch.setenv("HTTP_ACCEPT", "text/never")
    with Served(create_app(in_memory(load({"STARLEDGER_RATE_LIMITS": "off"})))) as served:
        assert 200 == ask(served.port, b"GET /v1/games HTTP/1.1")[0]
    assert 200 == ask(port, b"GET /v1/games HTTP/1.1")[0]
