"""The socket that the API listens on: one owner, and no connection that holds its thread for ever."""

import contextlib
import os
import socket
import stat
from pathlib import Path
from typing import Final

BACKLOG: Final = 1024
"""Connections that may wait to be accepted; the kernel may allow fewer (`net.core.somaxconn`)."""
DEAD_S: Final = 30
"""Who takes nothing for so long is gone: without that, a reader that stopped reading would keep its thread."""
_PROBES: Final = 3


class CantListen(Exception):
    """The address can't be listened on; the message says why and what to do."""


def listen(host: str, port: int) -> socket.socket:
    """Listen on TCP; port 0: any free one. Raises `CantListen`.

    Nobody else can listen on the port at the same time (no SO_REUSEPORT): two servers would share its requests.
    """
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(place[:2], family=family, backlog=BACKLOG)
    except OSError as failed:
        raise CantListen(
            f"The address {host}:{port} can't be served on: {failed.strerror or failed}. Is Starledger running there "
            "already? Stop it, or set STARLEDGER_PORT to another port."
        ) from failed
    # What is set here, the connections inherit.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", DEAD_S),
        ("TCP_KEEPINTVL", DEAD_S // _PROBES),
        ("TCP_KEEPCNT", _PROBES),
        ("TCP_USER_TIMEOUT", DEAD_S * 1000),
    ):
        if (option := getattr(socket, name, None)) is not None:
            with contextlib.suppress(OSError):
                listener.setsockopt(socket.IPPROTO_TCP, option, value)
    listener.settimeout(0)
    return listener


def listen_unix(path: Path) -> socket.socket:
    """Listen on a socket file that only this user may use; one that nobody listens on is replaced.

    Raises `CantListen`.
    """
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o077)
    try:
        if path.exists() and stat.S_ISSOCK(path.stat().st_mode) and not _is_served(path):
            path.unlink()
        listener.bind(str(path))
        listener.listen(BACKLOG)
    except OSError as failed:
        listener.close()
        raise CantListen(f"The socket {path} can't be served on: {failed.strerror or failed}.") from failed
    finally:
        os.umask(before)
    listener.settimeout(0)
    return listener


def _is_served(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.connect(str(path))
        except ConnectionRefusedError:
            return False
    return True
