"""The RQ worker of AI turns: in one process without forks, with a short heartbeat and a limit that can't be missed.

`SimpleWorker` and not RQ's forking one: it keeps the tables warm from job to job, which a child that ends with its
job can't, and a hint costs it half or less (bench/worker.py). What the fork would protect from, a bot that hangs or
takes its process down, is what leases and tries are for.
"""

from types import FrameType
from typing import Any, Final

import redis
import rq
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from service.queue import QUEUE
from workers.limits import HardLimit

BEAT_S: Final = 5
"""An idle worker shows itself this often."""
SILENT_S: Final = 10
"""A worker that is silent for so long beyond its job's limit, twice the lease, counts as dead."""
_MAINTENANCE_S: Final = 60


class TurnWorker(rq.SimpleWorker):
    """Takes hints from the queue, one after the other, until it is told to stop."""

    death_penalty_class = HardLimit
    log_result_lifespan = False
    max_connection_wait_time = 2.0

    def __init__(self, client: redis.Redis, name: str, lease_s: float) -> None:
        self._alive_s = SILENT_S + round(2 * lease_s)
        super().__init__(
            [QUEUE],
            name=name,
            connection=client,
            serializer=JSONSerializer,
            maintenance_interval=_MAINTENANCE_S,
            log_job_description=False,
            worker_ttl=self._alive_s,
        )
        self.is_stopping = False

    @property
    def dequeue_timeout(self) -> int:
        """How long one wait for a hint takes."""
        return BEAT_S

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:  # noqa: ARG002 - RQ's own are long
        """Show that this worker is alive."""
        super().heartbeat(self._alive_s, pipeline)

    def get_heartbeat_ttl(self, job: Any, working_time: float = 0.0) -> int:  # noqa: ARG002
        """Give how long the worker counts as alive while a job runs."""
        return self._alive_s

    def request_stop(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Finish the entry at hand, then end; hear a second signal and don't hurry.

        RQ's own way would talk to the queue from inside a signal.
        """
        self.is_stopping = self._stop_requested = True
        if self.get_state() != WorkerStatus.BUSY:
            raise StopRequested

    def subscribe(self) -> None:
        """Take no commands over the queue: signals are enough."""

    def unsubscribe(self) -> None:
        """Nothing was subscribed to."""

    def procline(self, message: str) -> None:
        """Leave the process's title alone."""
