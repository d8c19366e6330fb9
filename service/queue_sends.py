"""The queues of webhooks on RQ: hints to senders that something is due at a webhook; all of it may be lost.

A job holds a webhook's id and nothing else; what is due stands in the event store. Webhooks that answered late or
not at all, or never yet, have a queue and senders of their own, so that however many hang, the others are served.
"""

import contextlib
import logging
import threading
import time
from typing import Final

import redis
import rq
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

SENDS: Final = "webhooks"
SLOW_SENDS: Final = "webhooks-slow"
JOB: Final = "workers.sender.send"
"""The function that a sender runs, by name: this module knows nothing of workers."""

_LIMIT_S: Final = 120
_FAILURE_TTL_S: Final = 3600
_MOST_AT_ONCE: Final = 20
_REST_S: Final = 1.0

_log = logging.getLogger("starledger.queue")


class RqSends:
    """Hints on both queues; nothing here raises because of the queue's server."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._queues = {
            name: rq.Queue(name, connection=client, serializer=JSONSerializer) for name in (SENDS, SLOW_SENDS)
        }
        self._lock = threading.Lock()
        self._rests_until = 0.0

    def hint(self, webhook: str, *, is_slow: bool) -> bool:
        """Ask for a webhook to be served, unless that is asked for already; tell whether the queue could be reached."""
        with self._lock:
            if time.monotonic() < self._rests_until:
                return False
        queue = self._queues[SLOW_SENDS if is_slow else SENDS]
        try:
            self._push(queue, webhook)
        except redis.RedisError as lost:
            with self._lock:
                self._rests_until = time.monotonic() + _REST_S
            _log.warning("The queue did not take a hint for webhook %s: %s", webhook, lost)
            return False
        return True

    def _push(self, queue: rq.Queue, webhook: str) -> None:
        """Push a hint unless one waits; one that was taken up, or lost with its sender, blocks its id: take the next."""
        for again in range(_MOST_AT_ONCE):
            job_id = f"{webhook}_{again}"
            if self._client.lpos(queue.key, job_id) is not None:
                return
            with contextlib.suppress(DuplicateJobError):
                queue.enqueue_call(
                    JOB,
                    args=(webhook,),
                    job_id=job_id,
                    timeout=_LIMIT_S,
                    result_ttl=0,
                    ttl=_FAILURE_TTL_S,
                    failure_ttl=_FAILURE_TTL_S,
                    unique=True,
                )
                return
