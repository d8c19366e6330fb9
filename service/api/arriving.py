"""The body of a request while it arrives: a slow one keeps nobody else from work, an unread one harms no later request."""

import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Final

from service.api.gateway import GIVE_UP
from service.api.intake import Incoming, Intake

_SHORT: Final = 64 * 1024
"""Bytes. So much of a body is read whether or not anybody wants it, so that the connection can go on."""

Aside = Callable[[], AbstractContextManager[None]]


class Arriving:
    """The `wsgi.input` of a request that has a body; reads wait aside, whatever the client takes for sending.

    `length`: what the request says, in bytes; None: it ends by itself.
    """

    def __init__(self, body: Any, length: int | None, aside: Aside, incoming: Incoming, intake: Intake) -> None:
        self._body = body
        self._left = length
        self._aside = aside
        self._incoming = incoming
        self._intake = intake
        self._is_over = length == 0

    def read(self, size: int = -1) -> bytes:
        """Read `size` bytes or, where it is negative, all that is left; raises werkzeug's `RequestTimeout`."""
        if self._is_over:
            return b""
        with self._aside(), self._intake.waiting(self._incoming):
            got = self._incoming.take(self._body, size)
        if self._left is not None:
            self._left -= len(got)
        self._is_over = size < 0 or len(got) < size or self._left == 0
        return got

    def readline(self, size: int = -1) -> bytes:
        """Read the rest: no part of this API reads line by line."""
        return self.read(size)

    def __iter__(self) -> Iterator[bytes]:
        """Give the rest."""
        return iter(self.read, b"")

    def finish(self) -> bool:
        """Read what nobody has read; False: that is too much, the connection can't carry another request."""
        # An HTTP server that answers before a body is read may close the connection without saying so: the client's
        # next request then gets no answer, and he can't know whether it was done.
        if self._left is None:
            self.read(_SHORT)
        elif self._left <= _SHORT:
            self.read()
        return self._is_over


def arriving(environ: dict[str, Any], aside: Aside, intake: Intake) -> Arriving | None:
    """Read a short body whole, before there is any work; give a longer one, or one that does not say, to be finished.

    A request that has read its body already waits once for its turn to work, not twice. Raises werkzeug's
    `RequestTimeout`.
    """
    length = environ.get("CONTENT_LENGTH") or ""
    is_chunked = "HTTP_TRANSFER_ENCODING" in environ
    if not is_chunked and not (length.isdigit() and int(length)):
        return None
    incoming = Incoming(environ.get("REMOTE_ADDR", ""), environ[GIVE_UP])
    stream = environ["wsgi.input"]
    if not is_chunked and int(length) <= _SHORT:
        with intake.waiting(incoming):
            environ["wsgi.input"] = io.BytesIO(incoming.take(stream, int(length)))
        return None
    body = Arriving(stream, None if is_chunked else int(length), aside, incoming, intake)
    environ["wsgi.input"] = body
    return body
