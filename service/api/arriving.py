"""The body of a request while it arrives: a slow one keeps nobody else from work, an unread one harms no later request."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Final

_READ_AFTERWARDS: Final = 64 * 1024
"""What is left of a body is read up to here, so that the connection can go on; with more of it, it is closed."""

Aside = Callable[[], AbstractContextManager[None]]


class Arriving:
    """The `wsgi.input` of a request that has a body; reads wait aside, whatever the client takes for sending.

    `length`: what the request says, in bytes; None: it ends by itself.
    """

    def __init__(self, body: Any, length: int | None, aside: Aside) -> None:
        self._body = body
        self._left = length
        self._aside = aside
        self._is_over = length == 0

    def read(self, size: int = -1) -> bytes:
        """Read `size` bytes or, where it is negative, all that is left."""
        if self._is_over:
            return b""
        with self._aside():
            got: bytes = self._body.read() if size < 0 else self._body.read(size)
        return self._counted(got, is_all=size < 0 or len(got) < size)

    def readline(self, size: int = -1) -> bytes:
        """Read to the end of a line, or `size` bytes."""
        if self._is_over:
            return b""
        with self._aside():
            got: bytes = self._body.readline() if size < 0 else self._body.readline(size)
        return self._counted(got, is_all=not got)

    def __iter__(self) -> Iterator[bytes]:
        """Read line by line."""
        return iter(self.readline, b"")

    def finish(self) -> bool:
        """Read what nobody has read; False: that is too much, the connection can't carry another request."""
        # An HTTP server that answers before a body is read may close the connection without saying so: the client's
        # next request then gets no answer, and he can't know whether it was done.
        if self._left is None:
            self.read(_READ_AFTERWARDS)
        elif self._left <= _READ_AFTERWARDS:
            self.read()
        return self._is_over

    def _counted(self, got: bytes, *, is_all: bool) -> bytes:
        if self._left is not None:
            self._left -= len(got)
        self._is_over = is_all or self._left == 0
        return got


def arriving(environ: dict[str, Any], aside: Aside) -> Arriving | None:
    """Give the body of a request, None where it has none."""
    length = environ.get("CONTENT_LENGTH") or ""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return Arriving(environ["wsgi.input"], None, aside)
    return Arriving(environ["wsgi.input"], int(length), aside) if length.isdigit() and length != "0" else None
