"""Standings: points, then tie-breaks by name in the organiser's order, each with its working.

Numbers are exact fractions inside and are written as decimals outside. A bye or a game that nobody played counts as a
virtual opponent with the entry's own points (Buchholz, Sonneborn-Berger: half of them), as FIDE C.07 has it in kind.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, assert_never

from msgspec import Meta

from domain.tournament.knockout import advancing, ranked
from domain.tournament.plan import UNIT, TieBreak
from domain.tournament.points import Met, bye_points, played, totals
from domain.tournament.state import Tournament
from domain.values import Value


class TieBroken(Value, frozen=True):
    """A tie-break of one entry: its value, and how it comes about, in words."""

    name: TieBreak
    value: Annotated[float, Meta(description="Greater is better.")]
    working: str


class Standing(Value, frozen=True):
    """One entry's place. `points` as shown; equal places share."""

    place: int
    entry: str
    name: str
    points: float
    games: int
    wins: int
    byes: int
    forfeits: int
    withdrawn: bool
    working: Annotated[str, Meta(description="What the points are made of.")]
    tie_breaks: tuple[TieBroken, ...]


def standings(t: Tournament) -> tuple[Standing, ...]:
    """Give all entries by place; the same for the same results, whatever their order in the log."""
    table = _Table(t)
    order = sorted(table.entries, key=lambda entry: (table.rank(entry), _lot(t, entry)), reverse=True)
    shown: list[Standing] = []
    for index, entry in enumerate(order, start=1):
        same = bool(shown) and table.rank(order[index - 2]) == table.rank(entry)
        shown.append(table.standing(entry, shown[-1].place if same else index))
    return tuple(shown)


class Crossing(Value, frozen=True):
    """What one entry got against another: games, games ahead, level, behind."""

    entry: str
    opponent: str
    games: int
    ahead: int
    level: int
    behind: int


def crosstable(t: Tournament) -> tuple[Crossing, ...]:
    """Give who met whom, and how it went."""
    counts: dict[tuple[str, str], list[int]] = {}
    for each in played(t.plan, t.rounds):
        for other, how in each.versus:
            counts.setdefault((each.entry, other), [0, 0, 0])[2 - how] += 1
    place = {entry: i for i, entry in enumerate(t.entrants)}
    return tuple(
        Crossing(entry=one, opponent=other, games=sum(how), ahead=how[0], level=how[1], behind=how[2])
        for (one, other), how in sorted(counts.items(), key=lambda item: (place[item[0][0]], place[item[0][1]]))
    )


def shown_points(units: int | Fraction) -> float:
    """Write units as points."""
    return round(float(Fraction(units) / UNIT), 4)


def _lot(t: Tournament, entry: str) -> int:
    return -t.lots.index(entry) if entry in t.lots else -len(t.lots) - list(t.entrants).index(entry)


class _Table:
    """The numbers behind the standings of one moment."""

    def __init__(self, t: Tournament) -> None:
        self.t = t
        self.entries: Sequence[str] = t.roster or tuple(t.entrants)
        self.points = totals(t)
        self.games: dict[str, list[Met]] = {entry: [] for entry in self.entries}
        for each in played(t.plan, t.rounds):
            self.games[each.entry].append(each)
        self.byes = {entry: sum(entry in one.byes for one in t.rounds) for entry in self.entries}
        self._reached = _reached(t)
        self._breaks: dict[str, tuple[tuple[TieBreak, Fraction, str], ...]] = {}
        self._tied: dict[object, list[str]] = {}
        for entry in self.entries:
            self._tied.setdefault(self._first(entry), []).append(entry)
        self._ranks: dict[str, tuple[object, ...]] = {}

    def rank(self, entry: str) -> tuple[object, ...]:
        """Give what places are decided by; greater is better."""
        if entry not in self._ranks:
            self._ranks[entry] = (self._first(entry), *(value for _, value, _ in self.breaks(entry)))
        return self._ranks[entry]

    def breaks(self, entry: str) -> tuple[tuple[TieBreak, Fraction, str], ...]:
        """Give the tie-breaks of an entry with their working."""
        if entry not in self._breaks:
            self._breaks[entry] = tuple((name, *self._break(name, entry)) for name in self.t.plan.tie_breaks)
        return self._breaks[entry]

    def standing(self, entry: str, place: int) -> Standing:
        """Give an entry as it is shown."""
        entrant = self.t.entrants[entry]
        games = self.games[entry]
        parts = [f"{shown_points(each.points):g}" for each in games]
        parts += [f"{shown_points(bye_points(self.t.plan)):g} (bye)"] * self.byes[entry]
        return Standing(
            place=place,
            entry=entry,
            name=entrant.name,
            points=shown_points(self.points[entry]),
            games=len(games),
            wins=_wins(games),
            byes=self.byes[entry],
            forfeits=sum(each.forfeited for each in games),
            withdrawn=entrant.withdrawn,
            working=" + ".join(parts) or "0",
            tie_breaks=tuple(
                TieBroken(name=name, value=round(float(value), 4), working=working)
                for name, value, working in self.breaks(entry)
            ),
        )

    def _first(self, entry: str) -> tuple[Fraction, ...]:
        """Points; in a knockout how far the entry came before them; in a gauntlet points a game."""
        units = Fraction(self.points[entry])
        if self.t.plan.format == "knockout":
            return (Fraction(self._reached.get(entry, 0)), units)
        if self.t.plan.format == "gauntlet":
            return (units / max(1, len(self.games[entry])),)
        return (units,)

    def _break(self, name: TieBreak, entry: str) -> tuple[Fraction, str]:
        games = self.games[entry]
        match name:
            case "head_to_head":
                return self._head_to_head(entry)
            case "buchholz":
                parts = [(other, Fraction(self.points[other], UNIT)) for each in games for other, _ in each.versus]
                return _summed(parts, self.t, self._virtual(entry))
            case "sonneborn_berger":
                parts = [
                    (other, Fraction(self.points[other] * how, 2 * UNIT))
                    for each in games
                    for other, how in each.versus
                ]
                return _summed(parts, self.t, self._virtual(entry) / 2)
            case "wins":
                count = _wins(games)
                return Fraction(count), f"{count} first places that were not shared"
            case "second_places":
                count = sum(each.place == 2 and not each.forfeited for each in games)  # noqa: PLR2004 - second
                return Fraction(count), f"{count} second places"
            case "total_score":
                scores = [each.score for each in games if each.score is not None]
                return Fraction(sum(scores)), " + ".join(map(str, scores)) or "no scores"
            case "lot":
                return Fraction(_lot(self.t, entry)), f"lot {1 - _lot(self.t, entry)} of {len(self.entries)}"
            case _ as never:
                assert_never(never)

    def _virtual(self, entry: str) -> Fraction:
        opponents = max(1, self.t.plan.seats_per_table - 1) * self.t.plan.legs
        return Fraction(self.points[entry] * self.byes[entry] * opponents, UNIT)

    def _head_to_head(self, entry: str) -> tuple[Fraction, str]:
        """What the entry got against those that it is level with: 1 for each game ahead, ½ for each level."""
        tied = [each for each in self._tied[self._first(entry)] if each != entry]
        if not tied:
            return Fraction(0), "level with nobody"
        got = Fraction(sum(how for each in self.games[entry] for other, how in each.versus if other in tied), 2)
        return got, f"{float(got):g} against {', '.join(self.t.entrants[each].name for each in tied[:8])}"


def _wins(games: Sequence[Met]) -> int:
    return sum(each.place == 1 and not each.shared and not each.forfeited for each in games)


def _summed(parts: Sequence[tuple[str, Fraction]], t: Tournament, virtual: Fraction) -> tuple[Fraction, str]:
    words = [f"{round(float(value), 4):g} ({t.entrants[other].name})" for other, value in parts]
    if virtual:
        words.append(f"{round(float(virtual), 4):g} (virtual, for byes)")
    return sum((value for _, value in parts), Fraction(0)) + virtual, " + ".join(words) or "0"


def _reached(t: Tournament) -> Mapping[str, int]:
    """Tell how far everybody came in a knockout: two for each round survived, one for being there."""
    if t.plan.format != "knockout":
        return {}
    far: dict[str, int] = {}
    for one in t.rounds:
        last = len(one.tables) == 1 and not one.byes
        for entry in one.byes:
            far[entry] = far.get(entry, 0) + 2
        for pairing in one.tables:
            order = ranked(t, one, pairing)
            on = (1 if last else advancing(t, pairing)) if one.closed else 0
            for place, entry in enumerate(order):
                far[entry] = far.get(entry, 0) + (2 if place < on else 0)
    return far
