"""Ids: opaque, safe in a URL and in a shell, drawn at random or derived from an idempotency key."""

import base64
import hmac
import re
from typing import Final

from service.application.handle import Randomness

ID_BYTES: Final = 16
ID_LENGTH: Final = 26
_ID: Final = re.compile(r"[a-z0-9_-]{1,64}")


def is_id(text: str) -> bool:
    """Tell whether a text could be an id at all; what could not is unknown without asking the store."""
    return _ID.fullmatch(text) is not None


def new_id(random: Randomness) -> str:
    """Draw an id: 128 bits as 26 characters of base32 in lower case."""
    return _written(random(ID_BYTES))


def derived_id(server_key: bytes, purpose: str, *parts: str) -> str:
    """Give the id of what is made under a key, the same at every try, so that nothing is made twice."""
    return _written(derived_bytes(server_key, purpose, *parts)[:ID_BYTES])


def derived_bytes(server_key: bytes, purpose: str, *parts: str) -> bytes:
    """Give `HMAC-SHA256(server key, purpose ‖ 0x00 ‖ parts with 0x00 between)`: 32 bytes; no part holds a 0x00."""
    return hmac.digest(server_key, "\0".join((purpose, *parts)).encode(), "sha256")


def _written(value: bytes) -> str:
    return base64.b32encode(value).decode().rstrip("=").lower()
