"""The synchronous part of aio.py, made by `python client/make_sync.py`; do not edit."""

from collections.abc import Iterator
from typing import Any

import msgspec

from starledger_client.core import RECORD_TYPE, Call, erase, given, if_match, place, read, upload, write
from starledger_client.errors import Unreachable
from starledger_client.models import (
    Accepted,
    Command,
    Delivery,
    Entry,
    ExportedTable,
    Frame,
    Game,
    LogPage,
    Me,
    NewPlayer,
    NewToken,
    Notice,
    NoticePage,
    Offer,
    Page,
    Player,
    Rated,
    RatingHistory,
    Ready,
    Report,
    Table,
    Token,
    Trailer,
    Webhook,
)
from starledger_client.sync_cups import Tournaments


class Client(Tournaments):
    """The service, one method for each thing it does; safe to use from many threads.

    A request that fails on the way, or is told to come later, is sent again under the same idempotency key, so
    nothing happens twice. What the service refuses is raised as `Problem`. `etag` in a call: only if the table is
    still as it was (`Stale` otherwise).
    """

    # accounts

    def create_player(self, name: str, kind: str = "bot", key: str | None = None) -> NewPlayer:
        """Make an account and go on as that player."""
        made: NewPlayer = self.send(write("/v1/players", NewPlayer, {"name": name, "kind": kind}, key))
        self.token = made.token
        return made

    def me(self) -> Me:
        """Give the own account with scopes and limits."""
        return self.send(read("/v1/me", Me))

    def player(self, player: str) -> Player:
        """Give an account as everybody sees it."""
        return self.send(read(f"/v1/players/{place(player)}", Player))

    def tokens(self) -> list[Token]:
        """List the own tokens, without their secrets."""
        return list(self.pages("/v1/me/tokens", Token))

    def create_token(self, scopes: list[str] | None = None, key: str | None = None) -> NewToken:
        """Make another token with some of the scopes that this one has; None: with all."""
        return self.send(write("/v1/me/tokens", NewToken, given(scopes=scopes), key))

    def revoke_token(self, token_id: str) -> None:
        """Make a token useless at once."""
        self.send(erase(f"/v1/me/tokens/{place(token_id)}"))

    def notices(self, *, after: int = 0, limit: int | None = None, wait: float | None = None) -> NoticePage:
        """Give the own notices behind an id; `wait` seconds for the next one if there is none yet."""
        return self.send(read("/v1/me/stream", NoticePage, after=after, limit=limit, wait=wait))

    def follow_me(self, *, after: int = 0) -> Iterator[Notice]:
        """Iterate over the own notices, live, from behind `after`; see `stream`. It does not end by itself."""
        return self.stream("/v1/me/stream", Notice, after)

    # ratings

    def ratings(self, game: str) -> list[Rated]:
        """Give a game's leaderboard."""
        return list(self.pages("/v1/ratings", Rated, game=game))

    def player_ratings(self, player: str) -> list[RatingHistory]:
        """Give a player's ratings with their history, by game."""
        page = self.send(read(f"/v1/players/{place(player)}/ratings", Page[RatingHistory]))
        return page.items

    # games and tables

    def games(self) -> list[Game]:
        """List the games with options, commands and cards."""
        return list(self.pages("/v1/games", Game))

    def game(self, game: str) -> Game:
        """Give one game of the catalogue."""
        return self.send(read(f"/v1/games/{place(game)}", Game))

    def create_table(self, game: str, seats: list[dict[str, Any]], *, key: str | None = None, **more: Any) -> Table:
        """Make a table; `more` takes options, visibility, clock, rated and seed as the contract names them."""
        return self.send(write("/v1/tables", Table, {"game": game, "seats": seats, **more}, key))

    def tables(
        self,
        *,
        game: str | None = None,
        status: str | None = None,
        player: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Page[Table]:
        """Give one page of tables, newest first."""
        return self.send(
            read("/v1/tables", Page[Table], game=game, status=status, player=player, cursor=cursor, limit=limit)
        )

    def all_tables(
        self, *, game: str | None = None, status: str | None = None, player: str | None = None
    ) -> Iterator[Table]:
        """Iterate over all tables, newest first."""
        return self.pages("/v1/tables", Table, game=game, status=status, player=player)

    def table(self, table: str, *, at: int | None = None, eyes: str | int | None = None) -> Table:
        """Give a table, as it stood `at` a version, with whose `eyes` (a seat, `public`, `all`; own if None)."""
        return self.send(read(_path(table), Table, **{"at": at, "as": eyes}))

    def abort(self, table: str, *, etag: str | None = None) -> None:
        """End an own table before its start."""
        self.send(erase(_path(table), etag))

    def sit(
        self,
        table: str,
        seat: int | None = None,
        *,
        entropy: str | None = None,
        key: str | None = None,
        etag: str | None = None,
    ) -> Table:
        """Sit down: in a seat by number, else the reserved one, else the first open one."""
        wish = given(seat=seat, entropy=entropy)
        return self.send(write(f"{_path(table)}/seats", Table, wish, key, **if_match(etag)))

    def leave(self, table: str, seat: int, *, etag: str | None = None) -> None:
        """Give up a seat before the start."""
        self.send(erase(f"{_path(table)}/seats/{seat}", etag))

    def commands(self, table: str) -> Offer:
        """List all that you may do now."""
        return self.send(read(f"{_path(table)}/commands", Offer))

    def post(self, table: str, command: Command, *, key: str | None = None, etag: str | None = None) -> Accepted:
        """Post one command."""
        return self.send(write(f"{_path(table)}/commands", Accepted, command, key, **if_match(etag)))

    def resign(self, table: str) -> Accepted:
        """Give up."""
        return self.post(table, {"type": "resign"})

    def fork(self, table: str, at: int, seats: list[dict[str, Any]], key: str | None = None) -> Table:
        """Start a new table from how a finished one stood at a version."""
        return self.send(write(f"{_path(table)}/forks", Table, {"at": at, "seats": seats}, key))

    def rematch(self, table: str, key: str | None = None) -> Table:
        """Play again with the same players, seats moved round; all who ask get the same table."""
        return self.send(write(f"{_path(table)}/rematch", Table, {}, key))

    # histories

    def log(
        self,
        table: str,
        *,
        after: int = 0,
        wait: float | None = None,
        limit: int | None = None,
        eyes: str | int | None = None,
    ) -> LogPage:
        """Give entries behind a version; `wait` seconds for the next one if there is none yet."""
        path = f"{_path(table)}/events"
        return self.send(read(path, LogPage, **{"after": after, "wait": wait, "limit": limit, "as": eyes}))

    def follow(self, table: str, *, after: int = 0, eyes: str | int | None = None) -> Iterator[Entry]:
        """Iterate over the log, live, from behind `after` to the end of the table; see `stream`."""
        return self.stream(f"{_path(table)}/events", Entry, after, {} if eyes is None else {"as": str(eyes)})

    def replay(
        self, table: str, *, eyes: str | int | None = None, first: int | None = None, last: int | None = None
    ) -> Iterator[Frame]:
        """Iterate over a table's frames, each entry with the view behind it, from version `first` to `last`."""
        return self.pages(f"{_path(table)}/replay", Frame, **{"as": eyes, "from": first, "to": last})

    def record(self, table: str) -> bytes:
        """Give a finished table's record, the whole file."""
        call: Call[bytes] = Call("GET", f"{_path(table)}/record", bytes, headers={"Accept": RECORD_TYPE})
        return self.send(call)

    def import_record(self, record: bytes, key: str | None = None) -> Table:
        """Bring a record in; it is checked whole first."""
        return self.send(upload("/v1/records", Table, record, key))

    def verify_record(self, record: bytes) -> Report:
        """Have a record checked."""
        return self.send(upload("/v1/records/verify", Report, record, None))

    def export(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        tournament: str | None = None,
        since: str | None = None,
        until: str | None = None,
        cursor: str | None = None,
    ) -> Iterator[ExportedTable]:
        """Iterate over finished public tables with their records, newest first; `since` and `until` are times.

        One that was cut off goes on behind its last table. Raises `Unreachable` where nothing comes any more.
        """
        chosen = given(**{"game": game, "player": player, "tournament": tournament, "from": since, "to": until})
        failures = 0
        while True:
            try:
                for line in self.lines("/v1/export", {**chosen, **given(cursor=cursor)}):
                    each = msgspec.json.decode(line, type=ExportedTable | Trailer)
                    if isinstance(each, Trailer):
                        return
                    failures, cursor = 0, each.cursor
                    yield each
            except Unreachable:
                if failures:
                    raise
            failures += 1
            if failures > 1:
                raise Unreachable(f"{self.url} ends the export too early again and again")

    # webhooks

    def create_webhook(self, url: str, events: list[str] | None = None, *, key: str | None = None) -> Webhook:
        """Have notices sent to an address, all or those of some types; `secret` is there this once."""
        return self.send(write("/v1/webhooks", Webhook, {"url": url, **given(events=events)}, key))

    def webhooks(self) -> list[Webhook]:
        """List the own webhooks."""
        return list(self.pages("/v1/webhooks", Webhook))

    def webhook(self, webhook: str) -> Webhook:
        """Give an own webhook."""
        return self.send(read(f"/v1/webhooks/{place(webhook)}", Webhook))

    def delete_webhook(self, webhook: str) -> None:
        """Send nothing more there."""
        self.send(erase(f"/v1/webhooks/{place(webhook)}"))

    def deliveries(self, webhook: str) -> Iterator[Delivery]:
        """Iterate over a webhook's log, newest message first."""
        return self.pages(f"/v1/webhooks/{place(webhook)}/deliveries", Delivery)

    def redeliver(self, webhook: str, delivery: str, *, key: str | None = None) -> Delivery:
        """Send a message again, at once."""
        path = f"/v1/webhooks/{place(webhook)}/deliveries/{place(delivery)}/redeliver"
        return self.send(write(path, Delivery, None, key))

    # the service itself

    def health(self) -> str:
        """Tell whether the service lives."""
        return (self.send(read("/healthz", Ready))).status

    def ready(self) -> Ready:
        """Tell whether it can serve, and by which checks; `Problem` 503 where it can't."""
        return self.send(read("/readyz", Ready))

    def metrics(self) -> str:
        """Give its metrics, in the format of Prometheus."""
        call: Call[bytes] = Call("GET", "/metrics", bytes, headers={"Accept": "text/plain"})
        return (self.send(call)).decode()

    def contract(self) -> dict[str, Any]:
        """Give the contract, in OpenAPI 3.1."""
        return self.send(read("/openapi.json", dict[str, Any]))


def _path(table: str) -> str:
    return f"/v1/tables/{place(table)}"
