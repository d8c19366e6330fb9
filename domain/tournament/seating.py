"""Who sits where at a table: nobody has one seat much more often than another."""

import functools
from collections.abc import Sequence
from typing import Final

from domain.tournament.history import Met

_STEEP: Final = 16
"""One seat too often weighs more than all milder imbalances of a table together."""


def seated(entries: Sequence[str], met: Met, legs: int) -> tuple[str, ...]:
    """Give the entries by seat in the first leg, so that seats are spread best; exact over all orders.

    Legs that make whole turns of the table give everybody every seat and do not matter. Equal orders: the first.
    """
    size = len(entries)
    extra = legs % size
    weight = [_weights(entry, met, size, extra) for entry in entries]

    @functools.cache
    def best(taken: int) -> tuple[int, tuple[int, ...]]:
        seat = taken.bit_count()
        if seat == size:
            return 0, ()
        found: tuple[int, tuple[int, ...]] | None = None
        for place in range(size):
            if not taken >> place & 1:
                cost, rest = best(taken | 1 << place)
                option = (cost + weight[place][seat], (place, *rest))
                if found is None or option < found:
                    found = option
        return found or (0, ())

    return tuple(entries[place] for place in best(0)[1])


def imbalance(entries: Sequence[str], met: Met, legs: int) -> int:
    """Give how many times entries have a seat again beyond what they have least of, with these seats."""
    size = len(entries)
    total = 0
    for place, entry in enumerate(entries):
        counts = [met.sat(entry, seat, size) for seat in range(size)]
        for leg in range(legs):
            counts[(place - leg) % size] += 1
        total += sum(count - min(counts) for count in counts)
    return total


def _weights(entry: str, met: Met, size: int, extra: int) -> list[int]:
    """Give what each first seat costs an entry, for the legs beyond whole turns of the table."""
    counts = [met.sat(entry, each, size) for each in range(size)]
    least = min(counts)
    steps = [_STEEP ** min(count - least, 12) for count in counts]
    return [sum(steps[seat - leg] for leg in range(extra)) for seat in range(size)]
