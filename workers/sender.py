"""Senders of webhooks: the job that RQ runs for a hint, and a process of many threads that run such jobs.

Sending is waiting for others, so one process does it in threads, each an RQ worker of its own. Most of them serve
webhooks that answer well; some serve those that were late or failed or are new, and can all hang without harm.
"""

import logging
import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, Protocol

import redis
import rq
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer
from rq.timeouts import BaseDeathPenalty
from rq.worker import WorkerStatus

from service.application.delivering import Deliverer
from service.application.ports import Damaged, Unavailable
from service.queue import open_worker_client
from service.queue_sends import SENDS, SLOW_SENDS, RqSends

THREADS: Final = {SENDS: 10, SLOW_SENDS: 6}
SLICE_S: Final = 1.0
"""A webhook with much to send gives way to others after this time."""
STOP_S: Final = 10.0
"""How long a stop waits for messages that are on their way."""
_BEAT_S: Final = 5
_ALIVE_S: Final = 150
_AGAIN_S: Final = 1.0
_LOOK_S: Final = 0.05

_log = logging.getLogger("starledger.sender")


class Sending(Protocol):
    """A deliverer, as a job uses it."""

    def send(self, webhook_id: str, enough: Callable[[], bool], /) -> bool:
        """Send all that is due to a webhook until there is enough; tell whether there is more."""
        ...


class SendJob:
    """What one hint causes."""

    def __init__(self, deliverer: Sending, sends: RqSends, stop: Callable[[], bool], slice_s: float = SLICE_S) -> None:
        self._deliverer = deliverer
        self._sends = sends
        self._stop = stop
        self._slice_s = slice_s

    def __call__(self, webhook: str) -> None:
        """Send what is due at a webhook, and leave a new hint where that is more than one job should do."""
        until = time.monotonic() + self._slice_s
        if self._deliverer.send(webhook, lambda: self._stop() or time.monotonic() > until):
            self._sends.hint(webhook, is_slow=False)


_job: SendJob | None = None
"""RQ names a function, not an object: this process's job stands here."""


def send(webhook: str) -> None:
    """Be what RQ calls for a hint. What can pass, or needs a person, is said in the log; the lease tries again."""
    if _job is None:
        raise RuntimeError("this process has not been set up as a sender")
    try:
        _job(webhook)
    except Unavailable as silent:
        _log.warning("webhook %s waits: %s", webhook, silent)
    except Damaged as unreadable:
        _log.error("webhook %s can't be served: %s", webhook, unreadable)


class NoLimit(BaseDeathPenalty):
    """RQ's limit for a job, left out: each attempt has limits of its own, and a thread can't be ended."""

    def setup_death_penalty(self) -> None:
        """Watch nothing."""

    def cancel_death_penalty(self) -> None:
        """Watch nothing."""


class SendWorker(rq.SimpleWorker):
    """Takes hints from one queue in a thread, until it is told to stop."""

    death_penalty_class = NoLimit
    log_result_lifespan = False
    max_connection_wait_time = 2.0

    def __init__(self, client: redis.Redis, queue: str, name: str) -> None:
        super().__init__(
            [queue],
            name=name,
            connection=client,
            serializer=JSONSerializer,
            log_job_description=False,
            worker_ttl=_ALIVE_S,
        )

    @property
    def is_busy(self) -> bool:
        """Whether a job runs."""
        return bool(self.get_state() == WorkerStatus.BUSY)

    @property
    def dequeue_timeout(self) -> int:
        """How long one wait for a hint takes."""
        return _BEAT_S

    def ask_to_stop(self) -> None:
        """Take no more hints."""
        self._stop_requested = True

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:  # noqa: ARG002 - RQ's own are long
        """Show that this worker is alive; where it is idle and should stop, it does."""
        if self._stop_requested and not self.is_busy:
            raise StopRequested
        super().heartbeat(_ALIVE_S, pipeline)

    def _install_signal_handlers(self) -> None:
        """Leave signals to the main thread."""

    def subscribe(self) -> None:
        """Take no commands over the queue: signals are enough."""

    def unsubscribe(self) -> None:
        """Nothing was subscribed to."""

    def procline(self, message: str) -> None:
        """Leave the process's title alone."""


class _Thread:
    """One sender: a thread that works on a queue and comes back when the queue's server was away."""

    def __init__(self, queue_url: str, queue: str, number: int, stop: threading.Event) -> None:
        self._url = queue_url
        self._queue = queue
        self._name = f"{socket.gethostname()}-{os.getpid()}-{queue}-{number}"
        self._stop = stop
        self.worker: SendWorker | None = None
        self.thread = threading.Thread(target=self._run, name=f"{queue}-{number}", daemon=True)

    def _run(self) -> None:
        while not self._stop.is_set():
            client = open_worker_client(self._url)
            try:
                self.worker = SendWorker(client, self._queue, f"{self._name}-{secrets.token_hex(3)}")
                if not self._stop.is_set():
                    self.worker.work(logging_level=None)
            except (redis.RedisError, StopRequested) as lost:
                _log.debug("a sender is without its queue: %s", lost)
            finally:
                client.close()
            self._stop.wait(_AGAIN_S)

    def is_busy(self) -> bool:
        """Tell whether a message may be on its way."""
        return self.worker is not None and self.worker.is_busy

    def leave(self) -> None:
        """Say goodbye to the queue."""
        if self.worker is not None:
            try:
                self.worker.register_death()  # type: ignore[no-untyped-call]
            except redis.RedisError as lost:
                _log.debug("a sender could not say goodbye: %s", lost)


def serve(deliverer: Deliverer, queue_url: str, sends: RqSends) -> None:
    """Send until a signal comes; what is on its way then may end, or is sent again after its lease."""
    global _job  # noqa: PLW0603 - see there
    stop = threading.Event()

    def end(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    _job = SendJob(deliverer, sends, stop.is_set)
    threads = [_Thread(queue_url, queue, n, stop) for queue, count in THREADS.items() for n in range(count)]
    for each in threads:
        each.thread.start()
    _log.info("sending with %d threads", len(threads))
    stop.wait()
    for each in threads:
        if each.worker is not None:
            each.worker.ask_to_stop()
    until = time.monotonic() + STOP_S
    while time.monotonic() < until and any(each.is_busy() for each in threads):
        time.sleep(_LOOK_S)
    for each in threads:
        each.leave()
