"""The requests at hand: so many are worked on at once, and a stop waits for them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from werkzeug.exceptions import RequestTimeout

from service.api.arriving import Arriving, arriving
from service.api.intake import Intake

AT_ONCE: Final = 16
"""More threads at work on one GIL get less done, for each spends its time on asking for it. A thread pool that is large
for its streams' sake would all go to work in a flood: 900 busy connections on 1,024 threads cost 0.9 to 1.6 ms of CPU a
request with this limit, and 1.1 to 108 ms without."""
AT_HAND: Final = "starledger.at_hand"
"""The key in a request's environment under which this stands."""

Application = Callable[[dict[str, Any], Callable[..., Any]], Any]


class AtHand:
    """A WSGI application around another: it lets `most` requests work at once, the others wait.

    What a body yields later does not count: streams are no work most of the time.
    """

    def __init__(self, app: Application, most: int = AT_ONCE, intake: Intake | None = None) -> None:
        self._app = app
        self._intake = Intake() if intake is None else intake
        self._places = threading.Semaphore(most)
        self._changed = threading.Condition()
        self._count = 0
        self._is_over = False

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Work on a request when there is a place."""
        environ[AT_HAND] = self
        with self._counted() as is_over:
            try:
                body = arriving(environ, self.aside, self._intake)
            except RequestTimeout:  # it was answered when it was given up
                start_response("408 Request Timeout", [])
                return []
            with self._places:
                return self._answer(body, environ, start_response, is_over=is_over)

    def _answer(
        self, body: Arriving | None, environ: dict[str, Any], start_response: Callable[..., Any], *, is_over: bool
    ) -> Any:
        if is_over:  # its connection is closed, nobody would read an answer
            start_response("503 Service Unavailable", [])
            return []
        if body is None:
            return self._app(environ, start_response)
        return self._to_the_last_byte(body, environ, start_response)

    def _to_the_last_byte(self, body: Arriving, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        headers: list[tuple[str, str]] = []

        def begin(status: str, given: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal headers
            headers = given
            return start_response(status, headers, exc_info)

        answer = self._app(environ, begin)
        try:
            is_finished = body.finish()
        except RequestTimeout:
            is_finished = False
        if not is_finished:
            headers.append(("Connection", "close"))  # granian sends them after this call
        return answer

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave the place to others while this request only waits."""
        self._places.release()
        try:
            yield
        finally:
            self._places.acquire()

    def hurry(self, seconds: float) -> None:
        """Wait no longer than this for the bodies of requests."""
        self._intake.hurry(seconds)

    def end(self, seconds: float) -> bool:
        """Begin no more requests and wait for those at hand; tell whether all have ended."""
        with self._changed:
            self._is_over = True
            return self._changed.wait_for(lambda: self._count == 0, max(0.0, seconds))

    @contextmanager
    def _counted(self) -> Iterator[bool]:
        with self._changed:
            self._count += 1
            is_over = self._is_over
        try:
            yield is_over
        finally:
            with self._changed:
                self._count -= 1
                if self._is_over:
                    self._changed.notify_all()
