"""Pairing: entries to tables of k or k-1 seats, with the fewest byes and the least cost.

The order of costs: meetings again, then differences in points, then seats that can't be balanced; whoever had fewer
byes gets the bye, always. Exact (branch and bound) for up to twelve entries; above, the order of points is cut into
tables and improved by seeded swaps. The order in which entries are given does not matter: `lots` breaks ties.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Final

from domain.tournament.events import Cost
from domain.tournament.history import Met
from domain.tournament.plan import UNIT
from domain.values import Value

EXACT: Final = 12
"""Up to so many entries the best pairing is found."""
REPEAT: Final = 1 << 60
"""What one meeting again costs: more than all else."""
_SEAT: Final = 1
_SPREAD: Final = 1 << 6
_WINDOW: Final = 24
"""How far away, in the order of points, a swap looks first."""
_FAR: Final = 30
"""So many far tables, drawn by lot, are looked at where no near one helps."""
_DEPTH: Final = 20_000


class Paired(Value, frozen=True):
    """Tables, best first, and who has a bye."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


class Field(Value, frozen=True):
    """Who is to be paired: points in units and place in the lots by entry, and what was before."""

    points: Mapping[str, int]
    lots: Mapping[str, int]
    met: Met

    def ordered(self) -> list[str]:
        """Give the entries by points, then lots."""
        return sorted(self.points, key=lambda entry: (-self.points[entry], self.lots[entry]))


def sizes(entrants: int, seats: int) -> tuple[int, ...]:
    """Give the numbers of seats of a round's tables: k and k-1, with the fewest byes, then the fewest small tables.

    Fewer entrants than k-1 share one table.
    """
    if entrants < seats:
        return (entrants,) if entrants > 1 else ()
    if seats == 2:  # noqa: PLR2004 - only tables of two have no smaller ones
        return (2,) * (entrants // 2)
    best = min(
        (
            (entrants - large * seats - small * (seats - 1), small, large)
            for large in range(entrants // seats + 1)
            for small in [(entrants - large * seats) // (seats - 1)]
        ),
    )
    return (seats,) * best[2] + (seats - 1,) * best[1]


def pair(field: Field, seats: int, seed: int) -> Paired:
    """Pair a round; the same for the same field and seed."""
    order = field.ordered()
    table_sizes = sizes(len(order), seats)
    free = len(order) - sum(table_sizes)
    costs = Costs(field)
    if len(order) <= EXACT:
        return _exact(order, table_sizes, free, costs)
    byes = _bye_order(field)[:free]
    rest = [entry for entry in order if entry not in byes]
    return Paired(tables=_searched(rest, table_sizes, costs, random.Random(seed)), byes=tuple(byes))  # noqa: S311 - no secret


def cost(entries: Sequence[str], field: Field, seat_imbalance: int = 0) -> Cost:
    """Give what a table costs, by kind."""
    pairs = [(one, other) for i, one in enumerate(entries) for other in entries[:i]]
    return Cost(
        repeats=sum(field.met.met(*both) for both in pairs),
        score_spread=sum((field.points[one] - field.points[other]) ** 2 for one, other in pairs),
        seat_imbalance=seat_imbalance,
    )


def repeats(tables: Sequence[Sequence[str]], met: Met) -> int:
    """Count meetings again in a whole round."""
    return sum(met.met(one, other) for table in tables for i, one in enumerate(table) for other in table[:i])


def _bye_order(field: Field) -> list[str]:
    """Give who should have a bye first: fewest byes, then fewest points, then last in the lots."""
    return sorted(
        field.points, key=lambda entry: (field.met.byes.get(entry, 0), field.points[entry], -field.lots[entry])
    )


class Costs:
    """The cost of two at one table, kept once it has been computed."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._points = field.points
        self._meetings = field.met.meetings
        self._tilt = {entry: field.met.sat(entry, 0, 2) - field.met.sat(entry, 1, 2) for entry in field.points}
        self._known: dict[tuple[str, str], int] = {}

    def pair(self, one: str, other: str) -> int:
        """Give the cost of two who meet."""
        known = self._known.get((one, other))
        if known is None:
            again = self._meetings.get((one, other), 0)
            apart = abs(self._points[one] - self._points[other]) * 2 // UNIT
            tilt, tilted = self._tilt[one], self._tilt[other]
            seat = min(abs(tilt), abs(tilted), 7) if tilt * tilted > 0 else 0
            steep = 1 << 30 if seat > 1 else 0
            known = again * again * REPEAT + steep + apart * apart * _SPREAD + seat * _SEAT
            self._known[one, other] = self._known[other, one] = known
        return known

    def table(self, entries: Sequence[str]) -> int:
        """Give the cost of a table."""
        return sum(self.pair(one, other) for i, one in enumerate(entries) for other in entries[:i])

    def joining(self, entry: str, others: Sequence[str]) -> int:
        """Give what one more costs at a table."""
        return sum(self.pair(entry, other) for other in others)


def _exact(order: list[str], table_sizes: tuple[int, ...], free: int, costs: Costs) -> Paired:
    """Try all ways that could be best: the first who is left sits down with each possible company, or has a bye."""
    byes_had = costs.field.met.byes
    fewest = _bye_order(costs.field)[:free]
    most_byes = max((byes_had.get(entry, 0) for entry in fewest), default=0)
    surely = [entry for entry in order if byes_had.get(entry, 0) < most_byes] if free else []
    may_rest = {entry for entry in order if byes_had.get(entry, 0) == most_byes} if free else set()
    rank = {entry: (costs.field.points[entry] * 2 // UNIT) ** 2 * _SPREAD for entry in order}
    best: list[tuple[int, tuple[tuple[str, ...], ...], tuple[str, ...]]] = []

    def go(left: tuple[str, ...], sizes_left: tuple[int, ...], tables: tuple[tuple[str, ...], ...], spent: int,
           resting: tuple[str, ...]) -> None:  # fmt: skip
        if best and spent >= best[0][0]:
            return
        if not left:
            best[:] = [(spent, tables, resting)]
            return
        first, rest = left[0], left[1:]
        for size in dict.fromkeys(sizes_left):
            remaining = list(sizes_left)
            remaining.remove(size)
            for company, more in _companies(first, rest, size - 1, costs):
                go(
                    tuple(each for each in rest if each not in company),
                    tuple(remaining),
                    (*tables, (first, *company)),
                    spent + more,
                    resting,
                )
        if first in may_rest and len(resting) < free:
            go(rest, sizes_left, tables, spent + rank[first], (*resting, first))

    start = tuple(entry for entry in order if entry not in surely)
    go(start, table_sizes, (), 0, tuple(surely))
    return Paired(tables=best[0][1] if best else (), byes=best[0][2] if best else tuple(order))


def _companies(first: str, rest: tuple[str, ...], count: int, costs: Costs) -> list[tuple[tuple[str, ...], int]]:
    """Give all companies of so many for one, cheapest first."""
    found: list[tuple[tuple[str, ...], int]] = [((), 0)]
    for _ in range(count):
        found = [
            ((*company, each), spent + costs.joining(each, (first, *company)))
            for company, spent in found
            for each in rest[rest.index(company[-1]) + 1 if company else 0 :]
        ]
    return sorted(found, key=lambda each: each[1])


def _searched(
    order: list[str], table_sizes: tuple[int, ...], costs: Costs, rng: random.Random
) -> tuple[tuple[str, ...], ...]:
    """Cut the order of points into tables, then swap while that helps."""
    if set(table_sizes) == {2}:
        found = _in_pairs(order, costs)
        if found is not None:
            return _swapped(found, costs, rng)
    tables: list[list[str]] = []
    start = 0
    for size in table_sizes:
        tables.append(order[start : start + size])
        start += size
    return _swapped(tables, costs, rng)


def _in_pairs(order: list[str], costs: Costs) -> list[list[str]] | None:
    """Match from the top, each with the nearest he has not met, going back where somebody is left over.

    None where no way without a meeting again was found within a bound.
    """
    met = costs.field.met.meetings
    left = list(order)
    pairs: list[list[str]] = []
    tried: list[int] = []
    steps = 0
    at = 1
    while left:
        steps += 1
        if steps > _DEPTH:
            return None
        first = left[0]
        while at < len(left) and met.get((first, left[at])):
            at += 1
        if at < len(left):
            second = left[at]
            del left[at], left[0]
            pairs.append([first, second])
            tried.append(at)
            at = 1
        elif pairs:
            first, second = pairs.pop()
            at = tried.pop()
            left.insert(0, first)
            left.insert(at, second)
            at += 1
        else:
            return None
    return pairs


def _swapped(tables: list[list[str]], costs: Costs, rng: random.Random) -> tuple[tuple[str, ...], ...]:
    """Swap two entries of two tables while the cost falls: near tables first, far ones for meetings again."""
    spent = [costs.table(table) for table in tables]
    waiting = [i for i, each in enumerate(spent) if each]
    rounds = 0
    while waiting and rounds < 2 * len(tables) + 40:
        rounds += 1
        i = waiting.pop(0)
        if not spent[i]:
            continue
        reach = _WINDOW // len(tables[i])
        near = [j for j in range(max(0, i - reach), min(len(tables), i + reach + 1)) if j != i]
        changed = _best_swap(tables, spent, i, near, costs)
        if changed is None and spent[i] >= 1 << 30:
            far = [j for j in range(len(tables)) if j != i and abs(j - i) > reach]
            changed = _best_swap(tables, spent, i, rng.sample(far, min(len(far), _FAR)), costs)
        if changed is not None:
            waiting += [each for each in (i, changed) if each not in waiting]
    if any(each >= REPEAT for each in spent):
        _shaken(tables, spent, costs, rng)
    return tuple(tuple(table) for table in tables)


def _best_swap(tables: list[list[str]], spent: list[int], i: int, others: Sequence[int], costs: Costs) -> int | None:
    """Do the swap of table i with one of the others that saves most; gives the other table, None where none saves."""
    best = (0, -1, 0, 0, 0, 0)
    mine = tables[i]
    pair = costs.pair
    alone = [sum(pair(entry, other) for other in mine if other != entry) for entry in mine]
    for j in others:
        theirs = tables[j]
        across = [[pair(entry, other) for entry in mine] for other in theirs]
        joining = [sum(row[a] for row in across) for a in range(len(mine))]
        for b, other in enumerate(theirs):
            row = across[b]
            joins_mine = sum(row)
            stays = spent[j] - sum(pair(other, each) for each in theirs if each != other)
            for a, between in enumerate(row):
                after_i = spent[i] - alone[a] + joins_mine - between
                after_j = stays + joining[a] - between
                saved = spent[i] + spent[j] - after_i - after_j
                if saved > best[0]:
                    best = (saved, j, a, b, after_i, after_j)
    _, j, a, b, after_i, after_j = best
    if j < 0:
        return None
    tables[i][a], tables[j][b] = tables[j][b], tables[i][a]
    spent[i], spent[j] = after_i, after_j
    return j


_SHAKES: Final = 20
_WORK: Final = 600
_AROUND: Final = 8


def _shaken(tables: list[list[str]], spent: list[int], costs: Costs, rng: random.Random) -> None:
    """Where meetings again are left, mix the tables that have them with others and swap anew; keep what is better."""
    everyone = list(range(len(tables)))
    for _ in range(min(_SHAKES, 1 + _WORK // sum(map(len, tables)))):
        bad = [i for i, each in enumerate(spent) if each >= REPEAT]
        if not bad:
            return
        chosen = sorted({*bad, *rng.sample(everyone, min(len(everyone), 3 + len(bad)))})
        if len(chosen) < 2:  # noqa: PLR2004 - two tables make a swap
            return
        mixed = [entry for i in chosen for entry in tables[i]]
        rng.shuffle(mixed)
        trial = [list(table) for table in tables]
        for i in chosen:
            trial[i], mixed = mixed[: len(tables[i])], mixed[len(tables[i]) :]
        trial_spent = [costs.table(table) for table in trial]
        for _again in range(3):
            moved = False
            for i in chosen:
                if trial_spent[i] >= REPEAT:
                    others = [j for j in rng.sample(everyone, min(len(everyone), _AROUND)) if j != i]
                    moved = _best_swap(trial, trial_spent, i, others, costs) is not None or moved
            if not moved:
                break
        if sum(trial_spent) < sum(spent):
            tables[:], spent[:] = trial, trial_spent
