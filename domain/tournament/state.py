"""A tournament: everything that its log says, folded."""

from collections.abc import Iterator, Mapping
from typing import Literal, assert_never

from msgspec import UNSET, structs

from domain.tournament.events import (
    AbsenceNoted,
    CheckedIn,
    Cost,
    EntrantKind,
    EntryAdded,
    EntryWithdrawn,
    Pairing,
    PresenceChecked,
    Result,
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
from domain.tournament.plan import Plan
from domain.values import Value

Status = Literal["open", "running", "paused", "finished", "cancelled"]


class Entrant(Value, frozen=True):
    """Who entered, by the id of the entry."""

    id: str
    kind: EntrantKind
    name: str
    player: str | None = None
    bot: str | None = None
    withdrawn: bool = False
    checked_in: bool = False


class Round(Value, frozen=True):
    """A round as it was paired, and what has come of it; `results` by game; `made_ms` is when its tables were there."""

    number: int
    tables: tuple[Pairing, ...]
    byes: tuple[str, ...]
    idle: tuple[str, ...]
    cost: Cost
    at_ms: int
    results: Mapping[str, Result]
    made_ms: int | None = None
    absences: tuple[str, ...] = ()
    made: bool = False
    checked: bool = False
    closed: bool = False

    def games(self) -> Iterator[tuple[Pairing, int, str]]:
        """Give all games: the pairing, the leg from 0, the id of its table."""
        for pairing in self.tables:
            for leg, game in enumerate(pairing.games):
                yield pairing, leg, game

    def missing(self) -> tuple[str, ...]:
        """Give the games without a result."""
        return tuple(game for _, _, game in self.games() if game not in self.results)


class Tournament(Value, frozen=True):
    """A tournament as it stands. `lots` is the order that was drawn at the start."""

    id: str
    plan: Plan
    organiser: str
    commitment: str
    chosen_seed: str | None
    status: Status = "open"
    entrants: Mapping[str, Entrant] = {}
    lots: tuple[str, ...] = ()
    roster: tuple[str, ...] = ()
    total_rounds: int | None = None
    rounds: tuple[Round, ...] = ()
    started: bool = False
    ended: str | None = None
    secret: str | None = None

    @property
    def current(self) -> Round | None:
        """The round that is being played."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None

    @property
    def active(self) -> tuple[str, ...]:
        """The entries that can be paired, in the order of entry."""
        return tuple(entry for entry in self.roster if not self.entrants[entry].withdrawn)

    def find(self, game: str) -> tuple[Round, Pairing, int] | None:
        """Give the round, the pairing and the leg of a game."""
        for played in reversed(self.rounds):
            for pairing, leg, each in played.games():
                if each == game:
                    return played, pairing, leg
        return None

    def entry_of(self, player: str) -> Entrant | None:
        """Give a player's entry."""
        return next((each for each in self.entrants.values() if each.player == player), None)


def created(tournament_id: str, event: TournamentCreated) -> Tournament:
    """Give the tournament that its first event makes."""
    return Tournament(
        id=tournament_id,
        plan=event.plan,
        organiser=event.organiser,
        commitment=event.commitment,
        chosen_seed=None if event.chosen_seed is UNSET else event.chosen_seed,
    )


def evolve(t: Tournament, event: TournamentEvent) -> Tournament:
    """Apply what happened: no rule, no chance, no refusal."""
    match event:
        case TournamentCreated():
            return created(t.id, event)
        case EntryAdded(entry=entry):
            entrant = Entrant(
                id=entry,
                kind=event.kind,
                name=event.name,
                player=None if event.player is UNSET else event.player,
                bot=None if event.bot is UNSET else event.bot,
                checked_in=event.kind == "ai",
            )
            roster = (*t.roster, entry) if t.started else t.roster
            return structs.replace(t, entrants={**t.entrants, entry: entrant}, roster=roster)
        case EntryWithdrawn(entry=entry):
            return _entrant(t, entry, withdrawn=True)
        case CheckedIn(entry=entry):
            return _entrant(t, entry, checked_in=True)
        case TournamentStarted(entries=entries, lots=lots, rounds=rounds):
            return structs.replace(t, status="running", started=True, roster=entries, lots=lots, total_rounds=rounds)
        case RoundPaired():
            paired = Round(
                number=event.round,
                tables=event.tables,
                byes=event.byes,
                idle=event.idle,
                cost=event.cost,
                at_ms=event.at_ms,
                results={},
            )
            return structs.replace(t, rounds=(*t.rounds, paired))
        case TablesMade(round=number, at_ms=at_ms):
            return _round(t, number, made=True, made_ms=None if at_ms is UNSET else at_ms)
        case (
            ResultRecorded(round=number, game=game, result=result)
            | ResultCorrected(round=number, game=game, result=result)
        ):
            return _round(t, number, results={**t.rounds[number - 1].results, game: result})
        case AbsenceNoted(round=number, game=game):
            return _round(t, number, absences=(*t.rounds[number - 1].absences, game))
        case PresenceChecked(round=number):
            return _round(t, number, checked=True)
        case RoundClosed(round=number):
            return _round(t, number, closed=True)
        case TournamentPaused():
            return structs.replace(t, status="paused")
        case TournamentResumed():
            return structs.replace(t, status="running")
        case TournamentFinished(reason=reason, secret=secret):
            return structs.replace(t, status="finished", ended=reason, secret=None if secret is UNSET else secret)
        case TournamentCancelled(reason=reason, secret=secret):
            return structs.replace(t, status="cancelled", ended=reason, secret=None if secret is UNSET else secret)
        case SecretRevealed(secret=secret):
            return structs.replace(t, secret=secret)
        case _:
            assert_never(event)


def _entrant(t: Tournament, entry: str, **changes: bool) -> Tournament:
    return structs.replace(t, entrants={**t.entrants, entry: structs.replace(t.entrants[entry], **changes)})


def _round(t: Tournament, number: int, **changes: object) -> Tournament:
    rounds = list(t.rounds)
    rounds[number - 1] = structs.replace(rounds[number - 1], **changes)
    return structs.replace(t, rounds=tuple(rounds))
