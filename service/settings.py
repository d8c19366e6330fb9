"""The table of settings: each variable with its default, what it takes, what it means and how it is read.

`docs/operations.md` begins with the same table; a test compares the two.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeVar
from urllib.parse import urlsplit

from domain.values import Value

T = TypeVar("T")

Fsync = Literal["always", "everysec", "no"]
Log = Literal["debug", "info", "warning", "error"]

PREFIX: Final = "STARLEDGER_"
KEY_LENGTH: Final = 32
"""The fewest characters of a server key."""


class Rate(Value, frozen=True):
    """A bucket of requests for each token or address: `per_second` flow in, `burst` fit."""

    per_second: int
    burst: int


class Setting(Generic[T]):
    """One variable: what stands where it is unset, what it takes and means in words, and how it is read."""

    def __init__(self, name: str, default: str, takes: str, meaning: str, read: Callable[[str], T]) -> None:
        self.name = PREFIX + name
        self.default = default
        self.takes = takes
        self.meaning = meaning
        self.read = read

    def shown(self, text: str) -> str:
        """Give a value as it may stand in a message: no key, no password."""
        if self.name == f"{PREFIX}SECRET":
            return f"({len(text)} characters)"
        return re.sub(r"(?<=://)[^/]*@", "***@", text)


def _text(text: str) -> str:
    if not text or any(c.isspace() for c in text) or "/" in text:
        raise ValueError
    return text


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError
        return int(text)

    return read


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text) or float(text) <= 0:
        raise ValueError
    return float(text)


def _switch(text: str) -> bool:
    return {"on": True, "off": False}[text.lower()]


def _rate(text: str) -> Rate:
    match = re.fullmatch(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,8})", text)
    if not match or int(match[2]) < int(match[1]):
        raise ValueError
    return Rate(per_second=int(match[1]), burst=int(match[2]))


def _fsync(text: str) -> Fsync:
    known: dict[str, Fsync] = {"always": "always", "everysec": "everysec", "no": "no"}
    return known[text.lower()]


def _level(text: str) -> Log:
    known: dict[str, Log] = {"debug": "debug", "info": "info", "warning": "warning", "error": "error"}
    return known[text.lower()]


def _redis(text: str) -> str | None:
    parts = urlsplit(text)
    if text and (parts.scheme not in {"redis", "rediss", "unix"} or not (parts.netloc or parts.path)):
        raise ValueError
    return text or None


def _secret(text: str) -> str | None:
    if text and len(text) < KEY_LENGTH:
        raise ValueError
    return text or None


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in text.split(",") if part.strip())
    for origin in origins:
        parts = urlsplit(origin)
        if origin != "*" and (parts.scheme not in {"http", "https"} or origin != f"{parts.scheme}://{parts.netloc}"):
            raise ValueError
    return origins


def _streams(text: str) -> int | None:
    return _whole(0, 65535)(text) if text else None


HOST = Setting("HOST", "127.0.0.1", "a host name or an address", "Where the API listens.", _text)
PORT = Setting("PORT", "8000", "a whole number from 1 to 65535", "Its port.", _whole(1, 65535))
DATA = Setting("DATA", ".starledger", "a folder", "The embedded store, its locks, and the server key.", Path)
REDIS_URL = Setting(
    "REDIS_URL", "", "redis://, rediss:// or unix://", "The event store; unset: an embedded server.", _redis
)
QUEUE_URL = Setting("QUEUE_URL", "", "redis://, rediss:// or unix://", "The queue; unset: an embedded server.", _redis)
WORKERS = Setting(
    "WORKERS", "2", "a whole number from 0 to 256", "Worker processes of `starledger run`.", _whole(0, 256)
)
SECRET = Setting(
    "SECRET",
    "",
    f"at least {KEY_LENGTH} characters",
    "The server key, from which tokens are derived; unset: made at the first start and kept in the data folder. "
    "Another key makes all tokens void. All processes of an installation need the same.",
    _secret,
)
FSYNC = Setting(
    "FSYNC",
    "always",
    "`always`, `everysec` or `no`",
    "When the event store writes through to disk; below `always` a crash may lose moves that were confirmed.",
    _fsync,
)
LOG = Setting("LOG", "info", "`debug`, `info`, `warning` or `error`", "From which level on log lines are kept.", _level)
CORS = Setting(
    "CORS",
    "",
    "origins like https://play.example.org, with commas between, or `*`",
    "Whose pages may call the API from a browser; unset: only its own.",
    _origins,
)
RATE_LIMITS = Setting("RATE_LIMITS", "on", "`on` or `off`", "Whether requests are limited.", _switch)
_RATE: Final = "FLOW/BURST: requests a second, and at once, like 50/500; BURST not below FLOW"
LIMIT_COMMANDS = Setting("LIMIT_COMMANDS", "50/500", _RATE, "Commands, for each token or address.", _rate)
LIMIT_READS = Setting("LIMIT_READS", "500/5000", _RATE, "Reads, for each token or address.", _rate)
LIMIT_CREATIONS = Setting("LIMIT_CREATIONS", "10/200", _RATE, "Creations, for each token or address.", _rate)
LEASE = Setting(
    "LEASE",
    "15",
    "seconds, above 0, like 15 or 0.5; above STARLEDGER_RELAY_PERIOD",
    "How long a turn that was handed to a worker rests before it is handed out again.",
    _seconds,
)
RELAY_PERIOD = Setting(
    "RELAY_PERIOD", "1", "seconds, above 0, like 1 or 0.25", "How often the relay looks for what is due.", _seconds
)
THREADS = Setting(
    "THREADS", "2048", "a whole number from 2 to 16384", "The most request threads of the API.", _whole(2, 16_384)
)
STREAMS = Setting(
    "STREAMS",
    "",
    "a whole number from 0, below STARLEDGER_THREADS",
    "The most live streams that are open at once, each holding a thread; unset: three quarters of the threads.",
    _streams,
)
WEBHOOKS_PRIVATE = Setting(
    "WEBHOOKS_PRIVATE", "off", "`on` or `off`", "Whether webhooks may go to private addresses, for tests.", _switch
)

SETTINGS: Final[tuple[Setting[Any], ...]] = (
    HOST,
    PORT,
    DATA,
    REDIS_URL,
    QUEUE_URL,
    WORKERS,
    SECRET,
    FSYNC,
    LOG,
    CORS,
    RATE_LIMITS,
    LIMIT_COMMANDS,
    LIMIT_READS,
    LIMIT_CREATIONS,
    LEASE,
    RELAY_PERIOD,
    THREADS,
    STREAMS,
    WEBHOOKS_PRIVATE,
)
