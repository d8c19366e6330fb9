"""The synchronous part of aio_base.py, made by `python client/make_sync.py`; do not edit."""

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Final, Self

import httpx
import httpx_sse
import msgspec

from starledger_client.core import Call, T, pause_before, raise_for, read, settings
from starledger_client.errors import HistoryLost, Unreachable
from starledger_client.models import Page

_QUIET_S: Final = 40.0
"""A stream that is silent for so long, heartbeats too, is dead."""
_STEADY_S: Final = 5.0
"""A stream that has lasted so long was sound: its end is no failure."""


class Base:
    """A connection to a service: requests that are tried again, lists by pages, streams that resume."""

    def __init__(self, url: str | None = None, token: str | None = None, timeout: float = 40.0) -> None:
        """Without arguments address and token are those of STARLEDGER_URL and STARLEDGER_TOKEN."""
        self.url, self.token = settings(url, token)
        self._http = httpx.Client(base_url=self.url, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send one request, again where that may help; raises `Problem` and `Unreachable`."""
        request = call.request(self._http, self.token)
        attempt = 0
        while True:
            response, why = None, ""
            try:
                response = self._http.send(request)
            except httpx.TransportError as failed:
                why = str(failed) or type(failed).__name__
            pause = pause_before(attempt, response)
            if pause is None:
                if response is None:
                    raise Unreachable(f"{self.url} does not answer: {why}")
                return call.parse(response)
            time.sleep(pause)
            attempt += 1

    def pages(self, path: str, kind: type[T], **params: Any) -> Iterator[T]:
        """Iterate over the items of all pages of a list."""
        cursor: str | None = None
        while True:
            page: Page[T] = self.send(read(path, Page[kind], **{**params, "cursor": cursor}))  # type: ignore[valid-type]
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    def stream(self, path: str, kind: type[T], after: int = 0, params: Mapping[str, str] | None = None) -> Iterator[T]:
        """Iterate over a live stream from behind `after` to its end: each item once and in order.

        Cuts and restarts are resumed. Raises `Problem`, `Unreachable`, and `HistoryLost` where the service has not got
        what it had sent.
        """
        failures = 0
        while True:
            refused, why, began = None, "the stream ended", time.monotonic()
            try:
                with httpx_sse.connect_sse(
                    self._http,
                    "GET",
                    path,
                    params=dict(params or {}),
                    headers=self._stream_headers(after),
                    timeout=httpx.Timeout(_QUIET_S),
                ) as source:
                    if source.response.status_code == httpx.codes.NO_CONTENT:
                        return
                    if source.response.is_error:
                        source.response.read()
                        refused = source.response
                    else:
                        for message in source.iter_sse():
                            if message.event == "end":
                                return
                            if message.event == "reset":
                                check_reset(message.data)
                                break
                            if message.data and int(message.id) > after:
                                failures, after = 0, int(message.id)
                                yield msgspec.json.decode(message.data, type=kind)
            except (httpx.TransportError, httpx_sse.SSEError) as failed:
                why = str(failed) or type(failed).__name__
            if refused is None and time.monotonic() - began > _STEADY_S:
                failures = 0
            pause = pause_before(failures, refused)
            if pause is None:
                if refused is not None:
                    raise_for(refused)
                raise Unreachable(f"{self.url} does not answer: {why}")
            failures += 1
            time.sleep(pause)

    def lines(self, path: str, params: Mapping[str, str]) -> Iterator[bytes]:
        """Iterate over the lines of one answer as they come; raises `Problem`, and `Unreachable` where it is cut."""
        request = self._http.build_request(
            "GET", path, params=dict(params), headers={**self._auth(), "Accept": "application/x-ndjson"}
        )
        response = self._opened(request)
        try:
            if response.is_error:
                response.read()
                raise_for(response)
            for line in response.iter_lines():
                if line:
                    yield line.encode()
        except httpx.TransportError as failed:
            raise Unreachable(f"{self.url} ended its answer too early: {failed}") from failed
        finally:
            response.close()

    def _opened(self, request: httpx.Request) -> httpx.Response:
        """Send a request, again where that may help, and give the answer before its body is read."""
        attempt = 0
        while True:
            response, why = None, ""
            try:
                response = self._http.send(request, stream=True)
            except httpx.TransportError as failed:
                why = str(failed) or type(failed).__name__
            pause = pause_before(attempt, response)
            if pause is None:
                if response is None:
                    raise Unreachable(f"{self.url} does not answer: {why}")
                return response
            if response is not None:
                response.close()
            time.sleep(pause)
            attempt += 1

    def _auth(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def _stream_headers(self, after: int) -> dict[str, str]:
        return {**self._auth(), **({"Last-Event-ID": str(after)} if after else {})}


def check_reset(data: str) -> None:
    """Raise `HistoryLost` for a reset that can't be resumed."""
    facts = msgspec.json.decode(data, type=dict[str, Any])
    if facts.get("reason") == "history_lost":
        raise HistoryLost(int(facts.get("version", 0)))
