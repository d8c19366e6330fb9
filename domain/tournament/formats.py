"""The four formats: who plays in the next round, and when there is none."""

import math
from collections.abc import Sequence
from typing import Literal, assert_never

from domain.tournament.history import Met, met
from domain.tournament.knockout import draw, survivors
from domain.tournament.pairing import Field, Paired, pair
from domain.tournament.points import totals
from domain.tournament.settling import settled
from domain.tournament.state import Tournament
from domain.values import Value


class Draw(Value, frozen=True):
    """A round as a format wishes it: companies for tables, free rounds with points, and without."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


def rounds_of(t: Tournament, entrants: int) -> int | None:
    """Give how many rounds there will be; None where it depends on results."""
    k = t.plan.seats_per_table
    match t.plan.format:
        case "round_robin":
            if t.plan.rounds is not None:
                return t.plan.rounds
            return entrants - 1 + entrants % 2 if k == 2 else math.ceil((entrants - 1) / (k - 1))  # noqa: PLR2004 - pairs
        case "swiss":
            return t.plan.rounds or max(1, math.ceil(math.log(entrants, k)) + (0 if k == 2 else 1))  # noqa: PLR2004 - pairs
        case "knockout":
            return None
        case "gauntlet":
            return math.ceil((entrants - 1) / (k - 1))
        case _ as never:
            assert_never(never)


def over(t: Tournament) -> bool:
    """Tell whether no further round is to be played, all rounds so far being closed."""
    if t.plan.format == "knockout":
        return bool(t.rounds) and len(survivors(t)) <= 1
    return len(t.rounds) >= (t.total_rounds or 0)


def how_ended(t: Tournament) -> Literal["winner", "all_rounds", "too_few_left"]:
    """Tell why no further round is played."""
    if t.plan.format == "knockout":
        return "winner" if survivors(t) else "too_few_left"
    if t.plan.format == "gauntlet" and len(t.active) > 1 and t.roster[0] in t.active:
        return "all_rounds"  # those whom the first entry has not met have withdrawn
    return "all_rounds" if over(t) else "too_few_left"


def next_round(t: Tournament, field: Field, seed: int) -> Draw:
    """Give the next round of this field; no tables where too few are left to play."""
    if len(t.active) < 2:  # noqa: PLR2004 - it takes two
        return Draw(())
    k = t.plan.seats_per_table
    number = len(t.rounds)
    match t.plan.format:
        case "round_robin":
            return _circle(t, number) if k == 2 else _by_field(t, field, seed)  # noqa: PLR2004 - pairs
        case "swiss":
            return _by_field(t, field, seed)
        case "knockout":
            tables, byes = draw(t)
            return Draw(tables, byes=byes)
        case "gauntlet":
            return _gauntlet(t, field.met, number)
        case _ as never:
            assert_never(never)


def field_of(t: Tournament) -> Field:
    """Give what pairing looks at; points count in a Swiss alone."""
    units = totals(t) if t.plan.format == "swiss" else {}
    lots = {entry: place for place, entry in enumerate(t.lots)}
    return Field(
        points={entry: units.get(entry, 0) for entry in t.active},
        lots={entry: lots.get(entry, len(lots) + place) for place, entry in enumerate(t.roster)},
        met=met(t.rounds),
    )


def _by_field(t: Tournament, field: Field, seed: int) -> Draw:
    paired: Paired = pair(field, t.plan.seats_per_table, seed)
    return Draw(settled(paired.tables, field, t.plan.legs), byes=paired.byes)


def _circle(t: Tournament, number: int) -> Draw:
    """The circle method: one stands still, the others move on by one each round; whoever meets nobody sits out."""
    ring: list[str | None] = list(t.lots)
    if len(ring) % 2:
        ring.append(None)
    turn = number % (len(ring) - 1)
    moving = ring[1:]
    moving = moving[-turn:] + moving[:-turn] if turn else moving
    order = [ring[0], *moving]
    half = len(order) // 2
    active = set(t.active)
    tables: list[tuple[str, ...]] = []
    idle: list[str] = []
    for one, other in zip(order[:half], reversed(order[half:]), strict=True):
        here = [each for each in (one, other) if each is not None and each in active]
        if len(here) == 2:  # noqa: PLR2004 - a pair
            tables.append(tuple(here))
        else:
            idle += here
    return Draw(tuple(tables), idle=tuple(idle))


def _gauntlet(t: Tournament, met_so_far: Met, number: int) -> Draw:
    """The first entry against all others in turn; the last table is filled up with those who played first."""
    champion, *others = t.roster
    active = set(t.active)
    if champion not in active:
        return Draw(())
    others = [each for each in others if each in active]
    width = min(t.plan.seats_per_table - 1, len(others))
    group: Sequence[str] = sorted(others, key=lambda each: (met_so_far.games.get(each, 0), t.roster.index(each)))[
        :width
    ]
    if number and all(met_so_far.met(champion, each) for each in others):
        return Draw(())
    return Draw(((champion, *group),), idle=tuple(each for each in others if each not in group))
