"""First answers under an idempotency key, kept for a day so that a repeat gets the same one."""

from typing import Final, Protocol

from domain.values import Value

KEPT_S: Final = 24 * 3600


class Repeat(Value, frozen=True):
    """What came under a key: the digest of the wish, and the answer.

    `body` is None where the answer is not kept but made again: it holds a secret, or follows from a log.
    """

    mark: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


class Repeats(Protocol):
    """One space of keys for each player; both methods may raise `Unavailable`."""

    def get(self, player: str, key: str) -> Repeat | None:
        """Give what came under a key."""
        ...

    def keep(self, player: str, key: str, repeat: Repeat) -> None:
        """Keep what came under a key for `KEPT_S` seconds, unless something came before."""
        ...
