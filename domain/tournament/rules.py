"""What a tournament accepts and what follows. What is refused is a `Refusal` and nothing has happened."""

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from domain.chance import SeededChance
from domain.errors import Refusal, invalid
from domain.tournament.commands import (
    AddEntries,
    Cancel,
    CheckIn,
    Create,
    Judge,
    MarkPresenceChecked,
    MarkTablesMade,
    NewEntry,
    NoteAbsence,
    PairRound,
    Pause,
    Record,
    Resume,
    RevealSecret,
    Start,
    TournamentCommand,
    Withdraw,
)
from domain.tournament.events import (
    AbsenceNoted,
    CheckedIn,
    Cost,
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
from domain.tournament.formats import field_of, how_ended, next_round, over, rounds_of
from domain.tournament.pairing import cost
from domain.tournament.plan import check_plan
from domain.tournament.seating import imbalance, seated
from domain.tournament.sprt import blocks, ratio
from domain.tournament.state import Tournament, evolve
from domain.tournament.waiting import blockers
from domain.values import Value

MOST_WITHDRAWN: Final = 3
"""So often may a player who enters himself withdraw: a log does not grow without end by one who comes and goes."""


class Tools(Value, frozen=True):
    """What decisions need from outside: the secret in hex, chance that follows from it, ids of games' tables.

    `game_id(round, table, leg)` gives the same id at every try.
    """

    secret: str
    chance: SeededChance
    game_id: Callable[[int, int, int], str]


def create(wish: Create, commitment: str) -> tuple[TournamentEvent, ...]:
    """Decide a tournament's first entry; raises `Refusal` `validation_failed` by field."""
    wrong = check_plan(wish.plan, wish.seats)
    if wrong:
        raise invalid(wrong)
    return (
        TournamentCreated(
            plan=wish.plan,
            organiser=wish.organiser,
            commitment=commitment,
            chosen_seed=UNSET if wish.chosen_seed is None else wish.chosen_seed,
        ),
    )


def code_digest(tournament_id: str, code: str) -> str:
    """Give what the log holds of an entry code."""
    return hashlib.sha256(f"{tournament_id}\0{code}".encode()).hexdigest()


def decide(t: Tournament, command: TournamentCommand, tools: Tools, now_ms: int) -> tuple[TournamentEvent, ...]:
    """Decide what a command causes; no events: it has happened already, and asking again is harmless."""
    match command:
        case AddEntries():
            return _add(t, command)
        case Withdraw(entry=entry, by=by):
            _known(t, entry)
            if by not in (t.organiser, t.entrants[entry].player):
                raise Refusal("forbidden", "An entry is withdrawn by its player or by the organiser.")
            _not_over(t)
            return () if t.entrants[entry].withdrawn else (EntryWithdrawn(entry),)
        case CheckIn(entry=entry, by=by):
            _known(t, entry)
            if by not in (t.organiser, t.entrants[entry].player):
                raise Refusal("forbidden", "A player checks in himself.")
            if t.started or t.status == "cancelled":
                raise Refusal("tournament_started", "Checking in ends with the start.")
            if t.entrants[entry].withdrawn:
                raise Refusal("entry_withdrawn", "The entry was withdrawn.")
            return () if t.entrants[entry].checked_in else (CheckedIn(entry),)
        case Start(by=by):
            return _start(t, by, tools, now_ms)
        case Pause(by=by):
            _organiser(t, by)
            _not_over(t)
            if not t.started:
                raise Refusal("tournament_not_started", "The tournament has not started.")
            return () if t.status == "paused" else (TournamentPaused(),)
        case Resume(by=by):
            _organiser(t, by)
            _not_over(t)
            if not t.started:
                raise Refusal("tournament_not_started", "The tournament has not started.")
            return (TournamentResumed(),) if t.status == "paused" else ()
        case Cancel(by=by, reason=reason):
            _organiser(t, by)
            if t.status == "cancelled":
                return ()
            _not_over(t)
            return (TournamentCancelled(reason=reason, secret=_told(t, tools)),)
        case PairRound(round=number):
            return _pair(t, number, tools, now_ms)
        case MarkTablesMade(round=number):
            current = t.current
            if t.status == "cancelled" or current is None or current.number != number or current.made:
                return ()
            return _then(t, (TablesMade(number, at_ms=now_ms),), tools)
        case MarkPresenceChecked(round=number):
            current = t.current
            if t.status == "cancelled" or current is None or current.number != number or current.checked:
                return ()
            return (PresenceChecked(number),)
        case RevealSecret():
            if t.status not in ("finished", "cancelled") or t.secret is not None:
                return ()
            return (SecretRevealed(tools.secret),)
        case Record():
            return _record(t, command.game, command.result, tools)
        case NoteAbsence():
            return _absent(t, command, tools)
        case Judge():
            return _judge(t, command, tools)


def preview(t: Tournament, tools: Tools, now_ms: int) -> RoundPaired:
    """Give the next round as it would be paired now; raises `Refusal` where none can be."""
    if not t.started:
        started = _start(t, t.organiser, tools, now_ms)
        for event in started:
            t = evolve(t, event)
    return _draw(t, tools, now_ms)


def _add(t: Tournament, command: AddEntries) -> tuple[TournamentEvent, ...]:
    _not_over(t)
    if t.started and t.plan.format != "swiss":
        raise Refusal("tournament_started", f"Nobody can enter a {t.plan.format} after its start.")
    errors: dict[str, str] = {}
    events: list[TournamentEvent] = []
    players = {each.player for each in t.entrants.values() if not each.withdrawn} - {None}
    names = {each.name for each in t.entrants.values()}
    left = Counter(each.player for each in t.entrants.values() if each.withdrawn)
    there = sum(not each.withdrawn for each in t.entrants.values())
    for row, wish in enumerate(command.entries):
        where = f"entries[{row}]" if command.bulk else "body"
        if wish.kind == "player" and wish.player in players:
            errors[where] = "The player has entered already."
        elif command.by != t.organiser and left[wish.player] >= MOST_WITHDRAWN:
            errors[where] = f"You have withdrawn {MOST_WITHDRAWN} times; only the organiser can enter you again."
        elif there + len(events) >= t.plan.entrants.max:
            errors[where] = f"The tournament is full: {t.plan.entrants.max} entrants."
        elif wish.kind == "player" and (reason := _bots_only(t)) is not None:
            errors[where] = reason
        elif not _may_enter(t, command, wish):
            errors[where] = {
                "open": "Players enter themselves; bots are entered by the organiser.",
                "code": "The code is not the tournament's.",
                "listed": "Only the organiser enters players here.",
            }[t.plan.entry.kind]
        else:
            players |= {wish.player} - {None}
            entry = f"e{len(t.entrants) + len(events) + 1}"
            name = _free_name(wish.name, names)
            names.add(name)
            events.append(
                EntryAdded(
                    entry=entry,
                    kind=wish.kind,
                    name=name,
                    player=UNSET if wish.player is None else wish.player,
                    bot=UNSET if wish.bot is None else wish.bot,
                )
            )
    if errors:
        if not command.bulk:
            _refuse_one(errors["body"])
        raise invalid(errors)
    return tuple(events)


def _bots_only(t: Tournament) -> str | None:
    """Tell why players can't be let in: none may be dealt the same twice, or be able to work a deal out."""
    if not t.plan.duplicate:
        return None
    if t.plan.legs > 1:
        return "Only built-in bots can enter: with duplicate and legs a player would be dealt the same cards again."
    if t.chosen_seed is not None:
        return "Only built-in bots can enter: with duplicate and a chosen seed everybody could work out the deals."
    return None


def _refuse_one(reason: str) -> None:
    if "already" in reason:
        raise Refusal("already_entered", reason)
    if "full" in reason:
        raise Refusal("tournament_full", reason)
    raise Refusal("forbidden", reason)


def _may_enter(t: Tournament, command: AddEntries, wish: NewEntry) -> bool:
    if command.by == t.organiser:
        return True
    if wish.kind != "player" or wish.player != command.by:
        return False
    match t.plan.entry.kind:
        case "open":
            return True
        case "code":
            return command.code is not None and code_digest(t.id, command.code) == t.plan.entry.digest
        case "listed":
            return False


def _free_name(name: str, taken: set[str]) -> str:
    number, free = 2, name
    while free in taken:
        free = f"{name} {number}"
        number += 1
    return free


def _start(t: Tournament, by: str | None, tools: Tools, now_ms: int) -> tuple[TournamentEvent, ...]:
    if by is not None:
        _organiser(t, by)
    if t.started and t.status != "cancelled":
        return ()
    _not_over(t)
    reasons = [each for each in blockers(t, now_ms) if by is None or each.code != "waiting_for_start"]
    if reasons and reasons[0].code != "waiting_for_organiser":
        raise Refusal("cannot_start", " ".join(each.detail for each in reasons))
    here = [each for each in t.entrants.values() if not each.withdrawn and (each.checked_in or not t.plan.check_in)]
    entries = tuple(each.id for each in here)
    lots = tools.chance.shuffle(0, entries)
    return (TournamentStarted(entries=entries, lots=lots, rounds=rounds_of(t, len(entries))),)


def _pair(t: Tournament, number: int, tools: Tools, now_ms: int) -> tuple[TournamentEvent, ...]:
    if t.status != "running" or t.current is not None or number != len(t.rounds) + 1:
        return ()
    paired = _draw(t, tools, now_ms)
    if paired.tables:
        return (paired,)
    if t.plan.format == "round_robin" and len(t.active) > 1:
        return _then(t, (paired,), tools)  # who is left rests in this round, and meets in another one
    return (TournamentFinished(reason=how_ended(t), secret=_told(t, tools)),)


def _draw(t: Tournament, tools: Tools, now_ms: int) -> RoundPaired:
    number = len(t.rounds) + 1
    field = field_of(t)
    drawn = next_round(t, field, tools.chance.pick(f"pairing {number}", 1 << 31))
    legs = t.plan.legs
    before = field.met
    tables: list[Pairing] = []
    for place, company in enumerate(drawn.tables, start=1):
        seats = seated(company, before, legs)
        known = [entry for entry in seats if entry in field.points]
        tables.append(
            Pairing(
                table=place,
                entries=seats,
                games=tuple(tools.game_id(number, place, leg) for leg in range(legs)),
                cost=cost(known, field, imbalance(seats, before, legs)),
            )
        )
    total = Cost(
        repeats=sum(each.cost.repeats for each in tables),
        bye_repeats=sum(before.byes.get(entry, 0) for entry in drawn.byes),
        score_spread=sum(each.cost.score_spread for each in tables),
        seat_imbalance=sum(each.cost.seat_imbalance for each in tables),
    )
    return RoundPaired(round=number, tables=tuple(tables), byes=drawn.byes, idle=drawn.idle, cost=total, at_ms=now_ms)


def _record(t: Tournament, game: str, result: Result, tools: Tools) -> tuple[TournamentEvent, ...]:
    found = t.find(game)
    if found is None:
        raise Refusal("not_found", "No round of this tournament has such a table.")
    played, pairing, leg = found
    if game in played.results or t.status == "cancelled":
        return ()
    recorded = ResultRecorded(round=played.number, game=game, result=result)
    if result.by == "no_show" and game not in played.absences:  # whoever ended the table died before it said so
        seats = pairing.seats(leg)
        absent = tuple(seats[seat] for seat in result.forfeits)
        noted = AbsenceNoted(round=played.number, game=game, entries=absent, policy="forfeit")
        return _then(t, (noted, recorded), tools)
    return _then(t, (recorded,), tools)


def _absent(t: Tournament, command: NoteAbsence, tools: Tools) -> tuple[TournamentEvent, ...]:
    found = t.find(command.game)
    if found is None or t.status == "cancelled":
        return ()
    played, pairing, leg = found
    if command.game in played.absences or command.game in played.results:
        return ()
    seats = pairing.seats(leg)
    absent = tuple(seats[seat] for seat in command.seats)
    noted = AbsenceNoted(round=played.number, game=command.game, entries=absent, policy=t.plan.no_show.policy)
    if t.plan.no_show.policy == "bot":
        return (noted,)
    last = len(seats) - len(absent) + 1
    places = tuple(last if seat in command.seats else 1 for seat in range(len(seats)))
    result = Result(places=places, forfeits=command.seats, by="no_show", reason="not seated in time")
    return _then(t, (noted, ResultRecorded(round=played.number, game=command.game, result=result)), tools)


def _judge(t: Tournament, command: Judge, tools: Tools) -> tuple[TournamentEvent, ...]:
    _organiser(t, command.by)
    if t.status == "cancelled":
        raise Refusal("tournament_over", "The tournament was cancelled.")
    found = t.find(command.game)
    if found is None:
        raise Refusal("not_found", "No round of this tournament has such a table.")
    played, pairing, _ = found
    wrong = check_result(command.result, len(pairing.entries))
    if wrong:
        raise invalid(wrong)
    before = played.results.get(command.game)
    if before is None:
        return _then(t, (ResultRecorded(round=played.number, game=command.game, result=command.result),), tools)
    if before == command.result:
        return ()
    return (ResultCorrected(round=played.number, game=command.game, result=command.result),)


def check_result(result: Result, seats: int) -> dict[str, str]:
    """Give what is wrong with a result for so many seats: places must be as in a race (1, 2, 2, 4)."""
    wrong: dict[str, str] = {}
    if len(result.places) != seats:
        wrong["places"] = f"Must have {seats} places, one for each seat."
    elif result.places != tuple(1 + sum(other < place for other in result.places) for place in result.places):
        wrong["places"] = "Must be places as in a race: the best has 1, who shares a place leaves the next one out."
    if result.scores and len(result.scores) != seats:
        wrong["scores"] = f"Must have {seats} scores, or none."
    if any(not 0 <= seat < seats for seat in result.forfeits):
        wrong["forfeits"] = f"Must be seats from 0 to {seats - 1}."
    elif len(set(result.forfeits)) < len(result.forfeits):
        wrong["forfeits"] = "Must name each seat once."
    return wrong


def _then(t: Tournament, events: tuple[TournamentEvent, ...], tools: Tools) -> tuple[TournamentEvent, ...]:
    """Close the round, and the tournament, where this was the last result; not before all its tables stand."""
    for event in events:
        t = evolve(t, event)
    current = t.current
    if current is None or not current.made or current.missing():
        return events
    closed = RoundClosed(current.number)
    t = evolve(t, closed)
    events = (*events, closed)
    if t.plan.sprt is not None:
        verdict = ratio(blocks(t), t.plan.sprt).verdict
        if verdict != "go_on":
            reason: Literal["sprt_h0", "sprt_h1"] = "sprt_h0" if verdict == "h0" else "sprt_h1"
            return (*events, TournamentFinished(reason=reason, secret=_told(t, tools)))
    if over(t):
        return (*events, TournamentFinished(reason=how_ended(t), secret=_told(t, tools)))
    return events


def _told(t: Tournament, tools: Tools) -> str | UnsetType:
    """Give the secret for an event that ends it: duplicate deals follow from it, and some may be in play."""
    return UNSET if t.plan.duplicate else tools.secret


def _known(t: Tournament, entry: str) -> None:
    if entry not in t.entrants:
        raise Refusal("not_found", "The tournament has no such entry.")


def _organiser(t: Tournament, by: str) -> None:
    if by != t.organiser:
        raise Refusal("forbidden", "Only the organiser may do this.")


def _not_over(t: Tournament) -> None:
    if t.status in ("finished", "cancelled"):
        raise Refusal("tournament_over", f"The tournament is {t.status}.")


__all__ = ["Tools", "check_result", "code_digest", "create", "decide", "preview"]
