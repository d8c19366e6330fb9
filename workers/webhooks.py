"""Webhooks going out, in threads beside the relay: nobody's slow address holds up another one, or a table.

What is due stands in the store (`hooks:due`), so there is no queue between: threads take it from there by leases. They
may die at any moment, and several processes do no harm.
"""

import logging
import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from service.application.delivering import Deliverer
from service.application.ports import Damaged, Unavailable
from service.application.webhooks import Delivery, DueDelivery

THREADS: Final = 16
AT_ONE: Final = 2
"""So many messages are on their way to one webhook at once."""
BATCH: Final = 1000

_log = logging.getLogger("starledger.webhooks")


class Sender:
    """Sends what is due, in a thread of its own until `close`."""

    def __init__(self, deliverer: Deliverer, period_s: float, threads: int = THREADS) -> None:
        self._deliverer = deliverer
        self._period_s = period_s
        self._pool = ThreadPoolExecutor(threads, "webhook")
        self._lock = threading.Lock()
        self._on_way: Counter[str] = Counter()
        self._room = threads
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Begin nothing new; what is on its way may end, or is sent again after its lease."""
        self._stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._thread.is_alive():
            self._thread.join(self._period_s + 1)

    def step(self) -> list["Future[Delivery | None]"]:
        """Begin to send what is due, as far as there is room; raises `Unavailable`."""
        begun = []
        for due in self._deliverer.store.due(BATCH):
            with self._lock:
                if self._room <= 0:
                    break
                if self._on_way[due.webhook] >= AT_ONE:
                    continue
                self._room -= 1
                self._on_way[due.webhook] += 1
            begun.append(self._pool.submit(self._deliver, due))
        return begun

    def _deliver(self, due: DueDelivery) -> Delivery | None:
        try:
            return self._deliverer.deliver(due)
        except (Unavailable, Damaged) as failed:
            _log.warning("a message to webhook %s waits: %s", due.webhook, failed)
            return None
        finally:
            with self._lock:
                self._room += 1
                self._on_way[due.webhook] -= 1
                if not self._on_way[due.webhook]:
                    del self._on_way[due.webhook]

    def _run(self) -> None:
        while not self._stop.wait(self._period_s):
            try:
                self.step()
            except (Unavailable, Damaged) as silent:
                _log.warning("the webhooks wait for the store: %s", silent)
            except RuntimeError:
                return  # the pool was shut down in between
