"""The queue of AI turns on RQ: hints for workers, in a Redis of its own that may lose everything at any moment.

One queue for all workers, and each worker listens to this one only: RQ then pops with BLMOVE, which loses no hint
when a worker dies. A queue for each worker would need a live list of workers to hash over, and would leave the
tables of a busy or dead worker waiting beside an idle one; what it could save, a warm table, costs one read here.
"""

import contextlib
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
"""A queue that does not answer costs who asks this much, once in `_REST_S`."""
_REST_S: Final = 1.0
_WORKER_TIMEOUT_S: Final = 5.0
_MOST_LOST: Final = 20
"""Hints for one try that may be lost in dying workers' hands before we give up on that try."""
_BEYOND_S: Final = 2
"""A worker whose job takes twice the lease and this longer ends: its table was handed to another one long ago."""
_FAILURE_TTL_S: Final = 3600
_STARTS_TTL_S: Final = 3600

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


def open_worker_client(url: str) -> redis.Redis:
    """Give a client for an RQ worker, which sets its own timeouts as it waits."""
    return redis.Redis.from_url(url, socket_connect_timeout=_WORKER_TIMEOUT_S, socket_timeout=_WORKER_TIMEOUT_S)


class RqQueue:
    """`Queue` and `Turns` over RQ.

    Nothing here raises because of the queue's server: a hint that is lost stands in the outbox. After a failure the
    server is left alone for a second, so that a dead one never slows those who decide commands.
    """

    def __init__(self, client: redis.Redis, lease_s: float = 15.0) -> None:
        """`lease_s`: the table of a worker that has not come back by then is free for another one."""
        self._client = client
        self._queue = rq.Queue(QUEUE, connection=client, serializer=JSONSerializer)
        self._lease_ms = round(lease_s * 1000)
        self._rests_until = 0.0
        self._lock = threading.Lock()

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Ask for a table to be looked at before all others, unless the same hint stands there already.

        Somebody has just moved there and waits for the answer; tables of bots alone can wait (`go_on`).
        """
        self._hint(table, version, attempt, at_front=True)

    def go_on(self, table: str, version: int, attempt: int = 0) -> None:
        """Ask for a table at which there is more to do, when its turn comes."""
        self._hint(table, version, attempt, at_front=False)

    def remind(self, table: str, version: int) -> bool:
        """Ask again for a table; tell whether the queue could be reached.

        Nothing is doubled: a hint that nobody has taken up yet stands (workers are busy, or there are none), and a
        table at which a worker plays needs none. What is due and waits nowhere is late already (a clock has run out):
        it goes before tables of bots alone.
        """
        if self._rests():
            return False
        try:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.get(_starts(table, version))
            pipeline.exists(_playing(table))
            starts, is_played = pipeline.execute()
            if not is_played:
                self._push_again(table, version, int(starts or 0))
        except redis.RedisError as lost:
            self._failed("a reminder for table %s", table, lost)
            return False
        return True

    def begin(self, table: str, version: int) -> int:
        """Note that a worker plays at a table from a version on; gives how many tries there came to nothing.

        Tries are counted here, where they begin, and not where leases end: a hint that waits long, or is lost, is no
        try. A worker that dies leaves its try in the count, and the table free again after the lease.
        """
        if self._rests():
            return 0
        try:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.incr(_starts(table, version))
            pipeline.expire(_starts(table, version), _STARTS_TTL_S)
            pipeline.set(_playing(table), version, px=self._lease_ms)
            return int(pipeline.execute()[0]) - 1
        except redis.RedisError as lost:
            self._failed("the beginning of a turn at table %s", table, lost)
            return 0

    def end(self, table: str, began: int, stuck: int | None = None) -> None:
        """Note that the worker that began at version `began` came back; `stuck`: where a bot came to nothing."""
        if self._rests():
            return
        try:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.delete(_playing(table))
            if stuck != began:
                pipeline.delete(_starts(table, began))
            if stuck is not None and stuck != began:
                pipeline.incr(_starts(table, stuck))
                pipeline.expire(_starts(table, stuck), _STARTS_TTL_S)
            pipeline.execute()
        except redis.RedisError as lost:
            self._failed("the end of a turn at table %s", table, lost)

    def waiting(self) -> int:
        """Count the hints that nobody has taken up; raises `redis.RedisError`."""
        return int(self._client.llen(self._queue.key))

    def workers(self) -> tuple[WorkerSeen, ...]:
        """Give the workers that are alive, by name; raises `redis.RedisError`."""
        return alive(self._client, QUEUE)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _hint(self, table: str, version: int, attempt: int, *, at_front: bool) -> None:
        if self._rests():
            return
        try:
            self._push(table, version, _job_id(table, version, attempt), at_front=at_front)
        except DuplicateJobError:
            _log.debug("the hint for %s at %d is there already", table, version)
        except redis.RedisError as lost:
            self._failed("a hint for table %s", table, lost)

    def _push_again(self, table: str, version: int, attempt: int) -> None:
        """Push a hint for a table at which nobody plays, unless one waits.

        A job that is there but does not wait was taken up a moment ago, or lost in the hands of a worker that died
        before it began: it blocks its id, so the hint gets the next one. At the worst a hint is one too many.
        """
        for again in range(_MOST_LOST):
            job_id = _job_id(table, version, attempt, again)
            if self._client.lpos(self._queue.key, job_id) is not None:
                return
            with contextlib.suppress(DuplicateJobError):
                self._push(table, version, job_id, at_front=True)
                return

    def _push(self, table: str, version: int, job_id: str, *, at_front: bool) -> None:
        self._queue.enqueue_call(
            JOB,
            args=(table, version),
            job_id=job_id,
            timeout=round(self._lease_ms / 500) + _BEYOND_S,
            result_ttl=0,
            failure_ttl=_FAILURE_TTL_S,
            unique=True,
            at_front=at_front,
        )

    def _rests(self) -> bool:
        with self._lock:
            return time.monotonic() < self._rests_until

    def _failed(self, what: str, table: str, lost: redis.RedisError) -> None:
        with self._lock:
            self._rests_until = time.monotonic() + _REST_S
        _log.warning(f"The queue did not take {what}: %s", table, lost)


def alive(client: redis.Redis, queue: str) -> tuple[WorkerSeen, ...]:
    """Give the RQ workers of a queue that are alive, by name; raises `redis.RedisError`."""
    keys = sorted(_text(key) for key in client.smembers(f"rq:workers:{queue}"))
    pipeline = client.pipeline(transaction=False)
    for key in keys:
        pipeline.hgetall(key)
    return tuple(
        _seen(key, {_text(name): _text(value) for name, value in facts.items()})
        for key, facts in zip(keys, pipeline.execute(), strict=True)
        if b"last_heartbeat" in facts and b"death" not in facts
    )


def _starts(table: str, version: int) -> str:
    return f"turns:starts:{table}:{version}"


def _playing(table: str) -> str:
    return f"turns:playing:{table}"


def _job_id(table: str, version: int, attempt: int, again: int = 0) -> str:
    return f"{table}_{version}_{attempt}" + (f"_{again}" if again else "")


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
