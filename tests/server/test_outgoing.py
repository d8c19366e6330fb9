"""Requests that go out: never to private addresses, whatever leads there; bounded in time and size."""

import socket
import threading
import time
from ipaddress import ip_address
from typing import Self

import pytest

from service.outgoing import Outgoing, is_public


class Address:
    """A server of one answer, on this machine; `heard` is what it was sent."""

    def __init__(self, answer: bytes, drip_s: float = 0.0) -> None:
        self.heard = b""
        self._answer = answer
        self._drip_s = drip_s
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.calls = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.calls += 1
            with connection:
                while received := connection.recv(65536):
                    self.heard += received
                    if self.heard.endswith(b"{}") or self.heard.startswith(b"\x16"):  # all of it, or TLS
                        break
                try:
                    for byte in self._answer if self._drip_s else ():
                        connection.sendall(bytes([byte]))
                        time.sleep(self._drip_s)
                    if not self._drip_s:
                        connection.sendall(self._answer)
                except OSError:
                    continue

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()


def answer(status: str, *lines: str, body: bytes = b"") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *lines, "", ""]).encode() + body


@pytest.fixture
def trusting() -> Outgoing:
    return Outgoing(is_private_allowed=True, whole_s=1.0)


def test_a_body_is_posted_with_its_headers(trusting):
    with Address(answer("204 No Content")) as address:
        sent = trusting.post(f"http://127.0.0.1:{address.port}/a?b=c", {"webhook-id": "m"}, b"{}")

    assert (204, None, True) == (sent.status, sent.error, sent.is_good)
    assert address.heard.startswith(b"POST /a?b=c HTTP/1.1\r\n")
    assert b"webhook-id: m\r\n" in address.heard
    assert f"Host: 127.0.0.1:{address.port}\r\n".encode() in address.heard
    assert address.heard.endswith(b"\r\n\r\n{}")


def test_a_redirect_is_not_followed(trusting):
    with Address(answer("200 OK")) as target:
        where = f"Location: http://127.0.0.1:{target.port}/"
        with Address(answer("302 Found", where)) as address:
            sent = trusting.post(f"http://127.0.0.1:{address.port}/", {}, b"{}")

    assert (302, "Redirects are not followed.", False) == (sent.status, sent.error, sent.is_good)
    assert 0 == target.calls


def test_an_answer_that_drips_is_ended_in_time(trusting):
    with Address(answer("200 OK", body=b"x" * 1000), drip_s=0.2) as address:
        began = time.monotonic()
        sent = trusting.post(f"http://127.0.0.1:{address.port}/", {}, b"{}")

    assert (None, "No answer in time.") == (sent.status, sent.error)
    assert time.monotonic() - began < 10


def test_a_large_answer_is_not_read_to_its_end(trusting):
    with Address(answer("200 OK", body=b"x" * 50_000_000)) as address:
        assert 200 == trusting.post(f"http://127.0.0.1:{address.port}/", {}, b"{}").status


@pytest.mark.parametrize(
    ("reply", "error"), [(b"", "closed"), (b"SSH-2.0-x\r\n\r\n", "SSH"), (b"HTTP/1.1 abc\r\n\r\n", "abc")]
)
def test_what_is_no_answer_is_a_failure_in_words(trusting, reply, error):
    with Address(reply) as address:
        sent = trusting.post(f"http://127.0.0.1:{address.port}/", {}, b"{}")

    assert sent.status is None
    assert error in (sent.error or "")


def test_a_plain_server_is_no_tls_server(trusting):
    with Address(answer("200 OK")) as address:
        assert "TLS failed" in (trusting.post(f"https://127.0.0.1:{address.port}/", {}, b"{}").error or "")


def test_nobody_listens(trusting):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert "refused" in (trusting.post(f"http://127.0.0.1:{port}/", {}, b"{}").error or "")


PRIVATE = [
    "127.0.0.1",
    "127.9.9.9",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104 - an address to refuse
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2001:0:53aa:64c::1",
    "2001:db8::1",
    "fec0::1",
    "feff::1",
    "3fff::1",
    "3fff:fff:ffff::1",
    "192.88.99.1",
    "2002:c058:6301::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_local_and_reserved_addresses_are_not_public_however_they_are_written(address):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8", "192.88.98.1"]
)
def test_the_open_internet_is_public(address):
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "2130706433", "0x7f.1", "017700000001", "127.1"]
)
def test_a_private_address_is_refused_however_it_is_spelled(host):
    outgoing = Outgoing()
    with Address(answer("200 OK")) as address:
        url = f"http://{host}:{address.port}/"
        refused = outgoing.check(url)
        sent = outgoing.post(url, {}, b"{}")

    assert refused is None or "private" in refused  # a spelling that this system does not resolve is none
    assert sent.status is None
    assert 0 == address.calls


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "https:///x",
        "//example.com",
        "https://user:pass@example.com/",
        "https://user@example.com/",
        "https://example.com/#part",
        "https://example.com/ x",
        "https://example.com/\r\nX: y",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://[::1/",
        "https://exämple.com/",
        "http://example.com\\@127.0.0.1/",
        "x" * 3000,
    ],
)
def test_what_is_no_address_to_send_to_is_refused(url):
    assert Outgoing(is_private_allowed=True).check(url)
    assert None is Outgoing(is_private_allowed=True).post(url, {}, b"{}").status


def resolving_to(monkeypatch, *answers: str) -> list[str]:
    """Let the name rebind.test resolve to one address after the other."""
    left = list(answers)

    def resolve(host, port, *_, **__):
        address = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return left


def test_a_name_that_leads_to_a_private_address_is_refused_when_it_is_given(monkeypatch):
    resolving_to(monkeypatch, "10.1.2.3")

    assert "private" in (Outgoing().check("https://rebind.test/") or "")


def test_a_name_that_is_bound_anew_between_check_and_sending_leads_nowhere(monkeypatch):
    with Address(answer("200 OK")) as address:
        resolving_to(monkeypatch, "93.184.216.34", "127.0.0.1")
        outgoing = Outgoing()
        url = f"http://rebind.test:{address.port}/"
        assert outgoing.check(url) is None
        sent = outgoing.post(url, {}, b"{}")

    assert "nothing was sent" in (sent.error or "")
    assert 0 == address.calls


def test_the_connection_goes_to_the_address_that_was_checked_and_resolves_no_second_time(monkeypatch):
    connected = []
    asked = resolving_to(monkeypatch, "93.184.216.34", "127.0.0.1")

    def connect(place, timeout):
        connected.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    Outgoing().post("http://rebind.test/", {}, b"{}")

    assert [("93.184.216.34", 80)] == connected
    assert ["127.0.0.1"] == asked
