"""What both clients share, without I/O: requests as values, answers parsed, when and how long to wait."""

import os
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from starledger_client.errors import Problem, problem

T = TypeVar("T")

DEFAULT_URL: Final = "http://127.0.0.1:8000"
RETRIES: Final = 6
_RETRY_STATUS: Final = frozenset({429, 502, 503, 504})
RECORD_TYPE: Final = "application/vnd.starledger.record+jsonl"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request: what is sent, and the type of what comes back.

    A POST or DELETE always has an idempotency key, so that sending it again is harmless.
    """

    method: str
    path: str
    kind: Any = None
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None

    def request(self, client: httpx.Client | httpx.AsyncClient, token: str | None) -> httpx.Request:
        """Build the request; the same for every try."""
        headers = dict(self.headers)
        headers.setdefault("Accept", "application/json")
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if self.key is not None:
            headers["Idempotency-Key"] = self.key
        content = self.content
        if self.body is not None:
            content = msgspec.json.encode(self.body)
            headers["Content-Type"] = "application/json"
        params = {name: _written(value) for name, value in self.params.items() if value is not None}
        return client.build_request(self.method, self.path, params=params, content=content, headers=headers)

    def parse(self, response: httpx.Response) -> T:
        """Give the answer; raises `Problem`."""
        raise_for(response)
        if self.kind is None:
            return None  # type: ignore[return-value]
        if self.kind is bytes:
            return response.content  # type: ignore[return-value]
        answer = msgspec.json.decode(response.content, type=self.kind)
        if "etag" in response.headers and "etag" in getattr(answer, "__struct_fields__", ()):
            answer = msgspec.structs.replace(answer, etag=response.headers["etag"])
        return answer  # type: ignore[no-any-return]


def _written(value: Any) -> Any:
    """Write a parameter; numbers of seconds without an exponent, to the millisecond."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


def new_key() -> str:
    """Make an idempotency key: long enough to be used without a token too."""
    return uuid.uuid4().hex


def read(path: str, kind: type[T], **params: Any) -> Call[T]:
    """Make a GET."""
    return Call("GET", path, kind, params=params)


def write(path: str, kind: type[T], body: Any, key: str | None, **headers: str) -> Call[T]:
    """Make a POST under a key; without one a new key is made."""
    return Call("POST", path, kind, body=body, headers=headers, key=key or new_key())


def upload(path: str, kind: type[T], record: bytes, key: str | None) -> Call[T]:
    """Make a POST of a record's bytes."""
    return Call("POST", path, kind, content=record, headers={"Content-Type": RECORD_TYPE}, key=key or new_key())


def erase(path: str, etag: str | None = None) -> Call[None]:
    """Make a DELETE."""
    return Call("DELETE", path, headers=if_match(etag), key=new_key())


def place(part: str | int) -> str:
    """Write an id as it may stand in a path."""
    return quote(str(part), safe="")


def given(**fields: Any) -> dict[str, Any]:
    """Give the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def raise_for(response: httpx.Response) -> None:
    """Raise `Problem` for an answer that is a failure."""
    if response.is_success:
        return
    try:
        extra = msgspec.json.decode(response.content, type=dict[str, Any])
    except msgspec.MsgspecError:
        extra = {"detail": response.text[:200]}
    raise problem(response.status_code, extra, response.headers.get("x-request-id", ""))


def pause_before(attempt: int, response: httpx.Response | None) -> float | None:
    """Tell how many seconds to wait before the next try; None: don't try again.

    `attempt` counts from 0. `response` is None where the connection failed.
    """
    if attempt >= RETRIES:
        return None
    if response is not None:
        if response.status_code not in _RETRY_STATUS:
            return None
        asked = response.headers.get("retry-after", "")
        if asked.isdigit():
            return min(float(asked), 60.0) + random.random() * 0.1  # noqa: S311 - spreads tries, hides nothing
    return float(min(0.1 * 2**attempt, 5.0) * (0.5 + random.random()))  # noqa: S311


def is_retryable(error: Problem) -> bool:
    """Tell whether the same request may succeed later."""
    return error.retryable or error.status in _RETRY_STATUS


def settings(url: str | None, token: str | None) -> tuple[str, str | None]:
    """Give address and token: as given, else STARLEDGER_URL and STARLEDGER_TOKEN, else the local service."""
    return url or os.environ.get("STARLEDGER_URL", DEFAULT_URL), token or os.environ.get("STARLEDGER_TOKEN")


def if_match(etag: str | None) -> dict[str, str]:
    """Give the header that names the version that the caller has seen."""
    return {} if etag is None else {"If-Match": etag}
