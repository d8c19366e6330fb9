"""What a player is told of tournaments where he has an entry; it follows from a tournament's log alone."""

from collections.abc import Iterator

from msgspec import UNSET

from domain.history import Entry, rfc3339
from domain.tournament.events import (
    AbsenceNoted,
    EntryAdded,
    EntryWithdrawn,
    Result,
    ResultCorrected,
    ResultRecorded,
    TablesMade,
    TournamentCancelled,
    TournamentEvent,
    TournamentFinished,
    TournamentStarted,
)
from domain.tournament.log import applied, decode
from domain.tournament.standings import standings
from domain.tournament.state import Entrant, Tournament
from service.application.notices import Notice, NoticeType, Told, encode
from service.application.tournament_desk import LiveTournament


def tells_anybody(t: Tournament) -> bool:
    """Tell whether there is anybody in a tournament who could be told anything."""
    return any(each.player is not None for each in t.entrants.values())


def notices_of(after: Tournament, entry: Entry) -> tuple[Told, ...]:
    """Give what an entry tells to whom; `after` is the tournament behind it."""
    teller = _Teller(after, entry)
    return tuple((player, encode(notice)) for event in decode(entry.events) for player, notice in teller.notices(event))


def notices_between(live: LiveTournament, after: int, upto: int) -> tuple[Told, ...]:
    """Give what the entries behind version `after` up to `upto` tell: folded anew, for what was not told in time."""
    with live.lock:
        entries = live.entries[:upto]
    told: list[Told] = []
    t: Tournament | None = None
    for entry in entries:
        t = applied(live.id, t, decode(entry.events))
        if entry.version > after:
            told += notices_of(t, entry)
    return tuple(told)


class _Teller:
    """Makes the notices of one entry."""

    def __init__(self, t: Tournament, entry: Entry) -> None:
        self._t = t
        self._version = entry.version
        self._time = rfc3339(entry.time_ms)

    def notices(self, event: TournamentEvent) -> Iterator[tuple[str, Notice]]:
        """Give what an event tells to whom."""
        t = self._t
        match event:
            case EntryAdded(entry=entry):
                yield from self._tell("tournament_entered", entry)
            case EntryWithdrawn(entry=entry):
                yield from self._tell("tournament_withdrawn", entry)
            case TournamentStarted():
                for entry in t.active:
                    yield from self._tell("tournament_started", entry)
            case TablesMade(round=number):
                yield from self._paired(number)
            case ResultRecorded(game=game, result=result):
                yield from self._result(game, result, is_corrected=False)
            case ResultCorrected(game=game, result=result):
                yield from self._result(game, result, is_corrected=True)
            case AbsenceNoted(round=number, game=game, entries=entries, policy=policy):
                for entry in entries:
                    yield from self._tell("tournament_absent", entry, round=number, table=game, policy=policy)
            case TournamentFinished(reason=reason):
                for each in standings(t):
                    yield from self._tell(
                        "tournament_finished", each.entry, reason=reason, place=each.place, points=each.points
                    )
            case TournamentCancelled(reason=reason):
                for entry, entrant in t.entrants.items():
                    if not entrant.withdrawn:
                        yield from self._tell("tournament_cancelled", entry, reason=reason)
            case _:
                return

    def _paired(self, number: int) -> Iterator[tuple[str, Notice]]:
        paired = self._t.rounds[number - 1]
        for pairing, leg, game in paired.games():
            for seat, entry in enumerate(pairing.seats(leg)):
                yield from self._tell("tournament_paired", entry, round=number, table=game, seat=seat)
        for entry in paired.byes:
            yield from self._tell("tournament_paired", entry, round=number, bye=True)

    def _result(self, game: str, result: Result, *, is_corrected: bool) -> Iterator[tuple[str, Notice]]:
        found = self._t.find(game)
        if found is None:
            return
        paired, pairing, leg = found
        for seat, entry in enumerate(pairing.seats(leg)):
            yield from self._tell(
                "tournament_result",
                entry,
                round=paired.number,
                table=game,
                seat=seat,
                place=result.places[seat],
                reason=result.reason or UNSET,
                forfeit=True if seat in result.forfeits else UNSET,
                corrected=True if is_corrected else UNSET,
            )

    def _tell(self, kind: NoticeType, entry: str, **more: object) -> Iterator[tuple[str, Notice]]:
        """Tell an entry's player; a built-in bot has none."""
        entrant: Entrant = self._t.entrants[entry]
        if entrant.player is not None:
            yield (
                entrant.player,
                Notice(
                    time=self._time,
                    type=kind,
                    game=self._t.plan.game,
                    version=self._version,
                    tournament=self._t.id,
                    entry=entry,
                    **more,  # type: ignore[arg-type]
                ),
            )
