"""Whether this process is able to serve: its store, its workers, and that it is not about to stop."""

import threading
from collections.abc import Mapping
from typing import Final

from service.application.ports import Damaged, Mark, Unavailable
from service.bootstrap import Services

OK: Final = "ok"

stopping: Final = threading.Event()
"""Set when this process was told to end: it is not ready from then on, and finishes what it has begun."""

_NO_MARK: Final = Mark(table="-", due_ms=-1)


def checks(services: Services) -> Mapping[str, str]:
    """Give each check with `ok`, or with what is wrong in words."""
    return {
        "process": "it is stopping" if stopping.is_set() else OK,
        "store": _store(services),
        "workers": _workers(services),
    }


def _store(services: Services) -> str:
    """A script that finds nothing to do runs only where the store is reached and safe to commit to."""
    try:
        services.outbox.lease(_NO_MARK, 1)
    except (Unavailable, Damaged) as reason:
        return str(reason)
    return OK


def _workers(services: Services) -> str:
    try:
        count = services.workers_seen()
    except Unavailable as silent:
        return str(silent)
    return OK if count else "no worker has shown itself: AI turns and clocks wait until one does"
