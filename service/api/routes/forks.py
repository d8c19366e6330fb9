"""Tables that come from another one: forks of a position, rematches."""

import secrets
from typing import Final

from flask import Response

from service.api.examples import TABLE
from service.api.handling import attempt_of
from service.api.operation import Answer, Body, Call, Operation
from service.api.routes.tables import check_players, table_answer, table_id, wish_of
from service.api.schemas.records import NewForkSchema, RematchSchema
from service.application.ids import derived_id, new_id
from service.application.present import TableShown
from service.application.rematch import rematch
from service.application.sequels import fork_wish

_FORK: Final = {**TABLE, "origin": {"table": "k2m5x7c4v6b3n2q4w6e5r7t3ya", "version": 57}}


def fork_table(call: Call) -> Response:
    """`POST /v1/tables/{table}/forks`."""
    player = call.known.player
    live = call.services.desk.table(table_id(call))
    wishes = tuple(wish_of(seat) for seat in call.body["seats"])
    wish = fork_wish(live, call.body["at"], wishes, player)
    check_players(call, wishes)
    if call.key is None:
        made_id = new_id(secrets.token_bytes)
    else:
        made_id = derived_id(call.services.server_key, "table", player, call.key)
    done = call.services.desk.create(made_id, wish, attempt_of(call))
    return table_answer(call, done, 201, {"Location": f"/v1/tables/{made_id}"})


def rematch_table(call: Call) -> Response:
    """`POST /v1/tables/{table}/rematch`."""
    services, player = call.services, call.known.player
    live = services.desk.table(table_id(call))
    done = rematch(services.desk, services.server_key, live, player, attempt_of(call))
    return table_answer(call, done, 201, {"Location": f"/v1/tables/{done.live.id}"})


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/tables/{table}/forks",
        name="forkTable",
        tag="Tables",
        summary="Fork a finished table",
        text="Makes a new, unrated table that starts as a finished one stood at version `at`, when it was being played: "
        "same game, same options, as many seats, no clock. It starts when its last seat is taken. Hidden cards are "
        "where they were, so whoever has read the finished table knows them; the fork says so by its `origin`. Later "
        "shuffles rest on a new secret.",
        view=fork_table,
        auth="required",
        scope="play",
        body=Body(
            schema=NewForkSchema,
            examples={"what if": {"at": 57, "seats": [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}]}},
        ),
        answers={
            201: Answer(
                meaning="The new table, as its creator sees it.",
                kind=TableShown,
                headers=("Location", "ETag"),
                examples={"a fork": _FORK},
            )
        },
        problems=("not_found", "table_not_finished"),
        keyed="derived",
        bucket="creations",
    ),
    Operation(
        method="POST",
        path="/v1/tables/{table}/rematch",
        name="rematchTable",
        tag="Tables",
        summary="Play a finished table again",
        text="The same game, options, clock and players, every seat one further round, a new deal. Who asks first sits "
        "down at once, the seats of the other players are reserved for them; who asks next sits down at the table that "
        "is there already. However often and by however many it is asked for, it is one table; only a rematch that was "
        "aborted makes room for another.",
        view=rematch_table,
        auth="required",
        scope="play",
        body=Body(schema=RematchSchema, examples={"again": {}}, optional=True),
        answers={
            201: Answer(
                meaning="The rematch, as the caller sees it from his seat.",
                kind=TableShown,
                headers=("Location", "ETag"),
                examples={"a rematch": _FORK},
            )
        },
        problems=(
            "not_found",
            "not_seated",
            "table_not_finished",
            "seat_taken",
            "seat_reserved",
            "already_seated",
            "table_started",
            "table_finished",
            "version_conflict",
            "stale_version",
        ),
        keyed="recorded",
        bucket="creations",
    ),
)
