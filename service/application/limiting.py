"""Rate limits: buckets that tokens flow into, one for each kind of request and each caller.

The buckets stand in a server that all processes share. A process takes a small share of a large bucket at once and
spends it by itself, so that most requests cost no round trip; what it has not spent after a second is forfeit.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from domain.values import Value
from service.application.ports import Unavailable

SHARES: Final = 50
"""A bucket is spent in at least so many shares; one with less room is spent request by request."""
FLOW_SHARE: Final = 5
"""A share is never more than what flows in within this part of a second: forfeit shares can't drain a bucket."""
HELD_S: Final = 1.0
_MOST_HELD: Final = 20_000
_EPSILON: Final = 1e-6
"""What the rounding of a float may take from a whole request."""


class Flow(Value, frozen=True):
    """A bucket: `per_second` requests flow in, `burst` fit."""

    per_second: float
    burst: int

    @property
    def share(self) -> int:
        """How many requests a process takes at once."""
        return max(1, min(self.burst // SHARES, int(self.per_second // FLOW_SHARE)))


CODES: Final = "codes"
CODE_TRIES: Final = Flow(per_second=1 / 360, burst=10)
"""How often one player may try an entry code at one tournament: ten times at once, then ten times an hour."""


class Taken(Value, frozen=True):
    """What a bucket gave: `count` of the requests asked for, and how many are left, to the fraction."""

    count: int
    left: float


class Standing(Value, frozen=True):
    """Where a caller stands: whether this request fits, how many more do, and in how many seconds one flows in."""

    bucket: str
    flow: Flow
    is_allowed: bool
    left: int
    wait_s: int


class Buckets(Protocol):
    """Buckets by key; an unknown one is full."""

    def take(self, key: str, flow: Flow, count: int) -> Taken:
        """Take up to `count`, all or less; raises `Unavailable`."""
        ...


class _Held:
    """What this process holds of a bucket until `until`: requests to spend, or (`count` 0) the word that it is empty."""

    __slots__ = ("count", "left", "seen", "until")

    def __init__(self, count: int, left: float, seen: float, until: float) -> None:
        self.count = count
        self.left = left
        self.seen = seen
        self.until = until


class Limiter:
    """Counts requests. `buckets` are shared by all processes; while they are away, `own` ones of this process count."""

    def __init__(
        self, flows: Mapping[str, Flow], buckets: Buckets, own: Buckets, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._flows = flows
        self._buckets = buckets
        self._own = own
        self._now = now
        self._lock = threading.Lock()
        self._held: dict[tuple[str, str], _Held] = {}

    def spend(self, bucket: str, who: str) -> Standing:
        """Count one request of `who`; never raises: a request is not refused because counting fails."""
        flow = self._flows[bucket]
        key = (bucket, who)
        now = self._now()
        with self._lock:
            held = self._held.get(key)
            if held is not None and now < held.until:
                if not held.count:
                    return _standing(bucket, flow, held.left + (now - held.seen) * flow.per_second, is_allowed=False)
                held.count -= 1
                left = held.count + held.left + (now - held.seen) * flow.per_second
                if not held.count:
                    del self._held[key]
                return _standing(bucket, flow, left, is_allowed=True)
        taken = self._take(f"{bucket}:{who}", flow)
        empty_s = (1 - taken.left) / flow.per_second
        spare = _Held(
            count=max(0, taken.count - 1), left=taken.left, seen=now, until=now + (HELD_S if taken.count else empty_s)
        )
        if taken.count != 1:
            with self._lock:
                self._keep(key, spare, now)
        return _standing(bucket, flow, taken.left + spare.count, is_allowed=taken.count > 0)

    def _take(self, key: str, flow: Flow) -> Taken:
        try:
            return self._buckets.take(key, flow, flow.share)
        except Unavailable:
            return self._own.take(key, flow, flow.share)

    def _keep(self, key: tuple[str, str], held: _Held, now: float) -> None:
        if len(self._held) >= _MOST_HELD:
            self._held = {each: kept for each, kept in self._held.items() if kept.until > now}
            if len(self._held) >= _MOST_HELD:
                self._held.clear()
        self._held[key] = held


def _standing(bucket: str, flow: Flow, left: float, *, is_allowed: bool) -> Standing:
    left = min(left, flow.burst)
    wait_s = max(1, math.ceil((1 - left) / flow.per_second - _EPSILON))
    return Standing(
        bucket=bucket, flow=flow, is_allowed=is_allowed, left=int(left + _EPSILON) if is_allowed else 0, wait_s=wait_s
    )
