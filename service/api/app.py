"""The application: every operation at its route, and the frame around each request."""

import functools
import logging
import re
import time
from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, Flask, Request, Response, request
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter, Map

from service.api.dispatch import view_function
from service.api.frame import Frame
from service.api.headers import finish
from service.api.metrics import METRICS, Metrics
from service.api.operation import Operation
from service.api.problems import problem_of, respond
from service.api.recent_keys import RecentKeys
from service.api.request_id import HEADER, begin
from service.api.routes import ALL
from service.bootstrap import Services
from service.logs import FACTS

_BEGAN: Final = "starledger.began"
_ID: Final = "HTTP_" + HEADER.upper().replace("-", "_")
_LENGTH: Final = 64 * 1024
_OTHER_THAN: Final = re.compile(r"<other_than\([^)]*\):")

_log = logging.getLogger("starledger.access")


def create_app(services: Services, pages: Sequence[Blueprint] = ()) -> Flask:
    """Give the WSGI application; `pages` are blueprints of its own making, such as the web page at `/`."""
    metrics = Metrics()

    def before() -> None:
        environ = request.environ
        begin(environ.get(_ID))
        environ[_BEGAN] = time.perf_counter()
        if environ["PATH_INFO"].startswith("//"):  # which the router takes for one
            raise NotFound

    def after(response: Response) -> Response:
        current: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 - itself, once
        finish(current, response, services.config.cors)
        seconds = time.perf_counter() - current.environ[_BEGAN]
        route = "" if current.url_rule is None else _route(current.url_rule.rule)
        metrics.count(current.method, route, response.status_code, seconds)
        if _log.isEnabledFor(logging.INFO):
            facts: dict[str, Any] = {
                "method": current.method,
                "path": current.path,
                "status": response.status_code,
                "ms": round(seconds * 1000, 2),
            }
            _log.info("answered", extra={FACTS: facts})
        return response

    def failed(error: Exception) -> Response:
        problem = problem_of(error)
        metrics.count_problem(problem.code)
        return respond(problem)

    app = Frame("starledger", before, after)
    app.config["MAX_CONTENT_LENGTH"] = _LENGTH
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False  # a redirect would be no problem, and a slash too many is another address
    app.url_map.redirect_defaults = False
    app.url_map.converters["other_than"] = _OtherThan
    app.extensions[METRICS] = metrics
    recent = RecentKeys()
    for operation in ALL:
        _add(app, operation, services, recent)
    for page in pages:
        app.register_blueprint(page)
    app.register_error_handler(Exception, failed)
    return app


class _OtherThan(BaseConverter):
    """A part of a path that is none of these names, which have addresses of their own beside it."""

    def __init__(self, url_map: Map, *names: str) -> None:
        super().__init__(url_map)
        self.regex = rf"(?!(?:{'|'.join(names)})\Z)[^/]+"


def _add(app: Flask, operation: Operation, services: Services, recent: RecentKeys) -> None:
    app.add_url_rule(
        _rule(operation.path),
        endpoint=operation.name,
        view_func=view_function(operation, services, recent),
        methods=[operation.method],
    )


@functools.cache
def _route(rule: str) -> str:
    """Give a rule as the metrics name it."""
    return _OTHER_THAN.sub("<", rule)


def _rule(path: str) -> str:
    """Give Flask's rule for a path: `{entry}` is no `bulk` where `bulk` is an address, so that `Allow` is right there."""
    base, _, last = path.rpartition("/")
    names = sorted({each.path.rpartition("/")[2] for each in ALL if each.path.rpartition("/")[0] == base} - {last})
    plain = [name for name in names if name.isalpha()]
    if last.startswith("{") and plain:
        path = f"{base}/{{other_than({', '.join(repr(name) for name in plain)}):{last[1:-1]}}}"
    return path.replace("{", "<").replace("}", ">")
