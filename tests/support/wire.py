"""A client that sees what is on the wire: raw HTTP/1.1, chunks, Server-Sent Events, cut off at any byte."""

import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

LIMIT_S = 20.0


@dataclass
class Message:
    """One message of an event stream."""

    id: str | None
    event: str
    data: str

    @property
    def json(self) -> Any:
        return json.loads(self.data)


@dataclass
class EventParser:
    """Reads an event stream as the standard says; a message that was cut off does not count."""

    last_id: str = ""
    retry_ms: int | None = None
    comments: int = 0
    rest: bytes = b""
    _id: str | None = None
    _event: str = ""
    _data: list[str] = field(default_factory=list)

    def feed(self, received: bytes) -> list[Message]:
        *lines, self.rest = (self.rest + received).split(b"\n")
        return [message for line in lines if (message := self._line(line.decode())) is not None]

    def _line(self, line: str) -> Message | None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            return self._dispatch()
        if not name:
            self.comments += 1
        elif name == "id":
            self._id = value
        elif name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "retry":
            self.retry_ms = int(value)
        return None

    def _dispatch(self) -> Message | None:
        if self._id is not None:
            self.last_id = self._id
        message = Message(self._id, self._event or "message", "\n".join(self._data)) if self._data else None
        self._id, self._event, self._data = None, "", []
        return message


class Connection:
    """One request on a connection of its own; what arrives is decoded as far as it came.

    `is_over`: nothing more comes; `is_whole`: the answer was ended by the server, not cut off.
    """

    def __init__(
        self, port: int, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", body: bytes = b""
    ) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S)
        lines = [f"{method} {path} HTTP/1.1", "Host: test", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        self.is_over = False
        self.is_whole = False
        self.status = 0
        self.headers: dict[str, str] = {}
        self._raw = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def receive(self, most: int = 65536) -> bytes:
        """Give some more of the body, at most so many bytes of the connection; empty: nothing whole yet, or over."""
        received = self.socket.recv(most)
        self._raw += received
        if not received:
            self.is_over = True
        if not self.status:
            if b"\r\n\r\n" not in self._raw:
                return b""
            self._head()
        return self._body()

    def until(self, is_enough: Callable[[bytes], bool] = lambda _: False) -> bytes:
        """Read the body until it is enough, or over."""
        body = b""
        while not self.is_over and not is_enough(body):
            body += self.receive()
        return body

    def messages(self) -> Iterator[Message]:
        """Give messages as they come, until the stream is over."""
        self.parser = EventParser()
        while not self.is_over:
            yield from self.parser.feed(self.receive())

    def _head(self) -> None:
        head, _, self._raw = self._raw.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self._left = int(self.headers.get("content-length", "0"))
        self._is_chunked = self.headers.get("transfer-encoding") == "chunked"
        if self.status in (204, 304) or (not self._is_chunked and not self._left):
            self.is_over = self.is_whole = True

    def _body(self) -> bytes:
        if not self._is_chunked:
            given, self._raw = self._raw, b""
            self._left -= len(given)
            self.is_whole = self._left <= 0
            self.is_over = self.is_over or self.is_whole
            return given
        given = b""
        while b"\r\n" in self._raw:
            size, _, rest = self._raw.partition(b"\r\n")
            length = int(size, 16)
            if len(rest) < length + 2:
                break
            given += rest[:length]
            self._raw = rest[length + 2 :]
            if length == 0:
                self.is_over = self.is_whole = True
                break
        return given


def wait_for(condition: Callable[[], object], limit_s: float = LIMIT_S) -> None:
    """Wait until a condition holds; raises `TimeoutError`."""
    end = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.005)
