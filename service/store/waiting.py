"""Waiting for new entries of many streams at once, in a way that another thread can end."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final

import redis

from service.store.errors import foreign_errors

_SLICE_MS: Final = 2000
"""One XREAD blocks no longer, and never longer than half of redis-py's socket timeout, which would end it."""
_AGAIN_S: Final = 0.001


class Waiter:
    """XREAD BLOCK over many streams; `wake` ends the waits that have begun, or else the next one."""

    def __init__(self, client: redis.Redis) -> None:
        self._command: Callable[..., Any] = client.execute_command
        self._pool = client.connection_pool
        timeout_s = self._pool.connection_kwargs.get("socket_timeout")
        self._slice_ms = min(_SLICE_MS, int(timeout_s * 500)) if timeout_s else _SLICE_MS
        self._changed = threading.Condition()
        self._blocked: dict[object, int] = {}
        self._ended: set[object] = set()
        self._next_ends = False

    def wait(self, streams: dict[str, int], timeout_ms: int) -> dict[bytes, list[Any]]:
        """Give the new rows of those streams that have any; empty after the time given or `wake`."""
        end = time.monotonic() + timeout_ms / 1000
        if not streams:
            with self._changed:
                self._changed.wait_for(self._take_early_wake, timeout_ms / 1000)
            return {}
        behind = _packed(streams)
        with foreign_errors():
            connection: Any = self._pool.get_connection()
            ticket = object()
            try:
                connection.send_command("CLIENT", "ID")
                client_id = connection.read_response()
                with self._changed:
                    if self._take_early_wake():
                        return {}
                    self._blocked[ticket] = client_id
                while True:
                    left_ms = max(1, min(self._slice_ms, int((end - time.monotonic()) * 1000)))
                    connection.send_packed_command([_head(left_ms, len(streams)), behind])
                    found = connection.read_response()
                    if found or ticket in self._ended or time.monotonic() >= end:
                        return dict(found or ())  # a map or pairs, by protocol
            except BaseException:
                connection.disconnect()
                raise
            finally:
                with self._changed:
                    self._blocked.pop(ticket, None)
                    self._ended.discard(ticket)
                self._pool.release(connection)

    def wake(self) -> None:
        """End all waits that have begun, or the next where none has.

        A wait may be between two commands, where the server can't unblock it: it is asked again until it has
        ended, which takes two round trips at most.
        """
        with self._changed:
            tickets = dict(self._blocked)
            self._ended.update(tickets)
            self._next_ends = not tickets
            self._changed.notify_all()
        with foreign_errors():
            while tickets := {ticket: at for ticket, at in tickets.items() if not self._is_over(ticket, at)}:
                time.sleep(_AGAIN_S)

    def _is_over(self, ticket: object, client_id: int) -> bool:
        with self._changed:
            if ticket not in self._blocked:
                return True
        return bool(self._command("CLIENT", "UNBLOCK", client_id))

    def _take_early_wake(self) -> bool:
        early, self._next_ends = self._next_ends, False
        return early


def _head(block_ms: int, streams: int) -> bytes:
    """Give the beginning of XREAD as it goes over the wire."""
    return b"*%d\r\n" % (4 + 2 * streams) + b"".join(map(_argument, (b"XREAD", b"BLOCK", b"%d" % block_ms)))


def _packed(streams: dict[str, int]) -> bytes:
    """Give the rest of it: redis-py takes several times as long to write a thousand streams."""
    names = [_argument(name.encode()) for name in streams]
    ids = [_argument(b"%d-0" % version) for version in streams.values()]
    return b"".join([_argument(b"STREAMS"), *names, *ids])


def _argument(text: bytes) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(text), text)
