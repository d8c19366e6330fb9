"""AI turns: the job that RQ runs for a hint, and the process that runs such jobs."""

import logging
import os
import secrets
import socket
import time
from typing import Final, Protocol

import redis
from rq.exceptions import StopRequested

from domain.log import UnknownEvent
from service.application.choosing import Thinking
from service.application.handle import Desk
from service.application.hints import NoHints
from service.application.live import Frozen
from service.application.ports import Damaged, Unavailable
from service.application.tournament_driving import Drives
from service.application.turns import Player, Turns
from service.bootstrap import Services
from service.queue import open_worker_client
from workers.limits import thinking_limit
from workers.worker import TurnWorker

SLICE_S: Final = 0.25
"""A table of bots alone gives way to others after this time: so long a person may have to wait for a worker."""
_AGAIN_S: Final = 1.0

_log = logging.getLogger("starledger.worker")


class Stop(Protocol):
    """Tells whether the process should end."""

    def __call__(self) -> bool:
        """Tell."""
        ...


class TurnJob:
    """What one hint causes."""

    def __init__(self, services: Services, queue: Turns, stop: Stop, thinking: Thinking | None = None) -> None:
        """`thinking`: other bots than the built-in ones, for tests."""
        lease = services.config.lease
        self._queue = queue
        self._stop = stop
        self._slice_s = min(SLICE_S, lease / 3)
        self._until = 0.0
        player = Player(
            Desk(services.store, NoHints(), services.games, os.urandom, committed=services.feeds.note),
            services.closing,
            thinking or Thinking(limit=lambda: thinking_limit(lease * 2 / 3)),
            self._is_enough,
        )
        self._player = Drives(player, services.driver)

    def __call__(self, table: str, version: int) -> None:
        """Play on at a table, and leave a new hint where more is due than one job should do."""
        self._until = time.monotonic() + self._slice_s
        attempt = self._queue.begin(table, version)
        stuck: int | None = None
        try:
            played = self._player.play_on(table, version, attempt)
            _log.debug("table %s: %d entries, then %s at version %d", table, played.entries, played.why, played.version)
            stuck = played.version if played.why == "stuck" else None
        finally:
            self._queue.end(table, version, stuck)
        if played.why == "stuck":
            _log.error("table %s: the bot to move at version %d takes too long", table, played.version)
            self._queue.remind(table, played.version)
        elif played.why == "enough":
            # A hint with the id of the job that runs is taken away with this job when it ends.
            self._queue.go_on(table, played.version, attempt + (played.version == version))

    def _is_enough(self) -> bool:
        return self._stop() or time.monotonic() > self._until


_job: TurnJob | None = None
"""RQ names a function, not an object: this process's job stands here."""


def play(table: str, version: int) -> None:
    """Be what RQ calls for a hint. What can pass, or needs a person, is said in the log; the lease tries again."""
    if _job is None:
        raise RuntimeError("this process has not been set up as a worker")
    try:
        _job(table, version)
    except Unavailable as silent:
        _log.warning("table %s waits: %s", table, silent)
    except (Damaged, Frozen, UnknownEvent) as unreadable:
        _log.error("table %s can't be played on: %s", table, unreadable)


def serve(services: Services, queue_url: str, queue: Turns, thinking: Thinking | None = None) -> None:
    """Take hints until a signal comes; goes on by itself when the queue's server was away.

    `thinking`: other bots than the built-in ones, for tests.
    """
    global _job  # noqa: PLW0603 - see there
    is_stopping = False
    while not is_stopping:
        client = open_worker_client(queue_url)
        name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        worker = TurnWorker(client, name, services.config.lease)
        _job = TurnJob(services, queue, lambda worker=worker: worker.is_stopping, thinking)
        try:
            worker.work(logging_level=None)
            if not worker.is_stopping:
                time.sleep(_AGAIN_S)
        except redis.RedisError as lost:
            _log.warning("the queue can't be reached: %s; trying again", lost)
            time.sleep(_AGAIN_S)
        except StopRequested:
            pass
        finally:
            client.close()
        is_stopping = worker.is_stopping
