"""First answers under idempotency keys, on Redis (`repeat:<player>:<digest of the key>`) and in memory."""

import hashlib
import threading
import time
from collections.abc import Callable

import msgspec
import redis

from service.application.ports import Damaged
from service.application.repeats import KEPT_S, Repeat
from service.store.errors import foreign_errors

_decoder = msgspec.msgpack.Decoder(Repeat)


class RedisRepeats:
    """`Repeats` on Redis or Valkey, which forgets by itself."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def get(self, player: str, key: str) -> Repeat | None:
        """Give what came under a key."""
        with foreign_errors():
            row = self._client.get(_name(player, key))
        try:
            return None if row is None else _decoder.decode(row)  # type: ignore[arg-type]  # bytes: responses are not decoded
        except msgspec.DecodeError as error:
            raise Damaged(f"a kept answer can't be read: {error}") from error

    def keep(self, player: str, key: str, repeat: Repeat) -> None:
        """Keep what came under a key, unless something came before."""
        with foreign_errors():
            self._client.set(_name(player, key), msgspec.msgpack.encode(repeat), nx=True, ex=KEPT_S)


class MemoryRepeats:
    """`Repeats` in a dict; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, Repeat]] = {}

    def get(self, player: str, key: str) -> Repeat | None:
        """Give what came under a key."""
        with self._lock:
            until, repeat = self._kept.get(_name(player, key), (0.0, None))
        return repeat if self._clock() < until else None

    def keep(self, player: str, key: str, repeat: Repeat) -> None:
        """Keep what came under a key, unless something came before."""
        if self.get(player, key) is None:
            with self._lock:
                self._kept[_name(player, key)] = (self._clock() + KEPT_S, repeat)


def _name(player: str, key: str) -> str:
    return f"repeat:{player}:{hashlib.sha256(key.encode()).hexdigest()[:32]}"
