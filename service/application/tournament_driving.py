"""What a worker does for a tournament that is due: start, pair, make tables, look who is absent, close.

Every step may run twice, or on two workers at once: tables have derived ids, commands that came too late change
nothing, and the first result of a table counts.
"""

import contextlib
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from domain.errors import Refusal
from domain.game import AnyGame
from domain.options import parse_options
from domain.table import Table
from domain.table_rules import Abort, Create, FillSeat, RevealDeal, Wish
from domain.tournament.commands import (
    MarkPresenceChecked,
    MarkTablesMade,
    NoteAbsence,
    PairRound,
    Record,
    RevealSecret,
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
from service.application.tournament_deals import Deal, deal_of, shared_deal
from service.application.tournament_desk import LOST, LiveTournament, TournamentDesk
from service.application.tournament_due import PAIR, PRESENCE, START, TABLES, due_of
from service.application.turns import Played, Player

_log = logging.getLogger("starledger.tournaments")

Rated = Callable[[Tournament, Round, Pairing, int, int], None]
"""Enters a game's result in the ratings: tournament, round, pairing, leg, time in ms."""


class Driver:
    """Drives tournaments through what is due; one for each worker process."""

    def __init__(
        self,
        tournaments: TournamentDesk,
        tables: Desk,
        marks: Marks,
        rate: Rated | None = None,
        tell: Callable[[LiveTournament], None] = lambda _: None,
    ) -> None:
        """`tell` tells players what they were not told yet, when a tournament has ended; raises `Unavailable`."""
        self._desk = tournaments
        self._tables = tables
        self._marks = marks
        self._rate = rate
        self._tell = tell

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
                self._end_judged(live, t.rounds[-1:])
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
            live = self._desk.held(creator)
        except Refusal:
            return
        result = result_of(table.table)
        try:
            self._note_filled(live, table.table)
            self._do(live, Record(table.id, result))
        except Refusal as refusal:
            _log.warning("table %s is not of tournament %s: %s", table.id, creator, refusal.message)
            return
        self.rate_game(live, table.id)
        if table.table.deal is not None:
            self._reveal_deal(live, table.id)
        if live.state.plan.duplicate:
            self._reveal_secret(live)

    def rate_game(self, live: LiveTournament, game: str) -> None:
        """Enter a game's result as it stands in the ratings."""
        found = live.state.find(game)
        if self._rate is not None and found is not None and game in found[0].results:
            self._rate(live.state, *found, live.recorded_ms[game])

    def _do(self, live: LiveTournament, command: TournamentCommand) -> None:
        attempt = Attempt(command_id=command_id("tournament", secrets.token_hex(8)))
        try:
            self._desk.handle(live.id, lambda _: command, attempt)
        except Refusal as refusal:
            _unless_lost(refusal)
            raise

    def _make_tables(self, live: LiveTournament, t: Tournament, current: Round) -> None:
        game = self._tables.games[t.plan.game]
        for pairing, leg, table_id in current.games():
            deal = deal_of(live.secret.secret, t, current.number, pairing, leg)
            wish = self._wish(live, t, game, pairing, leg, deal)
            try:
                self._tables.create(table_id, wish, Attempt(command_id=command_id("tournament", table_id)), deal.secret)
            except KeyReused as other:
                raise Unavailable(f"there is another table {table_id} already") from other

    def _wish(
        self, live: LiveTournament, t: Tournament, game: AnyGame, pairing: Pairing, leg: int, deal: Deal
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
            chosen_seed=deal.chosen_seed,
            deal=deal.name,
            guarded=deal.guarded,
        )

    def _note_absences(self, live: LiveTournament, t: Tournament, current: Round) -> None:
        self._end_judged(live, (current,))
        for _, _, game in current.games():
            if game in current.results or game in current.absences:
                continue
            try:
                table = self._tables.table(game).table
            except Refusal:
                continue
            absent = tuple(seat for seat, each in enumerate(table.seats) if each.kind == "open")
            if table.status == "open" and t.plan.no_show.policy == "bot":
                self._fill(live, game, absent, t.plan.no_show.bot)
            if t.plan.no_show.policy == "bot":
                self._note_filled(live, self._tables.table(game).table)
            elif table.status == "open" and self._abort(live, game):
                self._do(live, NoteAbsence(game, absent))

    def _note_filled(self, live: LiveTournament, table: Table) -> None:
        """Note who was absent where bots took the seats: the table itself says so, whoever died in between."""
        found = live.state.find(table.id)
        if found is None:
            return
        one, pairing, leg = found
        filled = tuple(
            seat
            for seat, (entry, each) in enumerate(zip(pairing.seats(leg), table.seats, strict=True))
            if each.kind == "ai" and live.state.entrants[entry].kind == "player"
        )
        if filled and table.id not in one.absences:
            self._do(live, NoteAbsence(table.id, filled))

    def _fill(self, live: LiveTournament, game: str, absent: tuple[int, ...], bot: str) -> None:
        """Let a bot take each seat that is still open; a player who sat down just now keeps his."""
        for seat in absent:
            attempt = Attempt(command_id=command_id(live.id, f"fill-{game}-{seat}"))
            try:
                self._tables.handle(game, lambda _, seat=seat: (FillSeat(Seat(seat), bot), None), attempt)  # type: ignore[misc]
            except Refusal as refusal:
                _unless_lost(refusal)
                _log.info("seat %s of table %s was taken meanwhile: %s", seat, game, refusal.message)

    def _abort(self, live: LiveTournament, game: str) -> bool:
        """End a table that has not begun; tells whether it was so."""
        attempt = Attempt(command_id=command_id(live.id, f"abort-{game}"))
        try:
            self._tables.handle(game, lambda _: (Abort(by=live.id), None), attempt)
        except Refusal as refusal:
            _unless_lost(refusal)
            _log.info("table %s changed while absences were noted: %s", game, refusal.message)
            return False
        return True

    def _end_judged(self, live: LiveTournament, rounds: Sequence[Round]) -> None:
        """End the tables that nobody has to come to any more: the organiser has decided their games."""
        for one in rounds:
            for game, result in one.results.items():
                if result.by == "organiser":
                    self._abort_if_open(live, game)

    def _close(self, live: LiveTournament) -> None:
        """End what never began, enter all results in the ratings, and take the mark away."""
        t = live.state
        for one in t.rounds:
            for pairing, leg, game in one.games():
                result = one.results.get(game)
                if result is not None and self._rate is not None and t.plan.rated:
                    self._rate(t, one, pairing, leg, live.recorded_ms[game])
                if result is None or result.by == "organiser":
                    self._abort_if_open(live, game)
        if t.plan.duplicate:
            self._reveal_secret(live)
        self._tell(live)
        mark = self._marks.mark(live.id)
        if mark is not None:
            self._marks.clear(mark)

    def _reveal_deal(self, live: LiveTournament, table: str) -> None:
        """Tell a deal at all its tables if the last of them has ended.

        Of two tables that end at once, the one whose result comes second sees both. It is always told in the same order,
        so where the last of them has been told, all have, whoever was killed in between.
        """
        found = live.state.find(table)
        if found is None:
            return
        one, pairing, leg = found
        turn = shared_deal(pairing, leg)
        games = [game for other, i, game in one.games() if shared_deal(other, i) == turn]
        if not self._have_ended(live, one, games) or self._is_told(games[-1]):
            return
        for game in games:
            attempt = Attempt(command_id=command_id(live.id, f"reveal-{game}"))
            with contextlib.suppress(Refusal):  # told already, or never made
                self._tables.handle(game, lambda _: (RevealDeal(), None), attempt)

    def _is_told(self, game: str) -> bool:
        try:
            return self._tables.table(game).table.secret is not None
        except Refusal:
            return False

    def _reveal_secret(self, live: LiveTournament) -> None:
        """Tell the secret of a tournament that is over if no table is played any more."""
        t = live.state
        if t.status not in ("finished", "cancelled") or t.secret is not None:
            return
        if all(self._have_ended(live, one, [game for _, _, game in one.games()]) for one in reversed(t.rounds)):
            self._do(live, RevealSecret())

    def _have_ended(self, live: LiveTournament, one: Round, games: Sequence[str]) -> bool:
        """Tell whether games are played no more; only those whose tables have not said so themselves are looked at."""
        is_cancelled = live.state.status == "cancelled"
        results = [one.results.get(game) for game in games]
        if None in results and not is_cancelled:
            return False
        for game, result in zip(games, results, strict=True):
            if result is None or result.by == "organiser":
                try:
                    status = self._tables.table(game).table.status
                except Refusal:
                    continue  # cancelled before it was made
                if status not in ("finished", "aborted"):
                    return False
        return True

    def _abort_if_open(self, live: LiveTournament, game: str) -> None:
        try:
            if self._tables.table(game).table.status == "open":
                self._abort(live, game)
        except Refusal:
            return


def _unless_lost(refusal: Refusal) -> None:
    """Raise `Unavailable` where a command only lost its race: that passes, and whoever drives comes back."""
    if refusal.code == LOST:
        raise Unavailable(refusal.message) from refusal


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
