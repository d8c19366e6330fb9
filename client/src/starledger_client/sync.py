"""The synchronous client: made from aio.py by `python client/make_sync.py`; do not edit."""

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import httpx
import httpx_sse
import msgspec

from starledger_client.core import (
    RECORD_TYPE,
    Call,
    T,
    erase,
    if_match,
    pause_before,
    raise_for,
    read,
    settings,
    upload,
    write,
)
from starledger_client.errors import Unreachable
from starledger_client.models import (
    Accepted,
    Command,
    Entry,
    Frame,
    LogPage,
    NewPlayer,
    NewToken,
    Offer,
    Page,
    Table,
)


class Client:
    """The service, one method for each thing it does; safe to use from many threads.

    A request that fails on the way, or is told to come later, is sent again under the same idempotency key, so
    nothing happens twice. What the service refuses is raised as `Problem`.
    """

    def __init__(self, url: str | None = None, token: str | None = None, timeout: float = 40.0) -> None:
        self.url, self.token = settings(url, token)
        self._http = httpx.Client(base_url=self.url, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send one request, again where that may help; raises `Problem` and `Unreachable`."""
        request = call.request(self._http, self.token)
        attempt = 0
        while True:
            response, why = None, ""
            try:
                response = self._http.send(request)
            except httpx.TransportError as failed:
                why = str(failed) or type(failed).__name__
            pause = pause_before(attempt, response)
            if pause is None:
                if response is None:
                    raise Unreachable(f"{self.url} does not answer: {why}")
                return call.parse(response)
            time.sleep(pause)
            attempt += 1

    # accounts

    def create_player(self, name: str, kind: str = "bot", key: str | None = None) -> NewPlayer:
        """Make an account and go on as that player."""
        made: NewPlayer = self.send(write("/v1/players", NewPlayer, {"name": name, "kind": kind}, key))
        self.token = made.token
        return made

    def me(self) -> dict[str, Any]:
        """Give the own account with scopes and limits."""
        return self.send(read("/v1/me", dict[str, Any]))

    def player(self, player: str) -> dict[str, Any]:
        """Give an account as everybody sees it."""
        return self.send(read(f"/v1/players/{player}", dict[str, Any]))

    def tokens(self) -> list[dict[str, Any]]:
        """List the own tokens, without their secrets."""
        answer = self.send(read("/v1/me/tokens", dict[str, Any]))
        return list(answer["items"])

    def create_token(self, scopes: list[str], key: str | None = None) -> NewToken:
        """Make another token with some of the scopes that this one has."""
        return self.send(write("/v1/me/tokens", NewToken, {"scopes": scopes}, key))

    def revoke_token(self, token_id: str) -> None:
        """Make a token useless at once."""
        self.send(erase(f"/v1/me/tokens/{token_id}"))

    # games and tables

    def games(self) -> list[dict[str, Any]]:
        """List the games with options, commands and cards."""
        answer = self.send(read("/v1/games", dict[str, Any]))
        return list(answer["items"])

    def game(self, game: str) -> dict[str, Any]:
        """Give one game of the catalogue."""
        return self.send(read(f"/v1/games/{game}", dict[str, Any]))

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
        """Iterate over all pages."""
        cursor: str | None = None
        while True:
            page = self.tables(game=game, status=status, player=player, cursor=cursor)
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    def table(self, table: str, *, at: int | None = None, eyes: str | int | None = None) -> Table:
        """Give a table, as it stood `at` a version, with whose `eyes` (a seat, `public`, `all`; own if None)."""
        return self.send(read(f"/v1/tables/{table}", Table, **{"at": at, "as": eyes}))

    def abort(self, table: str) -> None:
        """End an own table before its start."""
        self.send(erase(f"/v1/tables/{table}"))

    def sit(self, table: str, seat: int | None = None, *, entropy: str | None = None, key: str | None = None) -> Table:
        """Sit down: in a seat by number, else the reserved one, else the first open one."""
        wish = {name: value for name, value in (("seat", seat), ("entropy", entropy)) if value is not None}
        return self.send(write(f"/v1/tables/{table}/seats", Table, wish, key))

    def leave(self, table: str, seat: int) -> None:
        """Give up a seat before the start."""
        self.send(erase(f"/v1/tables/{table}/seats/{seat}"))

    def commands(self, table: str) -> Offer:
        """List all that you may do now."""
        return self.send(read(f"/v1/tables/{table}/commands", Offer))

    def post(self, table: str, command: Command, *, key: str | None = None, etag: str | None = None) -> Accepted:
        """Post one command; with `etag` only if the table is still at that version (`Stale` otherwise)."""
        path = f"/v1/tables/{table}/commands"
        return self.send(write(path, Accepted, command, key, **if_match(etag)))

    def resign(self, table: str) -> Accepted:
        """Give up."""
        return self.post(table, {"type": "resign"})

    def fork(self, table: str, at: int, seats: list[dict[str, Any]], key: str | None = None) -> Table:
        """Start a new table from how a finished one stood at a version."""
        return self.send(write(f"/v1/tables/{table}/forks", Table, {"at": at, "seats": seats}, key))

    def rematch(self, table: str, key: str | None = None) -> Table:
        """Play again with the same players, seats moved round; all who ask get the same table."""
        return self.send(write(f"/v1/tables/{table}/rematch", Table, {}, key))

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
        path = f"/v1/tables/{table}/events"
        return self.send(read(path, LogPage, **{"after": after, "wait": wait, "limit": limit, "as": eyes}))

    def follow(self, table: str, *, after: int = 0, eyes: str | int | None = None) -> Iterator[Entry]:
        """Iterate over the log, live, from behind `after` to the end of the table.

        Each entry comes once and in order, whatever happens on the way: cuts and restarts are resumed.
        """
        failures = 0
        while True:
            try:
                with httpx_sse.connect_sse(
                    self._http,
                    "GET",
                    f"/v1/tables/{table}/events",
                    params={} if eyes is None else {"as": str(eyes)},
                    headers=self._stream_headers(after),
                    timeout=httpx.Timeout(40.0),
                ) as source:
                    if source.response.status_code == httpx.codes.NO_CONTENT:
                        return
                    if source.response.is_error:
                        source.response.read()
                        raise_for(source.response)
                    for message in source.iter_sse():
                        failures = 0
                        if message.event == "end":
                            return
                        if message.event == "reset":
                            break
                        if message.data and message.event in ("message", "entry"):
                            entry = parse_entry(message.data)
                            if entry.version > after:
                                after = entry.version
                                yield entry
            except (httpx.TransportError, httpx_sse.SSEError) as failed:
                pause = pause_before(failures, None)
                if pause is None:
                    raise Unreachable(f"{self.url} does not answer: {failed}") from failed
                failures += 1
                time.sleep(pause)

    def replay(self, table: str, *, eyes: str | int | None = None) -> Iterator[Frame]:
        """Iterate over a table's frames: each entry with the view behind it."""
        cursor: str | None = None
        while True:
            params = {"as": eyes, "cursor": cursor}
            page: Page[Frame] = self.send(read(f"/v1/tables/{table}/replay", Page[Frame], **params))
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    def record(self, table: str) -> bytes:
        """Give a finished table's record, the whole file."""
        call: Call[bytes] = Call("GET", f"/v1/tables/{table}/record", bytes, headers={"Accept": RECORD_TYPE})
        return self.send(call)

    def import_record(self, record: bytes, key: str | None = None) -> Table:
        """Bring a record in; it is checked whole first."""
        return self.send(upload("/v1/records", Table, record, key))

    def verify_record(self, record: bytes) -> dict[str, Any]:
        """Have a record checked."""
        return self.send(upload("/v1/records/verify", dict[str, Any], record, None))

    def _stream_headers(self, after: int) -> dict[str, str]:
        headers = {"Last-Event-ID": str(after)} if after else {}
        return headers if self.token is None else {**headers, "Authorization": f"Bearer {self.token}"}


def parse_entry(data: str) -> Entry:
    """Read one entry of a live feed."""
    return msgspec.json.decode(data, type=Entry)
