"""What each game of a tournament is worth for each entry, in units (120 to a point)."""

from collections.abc import Iterator, Sequence

from domain.tournament.events import Result
from domain.tournament.plan import UNIT, Plan
from domain.tournament.state import Round, Tournament
from domain.values import Value


class Met(Value, frozen=True):
    """A game seen by one entry: what it got, and against each opponent 2 (better place), 1 (equal) or 0."""

    entry: str
    round: int
    game: str
    points: int
    place: int
    shared: bool
    score: int | None
    forfeited: bool
    versus: tuple[tuple[str, int], ...]


def game_points(plan: Plan, result: Result) -> tuple[int, ...]:
    """Give the units for each seat; a seat that forfeited gets none."""
    places = result.places
    size = len(places)
    given: list[int] = []
    for seat, place in enumerate(places):
        if seat in result.forfeits:
            given.append(0)
            continue
        sharing = sum(other == place for other in places)
        beaten = sum(other > place for other in places)
        if plan.points.by_place is None:
            full = (plan.seats_per_table - 1) * UNIT
            units = full * (2 * beaten + sharing - 1) // (2 * (size - 1)) if size > 1 else full
        else:
            first = place - 1
            shared = plan.points.by_place[first : first + sharing]
            units = sum(shared) * UNIT // sharing
        if place == 1 and sharing == 1:
            units += plan.points.win_bonus * UNIT
        given.append(units)
    return tuple(given)


def most_points(plan: Plan) -> int:
    """Give the units of a clear win."""
    places = plan.points.by_place
    best = (plan.seats_per_table - 1 if places is None else places[0]) + plan.points.win_bonus
    return best * UNIT


def bye_points(plan: Plan) -> int:
    """Give the units of a bye: as for a win in every leg, half of it, or none."""
    whole = most_points(plan) * plan.legs
    return {"win": whole, "half": whole // 2, "none": 0}[plan.byes]


def played(plan: Plan, rounds: Sequence[Round]) -> Iterator[Met]:
    """Give all games that have results, once for each entry at them, in the order of rounds, tables and legs."""
    for each in rounds:
        for pairing, leg, game in each.games():
            result = each.results.get(game)
            if result is None:
                continue
            seats = pairing.seats(leg)
            units = game_points(plan, result)
            for seat, entry in enumerate(seats):
                place = result.places[seat]
                yield Met(
                    entry=entry,
                    round=each.number,
                    game=game,
                    points=units[seat],
                    place=place,
                    shared=sum(other == place for other in result.places) > 1,
                    score=result.scores[seat] if result.scores else None,
                    forfeited=seat in result.forfeits,
                    versus=tuple(
                        (other, 1 + (theirs > place) - (theirs < place))
                        for i, (other, theirs) in enumerate(zip(seats, result.places, strict=True))
                        if i != seat
                    ),
                )


def totals(t: Tournament) -> dict[str, int]:
    """Give everybody's units so far, byes included."""
    found = dict.fromkeys(t.roster or t.entrants, 0)
    for one in t.rounds:
        for pairing, leg, game in one.games():
            result = one.results.get(game)
            if result is not None:
                for entry, units in zip(pairing.seats(leg), game_points(t.plan, result), strict=True):
                    found[entry] += units
        for entry in one.byes:
            found[entry] += bye_points(t.plan)
    return found
