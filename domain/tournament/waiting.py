"""What a tournament waits for, in a form for programs and in words: no round ever sticks without a named reason."""

from typing import Literal

from domain.tournament.state import Tournament
from domain.values import Value

Code = Literal[
    "not_enough_entrants",
    "waiting_for_check_in",
    "waiting_for_start",
    "waiting_for_organiser",
    "round_to_be_paired",
    "tables_to_be_made",
    "waiting_for_results",
    "paused",
]


class Blocker(Value, frozen=True):
    """A reason why nothing goes on: `names` are the entries or tables that it is about."""

    code: Code
    detail: str
    names: tuple[str, ...] = ()


def blockers(t: Tournament, now_ms: int) -> tuple[Blocker, ...]:
    """Give what is waited for now; empty when it is over."""
    if t.status in ("finished", "cancelled"):
        return ()
    if t.status == "open":
        return _before_start(t, now_ms)
    current = t.current
    found: list[Blocker] = []
    if t.status == "paused":
        found.append(Blocker("paused", "The organiser has paused the tournament; resume goes on."))
    if current is None:
        found.append(Blocker("round_to_be_paired", f"Round {len(t.rounds) + 1} is to be paired."))
    elif not current.made:
        found.append(Blocker("tables_to_be_made", f"The tables of round {current.number} are to be made."))
    else:
        missing = current.missing()
        of_round = f"of round {current.number}"
        words = f"1 game {of_round} has" if len(missing) == 1 else f"{len(missing)} games {of_round} have"
        found.append(Blocker("waiting_for_results", f"{words} no result yet.", missing))
    return tuple(found)


def _before_start(t: Tournament, now_ms: int) -> tuple[Blocker, ...]:
    found: list[Blocker] = []
    here = [each for each in t.entrants.values() if not each.withdrawn]
    ready = [each for each in here if each.checked_in or not t.plan.check_in]
    if len(ready) < t.plan.entrants.min:
        there = f"{len(ready)} of at least {t.plan.entrants.min} entrants are there."
        found.append(Blocker("not_enough_entrants", there))
        absent = tuple(each.id for each in here if each not in ready)
        if absent:
            found.append(Blocker("waiting_for_check_in", f"{len(absent)} entrants have not checked in.", absent))
    if t.plan.starts_at_ms is not None and now_ms < t.plan.starts_at_ms:
        found.append(Blocker("waiting_for_start", "The time of the start has not come."))
    if not found:
        found.append(Blocker("waiting_for_organiser", "The organiser may start it."))
    return tuple(found)
