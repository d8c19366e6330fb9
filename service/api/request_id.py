"""The request's id: taken from `X-Request-Id` or made, echoed, and in every log line of the request."""

import re
import secrets
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-Id"
_GOOD: Final = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def begin(given: str | None) -> str:
    """Begin a request: an id that could not stand in a log line is replaced by a new one."""
    current = given if given and _GOOD.fullmatch(given) else secrets.token_hex(8)
    _current.set(current)
    return current


def request_id() -> str:
    """Give the id of the request at work, `""` outside of one."""
    return _current.get()
