"""The buckets of rate limits: on the queue's server, which all processes share and which may forget them, and in memory.

Why no library counts here (looked at in November 2026). A request may not cost a round trip, least of all a move: a process
takes a share of a bucket at once, all or what is left of it, and is told what remains, in one script
(bench/limits.py: a round trip for each request is the dearest part of counting). None of them gives a part of what is
asked for; in one round trip, with the server's clock, for a flow with a burst, they give:

- limits 5.8 (and flask-limiter over it): windows only, no bucket with a burst; what remains is a second request.
- pyrate-limiter 4.5: GCRA in a script, but by each process's own clock, an object for each caller, and nothing of what
  remains. Its window keeps an entry for each request.
- throttled-py 3.5: GCRA in a script with what remains, but for redis-py below 8; its token bucket counts whole seconds.
- redis-cell and GCRA inside Redis: a module, or a server, that Valkey and the embedded one have not.
"""

import hashlib
import threading
import time
from collections.abc import Callable
from importlib import resources
from typing import Any, Final

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.application.limiting import Flow, Taken
from service.application.ports import Damaged, Unavailable
from service.store.errors import foreign_errors

TIMEOUT_S: Final = 0.1
"""A server that does not count so fast is not waited for."""
REST_S: Final = 1.0
"""It is then left alone for so long, so that it slows one request in a second and not each."""
_MOST: Final = 50_000

_SOURCE: Final = resources.files(__package__).joinpath("take.lua").read_bytes()
_SHA: Final = hashlib.sha1(_SOURCE, usedforsecurity=False).hexdigest()


def open_limits_client(url: str) -> redis.Redis:
    """Give a client that gives up at once; it connects at its first command."""
    return redis.Redis.from_url(
        url,
        socket_timeout=TIMEOUT_S,
        socket_connect_timeout=TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
        client_name="starledger-limits",
    )


class RedisBuckets:
    """`Buckets` on Redis or Valkey: one round trip and one string for each bucket that is not full."""

    def __init__(self, client: redis.Redis, now: Callable[[], float] = time.monotonic) -> None:
        self._command: Callable[..., Any] = client.execute_command
        self._now = now
        self._rests_until = float("-inf")

    def take(self, key: str, flow: Flow, count: int) -> Taken:
        """Take up to `count`; raises `Unavailable`, at once while the server rests after a failure."""
        if self._now() < self._rests_until:
            raise Unavailable("the server that counts requests rests after a failure")
        each_us = max(1, int(1_000_000 / flow.per_second))
        try:
            with foreign_errors():
                taken, left_us = self._call(f"limit:{key}", each_us, flow.burst, count)
        except (Unavailable, Damaged) as silent:
            self._rests_until = self._now() + REST_S
            raise Unavailable(f"requests can't be counted: {silent}") from silent
        return Taken(count=int(taken), left=int(left_us) / each_us)

    def _call(self, *arguments: Any) -> Any:
        try:
            return self._command("EVALSHA", _SHA, 1, *arguments)
        except redis.exceptions.NoScriptError:
            return self._command("EVAL", _SOURCE, 1, *arguments)


class MemoryBuckets:
    """`Buckets` of this process alone."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._full: dict[str, float] = {}

    def take(self, key: str, flow: Flow, count: int) -> Taken:
        """Take up to `count`."""
        now, each, room = self._now(), 1 / flow.per_second, flow.burst / flow.per_second
        with self._lock:
            full = min(max(self._full.get(key, now), now), now + room)
            taken = min(count, int((room - (full - now)) / each + 1e-6))
            if taken:
                if len(self._full) >= _MOST:
                    self._full = {other: until for other, until in self._full.items() if until > now}
                self._full[key] = full = full + taken * each
        return Taken(count=taken, left=max(0.0, (room - (full - now)) / each))
