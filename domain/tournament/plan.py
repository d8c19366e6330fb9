"""What an organiser fixes when a tournament is made: format, tables, entry, points, and what happens to absentees."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.clock import Clock
from domain.values import Value

Format = Literal["round_robin", "swiss", "knockout", "gauntlet"]
TieBreak = Literal["head_to_head", "buchholz", "sonneborn_berger", "wins", "second_places", "total_score", "lot"]

UNIT: Final = 120
"""A point is 120 units: shares between up to six stay whole numbers."""
MOST_SEATS: Final = 6
MOST_ENTRANTS: Final = 2000
MOST_ROUNDS: Final = 1000
MOST_LEGS: Final = 60
MOST_GRACE_S: Final = 14 * 24 * 3600
TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("head_to_head", "buchholz", "sonneborn_berger", "wins", "lot")


class Entrance(Value, frozen=True):
    """Who may enter: anybody, whoever knows the code, or only whom the organiser enters.

    `digest` is SHA-256 of tournament id and code in hex; it stands in the log and in no answer.
    """

    kind: Literal["open", "code", "listed"] = "open"
    digest: str | UnsetType = UNSET


class Crowd(Value, frozen=True):
    """How many entrants there must and may be."""

    min: Annotated[int, Meta(ge=2, le=MOST_ENTRANTS, description="The fewest entrants to start with.")] = 2
    max: Annotated[int, Meta(ge=2, le=MOST_ENTRANTS, description="The most entrants.")] = 256


class NoShow(Value, frozen=True):
    """What happens where a player has not sat down in time."""

    grace: Annotated[
        int, Meta(ge=0, le=MOST_GRACE_S, description="Seconds to sit down in, once the tables are there.")
    ] = 600
    policy: Annotated[
        Literal["forfeit", "bot"],
        Meta(description="`forfeit`: the absent lose, the others share the first place; `bot`: a bot takes the seat."),
    ] = "forfeit"
    bot: Annotated[str, Meta(description="The built-in bot that takes a seat.")] = "greedy"
    rated: Annotated[bool, Meta(description="Whether forfeits count for ratings.")] = False


class Points(Value, frozen=True):
    """What a place is worth; who shares places shares their points."""

    by_place: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=1000)], ...] | None,
        Meta(description="Points for each place, the first first; null: one for each opponent who was beaten."),
    ] = None
    win_bonus: Annotated[int, Meta(ge=0, le=1000, description="More points for a first place that is not shared.")] = 0


class Sprt(Value, frozen=True):
    """A sequential test between two entrants: stop when one hypothesis is shown, in Elo of the first entrant."""

    elo0: Annotated[int, Meta(ge=-1000, le=1000)] = 0
    elo1: Annotated[int, Meta(ge=-1000, le=1000)] = 30
    alpha_permille: Annotated[int, Meta(ge=1, le=500, description="Risk to accept the second by mistake.")] = 50
    beta_permille: Annotated[int, Meta(ge=1, le=500, description="Risk to accept the first by mistake.")] = 50


class Plan(Value, frozen=True):
    """Everything that is fixed at the start. Times are ms since 1970 and seconds."""

    name: str
    game: str
    options: Mapping[str, Any]
    format: Format
    seats_per_table: int
    rounds: int | None = None
    legs: int = 1
    advance: int | None = None
    duplicate: bool = False
    clock: Clock | None = None
    entry: Entrance = Entrance()
    entrants: Crowd = Crowd()
    starts_at_ms: int | None = None
    check_in: bool = False
    no_show: NoShow = NoShow()
    byes: Literal["win", "half", "none"] = "win"
    points: Points = Points()
    tie_breaks: tuple[TieBreak, ...] = TIE_BREAKS
    rated: bool = False
    sprt: Sprt | None = None


def check_plan(plan: Plan, seats: tuple[int, ...]) -> Mapping[str, str]:
    """Give what is wrong with a plan for a game that takes these numbers of seats: field to reason."""
    k = plan.seats_per_table
    wrong: dict[str, str] = {}
    if not 2 <= k <= MOST_SEATS:  # noqa: PLR2004 - a table has two sides
        wrong["seats_per_table"] = f"Must be 2 to {MOST_SEATS}."
    elif k not in seats:
        wrong["seats_per_table"] = f"{plan.game} is played with {' or '.join(map(str, seats))} seats."
    elif k > 2 and k - 1 not in seats:  # noqa: PLR2004 - only tables of two are all of one size
        wrong["seats_per_table"] = f"Some tables have a seat less, and {plan.game} is not played with {k - 1}."
    if plan.entrants.max < plan.entrants.min:
        wrong["entrants.max"] = "Must not be below min."
    if plan.rounds is not None and plan.format in ("knockout", "gauntlet"):
        wrong["rounds"] = f"A {plan.format} has as many rounds as its entrants make; leave it out."
    elif plan.rounds is not None and not 1 <= plan.rounds <= MOST_ROUNDS:
        wrong["rounds"] = f"Must be 1 to {MOST_ROUNDS}."
    if not 1 <= plan.legs <= MOST_LEGS:
        wrong["legs"] = f"Must be 1 to {MOST_LEGS}."
    if plan.advance is not None and plan.format != "knockout":
        wrong["advance"] = "Goes with format: knockout only."
    elif plan.advance is not None and not 1 <= plan.advance < k:
        wrong["advance"] = "Must be at least 1 and below seats_per_table."
    if plan.points.by_place is not None and len(plan.points.by_place) != k:
        wrong["points.by_place"] = f"Must have {k} numbers, one for each place."
    elif plan.points.by_place is not None and list(plan.points.by_place) != sorted(plan.points.by_place, reverse=True):
        wrong["points.by_place"] = "A better place must not have fewer points."
    if len(set(plan.tie_breaks)) < len(plan.tie_breaks):
        wrong["tie_breaks"] = "Each may stand once."
    if plan.sprt is not None:
        if k != 2 or plan.format != "round_robin" or plan.entrants.max != 2:  # noqa: PLR2004 - a test is between two
            wrong["sprt"] = "Needs round_robin, two seats per table and entrants.max 2."
        elif plan.rounds is None:
            wrong["rounds"] = "A sequential test needs the most rounds that it may take."
        if plan.sprt.elo1 <= plan.sprt.elo0:
            wrong["sprt.elo1"] = "Must be above elo0."
    return wrong
