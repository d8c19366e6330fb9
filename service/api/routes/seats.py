"""Seats: sit down, leave."""

from typing import Final

from flask import Response

from domain.errors import Refusal
from domain.table import Table
from domain.table_rules import LeaveSeat, TableCommand, TakeSeat
from domain.values import Seat
from service.api.answers import empty_answer, replayed
from service.api.examples import TABLE
from service.api.fields import path_number
from service.api.handling import handled
from service.api.operation import Answer, Body, Call, Operation
from service.api.routes.tables import table_answer, table_id
from service.api.schemas.tables import SitDownSchema
from service.application.present import TableShown
from service.application.stream_kinds import is_tournament


def sit_down(call: Call) -> Response:
    """`POST /v1/tables/{table}/seats`."""
    wanted, entropy = call.body["seat"], call.body["entropy"]
    take = TakeSeat(player=call.known.player, seat=None if wanted is None else Seat(wanted), entropy=entropy)
    done = handled(call, table_id(call), lambda _: (take, None))
    return table_answer(call, done, 201, {"Location": f"/v1/tables/{done.live.id}"})


def leave_seat(call: Call) -> Response:
    """`DELETE /v1/tables/{table}/seats/{seat}`."""
    number, player = path_number(call.path["seat"]), call.known.player
    if number is None:
        raise Refusal("not_found", "There is no such seat.")
    seat = Seat(number)

    def wish(table: Table) -> tuple[TableCommand, Seat | None]:
        if seat >= len(table.seats):
            raise Refusal("not_found", f"This table has seats 0 to {len(table.seats) - 1}.")
        sits = table.seats[seat].player
        if sits is not None and player not in (sits, table.creator):
            raise Refusal("forbidden", "A seat can be given up by who sits there or by the table's creator.")
        if is_tournament(table.creator or ""):
            raise Refusal(
                "forbidden", "A seat at a tournament's table stays its player's; withdraw from the tournament."
            )
        return LeaveSeat(seat=seat, by=player), table.seat_of(player)

    done = handled(call, table_id(call), wish)
    return empty_answer(204, replayed(is_replay=done.replayed))


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/tables/{table}/seats",
        name="sitDown",
        tag="Tables",
        summary="Sit down",
        text="Takes the seat named, else the one reserved for you, else the first open one. Two at once never get the "
        "same seat, and nobody has two. The table starts by itself when the last seat is taken.",
        view=sit_down,
        auth="required",
        scope="play",
        body=Body(
            schema=SitDownSchema,
            examples={"any": {}, "with entropy": {"seat": 1, "entropy": "q83vEjRWeJCrze8SNFZ4kA"}},
            optional=True,
        ),
        answers={
            201: Answer(
                meaning="You sit; the table as your seat sees it.",
                kind=TableShown,
                headers=("Location", "ETag"),
                examples={"open": TABLE},
            )
        },
        problems=(
            "not_found",
            "seat_taken",
            "seat_reserved",
            "already_seated",
            "table_started",
            "table_finished",
            "version_conflict",
            "stale_version",
        ),
        keyed="log",
        bucket="commands",
        request_headers=("If-Match",),
    ),
    Operation(
        method="DELETE",
        path="/v1/tables/{table}/seats/{seat}",
        name="leaveSeat",
        tag="Tables",
        summary="Leave a seat before the start",
        text="Gives up one's own seat, or any as the table's creator, so that another may sit there. While the table is "
        "played, who wants to leave resigns.",
        view=leave_seat,
        auth="required",
        scope="play",
        answers={204: Answer(meaning="The seat is open again.")},
        problems=("not_found", "forbidden", "table_started", "table_finished", "version_conflict", "stale_version"),
        keyed="log",
        bucket="commands",
        request_headers=("If-Match",),
    ),
)
