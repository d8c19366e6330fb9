"""What a store must keep to be served on, checked at start; each refusal says what to set."""

import secrets
import time
from collections.abc import Mapping
from typing import Any, Final, Literal

import redis

from domain.history import GENESIS, Entry, chain
from service.application.ports import Committed, Duplicate, Head
from service.store.errors import foreign_errors
from service.store.keys import Keys
from service.store.redis_store import RedisStore

Fsync = Literal["always", "everysec", "no"]
OLDEST: Final = (7, 0)
_STRENGTH: Final[Mapping[str, int]] = {"no": 0, "everysec": 1, "always": 2}
_LOSS: Final[Mapping[str, str]] = {
    "everysec": "up to two seconds of acknowledged commands",
    "no": "all acknowledged commands that the system has not yet written to the disk (about 30 seconds)",
}


class Unfit(Exception):
    """This server may not be served on: it would lose or evict what was acknowledged; the text says what to set."""


def check_server(client: redis.Redis, fsync: Fsync = "always") -> tuple[str, ...]:
    """Check the settings of an events server; gives warnings to be shown at every start.

    `fsync`: the durability that the operator asks for. Raises `Unfit` where the server keeps less, and `Unavailable`
    where it can't be asked.
    """
    with foreign_errors():
        server: dict[str, Any] = client.info("server")
        settings = {name: _setting(client, name) for name in ("maxmemory-policy", "appendonly", "appendfsync")}
    version = str(server["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise Unfit(f"The event store runs on Redis {version}; it needs 7.0 or newer (or Valkey).")
    if (policy := settings["maxmemory-policy"]) != "noeviction":
        raise Unfit(
            f"The event store may throw tables away when memory is short (maxmemory-policy {policy}). "
            "Set `maxmemory-policy noeviction`."
        )
    if settings["appendonly"] != "yes":
        raise Unfit("The event store keeps nothing on disk (appendonly no). Set `appendonly yes`.")
    if _STRENGTH[settings["appendfsync"]] < _STRENGTH[fsync]:
        raise Unfit(
            f"The event store may lose {_LOSS[settings['appendfsync']]} (appendfsync {settings['appendfsync']}). "
            f"Set `appendfsync {fsync}`, or lower what is promised by the setting STARLEDGER_FSYNC."
        )
    if fsync == "always":
        return ()
    return (f"Durability is lowered (fsync {fsync}): when the power fails, the event store may lose {_LOSS[fsync]}.",)


def probe(store: RedisStore, client: redis.Redis, keys: Keys) -> None:
    """Commit to a scratch table and again: it must be `Committed`, then `Duplicate`; leaves nothing behind.

    Raises `Unfit` where the answers are others.
    """
    table = f"probe-{secrets.token_hex(8)}"
    time_ms = time.time_ns() // 1_000_000
    salt = secrets.token_bytes(16)
    entry = Entry(
        version=1,
        time_ms=time_ms,
        seat=None,
        events=b"[]",
        salt=salt,
        hash=chain(GENESIS, 1, time_ms, None, b"[]", salt),
        command_id="probe",
    )
    try:
        answers = [store.create(table, entry, b"", None, running=False) for _ in range(2)]
        second = store.commit(table, Head(version=1, hash=entry.hash), _behind(entry), None, running=False)
    finally:
        with foreign_errors():
            client.delete(keys.stream(table))
    match [*answers, second]:
        case [Committed(), Duplicate(version=1), Committed()]:
            pass
        case other:
            raise Unfit(f"The event store gives wrong answers to a trial: {other}. Is it a Redis or Valkey server?")


def _behind(entry: Entry) -> Entry:
    return Entry(
        version=2,
        time_ms=entry.time_ms,
        seat=None,
        events=b"[]",
        salt=entry.salt,
        hash=chain(entry.hash, 2, entry.time_ms, None, b"[]", entry.salt),
        command_id="probe-2",
    )


def _setting(client: redis.Redis, name: str) -> str:
    found: dict[Any, Any] = client.config_get(name)
    for key, value in found.items():
        if (key.decode() if isinstance(key, bytes) else key) == name:
            return value.decode() if isinstance(value, bytes) else str(value)
    raise Unfit(f"The event store does not tell its setting {name}. Allow CONFIG GET to this user.")
