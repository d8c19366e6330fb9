"""The socket that the API listens on: one owner, and no connection that holds its thread for ever."""

import contextlib
import socket
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
