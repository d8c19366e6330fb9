"""Commands: what the caller may do now, and doing it."""

from typing import Final

from flask import Response

from domain.errors import Refusal
from domain.table import Table
from domain.table_rules import TableCommand
from domain.values import PUBLIC, Seat
from service.api.answers import empty_answer, json_answer, replayed
from service.api.etags import is_fresh, quoted
from service.api.examples import RESIGNED
from service.api.handling import handled
from service.api.operation import Answer, Body, Call, Operation
from service.api.routes.tables import table_id
from service.api.schemas.commands import AnyCommand, from_seat, parse_command
from service.application.present import CommandAnswer, CommandList, command_answer, command_list, etag


def list_commands(call: Call) -> Response:
    """`GET /v1/tables/{table}/commands`."""
    live = call.services.desk.table(table_id(call))
    with live.lock:
        table, version, head = live.table, live.version, live.head
    seat = table.seat_of(call.player)
    tag = quoted(etag(version, head.hash, PUBLIC if seat is None else seat))
    if is_fresh(call.request, tag.strip('"')):
        return empty_answer(304, {"ETag": tag})
    return json_answer(command_list(table, version, seat), headers={"ETag": tag})


def post_command(call: Call) -> Response:
    """`POST /v1/tables/{table}/commands`."""
    player = call.known.player
    live = call.services.desk.held(table_id(call))
    command = parse_command(live.table, call.body)

    def wish(table: Table) -> tuple[TableCommand, Seat | None]:
        seat = table.seat_of(player)
        if seat is None:
            raise Refusal("not_seated", "You have no seat at this table.")
        return from_seat(seat, command), seat

    done = handled(call, live.id, wish)
    seat = done.entry.seat
    if seat is None:
        raise LookupError("a command is a seat's")
    tag = quoted(etag(done.entry.version, done.entry.hash, seat))
    answer = command_answer(done.live, done.table, done.entry, seat)
    return json_answer(answer, headers={"ETag": tag, **replayed(is_replay=done.replayed)})


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/commands",
        name="listCommands",
        tag="Play",
        summary="List what one may do now",
        text="Every command that the caller's seat may send now, each ready to be posted as it is. The list is complete: "
        "what is not in it is refused, what is in it is accepted. Without a seat it is empty.",
        view=list_commands,
        answers={
            200: Answer(
                meaning="The commands.",
                kind=CommandList,
                headers=("ETag",),
                examples={
                    "a turn": {
                        "version": 12,
                        "seat": 0,
                        "commands": [{"type": "play_card", "card": "F7"}, {"type": "resign"}],
                    },
                    "no seat": {"version": 12, "seat": None, "commands": []},
                },
            ),
            304: Answer(meaning="The table is the one that `If-None-Match` names.", headers=("ETag",)),
        },
        problems=("not_found",),
        request_headers=("If-None-Match",),
    ),
    Operation(
        method="POST",
        path="/v1/tables/{table}/commands",
        name="postCommand",
        tag="Play",
        summary="Do something at a table",
        text="Sends one command from the caller's seat: the token says who acts, so the body never names the seat. It is "
        "accepted whole or refused, and a refusal changes nothing.\n\nWith an `Idempotency-Key` a command may be sent "
        "again as often as needed: it counts once, and each repeat gets the first answer. With `If-Match` it counts "
        "only if nothing has happened since that `ETag`; without, it is decided at the table as it stands.\n\nThe "
        "answer holds the entry that the command made, and the view, whose turn it is and the next commands as right "
        "after that entry; later entries come by `GET …/events`.",
        view=post_command,
        auth="required",
        scope="play",
        body=Body(
            schema=None,
            kind=AnyCommand,
            examples={"a move": {"type": "play_card", "card": "F7"}, "giving up": {"type": "resign"}},
        ),
        answers={
            200: Answer(
                meaning="The command is accepted.",
                kind=CommandAnswer,
                headers=("ETag",),
                examples={"resigned": RESIGNED},
            )
        },
        problems=(
            "not_found",
            "not_seated",
            "table_not_started",
            "table_finished",
            "seat_resigned",
            "stale_version",
            "not_your_turn",
            "illegal_command",
            "unknown_command",
            "version_conflict",
        ),
        keyed="log",
        is_proving=True,
        bucket="commands",
        request_headers=("If-Match",),
    ),
)
