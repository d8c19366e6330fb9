"""The whole event as one file, checked: its log, its tables' results and deals, its standings.

The log of an event has no hashes of its own. So what it says is held against what has: the records of its tables, and
the secret that it committed to.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from domain.chance import chosen_secret
from domain.log import UnknownEvent
from domain.record import lines_of
from domain.tournament.events import Pairing, Result
from domain.tournament.log import applied, decode
from domain.tournament.standings import Standing, standings
from domain.tournament.state import Entrant, Round, Tournament
from domain.values import Value
from service.application.records import FirstWrong
from service.application.tournament_deals import deal_of
from service.cli.record_files import EventLine, Found

_STANDING: Final = ("place", "entry", "name", "points", "games", "wins", "byes", "forfeits", "withdrawn")
_NONSENSE: Final = (LookupError, TypeError, ValueError, ArithmeticError, UnknownEvent, RecursionError)
"""What the rules make of a log that no server wrote."""


class EventReport(Value, frozen=True):
    """What a check of a whole event found: how much it holds, and the first line that is wrong."""

    tournament: str
    name: str
    rounds: int
    games: int
    tables: int
    first_wrong: FirstWrong | UnsetType = UNSET


class _Wrong(Exception):
    """A line is wrong; the text says why."""


class EventCheck:
    """A check of an event, fed with its file's parts in their order; nothing is looked at behind the first fault."""

    def __init__(self) -> None:
        self._shown: Mapping[str, Any] = {}
        self._t: Tournament | None = None
        self._entries = 0
        self._tables: dict[str, int] = {}
        self._is_whole = False
        self._wrong: FirstWrong | UnsetType = UNSET

    def line(self, part: EventLine) -> None:
        """Look at a line that is no table."""
        self._look(part.number, lambda: self._line(part))

    def table(self, found: Found, *, is_right: bool) -> None:
        """Look at a table's place in the event; its record was checked by itself."""

        def look() -> None:
            if not is_right:
                raise _Wrong(f"the record of table {found.label} is wrong")
            self._table(found)

        self._look(found.number, look)

    def report(self, last: int) -> EventReport:
        """Give what was found, when line `last` was the last."""

        def end() -> None:
            if not self._is_whole:
                raise _Wrong("the file ends before the standings: it was cut off")

        self._look(last, end)
        rounds = () if self._t is None else self._t.rounds
        return EventReport(
            tournament=str(self._shown.get("id")),
            name=str(self._shown.get("name")),
            rounds=len(rounds),
            games=sum(len(one.results) for one in rounds),
            tables=len(self._tables),
            first_wrong=self._wrong,
        )

    def _look(self, number: int, at: Callable[[], None]) -> None:
        if self._wrong is not UNSET:
            return
        try:
            at()
        except _Wrong as wrong:
            self._wrong = FirstWrong(line=number, reason=str(wrong))
        except _NONSENSE as wrong:
            self._wrong = FirstWrong(line=number, reason=f"this is no line of an event: {wrong}")

    def _line(self, part: EventLine) -> None:
        if self._is_whole:
            raise _Wrong("nothing comes behind the standings")
        match part.row:
            case {"type": "tournament", "tournament": {"id": str()} as shown} if not self._shown:
                self._shown = shown
            case {"type": "entry", "entry": {"version": version, "events": events}} if not self._tables:
                self._entries += 1
                if version != self._entries:
                    raise _Wrong(f"this is version {version}, where version {self._entries} belongs")
                self._t = applied(str(self._shown["id"]), self._t, decode(msgspec.json.encode(events)))
            case {"type": "standings", "standings": list(rows)}:
                self._end(rows)
            case _:
                raise _Wrong("this line does not belong here")

    def _end(self, rows: list[Any]) -> None:
        t = self._tournament()
        for one, pairing, leg, game in _games(t):
            result = one.results.get(game)
            if result is not None and result.by == "table" and game not in self._tables:
                raise _Wrong(
                    f"the record of table {game} (round {one.number}, table {pairing.table}, leg {leg}) is missing"
                )
        if [_known(row) for row in rows] != [_row(each) for each in standings(t)]:
            raise _Wrong("the standings do not follow from the results")
        self._is_whole = True

    def _table(self, found: Found) -> None:
        t = self._tournament()
        if found.label in self._tables:
            raise _Wrong(f"table {found.label} stands at line {self._tables[found.label]} already")
        where = t.find(found.label)
        if where is None:
            raise _Wrong(f"the event has no table {found.label}")
        self._tables[found.label] = found.number
        one, pairing, leg = where
        header, first, *_, outcome, trailer, _names = map(msgspec.json.decode, lines_of(found.record))
        if header["table"] != found.label:
            raise _Wrong(f"this is the record of table {header['table']}, where table {found.label} belongs")
        result = one.results.get(found.label)
        if result is not None and result.by == "table" and not _agrees(result, outcome["outcome"]):
            raise _Wrong(f"table {found.label} did not end as the event's log says: places {_places(result)}")
        for seat, entry in zip(header["seats"], pairing.seats(leg), strict=True):
            if not _is_seated(t.entrants[entry], seat, may_be_filled=found.label in one.absences):
                raise _Wrong(
                    f"seat {seat['seat']} of table {found.label} is not played by {entry}, as the event's log says"
                )
        _check_deal(t, one, pairing, leg, (first["events"][0].get("chosen_seed"), trailer["secret"]))

    def _tournament(self) -> Tournament:
        """Give the tournament when all its entries were read; the first time it is held against the first line."""
        t = self._t
        if t is None:
            raise _Wrong("the event has no entries")
        if not self._tables:
            _check_head(t, self._shown, self._entries)
        return t


def _check_head(t: Tournament, shown: Mapping[str, Any], entries: int) -> None:
    said = {
        "name": t.plan.name,
        "game": t.plan.game,
        "format": t.plan.format,
        "seats_per_table": t.plan.seats_per_table,
        "status": t.status,
        "ended": t.ended,
        "version": entries,
        "round": len(t.rounds),
        "commitment": t.commitment,
        "secret": t.secret,
    }
    for name, value in said.items():
        if shown.get(name) != value:
            raise _Wrong(f"the log gives {name} {value!r}; the first line has {shown.get(name)!r}")
    if t.secret is None:
        raise _Wrong("the event's secret is not revealed")
    if hashlib.sha256(bytes.fromhex(t.secret)).hexdigest() != t.commitment:
        raise _Wrong("the event's secret is not the one that it committed to")
    if t.chosen_seed is not None and chosen_secret(t.chosen_seed).secret.hex() != t.secret:
        raise _Wrong("the event's secret does not follow from its seed")


def _check_deal(t: Tournament, one: Round, pairing: Pairing, leg: int, dealt: tuple[str | None, str]) -> None:
    """Refuse a deal that does not follow from the event's secret; where a table drew its own, there is nothing to see."""
    deal = deal_of(bytes.fromhex(t.secret or ""), t, one.number, pairing, leg)
    seed, secret = dealt
    if deal.chosen_seed != seed or (deal.secret is not None and deal.secret.secret.hex() != secret):
        raise _Wrong(f"the deal of table {pairing.games[leg]} does not follow from the event's secret")


def _games(t: Tournament) -> Iterator[tuple[Round, Pairing, int, str]]:
    for one in t.rounds:
        for pairing, leg, game in one.games():
            yield one, pairing, leg, game


def _is_seated(entrant: Entrant, seat: Mapping[str, Any], *, may_be_filled: bool) -> bool:
    """Tell whether an entrant has a seat of a record; where a player did not come, a bot may have it."""
    if entrant.kind == "ai":
        return (seat["kind"], seat.get("bot")) == ("ai", entrant.bot)
    return bool(seat.get("player") == entrant.player or (may_be_filled and seat["kind"] == "ai"))


def _agrees(result: Result, outcome: Mapping[str, Any]) -> bool:
    said = (list(result.places), list(result.scores), list(result.forfeits))
    return said == (outcome["places"], outcome["scores"], outcome["resigned"])


def _places(result: Result) -> str:
    return "-".join(map(str, result.places))


def _row(each: Standing) -> dict[str, Any]:
    breaks = [{"name": one.name, "value": one.value} for one in each.tie_breaks]
    return {**{name: getattr(each, name) for name in _STANDING}, "tie_breaks": breaks}


def _known(row: Mapping[str, Any]) -> dict[str, Any]:
    breaks = [{"name": one["name"], "value": one["value"]} for one in row["tie_breaks"]]
    return {**{name: row[name] for name in _STANDING}, "tie_breaks": breaks}
