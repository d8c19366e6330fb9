"""What earlier rounds mean for the next pairing: who met whom, who had a bye, who sat where."""

from collections import Counter
from collections.abc import Iterable, Mapping

from domain.tournament.state import Round
from domain.values import Value


class Met(Value, frozen=True):
    """Counts over the rounds so far. `meetings` is by both names of two entries, `seats` by entry, size
    of the table, and seat.
    """

    meetings: Mapping[tuple[str, str], int]
    byes: Mapping[str, int]
    seats: Mapping[tuple[str, int, int], int]
    games: Mapping[str, int]

    def met(self, one: str, other: str) -> int:
        """Tell how many rounds brought two together."""
        return self.meetings.get((one, other), 0)

    def sat(self, entry: str, seat: int, size: int) -> int:
        """Tell how often an entry had a seat at tables of a size."""
        return self.seats.get((entry, size, seat), 0)


def met(rounds: Iterable[Round]) -> Met:
    """Count what happened in rounds as they were paired; results do not matter."""
    meetings: Counter[tuple[str, str]] = Counter()
    byes: Counter[str] = Counter()
    seats: Counter[tuple[str, int, int]] = Counter()
    games: Counter[str] = Counter()
    for played in rounds:
        byes.update(played.byes)
        for pairing in played.tables:
            games.update(pairing.entries)
            for one in pairing.entries:
                for other in pairing.entries:
                    if one != other:
                        meetings[one, other] += 1
            for leg in range(len(pairing.games)):
                for seat, entry in enumerate(pairing.seats(leg)):
                    seats[entry, len(pairing.entries), seat] += 1
    return Met(meetings=meetings, byes=byes, seats=seats, games=games)
