"""What a worker does for a tournament that is due: start, pair, make tables, look who is absent, close.

Every step may run twice, or on two workers at once: tables have derived ids, commands that came too late change
nothing, and the first result of a table counts.
"""

import hmac
import logging
import secrets
from collections.abc import Callable
from typing import Any, Final

from domain.errors import Refusal
from domain.game import AnyGame
from domain.options import parse_options
from domain.table import Table
from domain.table_rules import Abort, Create, FillSeat, Wish
from domain.tournament.commands import (
    MarkPresenceChecked,
    MarkTablesMade,
    NoteAbsence,
    PairRound,
    Record,
    Start,
    TournamentCommand,
)
from domain.tournament.events import Pairing, Result
from domain.tournament.state import Round, Tournament
from domain.values import Seat
from service.application.closing import Marks
from service.application.handle import Attempt, Desk, KeyReused, command_id
from service.application.live import Live
from service.application.ports import Unavailable
from service.application.stream_kinds import is_tournament
from service.application.tournament_desk import LiveTournament, TournamentDesk
from service.application.tournament_due import PAIR, PRESENCE, START, TABLES, due_of
from service.application.turns import Played, Player

_log = logging.getLogger("starledger.tournaments")

Rated = Callable[[Tournament, Round, Pairing, int, int], None]
"""Enters a game's result in the ratings: tournament, round, pairing, leg, time in ms."""


class Driver:
    """Drives tournaments through what is due; one for each worker process."""

    def __init__(self, tournaments: TournamentDesk, tables: Desk, marks: Marks, rate: Rated | None = None) -> None:
        self._desk = tournaments
        self._tables = tables
        self._marks = marks
        self._rate = rate

    def drive(self, tournament_id: str) -> Played:
        """Do all that is due at a tournament; raises `Unavailable`."""
        written = 0
        try:
            live = self._desk.get(tournament_id)
        except Refusal:
            return Played(0, 0, "overtaken")
        while True:
            version, t = live.version, live.state
            due = due_of(t, self._desk.now_ms())
            if due is None or due.delay_ms > 0:
                return Played(written, version, "idle")
            if due.what == START:
                try:
                    self._do(live, Start(by=None))
                except Refusal as refusal:
                    _log.info("tournament %s can't start: %s", live.id, refusal.message)
                    return Played(written, version, "idle")
            elif due.what == PAIR:
                self._do(live, PairRound(len(t.rounds) + 1))
            elif due.what == TABLES and t.current is not None:
                self._make_tables(live, t, t.current)
                self._do(live, MarkTablesMade(t.current.number))
            elif due.what == PRESENCE and t.current is not None:
                self._note_absences(live, t, t.current)
                self._do(live, MarkPresenceChecked(t.current.number))
            else:
                self._close(live)
                return Played(written, version, "idle")
            if live.version == version:
                return Played(written, version, "overtaken")
            written += live.version - version

    def table_closed(self, table: Live) -> None:
        """Take over the result of a table that has ended (a step of `Closing`); raises `Unavailable`."""
        creator = table.table.creator
        if creator is None or not is_tournament(creator):
            return
        try:
            live = self._desk.get(creator)
        except Refusal:
            return
        result = result_of(table.table)
        try:
            self._do(live, Record(table.id, result))
        except Refusal as refusal:
            _log.warning("table %s is not of tournament %s: %s", table.id, creator, refusal.message)
            return
        self.rate_game(live, table.id)

    def rate_game(self, live: LiveTournament, game: str) -> None:
        """Enter a game's result as it stands in the ratings."""
        found = live.state.find(game)
        if self._rate is not None and found is not None and game in found[0].results:
            self._rate(live.state, *found, _time_of(self._tables, game, found[0].at_ms))

    def _do(self, live: LiveTournament, command: TournamentCommand) -> None:
        attempt = Attempt(command_id=command_id("tournament", secrets.token_hex(8)))
        self._desk.handle(live.id, lambda _: command, attempt)

    def _make_tables(self, live: LiveTournament, t: Tournament, current: Round) -> None:
        game = self._tables.games[t.plan.game]
        for pairing, leg, table_id in current.games():
            wish = self._wish(live, t, game, current, pairing, leg)
            try:
                self._tables.create(table_id, wish, Attempt(command_id=command_id("tournament", table_id)))
            except KeyReused as other:
                raise Unavailable(f"there is another table {table_id} already") from other

    def _wish(
        self, live: LiveTournament, t: Tournament, game: AnyGame, current: Round, pairing: Pairing, leg: int
    ) -> Create:
        entrants = [t.entrants[entry] for entry in pairing.seats(leg)]
        kind: Any = game.options
        return Create(
            game=game,
            options=parse_options(kind, dict(t.plan.options)),
            seats=tuple(
                Wish(kind="ai", bot=each.bot) if each.kind == "ai" else Wish(kind="player", player=each.player)
                for each in entrants
            ),
            creator=live.id,
            clock=t.plan.clock,
            chosen_seed=_deal(live, t, current.number, pairing, leg),
        )

    def _note_absences(self, live: LiveTournament, t: Tournament, current: Round) -> None:
        for _, _, game in current.games():
            if game in current.results or game in current.absences:
                continue
            try:
                table = self._tables.table(game).table
            except Refusal:
                continue
            absent = tuple(seat for seat, each in enumerate(table.seats) if each.kind == "open")
            if table.status != "open" or not absent:
                continue
            try:
                if t.plan.no_show.policy == "bot":
                    self._fill(live, game, absent, t.plan.no_show.bot)
                else:
                    self._abort(live, game)
            except Refusal as refusal:
                _log.info("table %s changed while absences were noted: %s", game, refusal.message)
                continue
            self._do(live, NoteAbsence(game, absent))

    def _fill(self, live: LiveTournament, game: str, absent: tuple[int, ...], bot: str) -> None:
        for seat in absent:
            attempt = Attempt(command_id=command_id(live.id, f"fill-{game}-{seat}"))
            self._tables.handle(game, lambda _, seat=seat: (FillSeat(Seat(seat), bot), None), attempt)  # type: ignore[misc]

    def _abort(self, live: LiveTournament, game: str) -> None:
        attempt = Attempt(command_id=command_id(live.id, f"abort-{game}"))
        self._tables.handle(game, lambda _: (Abort(by=live.id), None), attempt)

    def _close(self, live: LiveTournament) -> None:
        """End what never began, enter all results in the ratings, and take the mark away."""
        t = live.state
        for one in t.rounds:
            for pairing, leg, game in one.games():
                if game in one.results and self._rate is not None:
                    self._rate(t, one, pairing, leg, _time_of(self._tables, game, one.at_ms))
                elif game not in one.results:
                    self._abort_if_open(live, game)
        mark = self._marks.mark(live.id)
        if mark is not None:
            self._marks.clear(mark)

    def _abort_if_open(self, live: LiveTournament, game: str) -> None:
        try:
            if self._tables.table(game).table.status == "open":
                self._abort(live, game)
        except Refusal:
            return


class Drives:
    """What a hint causes, for a table or for a tournament."""

    def __init__(self, player: Player, driver: Driver) -> None:
        self._player = player
        self._driver = driver

    def play_on(self, stream: str, version: int, attempt: int = 0) -> Played:
        """Do all that is due there; raises what `Player.play_on` raises."""
        if is_tournament(stream):
            return self._driver.drive(stream)
        return self._player.play_on(stream, version, attempt)


def result_of(table: Table) -> Result:
    """Give what a table that has ended means for its tournament: who never sat down, or resigned, forfeits."""
    if table.outcome is not None:
        outcome = table.outcome
        return Result(
            places=outcome.places, scores=outcome.scores, forfeits=tuple(outcome.resigned), reason=outcome.reason
        )
    absent = tuple(seat for seat, each in enumerate(table.seats) if each.kind == "open")
    last = len(table.seats) - len(absent) + 1
    places = tuple(last if seat in absent else 1 for seat in range(len(table.seats)))
    return Result(places=places, forfeits=absent, by="no_show", reason="not seated in time")


_DEALS: Final = b"deal"


def _deal(live: LiveTournament, t: Tournament, number: int, pairing: Pairing, leg: int) -> str | None:
    """Give the seed of a game's deal; None: the table draws its own.

    Duplicate deals: one for each round and turn of the seats. A chosen seed fixes deals only where nobody gains by
    knowing them: among built-in bots, or unrated.
    """
    if t.plan.duplicate:
        place = (number, 0, leg // len(pairing.entries))
    elif t.chosen_seed is not None and (
        not t.plan.rated or all(t.entrants[entry].kind == "ai" for entry in pairing.entries)
    ):
        place = (number, pairing.table, leg)
    else:
        return None
    message = _DEALS + "-".join(map(str, place)).encode()
    return hmac.digest(live.secret.secret, message, "sha256").hex()


def _time_of(tables: Desk, game: str, otherwise_ms: int) -> int:
    try:
        return tables.table(game).entries[-1].time_ms
    except Refusal:
        return otherwise_ms
