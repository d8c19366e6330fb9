"""Handing out the webhooks that are due, beside the relay of tables and in the same way.

It knows nothing but what is due in the event store. It may die between any two steps, and several do no harm.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from service.application.webhooks import DueWebhook

BATCH: Final = 500


class DueWebhooks(Protocol):
    """What is due, as the relay uses it."""

    def due(self, limit: int) -> Sequence[DueWebhook]:
        """Give the webhooks that are due, longest first."""
        ...

    def lease(self, due: DueWebhook, for_ms: int) -> bool:
        """Put one off, if nobody has touched it since; tell whether."""
        ...


class Hint(Protocol):
    """The queue as the relay uses it."""

    def __call__(self, webhook: str, /, *, is_slow: bool) -> bool:
        """Ask for a webhook to be served; tell whether the queue could be reached."""
        ...


class WebhookRelay:
    """Asks senders to serve the webhooks that are due; each then rests for the lease."""

    def __init__(self, store: DueWebhooks, hint: Hint, lease_s: float) -> None:
        self._store = store
        self._hint = hint
        self._lease_ms = round(lease_s * 1000)

    def step(self) -> int:
        """Hand out what is due now, at most `BATCH`; gives how many webhooks that were.

        First the hint, then the lease: whoever dies in between leaves a hint too many, never one too few. While the
        queue is away nothing is leased. Raises `Unavailable`.
        """
        handed = 0
        for due in self._store.due(BATCH):
            if not self._hint(due.webhook, is_slow=due.is_slow):
                break
            handed += self._store.lease(due, self._lease_ms)
        return handed
