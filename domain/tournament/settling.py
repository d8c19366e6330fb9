"""The last look at tables of three and more seats: nobody may get one seat three times more often than another.

Seats are given when the tables stand (`seating.py`). Where four who all had one seat too often meet, no order of them
helps; then one of them changes places with somebody of another table, the pair that costs least, and no meeting again
is made for it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.tournament.history import Met
from domain.tournament.pairing import REPEAT, Costs, Field
from domain.tournament.seating import seated

SPREAD: Final = 2
"""So much more often than his least frequent seat may anybody have his most frequent one, at tables of one size."""
_TRIES: Final = 400
"""So many swaps are looked at for a table, cheapest first."""


def settled(tables: Sequence[tuple[str, ...]], field: Field, legs: int) -> tuple[tuple[str, ...], ...]:
    """Give the same tables, with as few swaps as needed."""
    found = [list(table) for table in tables]
    costs: Costs | None = None
    for i, table in enumerate(found):
        if len(table) > 2 and _is_uneven(table, field.met, legs):  # noqa: PLR2004 - pairs are weighed when they meet
            costs = costs or Costs(field)
            _swap(found, i, costs, legs)
    return tuple(tuple(table) for table in found)


def _swap(tables: list[list[str]], i: int, costs: Costs, legs: int) -> None:
    met = costs.field.met
    options = sorted(_options(tables, i, costs))
    for _, j, a, b in options[:_TRIES]:
        mine, theirs = list(tables[i]), list(tables[j])
        mine[a], theirs[b] = theirs[b], mine[a]
        if not _is_uneven(mine, met, legs) and not _is_uneven(theirs, met, legs):
            tables[i], tables[j] = mine, theirs
            return


def _options(tables: list[list[str]], i: int, costs: Costs) -> Iterator[tuple[int, int, int, int]]:
    """Give each swap that makes no meeting again: what it costs, the other table, and the two places."""
    mine = tables[i]
    for j, theirs in enumerate(tables):
        if j == i or len(theirs) != len(mine):
            continue
        for a, entry in enumerate(mine):
            kept = mine[:a] + mine[a + 1 :]
            for b, other in enumerate(theirs):
                without = theirs[:b] + theirs[b + 1 :]
                after = costs.joining(other, kept) + costs.joining(entry, without)
                before = costs.joining(entry, kept) + costs.joining(other, without)
                if after < REPEAT or after // REPEAT <= before // REPEAT:
                    yield after - before, j, a, b


def _is_uneven(table: Sequence[str], met: Met, legs: int) -> bool:
    """Tell whether the best order leaves somebody with a spread that is too wide."""
    size = len(table)
    had = {entry: [met.sat(entry, seat, size) for seat in range(size)] for entry in table}
    if all(max(counts) - min(counts) < SPREAD for counts in had.values()):
        return False
    for place, entry in enumerate(seated(table, met, legs)):
        counts = had[entry]
        for leg in range(legs):
            counts[(place - leg) % size] += 1
        if max(counts) - min(counts) > SPREAD:
            return True
    return False
