"""Requests to addresses that players name: never to this machine, its network, or where a name leads back to them.

A name is resolved once, each address that it has is checked, and the connection goes to a checked one: a name that is
resolved anew in between, or a redirect, leads nowhere else.
"""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

from service.application.webhooks import Sent

TIMEOUT_S: Final = 5.0
"""For connecting, and for each wait for bytes."""
WHOLE_S: Final = 15.0
"""For all of it."""
_MOST_URL: Final = 2000
_MOST_READ: Final = 4096
_MOST_NAME: Final = 253
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_MORE_THAT_IS_NOT_PUBLIC: Final = tuple(
    map(ipaddress.ip_network, ("fec0::/10", "3fff::/20", "192.88.99.0/24"))  # RFC 3879, RFC 9637, RFC 7526
)
"""Local sites, documentation, and the old relays of 6to4, which Python 3.11 takes for public."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Outgoing:
    """Sends to `http` and `https` addresses; `is_private_allowed` for tests only."""

    def __init__(self, *, is_private_allowed: bool = False, whole_s: float = WHOLE_S) -> None:
        self._is_private_allowed = is_private_allowed
        self._whole_s = whole_s
        self._tls = ssl.create_default_context()

    def check(self, url: str) -> str | None:
        """Tell why nothing may be sent to an address; None: it may, as far as can be seen now."""
        try:
            parts = _split(url)
        except ValueError as wrong:
            return str(wrong)
        if self._is_private_allowed:
            return None
        try:
            addresses = _resolved(parts)
        except OSError:
            return None  # a name that does not resolve now is a failure of each attempt, which the log shows
        return None if any(map(is_public, addresses)) else "Must not lead to a private, local or reserved address."

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Sent:
        """Send a body; whatever goes wrong is told in words."""
        at_ms, began = time.time_ns() // 1_000_000, time.monotonic()
        status: int | None = None
        error: str | None = None
        try:
            status = self._post(_split(url), headers, body)
            if 300 <= status < 400:  # noqa: PLR2004 - redirections
                error = "Redirects are not followed."
        except TimeoutError:
            error = "No answer in time."
        except ssl.SSLError as failed:
            error = f"TLS failed: {failed.reason or 'the certificate is not good'}."
        except socket.gaierror:
            error = "The name does not resolve."
        except OSError as failed:
            error = f"The connection failed: {failed.strerror or 'it was closed'}."
        except (ValueError, http.client.HTTPException) as failed:
            error = str(failed) or "The answer is not HTTP."
        return Sent(at_ms=at_ms, took_ms=round((time.monotonic() - began) * 1000), status=status, error=error)

    def _post(self, parts: SplitResult, headers: Mapping[str, str], body: bytes) -> int:
        host, port = _place(parts)
        allowed = [each for each in _resolved(parts) if self._is_private_allowed or is_public(each)]
        if not allowed:
            raise ValueError("The address is private, local or reserved; nothing was sent.")
        wired = socket.create_connection((str(allowed[0]), port), timeout=TIMEOUT_S)
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            with contextlib.suppress(OSError):
                socket.socket.shutdown(wired, socket.SHUT_RDWR)  # whatever waits for bytes wakes up

        watchdog = threading.Timer(self._whole_s, end)
        watchdog.daemon = True
        watchdog.start()
        try:
            if parts.scheme == "https":
                wired = self._tls.wrap_socket(wired, server_hostname=host, do_handshake_on_connect=False)
                wired.do_handshake()
            connection = http.client.HTTPConnection(host, port)
            connection.sock = wired
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, body, {**headers, "Host": parts.netloc, "Connection": "close"})
            answer = connection.getresponse()
            answer.read(_MOST_READ)
        except (OSError, http.client.HTTPException):
            if is_late.is_set():
                raise TimeoutError from None
            raise
        else:
            return answer.status
        finally:
            watchdog.cancel()
            wired.close()


def is_public(address: Address) -> bool:
    """Tell whether an address is one of the open Internet, also where it wraps one of IPv4."""
    if isinstance(address, ipaddress.IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            wrapped = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if wrapped is not None:
            return is_public(wrapped)
        if address.teredo is not None:
            return False
    if any(address in network for network in _MORE_THAT_IS_NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _split(url: str) -> SplitResult:
    """Take an address apart; raises `ValueError` with what it must be."""
    if len(url) > _MOST_URL or not url.isascii() or any(c <= " " or c in "\x7f\\" for c in url):
        raise ValueError(f"Must be an address of at most {_MOST_URL} ASCII characters without spaces.")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or len(parts.hostname) > _MOST_NAME:
        raise ValueError("Must be an http or https address with a host.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise ValueError("Must hold no user, password or fragment.")
    if parts.port == 0:
        raise ValueError("Must have a port from 1 to 65535.")
    return parts


def _place(parts: SplitResult) -> tuple[str, int]:
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _resolved(parts: SplitResult) -> list[Address]:
    """Resolve a host to all of its addresses; raises `OSError`."""
    host, port = _place(parts)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as wrong:
        raise socket.gaierror(socket.EAI_NONAME, "no such name") from wrong
    return list(dict.fromkeys(ipaddress.ip_address(str(place[0]).partition("%")[0]) for *_, place in found))
