"""An independent checker of pairings: looks only at what was paired, and knows nothing of how."""

from collections import Counter
from collections.abc import Sequence

from domain.tournament.state import Round


def faults(rounds: Sequence[Round], seats: int, active: Sequence[frozenset[str]]) -> list[str]:
    """Give what is wrong with rounds whose entries were these: everybody once, sizes, byes in turn.

    `active[i]` are the entries that were to be paired in round i + 1.
    """
    found: list[str] = []
    byes: Counter[str] = Counter()
    for each, here in zip(rounds, active, strict=True):
        placed = [entry for table in each.tables for entry in table.entries] + [*each.byes, *each.idle]
        twice = [entry for entry, count in Counter(placed).items() if count > 1]
        if twice:
            found.append(f"round {each.number}: {twice} stand twice")
        if set(placed) != here:
            found.append(f"round {each.number}: {sorted(set(placed) ^ here)} are missing or too many")
        for table in each.tables:
            size = len(table.entries)
            if size not in (seats, seats - 1) and not (len(each.tables) == 1 and size < seats):
                found.append(f"round {each.number}: table {table.table} has {size} seats")
            if size < 2:  # noqa: PLR2004 - nobody plays alone
                found.append(f"round {each.number}: table {table.table} has one seat")
        fewest = min((byes[entry] for entry in here), default=0)
        could = sum(byes[other] == fewest for other in here) >= len(each.byes)
        again = [entry for entry in each.byes if byes[entry] > fewest]
        if could and again:
            found.append(f"round {each.number}: {again} have a bye again while others have had fewer")
        byes.update(each.byes)
    return found


def seat_spread(rounds: Sequence[Round], seats: int) -> dict[str, int]:
    """Give for each entry the difference between its most and its least frequent seat, at tables of full size."""
    counts: dict[str, list[int]] = {}
    for each in rounds:
        for table in [one for one in each.tables if len(one.entries) == seats]:
            for leg in range(len(table.games)):
                for seat, entry in enumerate(table.seats(leg)):
                    counts.setdefault(entry, [0] * seats)[seat] += 1
    return {entry: max(each) - min(each) for entry, each in counts.items()}
