"""The chance of one simulation: a number from which each of its shuffles follows by itself."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Luck:
    """Chance for a table that a search imagines, never for a real deal.

    The n-th shuffle depends on the seed and on n alone. So tables that begin with the same luck, and differ by one
    command, meet the same chance later on; and a simulation without a shuffle costs no random numbers.
    """

    __slots__ = ("_count", "_seed")

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    def copy(self) -> "Luck":
        """Give the same luck from here on."""
        other = Luck(self._seed)
        other._count = self._count
        return other

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002 - the protocol numbers shuffles
        """Give the cards in the order of the next shuffle."""
        order = list(cards)
        self._random().shuffle(order)
        return tuple(order)

    def pick(self, purpose: str, below: int) -> int:  # noqa: ARG002 - the protocol names picks
        """Give a number from 0 to `below` - 1."""
        return self._random().randrange(below)

    def _random(self) -> random.Random:
        self._count += 1
        return random.Random(self._seed + self._count)  # noqa: S311 - a simulation's, no secret
