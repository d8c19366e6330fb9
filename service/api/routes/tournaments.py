"""Tournaments: make, list, look at, enter, run."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Response
from msgspec import UNSET

from domain.bots import BOTS
from domain.errors import Refusal, invalid
from domain.names import name_fault
from domain.options import options_dict
from domain.tournament.commands import (
    AddEntries,
    Cancel,
    CheckIn,
    Create,
    NewEntry,
    Pause,
    Resume,
    Start,
    TournamentCommand,
    Withdraw,
)
from domain.tournament.events import EntryAdded
from domain.tournament.log import shown as entry_shown
from domain.tournament.plan import TIE_BREAKS, Crowd, Entrance, NoShow, Plan, Points, check_plan
from domain.tournament.rules import code_digest, decide
from domain.tournament.state import Tournament
from domain.values import PUBLIC
from service.api.answers import empty_answer, json_answer, replayed
from service.api.dear import in_turn
from service.api.etags import if_match, is_fresh, quoted
from service.api.handling import CONFLICT, LOST, MOST_MISSED
from service.api.operation import Answer, Body, Call, Operation
from service.api.paging import Step, link, write_cursor
from service.api.problem_codes import PROBLEMS
from service.api.problems import Problem, problem_of
from service.api.schemas.tournaments import (
    AtQuery,
    BotEntry,
    CancelTournamentSchema,
    EntriesMade,
    EntryWish,
    MyEntry,
    NewEntriesSchema,
    NewEntrySchema,
    NewTournamentSchema,
    PlayerEntry,
    TournamentList,
    TournamentsQuery,
)
from service.application.directory import Place
from service.application.handle import Attempt, command_id
from service.application.ids import derived_id, is_id, new_id
from service.application.limiting import CODES
from service.application.present import etag
from service.application.stream_kinds import TOURNAMENT
from service.application.tournament_desk import Decided, LiveTournament, StaleTournament
from service.application.tournaments import (
    EntrantShown,
    TournamentShown,
    TournamentSummary,
    entrant_shown,
    summary_of,
    tournament_shown,
)


def create_tournament(call: Call) -> Response:
    """`POST /v1/tournaments`."""
    body, player = call.body, call.known.player
    if call.key is None:
        tournament_id = TOURNAMENT + new_id(secrets.token_bytes)
    else:
        tournament_id = TOURNAMENT + derived_id(call.services.server_key, "tournament", player, call.key)
    game = call.services.games[body["game"]]
    wish = Create(plan=_plan(tournament_id, body), organiser=player, seats=game.seats, chosen_seed=body["seed"])
    wrong = check_plan(wish.plan, wish.seats)
    if wrong:
        raise invalid(wrong)
    desk = call.services.tournaments
    call.services.tournament_index.put(Place(created_ms=desk.now_ms(), table=tournament_id))
    done = desk.create(tournament_id, wish, attempt_of(call))
    desk.hint(done.live)
    return tournament_answer(done, 201, {"Location": f"/v1/tournaments/{tournament_id}"})


def list_tournaments(call: Call) -> Response:
    """`GET /v1/tournaments`."""
    step: Step | None = call.query["cursor"]
    at, is_back = (None, False) if step is None else (step.place, step.is_back)
    found, more = _walked(call, at, is_back=is_back)
    newer = found[0][0] if found and at is not None else None
    if is_back:
        found, more, newer = found[::-1], newer, more
    cursor = write_cursor(more)
    links = link("/v1/tournaments", call.request.args, cursor, write_cursor(newer, is_back=True))
    shown = tuple(summary for _, summary in found)
    return json_answer(TournamentList(items=shown, next_cursor=cursor), headers=links)


def _walked(
    call: Call, at: Place | None, *, is_back: bool
) -> tuple[list[tuple[Place, TournamentSummary]], Place | None]:
    """Give a page's tournaments with their places from `at` on, and the place behind which there are more."""
    query, index = call.query, call.services.tournament_index
    found: list[tuple[Place, TournamentSummary]] = []
    while rows := index.rows(at, query["limit"] + 1, is_back=is_back):
        for row in rows:
            summary = _summary(call, row.table)
            if summary is None or not _fits(summary, query):
                continue
            if len(found) == query["limit"]:
                return found, found[-1][0]
            found.append((row, summary))
        at = rows[-1]
    return found, None


def get_tournament(call: Call) -> Response:
    """`GET /v1/tournaments/{tournament}`."""
    live, t, version = looked_at(call)
    tag = tag_of(live, version)
    if is_fresh(call.request, tag):
        return empty_answer(304, {"ETag": quoted(tag)})
    return json_answer(tournament_shown(live, t, version), headers={"ETag": quoted(tag)})


def add_entry(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/entries`."""
    wish = call.body["entry"]
    command = AddEntries(entries=_new(call, [wish], "entry"), by=call.known.player, code=_code(call, [wish]))
    done = handle(call, command)
    return json_answer(_made(done)[0], 201, {"ETag": quoted(tag_of(done.live, done.version)), **_again(done)})


def add_entries(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/entries/bulk`."""
    wishes = call.body["entries"]
    entries = _new(call, wishes, "entries[{}]")
    command = AddEntries(entries=entries, by=call.known.player, code=_code(call, wishes), bulk=True)
    if call.body["dry_run"]:
        live = live_of(call)
        events = decide(live.state, command, call.services.tournaments.tools(live), call.services.tournaments.now_ms())
        shown = tuple(_entrant(event) for event in events if isinstance(event, EntryAdded))
        return json_answer(EntriesMade(entries=shown, dry_run=True), 200)
    done = handle(call, command)
    headers = {"ETag": quoted(tag_of(done.live, done.version)), **_again(done)}
    return json_answer(EntriesMade(entries=_made(done), dry_run=False), 201, headers)


def withdraw(call: Call) -> Response:
    """`DELETE /v1/tournaments/{tournament}/entries/{entry}`."""
    done = handle(call, Withdraw(entry=call.path["entry"], by=call.known.player))
    return empty_answer(204, _again(done))


def check_in(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/entries/{entry}/check-in`."""
    entry = call.path["entry"]
    done = handle(call, CheckIn(entry=entry, by=call.known.player))
    headers = {"ETag": quoted(tag_of(done.live, done.version)), **_again(done)}
    return json_answer(entrant_shown(done.state.entrants[entry]), headers=headers)


def start(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/start`."""
    return tournament_answer(handle(call, Start(by=call.known.player)))


def pause(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/pause`."""
    return tournament_answer(handle(call, Pause(by=call.known.player)))


def resume(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/resume`."""
    return tournament_answer(handle(call, Resume(by=call.known.player)))


def cancel(call: Call) -> Response:
    """`POST /v1/tournaments/{tournament}/cancel`."""
    return tournament_answer(handle(call, Cancel(by=call.known.player, reason=call.body["reason"])))


def live_of(call: Call) -> LiveTournament:
    """Give the tournament of the path as it stands; raises `Refusal` `not_found`."""
    given = call.path["tournament"]
    return call.services.tournaments.get(given if is_id(given) else "")


def looked_at(call: Call) -> tuple[LiveTournament, Tournament, int]:
    """Give the tournament at the version that `at` asks for."""
    live = live_of(call)
    with live.lock:
        t, version = live.state, live.version
    at = call.query["at"]
    if at is not None and at > version:
        raise invalid({"at": f"The tournament has versions 1 to {version}."})
    if at is None or at == version:
        return live, t, version
    with in_turn(call):  # which folds the log anew
        return live, live.at(at), at


def tag_of(live: LiveTournament, version: int) -> str:
    """Give the entity tag of a version: the public's, for all who look see the same."""
    return etag(version, live.entries[version - 1].hash, PUBLIC)


def attempt_of(call: Call) -> Attempt:
    """Give the attempt that a request is: under its idempotency key, bound to its body and `If-Match`."""
    key = command_id(call.known.player, call.key) if call.key is not None else secrets.token_hex(16)
    return Attempt(command_id=key, body=call.mark, if_match=if_match(call.request))


def handle(call: Call, command: TournamentCommand) -> Decided:
    """Hand a command in.

    Raises `Problem`: a conflict with the tournament's version; a stale version, or a lost race, with what was missed.
    """
    desk, given, attempt = call.services.tournaments, call.path["tournament"], attempt_of(call)
    known = given if is_id(given) else ""
    began = desk.held(known).version
    try:
        return desk.handle(known, lambda _: command, attempt)
    except StaleTournament as stale:
        why = f"The tournament is at version {stale.live.version}; If-Match names another state. Its tag is in the header ETag."
        raise _missed("stale_version", why, stale.live, stale.seen) from stale
    except Refusal as refusal:
        problem = problem_of(refusal)
        if problem.code == LOST:
            seen = began if attempt.if_match is None else attempt.if_match[0]
            raise _missed(LOST, problem.detail, desk.get(known), seen) from refusal
        if PROBLEMS[problem.code].status == CONFLICT:
            problem.more["version"] = desk.held(known).version
        raise problem from refusal


def _missed(code: str, why: str, live: LiveTournament, seen: int) -> Problem:
    """Tell what the caller has missed since a version; everybody may see all of it."""
    with live.lock:
        version, missed = live.version, live.entries[seen : seen + MOST_MISSED]
    tag = quoted(tag_of(live, version))
    return Problem(code, why, headers={"ETag": tag}, version=version, entries=tuple(map(entry_shown, missed)))


def tournament_answer(done: Decided, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Answer with the tournament as the command left it."""
    shown = tournament_shown(done.live, done.state, done.version)
    tag = quoted(tag_of(done.live, done.version))
    return json_answer(shown, status, {**(headers or {}), "ETag": tag, **_again(done)})


def _again(done: Decided) -> dict[str, str]:
    return dict(replayed(is_replay=done.replayed))


def _plan(tournament_id: str, body: dict[str, Any]) -> Plan:
    rule = body["entry"]
    entrance = Entrance()
    if rule is not None:
        digest = code_digest(tournament_id, rule.code) if isinstance(rule.code, str) else UNSET
        entrance = Entrance(kind=rule.kind, digest=digest)
    return Plan(
        name=body["name"],
        game=body["game"],
        options=dict(options_dict(body["options"])),
        format=body["format"],
        seats_per_table=body["seats_per_table"],
        rounds=body["rounds"],
        legs=body["legs"],
        advance=body["advance"],
        duplicate=body["duplicate"],
        clock=body["clock"],
        entry=entrance,
        entrants=body["entrants"] or Crowd(),
        starts_at_ms=body["starts_at"],
        check_in=body["check_in"],
        no_show=body["no_show"] or NoShow(),
        byes=body["byes"],
        points=body["points"] or Points(),
        tie_breaks=TIE_BREAKS if body["tie_breaks"] is None else tuple(body["tie_breaks"]),
        rated=body["rated"],
        sprt=body["sprt"],
    )


def _new(call: Call, wishes: Sequence[EntryWish], where: str) -> tuple[NewEntry, ...]:
    """Give the entries wished for, with their names; raises `Refusal` by row where there is no such player or bot,
    with what else is wrong in other rows.
    """
    wanted = [each.player for each in wishes if isinstance(each, PlayerEntry)]
    known = call.services.players.names([*wanted, call.known.player])
    errors: dict[str, str] = {}
    made: dict[int, NewEntry] = {}
    for row, wish in enumerate(wishes):
        match wish:
            case MyEntry():
                me = call.known.player
                made[row] = NewEntry(kind="player", name=known[me].name, player=me)
            case PlayerEntry(player=player) if player in known:
                made[row] = NewEntry(kind="player", name=known[player].name, player=player)
            case PlayerEntry():
                errors[where.format(row) + ".player"] = "There is no such player."
            case BotEntry(bot=bot) if bot in BOTS:
                name = wish.name.strip() if isinstance(wish.name, str) else bot
                made[row] = NewEntry(kind="ai", name=name, bot=bot)
                if fault := name_fault(name):
                    errors[where.format(row) + ".name"] = fault
            case BotEntry():
                errors[where.format(row) + ".bot"] = f"Must be one of: {', '.join(BOTS)}."
    if errors:
        raise invalid(errors | _refused(call, wishes, made, where))
    return tuple(made.values())


def _refused(call: Call, wishes: Sequence[EntryWish], made: Mapping[int, NewEntry], where: str) -> dict[str, str]:
    """Give what the tournament would refuse of these rows."""
    command = AddEntries(entries=tuple(made.values()), by=call.known.player, code=_code(call, wishes), bulk=True)
    try:
        live = live_of(call)
        decide(live.state, command, call.services.tournaments.tools(live), call.services.tournaments.now_ms())
    except Refusal as refused:
        return {where.format(row): why for i, row in enumerate(made) if (why := refused.errors.get(f"entries[{i}]"))}
    return {}


def _code(call: Call, wishes: Sequence[EntryWish]) -> str | None:
    """Give the entry code that was sent, and count the try, right or wrong; raises `Problem` `rate_limited`."""
    codes = [each.code for each in wishes if isinstance(each, MyEntry)]
    code = next((code for code in codes if isinstance(code, str)), None)
    t = live_of(call).state
    if code is None or t.plan.entry.kind != "code" or t.organiser == call.known.player:
        return code
    standing = call.services.code_tries.spend(CODES, f"{call.known.player}:{t.id}")
    if not standing.is_allowed:
        raise Problem(
            "rate_limited",
            f"You have tried {standing.flow.burst} codes at this tournament. Wait {standing.wait_s} s, or ask the "
            "organiser for the code.",
            headers={"Retry-After": str(standing.wait_s)},
        )
    return code


def _made(done: Decided) -> tuple[EntrantShown, ...]:
    return tuple(
        entrant_shown(done.state.entrants[event.entry]) for event in done.events if isinstance(event, EntryAdded)
    )


def _entrant(event: EntryAdded) -> EntrantShown:
    return EntrantShown(
        entry=event.entry,
        kind=event.kind,
        name=event.name,
        player=None if event.player is UNSET else event.player,
        bot=None if event.bot is UNSET else event.bot,
        withdrawn=False,
        checked_in=event.kind == "ai",
    )


def _summary(call: Call, tournament_id: str) -> TournamentSummary | None:
    try:
        return summary_of(call.services.tournaments.get(tournament_id))
    except Refusal:
        return None  # entered before it was made, which then never was


def _fits(summary: TournamentSummary, query: Any) -> bool:
    return query["game"] in (None, summary.game) and query["status"] in (None, summary.status)


_TAG: Final = ("ETag",)
_STEP: Final = ("not_found", "forbidden", "tournament_over", "version_conflict", "stale_version")


def _step(name: str, summary: str, text: str, view: Any, *problems: str, body: Body | None = None) -> Operation:
    return Operation(
        method="POST",
        path=f"/v1/tournaments/{{tournament}}/{name}",
        name=f"{name}Tournament",
        tag="Tournaments",
        summary=summary,
        text=text,
        view=view,
        auth="required",
        scope="tournaments",
        body=body,
        answers={200: Answer(meaning="The tournament.", kind=TournamentShown, headers=_TAG, examples=EXAMPLES)},
        problems=(*_STEP, *problems),
        keyed="recorded",
        bucket="commands",
        request_headers=("If-Match",),
    )


EXAMPLE: Final[dict[str, Any]] = {
    "id": "cup_b4n7c2x5q3w6e7r4t2y5u3i6oa",
    "name": "Spring cup",
    "game": "beam-me-up",
    "options": {"earth_racer": True, "launched_aliens": "home", "lines": "open", "tie_break": "shared"},
    "format": "swiss",
    "seats_per_table": 4,
    "legs": 1,
    "duplicate": False,
    "clock": None,
    "entry": "open",
    "limits": {"min": 2, "max": 256},
    "starts_at": None,
    "check_in": False,
    "no_show": {"grace": 600, "policy": "forfeit", "bot": "greedy", "rated": False},
    "byes": "win",
    "points": {"by_place": None, "win_bonus": 0},
    "tie_breaks": list(TIE_BREAKS),
    "rated": False,
    "sprt": None,
    "sprt_state": None,
    "organiser": "kq5hnzw3c2v4txrnbd7e6mjyoa",
    "commitment": "9f2c1e5d7a3b4c6d8e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d",
    "secret": None,
    "status": "open",
    "ended": None,
    "version": 1,
    "round": 0,
    "rounds": None,
    "waits_for": [
        {"code": "not_enough_entrants", "detail": "0 of at least 2 entrants are there.", "names": []},
    ],
    "entrants": [],
    "created_at": "2026-05-01T12:00:00.000Z",
    "links": {"self": "/v1/tournaments/cup_b4n7c2x5q3w6e7r4t2y5u3i6oa"},
}
EXAMPLES: Final = {"open": EXAMPLE}
_ENTRANT: Final[dict[str, Any]] = {
    "entry": "e1",
    "kind": "ai",
    "name": "greedy",
    "player": None,
    "bot": "greedy",
    "withdrawn": False,
    "checked_in": True,
}

OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/tournaments",
        name="createTournament",
        tag="Tournaments",
        summary="Create a tournament",
        text="Makes a tournament; you are its organiser. It takes entries until it starts, and then runs by itself: it "
        "pairs rounds, makes their tables, and takes the results of the tables as they end. Players sit down at their "
        "tables themselves, within `no_show.grace`.\n\nIt commits to its secret, from which lots and deals follow, and "
        "reveals it at the end.",
        view=create_tournament,
        auth="required",
        scope="tournaments",
        body=Body(
            schema=NewTournamentSchema,
            examples={
                "swiss of four": {
                    "name": "Spring cup",
                    "game": "beam-me-up",
                    "format": "swiss",
                    "seats_per_table": 4,
                    "rounds": 5,
                    "clock": {"kind": "turn", "seconds": 60, "on_expiry": "default_move"},
                    "entry": {"kind": "open"},
                    "entrants": {"min": 8, "max": 64},
                    "rated": True,
                },
                "double round robin": {
                    "name": "League",
                    "game": "beam-me-up",
                    "format": "round_robin",
                    "seats_per_table": 2,
                    "legs": 2,
                },
            },
        ),
        answers={
            201: Answer(
                meaning="The tournament.", kind=TournamentShown, headers=("Location", "ETag"), examples=EXAMPLES
            )
        },
        keyed="derived",
        bucket="creations",
    ),
    Operation(
        method="GET",
        path="/v1/tournaments",
        name="listTournaments",
        tag="Tournaments",
        summary="List tournaments",
        text="All tournaments, newest first.",
        view=list_tournaments,
        is_dear=True,
        query=TournamentsQuery,
        answers={
            200: Answer(
                meaning="A part of the list.",
                kind=TournamentList,
                headers=("Link",),
                examples={"end": {"items": [], "next_cursor": None}},
            )
        },
    ),
    Operation(
        method="GET",
        path="/v1/tournaments/{tournament}",
        name="getTournament",
        tag="Tournaments",
        summary="Look at a tournament",
        text="The tournament, the same for all who look: what was planned, who entered, what it waits for and why. With "
        "`If-None-Match` an unchanged one is answered 304.",
        view=get_tournament,
        query=AtQuery,
        answers={
            200: Answer(meaning="The tournament.", kind=TournamentShown, headers=_TAG, examples=EXAMPLES),
            304: Answer(meaning="The tournament is the one that `If-None-Match` names.", headers=_TAG),
        },
        problems=("not_found",),
        request_headers=("If-None-Match",),
    ),
    Operation(
        method="POST",
        path="/v1/tournaments/{tournament}/entries",
        name="enterTournament",
        tag="Tournaments",
        summary="Enter a tournament",
        text="Enters yourself (`me`, a person or your own bot), or, as the organiser, a player or a built-in bot. A player "
        "may try ten entry codes an hour at a tournament, then it is 429.",
        view=add_entry,
        auth="required",
        scope="tournaments",
        body=Body(
            schema=NewEntrySchema,
            examples={
                "yourself": {"entry": {"kind": "me"}},
                "by code": {"entry": {"kind": "me", "code": "open-sesame"}},
                "a built-in bot": {"entry": {"kind": "ai", "bot": "greedy"}},
            },
        ),
        answers={
            201: Answer(meaning="The entry.", kind=EntrantShown, headers=_TAG, examples={"a bot": _ENTRANT}),
        },
        problems=(*_STEP, "already_entered", "tournament_full", "tournament_started"),
        keyed="log",
        bucket="commands",
        request_headers=("If-Match",),
    ),
    Operation(
        method="POST",
        path="/v1/tournaments/{tournament}/entries/bulk",
        name="enterMany",
        tag="Tournaments",
        summary="Enter many at once",
        text="All entries are made, or none; `errors` then says by row what is wrong. `dry_run` only checks; "
        "an entry code counts as tried there too.",
        view=add_entries,
        auth="required",
        scope="tournaments",
        body=Body(
            schema=NewEntriesSchema,
            examples={"two bots": {"entries": [{"kind": "ai", "bot": "greedy"}, {"kind": "ai", "bot": "easy"}]}},
        ),
        answers={
            200: Answer(
                meaning="Nothing is wrong; these entries would be made (`dry_run`).",
                kind=EntriesMade,
                examples={"dry": {"entries": [_ENTRANT], "dry_run": True}},
            ),
            201: Answer(
                meaning="The entries.",
                kind=EntriesMade,
                headers=_TAG,
                examples={"made": {"entries": [_ENTRANT], "dry_run": False}},
            ),
        },
        problems=(*_STEP, "tournament_started"),
        keyed="recorded",
        bucket="commands",
        request_headers=("If-Match",),
    ),
    Operation(
        method="DELETE",
        path="/v1/tournaments/{tournament}/entries/{entry}",
        name="withdrawEntry",
        tag="Tournaments",
        summary="Withdraw an entry",
        text="By its player or the organiser. Before the start it is as if it had not been; afterwards the entry is "
        "paired no more, tables that are being played are played to their end, and what it got counts on.",
        view=withdraw,
        auth="required",
        scope="tournaments",
        answers={204: Answer(meaning="The entry is withdrawn.")},
        problems=_STEP,
        keyed="recorded",
        bucket="commands",
        request_headers=("If-Match",),
    ),
    Operation(
        method="POST",
        path="/v1/tournaments/{tournament}/entries/{entry}/check-in",
        name="checkIn",
        tag="Tournaments",
        summary="Check in",
        text="Says that a player is there, before the start. Where `check_in` is asked for, only who did it plays.",
        view=check_in,
        auth="required",
        scope="tournaments",
        answers={200: Answer(meaning="The entry.", kind=EntrantShown, headers=_TAG, examples={"a bot": _ENTRANT})},
        problems=(*_STEP, "tournament_started", "entry_withdrawn"),
        keyed="recorded",
        bucket="commands",
        request_headers=("If-Match",),
    ),
    _step(
        "start",
        "Start a tournament",
        "Begins the first round; sent twice it is as if sent once. What is missing is said by name.",
        start,
        "cannot_start",
    ),
    _step(
        "pause",
        "Pause a tournament",
        "No new round begins; tables that are being played go on, and their results count.",
        pause,
        "tournament_not_started",
    ),
    _step("resume", "Resume a tournament", "Rounds begin again where they stopped.", resume, "tournament_not_started"),
    _step(
        "cancel",
        "Cancel a tournament",
        "Ends it for good without a winner. Tables that have not begun are aborted, others go on and count for nothing.",
        cancel,
        body=Body(schema=CancelTournamentSchema, examples={"why": {"reason": "The hall is flooded."}}, optional=True),
    ),
)
