"""Tables: create, list, look at, abort."""

import secrets
from typing import Final

import msgspec
from flask import Response

from domain.errors import Refusal, invalid
from domain.table import Table
from domain.table_rules import Abort, Create, TableCommand, Wish
from domain.values import Seat, Value, Viewer
from service.api.answers import empty_answer, json_answer, replayed
from service.api.dear import in_turn
from service.api.etags import is_fresh, quoted
from service.api.examples import TABLE
from service.api.handling import attempt_of, handled
from service.api.operation import Answer, Body, Call, Operation
from service.api.paging import link, write_cursor
from service.api.schemas.tables import (
    BotSeat,
    MeSeat,
    NewTableSchema,
    OpenSeat,
    ReservedSeat,
    SeatWish,
    TableList,
    TableQuery,
    TablesQuery,
)
from service.application.directory import Wanted
from service.application.handle import Done
from service.application.ids import derived_id, is_id, new_id
from service.application.live import Live
from service.application.present import TableShown, etag, table_shown, viewer_for


def create_table(call: Call) -> Response:
    """`POST /v1/tables`."""
    body, player = call.body, call.known.player
    wishes = tuple(wish_of(seat) for seat in body["seats"])
    check_players(call, wishes)
    wish = Create(
        game=call.services.games[body["game"]],
        options=body["options"],
        seats=wishes,
        creator=player,
        visibility=body["visibility"],
        clock=body["clock"],
        rated=body["rated"],
        chosen_seed=body["seed"],
    )
    if call.key is None:
        table_id = new_id(secrets.token_bytes)
    else:
        table_id = derived_id(call.services.server_key, "table", player, call.key)
    done = call.services.desk.create(table_id, wish, attempt_of(call))
    return table_answer(call, done, 201, {"Location": f"/v1/tables/{table_id}"})


def list_tables(call: Call) -> Response:
    """`GET /v1/tables`."""
    query = call.query
    wanted = Wanted(game=query["game"], status=query["status"], player=query["player"])
    step, directory = query["cursor"], call.services.directory
    if step is not None and step.is_back:
        page = directory.page_back(wanted, step.place, query["limit"])
    else:
        page = directory.page(wanted, None if step is None else step.place, query["limit"])
    cursor = write_cursor(page.more)
    listed = _Listed(items=tuple(msgspec.Raw(each.summary) for each in page.tables), next_cursor=cursor)
    return json_answer(
        listed, headers=link("/v1/tables", call.request.args, cursor, write_cursor(page.newer, is_back=True))
    )


def get_table(call: Call) -> Response:
    """`GET /v1/tables/{table}`."""
    live = call.services.desk.table(table_id(call))
    with live.lock:
        table, version = live.table, live.version
    viewer = viewer_for(table, call.player, call.query["as_"])
    you = table.seat_of(call.player)
    at = call.query["at"]
    if at is not None and at > version:
        raise invalid({"at": f"The table has versions 1 to {version}."})
    if at is not None and at < version:
        with in_turn(call):  # which folds the log anew
            table, version = live.table_at(at), at
    tag = tag_of(live, version, viewer, you)
    if is_fresh(call.request, tag):
        return empty_answer(304, {"ETag": quoted(tag)})
    return json_answer(
        table_shown(live, table, version, viewer, you, call.services.players.names), headers={"ETag": quoted(tag)}
    )


def abort_table(call: Call) -> Response:
    """`DELETE /v1/tables/{table}`."""
    player = call.known.player

    def wish(table: Table) -> tuple[TableCommand, Seat | None]:
        if table.creator != player:
            raise Refusal("forbidden", "Only its creator may abort a table.")
        return Abort(by=player), table.seat_of(player)

    done = handled(call, table_id(call), wish)
    return empty_answer(204, replayed(is_replay=done.replayed))


def table_id(call: Call) -> str:
    """Give the table's id from the path; what can't be one is unknown. Raises `Refusal` `not_found`."""
    given = call.path["table"]
    if not is_id(given):
        raise Refusal("not_found", "There is no table with this id.")
    return given


def table_answer(call: Call, done: Done, status: int, headers: dict[str, str]) -> Response:
    """Answer with the table as its caller sees it at the entry that he caused."""
    you = done.table.seat_of(call.player)
    viewer: Viewer = "public" if you is None else you
    version = done.entry.version
    shown = table_shown(done.live, done.table, version, viewer, you, call.services.players.names)
    tag = quoted(tag_of(done.live, version, viewer, you))
    return json_answer(shown, status, {**headers, "ETag": tag, **replayed(is_replay=done.replayed)})


def tag_of(live: Live, version: int, viewer: Viewer, you: Seat | None) -> str:
    """Give the entity tag; where the caller looks with other eyes than his own, his seat is part of it too."""
    tag = etag(version, live.entries[version - 1].hash, viewer)
    return tag if you is None or viewer == you else f"{tag}-s{you}"


def check_players(call: Call, wishes: tuple[Wish, ...]) -> None:
    """Refuse seats that are reserved for players that there are not; raises `Refusal` by field."""
    wanted = {wish.player: i for i, wish in enumerate(wishes) if wish.player is not None}
    known = call.services.players.names(wanted)
    errors = {f"seats[{i}].player": "There is no such player." for player, i in wanted.items() if player not in known}
    if errors:
        raise invalid(errors)


def wish_of(seat: SeatWish) -> Wish:
    """Give the wish that a seat of a request is."""
    match seat:
        case MeSeat():
            return Wish(kind="me")
        case OpenSeat():
            return Wish(kind="open")
        case ReservedSeat(player=player):
            return Wish(kind="player", player=player)
        case BotSeat(bot=bot):
            return Wish(kind="ai", bot=bot)


class _Listed(Value, frozen=True):
    """A `TableList` whose items are JSON already."""

    items: tuple[msgspec.Raw, ...]
    next_cursor: str | None


_ETAG: Final = ("ETag",)

OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/tables",
        name="createTable",
        tag="Tables",
        summary="Create a table",
        text="Makes a table of a game. Its seats are wished for one by one: `me` sits down at once, `open` waits for "
        "anybody, `player` for one player, `ai` is played by a built-in bot. The table starts by itself when the last "
        "seat is taken: at once, if none is open. A table that nobody starts is aborted after seven days.\n\nThe "
        "server commits to the deal in `fairness.commitment` before anyone sits down, and reveals the secret at the "
        "end.",
        view=create_table,
        auth="required",
        scope="play",
        body=Body(
            schema=NewTableSchema,
            examples={
                "against a bot": {
                    "game": "beam-me-up",
                    "seats": [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}],
                },
                "with a clock, open to all": {
                    "game": "beam-me-up",
                    "options": {"lines": "hidden"},
                    "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}],
                    "clock": {"kind": "turn", "seconds": 60, "on_expiry": "default_move"},
                    "rated": True,
                },
            },
        ),
        answers={
            201: Answer(
                meaning="The table, as its creator sees it.",
                kind=TableShown,
                headers=("Location", "ETag"),
                examples={"open": TABLE},
            )
        },
        keyed="derived",
        bucket="creations",
    ),
    Operation(
        method="GET",
        path="/v1/tables",
        name="listTables",
        tag="Tables",
        summary="List tables",
        text="Public tables, newest first: the lobby with `status=open`, the archive with `status=finished`. The list "
        "may change while it is read; going on by `next_cursor` neither skips nor doubles what was there at the start.",
        view=list_tables,
        is_dear=True,
        query=TablesQuery,
        answers={
            200: Answer(
                meaning="A part of the list.",
                kind=TableList,
                headers=("Link",),
                examples={"end": {"items": [], "next_cursor": None}},
            )
        },
    ),
    Operation(
        method="GET",
        path="/v1/tables/{table}",
        name="getTable",
        tag="Tables",
        summary="Look at a table",
        text="The table as the caller may see it: from his own seat, else as the public does. `at` shows an earlier "
        "version, `as` other eyes. With `If-None-Match` an unchanged table is answered 304.",
        view=get_table,
        query=TableQuery,
        answers={
            200: Answer(meaning="The table.", kind=TableShown, headers=_ETAG, examples={"open": TABLE}),
            304: Answer(meaning="The table is the one that `If-None-Match` names.", headers=_ETAG),
        },
        problems=("not_found", "perspective_not_allowed"),
        request_headers=("If-None-Match",),
    ),
    Operation(
        method="DELETE",
        path="/v1/tables/{table}",
        name="abortTable",
        tag="Tables",
        summary="Abort a table before its start",
        text="Ends an open table for good: its status is then `aborted`. Only its creator may.",
        view=abort_table,
        auth="required",
        scope="play",
        answers={204: Answer(meaning="The table is aborted.")},
        problems=("not_found", "forbidden", "table_started", "table_finished", "version_conflict", "stale_version"),
        keyed="log",
        bucket="commands",
        request_headers=("If-Match",),
    ),
)

__all__ = ["OPERATIONS", "check_players", "table_answer", "table_id", "tag_of", "wish_of"]
