"""A tournament's events in words."""

from collections.abc import Iterable
from typing import assert_never

from domain.tournament.events import (
    AbsenceNoted,
    CheckedIn,
    EntryAdded,
    EntryWithdrawn,
    PresenceChecked,
    ResultCorrected,
    ResultRecorded,
    RoundClosed,
    RoundPaired,
    SecretRevealed,
    TablesMade,
    TournamentCancelled,
    TournamentCreated,
    TournamentEvent,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)


def summary(events: Iterable[TournamentEvent]) -> str:
    """Say events in words."""
    text = ". ".join(words(event) for event in events)
    return f"{text}." if text else ""


def words(event: TournamentEvent) -> str:
    """Say one event in words."""
    match event:
        case TournamentCreated(plan=plan):
            return f"The tournament {plan.name} is created"
        case EntryAdded(entry=entry, name=name):
            return f"{name} enters as {entry}"
        case EntryWithdrawn(entry=entry):
            return f"{entry} is withdrawn"
        case CheckedIn(entry=entry):
            return f"{entry} has checked in"
        case TournamentStarted(entries=entries):
            return f"The tournament starts with {len(entries)} entrants"
        case RoundPaired(round=number, tables=tables, byes=byes):
            free = f"; a bye for {', '.join(byes)}" if byes else ""
            return f"Round {number} is paired at {len(tables)} tables{free}"
        case TablesMade(round=number):
            return f"The tables of round {number} are there"
        case ResultRecorded(round=number, game=game, result=result):
            return f"Round {number}, table {game}: places {_places(result.places)}"
        case ResultCorrected(round=number, game=game, result=result):
            return f"Round {number}, table {game} corrected: places {_places(result.places)}"
        case AbsenceNoted(entries=entries, policy=policy):
            then = "a bot takes the seat" if policy == "bot" else "forfeited"
            return f"{', '.join(entries)} did not sit down in time; {then}"
        case PresenceChecked(round=number):
            return f"The time to sit down in is over in round {number}"
        case RoundClosed(round=number):
            return f"Round {number} is closed"
        case TournamentPaused():
            return "The tournament is paused"
        case TournamentResumed():
            return "The tournament goes on"
        case TournamentFinished(reason=reason):
            return f"The tournament is finished ({reason.replace('_', ' ')})"
        case TournamentCancelled(reason=reason):
            return "The tournament is cancelled" + (f": {reason}" if reason else "")
        case SecretRevealed():
            return "All tables have ended; the secret is revealed"
        case _:
            assert_never(event)


def _places(places: tuple[int, ...]) -> str:
    return "-".join(map(str, places))
