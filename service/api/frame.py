"""Flask without what this API has no use for, and which costs at every request."""

from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Request, Response
from flask.sessions import SessionInterface
from werkzeug.routing import MapAdapter

_HOST: Final = "starledger"
"""Addresses are the same at every host, and no answer names one."""


class _NoSessions(SessionInterface):
    """Flask without sessions: a token says who calls."""

    def open_session(self, app: Flask, request: Request) -> Any:  # noqa: ARG002 - Flask's signature
        """Give something that is no session."""
        return self

    def is_null_session(self, obj: object) -> bool:  # noqa: ARG002 - Flask's signature
        """Save nothing."""
        return True


class Frame(Flask):
    """Flask with one function before each request and one after it, and nothing else around a view.

    No coroutines, sessions, subdomains, functions of blueprints before and after requests, nor teardown functions.
    """

    session_interface = _NoSessions()

    def __init__(self, name: str, before: Callable[[], None], after: Callable[[Response], Response]) -> None:
        super().__init__(name, static_folder=None)
        self._before = before
        self._after = after

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Give the router for a request, whatever host it names."""
        if request is None:
            return None
        environ = request.environ
        query = environ.get("QUERY_STRING", "")
        return MapAdapter(self.url_map, _HOST, "/", "", "http", request.path, environ["REQUEST_METHOD"], query)

    def preprocess_request(self) -> None:
        """Do what comes before each view."""
        self._before()

    def process_response(self, response: Response) -> Response:
        """Complete an answer."""
        return self._after(response)

    def do_teardown_request(self, exc: object = None) -> None:
        """Do nothing: nothing is kept for a request."""

    def do_teardown_appcontext(self, exc: object = None) -> None:
        """Do nothing: nothing is kept for a request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Give the function as it is."""
        return func
