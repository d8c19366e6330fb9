"""The synchronous part of aio_cups.py, made by `python client/make_sync.py`; do not edit."""

from collections.abc import Iterator
from typing import Any

from starledger_client.core import Call, erase, given, if_match, place, read, write
from starledger_client.cups import (
    Crosstable,
    Entrant,
    Entries,
    LiveTable,
    Preview,
    Round,
    Standings,
    Tournament,
    TournamentEntry,
    TournamentLog,
    TournamentSummary,
)
from starledger_client.models import Page
from starledger_client.sync_base import Base


class Tournaments(Base):
    """What there is to do with tournaments. `etag`: only if the tournament is still as it was (`Stale` otherwise)."""

    def create_tournament(
        self,
        name: str,
        game: str,
        format: str,  # noqa: A002 - the contract's word
        seats_per_table: int,
        *,
        key: str | None = None,
        **more: Any,
    ) -> Tournament:
        """Make a tournament; `more` takes rounds, clock, entry, entrants … as the contract names them."""
        body = {"name": name, "game": game, "format": format, "seats_per_table": seats_per_table, **more}
        return self.send(write("/v1/tournaments", Tournament, body, key))

    def tournaments(
        self,
        *,
        game: str | None = None,
        status: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Page[TournamentSummary]:
        """Give one page of tournaments, newest first."""
        params = {"game": game, "status": status, "cursor": cursor, "limit": limit}
        return self.send(read("/v1/tournaments", Page[TournamentSummary], **params))

    def all_tournaments(self, *, game: str | None = None, status: str | None = None) -> Iterator[TournamentSummary]:
        """Iterate over all tournaments, newest first."""
        return self.pages("/v1/tournaments", TournamentSummary, game=game, status=status)

    def tournament(self, tournament: str, *, at: int | None = None) -> Tournament:
        """Give a tournament, as it stood `at` a version."""
        return self.send(read(_path(tournament), Tournament, at=at))

    def enter(
        self, tournament: str, *, code: str | None = None, key: str | None = None, etag: str | None = None
    ) -> Entrant:
        """Enter oneself, with the code where one is needed."""
        return self._enter(tournament, {"kind": "me", **given(code=code)}, key, etag)

    def enter_player(self, tournament: str, player: str, *, key: str | None = None, etag: str | None = None) -> Entrant:
        """Enter a player, as the organiser."""
        return self._enter(tournament, {"kind": "player", "player": player}, key, etag)

    def enter_bot(
        self,
        tournament: str,
        bot: str,
        *,
        name: str | None = None,
        key: str | None = None,
        etag: str | None = None,
    ) -> Entrant:
        """Enter a built-in bot, as the organiser."""
        return self._enter(tournament, {"kind": "ai", "bot": bot, **given(name=name)}, key, etag)

    def _enter(self, tournament: str, entry: dict[str, Any], key: str | None, etag: str | None) -> Entrant:
        path = f"{_path(tournament)}/entries"
        return self.send(write(path, Entrant, {"entry": entry}, key, **if_match(etag)))

    def enter_many(
        self,
        tournament: str,
        entries: list[dict[str, Any]],
        *,
        dry_run: bool = False,
        key: str | None = None,
        etag: str | None = None,
    ) -> Entries:
        """Enter many, all or none; `Invalid` tells by row what is wrong. With `dry_run` nothing is changed."""
        body = {"entries": entries, "dry_run": dry_run}
        return self.send(write(f"{_path(tournament)}/entries/bulk", Entries, body, key, **if_match(etag)))

    def withdraw(self, tournament: str, entry: str, *, etag: str | None = None) -> None:
        """Take an entry out: one's own, or any as the organiser."""
        self.send(erase(f"{_path(tournament)}/entries/{place(entry)}", etag))

    def check_in(self, tournament: str, entry: str, *, key: str | None = None, etag: str | None = None) -> Entrant:
        """Say that one is there."""
        path = f"{_path(tournament)}/entries/{place(entry)}/check-in"
        return self.send(write(path, Entrant, None, key, **if_match(etag)))

    def start_tournament(self, tournament: str, *, key: str | None = None, etag: str | None = None) -> Tournament:
        """Begin it; a second time nothing happens."""
        return self._step(tournament, "start", None, key, etag)

    def pause_tournament(self, tournament: str, *, key: str | None = None, etag: str | None = None) -> Tournament:
        """Begin no new round."""
        return self._step(tournament, "pause", None, key, etag)

    def resume_tournament(self, tournament: str, *, key: str | None = None, etag: str | None = None) -> Tournament:
        """Begin rounds again."""
        return self._step(tournament, "resume", None, key, etag)

    def cancel_tournament(
        self, tournament: str, reason: str = "", *, key: str | None = None, etag: str | None = None
    ) -> Tournament:
        """End it before its end."""
        return self._step(tournament, "cancel", {"reason": reason}, key, etag)

    def _step(
        self, tournament: str, step: str, body: dict[str, Any] | None, key: str | None, etag: str | None
    ) -> Tournament:
        return self.send(write(f"{_path(tournament)}/{step}", Tournament, body, key, **if_match(etag)))

    def round(self, tournament: str, number: int) -> Round:
        """Give a round: its tables, byes, costs and results."""
        return self.send(read(f"{_path(tournament)}/rounds/{number}", Round))

    def preview_pairings(self, tournament: str, *, key: str | None = None) -> Preview:
        """Give the next round as it would be paired now; nothing is changed."""
        return self.send(write(f"{_path(tournament)}/pairings/preview", Preview, None, key))

    def standings(self, tournament: str, *, at: int | None = None) -> Standings:
        """Give the standings, at any version."""
        return self.send(read(f"{_path(tournament)}/standings", Standings, at=at))

    def crosstable(self, tournament: str, *, at: int | None = None) -> Crosstable:
        """Give who met whom, and how it went."""
        return self.send(read(f"{_path(tournament)}/crosstable", Crosstable, at=at))

    def tournament_tables(self, tournament: str) -> list[LiveTable]:
        """Give the tables of the newest round."""
        return list(self.pages(f"{_path(tournament)}/tables", LiveTable))

    def tournament_log(self, tournament: str, *, after: int = 0, limit: int | None = None) -> TournamentLog:
        """Give entries behind a version."""
        return self.send(read(f"{_path(tournament)}/events", TournamentLog, after=after, limit=limit))

    def follow_tournament(self, tournament: str, *, after: int = 0) -> Iterator[TournamentEntry]:
        """Iterate over the log, live, from behind `after` to the end of the tournament; see `stream`."""
        return self.stream(f"{_path(tournament)}/events", TournamentEntry, after)

    def tournament_record(self, tournament: str) -> bytes:
        """Give the whole event as one file: its log, its tables' records, its standings."""
        call: Call[bytes] = Call(
            "GET", f"{_path(tournament)}/record", bytes, headers={"Accept": "application/x-ndjson"}
        )
        return self.send(call)

    def judge(
        self,
        tournament: str,
        table: str,
        places: list[int],
        reason: str,
        *,
        scores: list[int] | None = None,
        forfeits: list[int] | None = None,
        key: str | None = None,
        etag: str | None = None,
    ) -> Round:
        """Decide or correct a result, by seat, as the organiser."""
        body = {"places": places, "reason": reason, **given(scores=scores, forfeits=forfeits)}
        path = f"{_path(tournament)}/tables/{place(table)}/result"
        return self.send(write(path, Round, body, key, **if_match(etag)))


def _path(tournament: str) -> str:
    return f"/v1/tournaments/{place(tournament)}"
