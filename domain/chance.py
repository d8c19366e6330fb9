"""Chance: every byte that decides a deal, written down so that another language can check it.

`docs/fairness.md` has the same in prose with test vectors. All multi-byte integers are big-endian.

- `commitment = SHA-256(secret)`.
- Drawn secret: `seed = SHA-256(secret ‖ JCS([table id, [entropy of seat 0 or null, …]]))`.
- Chosen seed: `seed = SHA-256("starledger/chosen/1" ‖ UTF-8 of the string)`; the secret is the seed itself.
- Stream of shuffle k: blocks `HMAC-SHA256(seed, "shuffle" ‖ k as 4 bytes ‖ block as 4 bytes)`, block = 0, 1, …
- Stream of a pick: blocks `HMAC-SHA256(seed, "pick" ‖ UTF-8 of its purpose ‖ 0x00 ‖ block as 4 bytes)`.
- A number below n: 4 bytes of the stream as x; refused while x ≥ n·⌊2³²/n⌋; then x mod n.
- Shuffle (Fisher-Yates): for i from last down to 1: j = number below i+1; swap i and j.
"""

import hashlib
import hmac
import random
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

import msgspec

from domain.values import Seat, Value

T = TypeVar("T")

SECRET_BYTES: Final = 32
CHOSEN_PREFIX: Final = b"starledger/chosen/1"
_WORD: Final = 4
_SPAN: Final = 1 << (8 * _WORD)


class Chance(Protocol):
    """What a decision may ask of chance: numbered shuffles and named picks."""

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:
        """Give the cards in the order of shuffle `k` of the table; put them in card order first."""
        ...

    def pick(self, purpose: str, below: int) -> int:
        """Give a number from 0 to `below` - 1 for a purpose that occurs once at a table."""
        ...


class SeededChance(Value, frozen=True):
    """Chance that follows from a table's 32-byte seed (fairness.md 3)."""

    seed: bytes

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:
        """Give the cards in the order of shuffle `k`."""
        below = _numbers(self.seed, b"shuffle" + k.to_bytes(4, "big"))
        order = list(cards)
        for i in range(len(order) - 1, 0, -1):
            j = below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def pick(self, purpose: str, below: int) -> int:
        """Give a number from 0 to `below` - 1."""
        return _numbers(self.seed, b"pick" + purpose.encode() + b"\0")(below)


class RandomChance:
    """Chance from a `random.Random`: for simulated tables (bots' searches, the kit), never for a real deal."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002 - the protocol numbers shuffles
        """Give the cards in a random order."""
        order = list(cards)
        self._rng.shuffle(order)
        return tuple(order)

    def pick(self, purpose: str, below: int) -> int:  # noqa: ARG002 - the protocol names picks
        """Give a number from 0 to `below` - 1."""
        return self._rng.randrange(below)


class Secret(Value, frozen=True):
    """What chance at a table rests on, kept apart from its events until it is revealed.

    `secret` is what the commitment commits to; `bots` (K) is drawn apart from it and feeds the bots' own
    randomness; `chosen` tells that the seed is the secret itself, so that table id and entropy do not enter: the
    creator chose it, or other tables play the same deal.
    """

    secret: bytes
    bots: bytes
    chosen: bool = False

    @property
    def commitment(self) -> str:
        """SHA-256 of the secret, in hex."""
        return hashlib.sha256(self.secret).hexdigest()

    def chance(self, table: str, entropy: Sequence[str | None]) -> SeededChance:
        """Give the chance of the table with this id and these seats' entropies (base64url, as in the log)."""
        return SeededChance(table_seed(self.secret, table, entropy, chosen=self.chosen))


def table_seed(secret: bytes, table: str, entropy: Sequence[str | None], *, chosen: bool) -> bytes:
    """Derive a table's seed from its (revealed) secret, its id and its seats' entropies (fairness.md 3)."""
    if chosen:
        return secret
    return hashlib.sha256(secret + msgspec.json.encode([table, list(entropy)])).digest()


def chosen_secret(seed: str) -> Secret:
    """Give the secret of a table whose creator chose `seed` (1 to 64 characters)."""
    secret = hashlib.sha256(CHOSEN_PREFIX + seed.encode()).digest()
    return Secret(secret=secret, bots=hmac.digest(secret, b"bots", "sha256"), chosen=True)


def bot_rng(bots: bytes, seat: Seat, version: int, purpose: str) -> random.Random:
    """Give a bot's own randomness for one decision: `HMAC(K, seat ‖ version ‖ purpose)` seeds it."""
    message = seat.to_bytes(1, "big") + version.to_bytes(4, "big") + purpose.encode()
    return random.Random(int.from_bytes(hmac.digest(bots, message, "sha256"), "big"))  # noqa: S311 - not for secrets


def _numbers(key: bytes, prefix: bytes) -> Callable[[int], int]:
    buffer = b""
    block = 0

    def below(n: int) -> int:
        nonlocal buffer, block
        limit = _SPAN - _SPAN % n
        while True:
            if not buffer:
                buffer = hmac.digest(key, prefix + block.to_bytes(4, "big"), "sha256")
                block += 1
            x, buffer = int.from_bytes(buffer[:_WORD], "big"), buffer[_WORD:]
            if x < limit:
                return x % n

    return below
