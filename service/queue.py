"""The queue of AI turns on RQ: hints for workers, in a Redis of its own that may lose everything at any moment.

One queue for all workers, and each worker listens to this one only: RQ then pops with BLMOVE, which loses no hint
when a worker dies. A queue for each worker would need a live list of workers to hash over, and would leave the
tables of a busy or dead worker waiting beside an idle one; what it could save, a warm table, costs one read here.
"""

import logging
import threading
import time
from typing import Any, Final

import redis
import rq
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from domain.values import Value

QUEUE: Final = "turns"
JOB: Final = "workers.turns.play"
"""The function that a worker runs, by name: this module knows nothing of workers."""

_HINT_TIMEOUT_S: Final = 0.5
"""A queue that does not answer costs a request this much, once in `_REST_S`."""
_REST_S: Final = 1.0
_FAILURE_TTL_S: Final = 3600
_STARTS_TTL_S: Final = 3600
_HARD_LIMIT_S: Final = 30

_log = logging.getLogger("starledger.queue")


class WorkerSeen(Value, frozen=True):
    """A worker that has shown itself lately: its name, process id, host, state, and seconds since its last beat."""

    name: str
    pid: int | None
    host: str
    state: str
    silent_s: float


def open_queue_client(url: str) -> redis.Redis:
    """Give a client that fails fast, for hints; it connects at its first command."""
    return redis.Redis.from_url(
        url,
        socket_timeout=_HINT_TIMEOUT_S,
        socket_connect_timeout=_HINT_TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
        client_name="starledger-hints",
    )


class RqQueue:
    """`Queue` and `Turns` over RQ.

    Nothing here raises because of the queue's server: a hint that is lost stands in the outbox. After a failure the
    server is left alone for a second, so that a dead one never slows those who decide commands.
    """

    def __init__(self, client: redis.Redis, hard_limit_s: int = _HARD_LIMIT_S) -> None:
        """`hard_limit_s`: a job that takes longer ends with its worker."""
        self._client = client
        self._queue = rq.Queue(QUEUE, connection=client, serializer=JSONSerializer)
        self._hard_limit_s = hard_limit_s
        self._rests_until = 0.0
        self._lock = threading.Lock()

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Ask for a table to be looked at, unless the same hint stands there already."""
        if self._rests():
            return
        try:
            self._push(table, version, attempt, unique=True)
        except DuplicateJobError:
            _log.debug("the hint for %s at %d is there already", table, version)
        except redis.RedisError as lost:
            self._failed("a hint for table %s", table, lost)

    def remind(self, table: str, version: int) -> bool:
        """Ask again for a table whose lease has run out; tell whether the queue has taken it.

        A hint that nobody has taken up yet is not doubled: workers are busy, or there are none.
        """
        if self._rests():
            return False
        try:
            attempt = int(self._client.get(_starts(table, version)) or 0)
            if self._client.lpos(self._queue.key, _job_id(table, version, attempt)) is None:
                self._push(table, version, attempt, unique=False)
        except redis.RedisError as lost:
            self._failed("a reminder for table %s", table, lost)
            return False
        return True

    def begin(self, table: str, version: int) -> int:
        """Note that a worker begins to think at this version; gives how many have begun before.

        Counted here, where a try begins, and not where leases end: a hint that waits long, or is lost, is no try.
        """
        key = _starts(table, version)
        try:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.incr(key)
            pipeline.expire(key, _STARTS_TTL_S)
            return int(pipeline.execute()[0]) - 1
        except redis.RedisError as lost:
            self._failed("a try at table %s", table, lost)
            return 0

    def waiting(self) -> int:
        """Count the hints that nobody has taken up; raises `redis.RedisError`."""
        return int(self._client.llen(self._queue.key))

    def workers(self) -> tuple[WorkerSeen, ...]:
        """Give the workers that are alive, by name; raises `redis.RedisError`."""
        keys = sorted(_text(key) for key in self._client.smembers(rq.Worker.redis_workers_keys))
        pipeline = self._client.pipeline(transaction=False)
        for key in keys:
            pipeline.hgetall(key)
        return tuple(
            _seen(key, {_text(name): _text(value) for name, value in facts.items()})
            for key, facts in zip(keys, pipeline.execute(), strict=True)
            if b"last_heartbeat" in facts and b"death" not in facts
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _push(self, table: str, version: int, attempt: int, *, unique: bool) -> None:
        self._queue.enqueue_call(
            JOB,
            args=(table, version),
            job_id=_job_id(table, version, attempt),
            timeout=self._hard_limit_s,
            result_ttl=0,
            failure_ttl=_FAILURE_TTL_S,
            unique=unique,
        )

    def _rests(self) -> bool:
        with self._lock:
            return time.monotonic() < self._rests_until

    def _failed(self, what: str, table: str, lost: redis.RedisError) -> None:
        with self._lock:
            self._rests_until = time.monotonic() + _REST_S
        _log.warning(f"The queue did not take {what}: %s", table, lost)


def _starts(table: str, version: int) -> str:
    return f"turns:starts:{table}:{version}"


def _job_id(table: str, version: int, attempt: int) -> str:
    return f"{table}_{version}_{attempt}"


def _text(raw: bytes | str) -> str:
    return raw if isinstance(raw, str) else raw.decode()


def _seen(key: str, facts: dict[str, Any]) -> WorkerSeen:
    beat = rq.utils.utcparse(facts["last_heartbeat"])
    return WorkerSeen(
        name=key.removeprefix(rq.Worker.redis_worker_namespace_prefix),
        pid=int(facts["pid"]) if facts.get("pid") else None,
        host=facts.get("hostname", ""),
        state=facts.get("state", ""),
        silent_s=max(0.0, (rq.utils.now() - beat).total_seconds()),
    )
