"""What a tournament shows: rounds, standings, crosstable, tables, its log; and the organiser's word on a result."""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, Final

import msgspec
from flask import Response

from domain.errors import Refusal, invalid
from domain.tournament.commands import Judge
from domain.tournament.events import Result
from domain.tournament.log import shown
from domain.tournament.rules import preview
from domain.tournament.standings import crosstable, standings
from service.api.answers import empty_answer, json_answer, replayed
from service.api.at_hand import AT_HAND, AtHand
from service.api.dear import steps
from service.api.etags import is_fresh, quoted
from service.api.fields import path_number
from service.api.framing import EVENT_STREAM, FRAMINGS, JSON_LINES
from service.api.limits import holder_of
from service.api.live_answers import nothing_more, streamed, whole
from service.api.operation import Answer, Body, Call, Operation
from service.api.routes.events import first_id
from service.api.routes.tournaments import handle, live_of, looked_at, tag_of
from service.api.schemas.events import LogQuery
from service.api.schemas.tournaments import (
    AtQuery,
    Crosstable,
    JudgementSchema,
    LiveTable,
    LiveTables,
    LiveTablesQuery,
    PairingsPreview,
    PreviewTable,
    Standings,
    TournamentLog,
)
from service.api.short_lists import page_of
from service.api.streams import HISTORY_LOST, reset
from service.application.records import record_of
from service.application.tournament_desk import LiveTournament
from service.application.tournament_follower import is_over
from service.application.tournaments import TournamentRoundShown, round_shown, tournament_shown

JSON: Final = "application/json"
MEDIA: Final = (JSON, EVENT_STREAM, JSON_LINES)

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


def get_round(call: Call) -> Response:
    """`GET /v1/tournaments/{tournament}/rounds/{round}`."""
    live, t, version = looked_at(call)
    number = path_number(call.path["round"]) or 0
    if not 1 <= number <= len(t.rounds):
        raise Refusal("not_found", f"The tournament has rounds up to {len(t.rounds)} at version {version}.")
    tag = tag_of(live, version)
    if is_fresh(call.request, tag):
        return empty_answer(304, {"ETag": quoted(tag)})
    return json_answer(round_shown(t.rounds[number - 1]), headers={"ETag": quoted(tag)})


def preview_pairings(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/pairings/preview`."""
    live = live_of(call)
    if live.state.organiser != call.known.player:
        raise Refusal("forbidden", "Only the organiser may see pairings before they are made.")
    if live.state.current is not None:
        raise Refusal("tournament_started", f"Round {live.state.current.number} is being played; wait for its end.")
    if live.state.status in ("finished", "cancelled"):
        raise Refusal("tournament_over", f"The tournament is {live.state.status}.")
    desk = call.services.tournaments
    paired = preview(live.state, desk.tools(live), desk.now_ms())
    tables = tuple(PreviewTable(table=each.table, entries=each.entries, cost=each.cost) for each in paired.tables)
    return json_answer(
        PairingsPreview(round=paired.round, tables=tables, byes=paired.byes, idle=paired.idle, cost=paired.cost)
    )


def get_standings(call: Call) -> Response:
    """`GET /v1/tournaments/{tournament}/standings`."""
    live, t, version = looked_at(call)
    tag = tag_of(live, version)
    if is_fresh(call.request, tag):
        return empty_answer(304, {"ETag": quoted(tag)})
    answer = Standings(
        tournament=t.id, version=version, round=len(t.rounds), status=t.status, standings=live.standings(version)
    )
    return json_answer(answer, headers={"ETag": quoted(tag)})


def get_crosstable(call: Call) -> Response:
    """`GET /v1/tournaments/{tournament}/crosstable`."""
    live, t, version = looked_at(call)
    tag = tag_of(live, version)
    if is_fresh(call.request, tag):
        return empty_answer(304, {"ETag": quoted(tag)})
    answer = Crosstable(tournament=t.id, version=version, entries=tuple(t.entrants), crossings=crosstable(t))
    return json_answer(answer, headers={"ETag": quoted(tag)})


def list_live_tables(call: Call) -> Response:
    """`GET /v1/tournaments/{tournament}/tables`."""
    _, t, _ = looked_at(call)
    items: tuple[LiveTable, ...] = ()
    if t.rounds:
        last = t.rounds[-1]
        items = tuple(
            LiveTable(
                table=game,
                round=last.number,
                number=pairing.table,
                leg=leg,
                seats=pairing.seats(leg),
                over=game in last.results,
            )
            for pairing, leg, game in last.games()
        )
    page, cursor, links = page_of(call, items, lambda each: (each.number, each.leg))
    return json_answer(LiveTables(items=page, next_cursor=cursor), headers=links)


def list_tournament_events(call: Call) -> Response:
    """`GET /v1/tournaments/{tournament}/events`."""
    live = live_of(call)
    media = call.request.accept_mimetypes.best_match(MEDIA, default=JSON)
    if media != JSON:
        return _stream(call, live, media)
    after = call.query["after"]
    if call.query["wait"] and live.version <= after and not is_over(live):
        return _waited(call, live, after)
    return _log_page(call, live, {})


def _waited(call: Call, live: LiveTournament, after: int) -> Response:
    """Answer when there is something behind `after`, or nothing can come any more, or the time is up."""
    place, end = call.services.watch.waits.take(holder_of(call)), time.monotonic() + call.query["wait"]
    if place is None:
        return _log_page(call, live, {"Retry-After": "1"})
    follower = call.services.outlooks.follow(live, after)
    at_hand: AtHand | None = call.request.environ.get(AT_HAND)
    try:
        with nullcontext() if at_hand is None else at_hand.aside():
            while follower.head <= after and follower.state == "live" and (left := end - time.monotonic()) > 0:
                follower.wait(left)
    finally:
        follower.close()
        place.give_back()
    return _log_page(call, follower.live, {})


def _log_page(call: Call, live: LiveTournament, headers: dict[str, str]) -> Response:
    after, limit = call.query["after"], call.query["limit"]
    with live.lock:
        entries, version, status = live.entries[after : after + limit], live.version, live.state.status
    return json_answer(TournamentLog(items=tuple(map(shown, entries)), version=version, status=status), headers=headers)


def _stream(call: Call, live: LiveTournament, media: str) -> Response:
    framing, after = FRAMINGS[media], first_id(call)
    with live.lock:
        entries, version, over = live.entries[after:], live.version, is_over(live)
    if media == JSON_LINES and not call.query["follow"]:
        lines = framing.entries((each.version, _encode(shown(each))) for each in entries)
        return Response(lines, 200, content_type=media)
    if over and after == version and media == EVENT_STREAM:
        return nothing_more()
    if after > version:
        return whole(framing, reset(framing, HISTORY_LOST, version))
    return streamed(
        call, framing, lambda: call.services.outlooks.follow(live, after), is_ending=call.services.watch.ending
    )


def get_tournament_record(call: Call) -> Response:
    """`GET /v1/tournaments/{tournament}/record`."""
    live = live_of(call)
    if live.state.status not in ("finished", "cancelled"):
        raise Refusal("tournament_not_over", "The record is there when the tournament is over.")
    if live.state.secret is None:
        raise Refusal("tournament_not_over", "A table with a duplicate deal is still played; wait for its end.")

    def lines() -> Iterator[bytes]:
        yield _encode({"type": "tournament", "tournament": tournament_shown(live, live.state, live.version)}) + b"\n"
        for entry in live.entries:
            yield _encode({"type": "entry", "entry": shown(entry)}) + b"\n"
        for one in live.state.rounds:
            for _, _, game in one.games():
                record = _record(call, game)
                if record is not None:
                    yield _encode({"type": "table", "table": game, "round": one.number, "record": record}) + b"\n"
        yield _encode({"type": "standings", "standings": standings(live.state)}) + b"\n"

    return Response(
        steps(call, lines()),
        200,
        {"Content-Disposition": f'attachment; filename="{live.id}.jsonl"'},
        content_type=JSON_LINES,
    )


def _record(call: Call, game: str) -> list[Any] | None:
    try:
        record = record_of(call.services.desk.table(game), call.services.players.names)
    except Refusal:
        return None
    return [msgspec.Raw(line) for line in record.splitlines()]


def judge(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/tables/{table}/result`."""
    body = call.body
    result = Result(
        places=tuple(body["places"]),
        scores=tuple(body["scores"]),
        forfeits=tuple(sorted(body["forfeits"])),
        by="organiser",
        reason=body["reason"],
    )
    game = call.path["table"]
    done = handle(call, Judge(game=game, result=result, by=call.known.player))
    if done.state.plan.rated:
        call.services.driver.rate_game(done.live, game)
    found = done.state.find(game)
    if found is None:
        raise invalid({"table": "No round of this tournament has such a table."})
    headers = {"ETag": quoted(tag_of(done.live, done.version)), **replayed(is_replay=done.replayed)}
    return json_answer(round_shown(found[0]), headers=headers)


_TAG: Final = ("ETag",)
_COST: Final = {"repeats": 0, "bye_repeats": 0, "score_spread": 0, "seat_imbalance": 0}
_RESULT: Final = {"places": [1, 2], "scores": [30, 20], "forfeits": [], "by": "table", "reason": "tricks"}
_ROUND: Final[dict[str, Any]] = {
    "round": 1,
    "closed": True,
    "tables": [
        {
            "table": 1,
            "entries": ["e1", "e2"],
            "cost": _COST,
            "games": [
                {
                    "id": "b4n7c2x5q3w6e7r4t2y5u3i6oa",
                    "leg": 0,
                    "seats": ["e1", "e2"],
                    "result": _RESULT,
                    "no_show": False,
                }
            ],
        }
    ],
    "byes": ["e3"],
    "idle": [],
    "cost": _COST,
    "paired_at": "2026-05-01T12:00:00.000Z",
}
_NONE: Final = "cup_b4n7c2x5q3w6e7r4t2y5u3i6oa"


def _view(name: str, operation: str, summary: str, text: str, view: Any, kind: Any, example: Any) -> Operation:
    return Operation(
        method="GET",
        path=f"/v1/tournaments/{{tournament}}/{name}",
        name=operation,
        tag="Tournaments",
        summary=summary,
        text=text,
        view=view,
        is_dear=True,
        query=AtQuery,
        answers={
            200: Answer(meaning=f"{summary}.", kind=kind, headers=_TAG, examples={"none": example}),
            304: Answer(meaning="Nothing has changed since the tag.", headers=_TAG),
        },
        problems=("not_found",),
        request_headers=("If-None-Match",),
    )


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/tournaments/{tournament}/rounds/{round}",
        name="getRound",
        tag="Tournaments",
        summary="Look at a round",
        text="Its tables with who sits where, byes (free rounds with points), who sits out, and what the pairing costs "
        "by kind: meetings again, byes again, squared differences in points (in 120ths), seats again. A pairing is "
        "stored, never computed again. `at` shows an earlier version.",
        view=get_round,
        query=AtQuery,
        answers={
            200: Answer(meaning="The round.", kind=TournamentRoundShown, headers=_TAG, examples={"played": _ROUND}),
            304: Answer(meaning="Nothing has changed since the tag.", headers=_TAG),
        },
        problems=("not_found",),
        request_headers=("If-None-Match",),
    ),
    Operation(
        method="POST",
        path="/v1/tournaments/{tournament}/pairings/preview",
        name="previewPairings",
        keyed="recorded",
        tag="Tournaments",
        summary="Preview the next pairings",
        text="The next round as it would be paired now, with the cost of each table by kind. For the organiser only; "
        "changes nothing.",
        view=preview_pairings,
        is_dear=True,
        auth="required",
        scope="tournaments",
        answers={
            200: Answer(
                meaning="The pairings.",
                kind=PairingsPreview,
                examples={"two": {"round": 1, "tables": [], "byes": [], "idle": [], "cost": _COST}},
            )
        },
        problems=("not_found", "forbidden", "cannot_start", "tournament_started", "tournament_over"),
    ),
    _view(
        "standings",
        "getStandings",
        "The standings",
        "Points and every tie-break in the organiser's order, each with its working; `at` shows an earlier version.",
        get_standings,
        Standings,
        {"tournament": _NONE, "version": 1, "round": 0, "status": "open", "standings": []},
    ),
    _view(
        "crosstable",
        "getCrosstable",
        "The crosstable",
        "Who met whom, and how often one was ahead, level or behind.",
        get_crosstable,
        Crosstable,
        {"tournament": _NONE, "version": 1, "entries": [], "crossings": []},
    ),
    Operation(
        method="GET",
        path="/v1/tournaments/{tournament}/tables",
        name="listTournamentTables",
        tag="Tournaments",
        summary="The tables of the last round",
        text="Every table of the round that is being played, or was last, with who sits where. `at` shows an earlier version.",
        view=list_live_tables,
        query=LiveTablesQuery,
        answers={
            200: Answer(
                meaning="The tables.",
                kind=LiveTables,
                headers=("Link",),
                examples={"none": {"items": [], "next_cursor": None}},
            )
        },
        problems=("not_found",),
    ),
    Operation(
        method="GET",
        path="/v1/tournaments/{tournament}/events",
        name="listTournamentEvents",
        tag="Tournaments",
        summary="The log of a tournament",
        text="All that has happened, for everybody the same. `Accept: application/json` gives a page; with `wait` it is "
        "held back until there is something behind `after`. `Accept: text/event-stream` gives Server-Sent Events until the "
        "tournament is over, `Accept: application/x-ndjson` an entry a line up to now, with `follow=true` also those to "
        "come. Both go on behind `Last-Event-ID` or `after`, without a gap or a double; heartbeats, places and the "
        "messages `end` and `reset` are those of `GET /v1/tables/{table}/events`.",
        view=list_tournament_events,
        query=LogQuery,
        answers={
            200: Answer(
                meaning="A part of the log.",
                kind=TournamentLog,
                media=MEDIA,
                examples={"none": {"items": [], "version": 1, "status": "open"}},
            ),
            204: Answer(meaning="The tournament is over and all was sent: an EventSource stops."),
        },
        problems=("not_found", "unavailable"),
        request_headers=("Last-Event-ID",),
    ),
    Operation(
        method="GET",
        path="/v1/tournaments/{tournament}/record",
        name="getTournamentRecord",
        tag="Tournaments",
        summary="The whole event as one file",
        text="JSON Lines: the tournament, its log, the records of all its tables, the final standings. There once it is "
        "over.",
        view=get_tournament_record,
        answers={
            200: Answer(
                meaning="The record.",
                kind=str,
                media=(JSON_LINES,),
                headers=("Content-Disposition",),
                examples={"begins": '{"type":"tournament","tournament":{}}\n'},
            )
        },
        problems=("not_found", "tournament_not_over"),
    ),
    Operation(
        method="POST",
        path="/v1/tournaments/{tournament}/tables/{table}/result",
        name="judgeTable",
        tag="Tournaments",
        summary="Decide or correct a result",
        text="The organiser's word on a game: first, where there is no result yet, or instead of the one that stands. "
        "Standings and ratings follow; a second correction restores them. Pairings that were made stay.",
        view=judge,
        auth="required",
        scope="tournaments",
        body=Body(
            schema=JudgementSchema,
            examples={"a forfeit": {"places": [1, 2], "forfeits": [1], "reason": "left the hall"}},
        ),
        answers={200: Answer(meaning="The round.", kind=TournamentRoundShown, headers=_TAG, examples={"one": _ROUND})},
        problems=("not_found", "forbidden", "tournament_over", "version_conflict", "stale_version"),
        keyed="recorded",
        bucket="commands",
        request_headers=("If-Match",),
    ),
)
