"""Boot hygiene: after every restart of the server its append-only file is rewritten before the first commit.

A file that was torn inside a script's MULTI block can otherwise bring a dead event back at the second restart,
even with `appendfsync always`. A rewrite starts from memory and leaves nothing of the torn block.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import redis

from service.application.ports import Unavailable

DONE: Final = b"done"
_CLAIM_MS: Final = 30_000
"""How long the one who started a rewrite is left alone with it; then another may start it again."""
_KEEP_S: Final = 90 * 24 * 3600
_POLL_S: Final = 0.01
WAIT_S: Final = 5.0


class Boot(Protocol):
    """Lets scripts into a server."""

    def admit(self, sources: Sequence[bytes]) -> None:
        """Load scripts into the server, once it is safe to commit there; raises `Unavailable` until then."""
        ...


class NoHygiene:
    """For servers without an append-only file that must last (fakeredis): scripts are let in at once."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def admit(self, sources: Sequence[bytes]) -> None:
        """Load scripts."""
        for source in sources:
            self._client.script_load(source.decode())


class Hygiene:
    """Rewrites the append-only file once for each run of the server, whoever comes first.

    All steps go over one connection that is never reconnected: if the server restarts in between, the connection
    breaks, and no script gets into a server that was not made safe. `wait_s`: how long a caller waits for the
    rewrite before it is told to try again.
    """

    def __init__(self, client: redis.Redis, wait_s: float = WAIT_S) -> None:
        self._pool = client.connection_pool
        self._wait_s = wait_s
        self._name = secrets.token_hex(8)

    def admit(self, sources: Sequence[bytes]) -> None:
        """Load scripts after the rewrite; raises `Unavailable` while it runs, and redis-py's own errors."""
        connection: Any = self._pool.get_connection()
        try:
            ask = _asker(connection)
            key = f"boot:{_info(ask, 'server')['run_id']}"
            if ask("GET", key) != DONE:
                self._rewrite(ask, key)
            for source in sources:
                ask("SCRIPT", "LOAD", source)
        except BaseException:
            connection.disconnect()
            raise
        finally:
            self._pool.release(connection)

    def _rewrite(self, ask: Callable[..., Any], key: str) -> None:
        end = time.monotonic() + self._wait_s
        while True:
            facts = _info(ask, "persistence")
            if facts["aof_enabled"] == "0":
                return  # nothing is kept, so nothing can come back
            if facts["aof_rewrite_in_progress"] == "0" and facts["aof_rewrite_scheduled"] == "0":
                if int(facts["aof_rewrites"]) > 0 and facts["aof_last_bgrewrite_status"] == "ok":
                    ask("SET", key, DONE, "EX", _KEEP_S)
                    return
                if ask("SET", key, self._name, "NX", "PX", _CLAIM_MS):
                    _start(ask)
            if time.monotonic() > end:
                raise Unavailable(_why_not(facts))
            time.sleep(_POLL_S)


def _why_not(facts: dict[str, str]) -> str:
    if facts["aof_last_bgrewrite_status"] != "ok":
        return "the store was restarted, and the rewrite of its append-only file has failed: see the server's log"
    return "the store was restarted and is being made safe: no commits until that is done"


def _start(ask: Callable[..., Any]) -> None:
    try:
        ask("BGREWRITEAOF")
    except redis.ResponseError as error:
        if "in progress" not in str(error):  # somebody else's rewrite is as good
            raise


def _asker(connection: Any) -> Callable[..., Any]:
    def ask(*command: Any) -> Any:
        connection.send_command(*command)
        return connection.read_response()

    return ask


def _info(ask: Callable[..., Any], section: str) -> dict[str, str]:
    reply = ask("INFO", section)
    text = reply.decode() if isinstance(reply, bytes) else str(reply)
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
