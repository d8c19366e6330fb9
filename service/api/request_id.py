"""The request's id: taken from `X-Request-Id` or made, echoed, and in every log line of the request."""

import itertools
import re
import secrets
from typing import Final

from service.logs import current_request

HEADER: Final = "X-Request-Id"
_PROCESS: Final = secrets.token_hex(4)
_numbers: Final = itertools.count()
_GOOD: Final = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")


def begin(given: str | None) -> str:
    """Begin a request: an id that could not stand in a log line is replaced by a new one."""
    current = given if given and _GOOD.fullmatch(given) else f"{_PROCESS}{next(_numbers):08x}"
    current_request.set(current)
    return current


def request_id() -> str:
    """Give the id of the request at work, `""` outside of one."""
    return current_request.get()
