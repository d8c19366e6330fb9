"""Between granian and a WSGI application: what granian's own wrapper does, and a request that another thread may end."""

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

from service.api.problems import Problem, respond
from service.api.request_id import HEADER, begin

GIVE_UP: Final = "starledger.give_up"
"""Where a request's environment holds the function that ends it from outside, with the reason in words."""
_ID: Final = "HTTP_" + HEADER.upper().replace("-", "_")
_FLUSH_S: Final = 0.3

# Not the variables of this process: one that is called HTTP_… would look like a header of each request.
_BASE: Final[dict[str, Any]] = {
    "GATEWAY_INTERFACE": "CGI/1.1",
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "Starledger",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": False,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}


class _Start:
    """The `start_response` of a request."""

    def __init__(self) -> None:
        self.status = 200
        self.headers: list[tuple[str, str]] = []

    def __call__(self, status: str, headers: list[tuple[str, str]], _exc_info: Any = None) -> None:
        self.status = int(status[:3])
        self.headers = headers


class _Parts:
    """An answer's body, as granian takes one that comes in parts."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.__next__ = iter(inner).__next__

    def close(self) -> None:
        """Tell the application that nobody reads on."""
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()


def gateway(app: Callable[..., Any], _options: Any = None, _log_format: Any = None) -> Callable[[Any, Any], None]:
    """Give what granian calls for each request: with its protocol, and with the environment that it knows."""

    def run(protocol: Any, scope: dict[str, Any]) -> None:
        environ = _BASE | scope
        environ[GIVE_UP] = lambda why: _give_up(protocol, environ, why)
        start = _Start()
        body = app(environ, start)
        # Where the request was ended from outside, granian takes no notice of these.
        if isinstance(body, list):
            protocol.response_bytes(start.status, start.headers, b"".join(body))
        else:
            protocol.response_iter(start.status, start.headers, _Parts(body))

    return run


def _give_up(protocol: Any, environ: dict[str, Any], why: str) -> None:
    """Answer 408 and cut the connection, which wakes the thread that waits for the body."""
    id_ = begin(environ.get(_ID))
    answer = respond(Problem("body_too_slow", why))
    body = answer.get_data()
    headers = [(name, value) for name, value in answer.headers if name != "Content-Length"]
    # granian goes on waiting for a body after a whole answer, as long as the client likes; only an answer that breaks
    # off ends the connection. So all of the problem is sent, and the length promises one byte more.
    headers += [("Content-Length", str(len(body) + 1)), ("Connection", "close"), (HEADER, id_)]
    protocol.response_iter(408, headers, _Parts(_broken_off(body)))


def _broken_off(body: bytes) -> Iterator[bytes]:
    yield body
    threading.Event().wait(_FLUSH_S)  # what is not on its way when an answer breaks off is never sent
