"""Foreign errors, translated in one table at the border: nobody inside knows redis-py's."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import redis

from service.application.ports import Damaged, Unavailable

_PASSING: Final[dict[str, str]] = {
    "OOM": "the store's memory is full: raise its maxmemory or remove finished tables",
    "READONLY": "the store answers as a replica: it takes no writes now",
    "LOADING": "the store is loading its data",
    "BUSY": "the store is busy with a script",
    "TRYAGAIN": "the store is moving this table to another node",
    "MISCONF": "the store can't write to its disk: see its log, free space",
    "MASTERDOWN": "the store's replica has lost its primary",
    "CLUSTERDOWN": "the store's cluster is down",
    "NOREPLICAS": "the store has too few replicas to take writes",
    "NOPERM": "the store's user may not do this: see docs/operations.md for the commands that it needs",
}
"""Codes of refusals that pass, or that an operator ends without touching data, and what they mean."""

_CLASSES: Final[tuple[tuple[type[redis.RedisError], str], ...]] = (
    (redis.OutOfMemoryError, "OOM"),
    (redis.exceptions.ReadOnlyError, "READONLY"),
    (redis.exceptions.TryAgainError, "TRYAGAIN"),
    (redis.exceptions.MasterDownError, "MASTERDOWN"),
    (redis.exceptions.ClusterDownError, "CLUSTERDOWN"),
    (redis.exceptions.NoPermissionError, "NOPERM"),
)
"""Where redis-py has a class for a code, it takes the code out of the text."""

_CODE: Final = re.compile(rf"\b({'|'.join(_PASSING)})\b")
"""Anywhere in the text: an error inside a script arrives behind the script's own words on some servers."""


def translate(error: redis.RedisError) -> Unavailable | Damaged:
    """Give the port's own exception for one of redis-py's."""
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        return Unavailable(f"the store can't be reached: {error}")
    code = next((code for kind, code in _CLASSES if isinstance(error, kind)), None)
    if code is None and (found := _CODE.search(str(error))):
        code = found[1]
    if code is not None:
        return Unavailable(f"{_PASSING[code]} ({error})")
    return Damaged(f"the store refused a command that it should take: {error}")


@contextmanager
def foreign_errors() -> Iterator[None]:
    """Translate what redis-py raises inside; raises `Unavailable` or `Damaged`."""
    try:
        yield
    except redis.RedisError as error:
        raise translate(error) from error
