"""Every problem that the API answers with: its code, which never changes, its status, and what to do."""

from collections.abc import Mapping
from typing import Final

from domain.values import Value


class ProblemKind(Value, frozen=True):
    """One kind of problem, as its page below `/problems/` explains it."""

    code: str
    status: int
    title: str
    meaning: str
    remedy: str
    retryable: bool = False


_KINDS: Final = (
    ProblemKind(
        "malformed_json",
        400,
        "The body is not JSON",
        "The body could not be read as JSON (RFC 8259): it is cut off, has a name twice in one object, a number that "
        "no computer counts with, half of a surrogate pair, or is not UTF-8.",
        "Send one JSON value, written by a JSON library, in UTF-8.",
    ),
    ProblemKind(
        "malformed_request",
        400,
        "The request can't be read",
        "A header or the address does not have the form that HTTP or this API gives it; `detail` names it.",
        "Repair what `detail` names and send the request again.",
    ),
    ProblemKind(
        "unauthenticated",
        401,
        "A good token is needed",
        "The request has no token, or one that is unknown, mistyped or revoked. Reading public things needs no token; "
        "a token that is sent must be good there too.",
        "Send `Authorization: Bearer TOKEN` with the token that `POST /v1/players` or `POST /v1/me/tokens` showed.",
    ),
    ProblemKind(
        "forbidden",
        403,
        "Not yours to do",
        "You are known, and this is somebody else's to do: a table is aborted by its creator, a seat is given up by "
        "who sits there or by the table's creator.",
        "Leave it to that player.",
    ),
    ProblemKind(
        "scope_missing",
        403,
        "The token may not do this",
        "Your token lacks a scope; `scope` names it. A token has the scopes that it was made with.",
        "Use another token of yours. `GET /v1/me` shows what a token may do. `admin` is given by the command line only.",
    ),
    ProblemKind(
        "not_seated",
        403,
        "You have no seat at this table",
        "Only who sits at a table can act there.",
        "Sit down with `POST /v1/tables/{table}/seats` while the table is open, or watch.",
    ),
    ProblemKind(
        "seat_reserved",
        403,
        "The seat is reserved",
        "The seat waits for another player.",
        "Take another seat, or none.",
    ),
    ProblemKind(
        "perspective_not_allowed",
        403,
        "Not your eyes",
        "Before the end of a table you may look with your own seat's eyes or the public's.",
        "Leave `as` out, or wait for the end: then anyone may see all.",
    ),
    ProblemKind(
        "not_found",
        404,
        "There is no such thing",
        "Nothing has this address: no route, or nothing with this id.",
        "Check the address and the id. `GET /openapi.yaml` lists all routes.",
    ),
    ProblemKind(
        "method_not_allowed",
        405,
        "Not with this method",
        "The address exists, but not for this method; the header `Allow` lists those that it has.",
        "Use one of the methods in `Allow`.",
    ),
    ProblemKind(
        "not_acceptable",
        406,
        "Not in this format",
        "The header `Accept` leaves no format that this address can answer in.",
        "Send `Accept: application/json`, or what `/openapi.yaml` lists for the address.",
    ),
    ProblemKind(
        "body_too_slow",
        408,
        "The body did not come",
        "A body has 15 seconds to arrive, and one more for each 64 KiB of it that has come. Where very many bodies are on "
        "their way at once, the slowest is given up sooner. Nothing has changed, and the connection is closed.",
        "Send the request again, with the same `Idempotency-Key`, and the body in one go.",
        retryable=True,
    ),
    ProblemKind(
        "illegal_command",
        409,
        "The rules forbid it",
        "It is your turn, but the rules don't allow this command now; `ruling` is the ruling's id, as in the game's page "
        "of the documentation. Nothing has changed.",
        "Choose one of `GET /v1/tables/{table}/commands`: what is listed there is accepted.",
    ),
    ProblemKind(
        "not_your_turn",
        409,
        "It is not your turn",
        "Your seat has nothing to decide now. Nothing has changed.",
        "Wait until `to_act` names your seat; `GET /v1/tables/{table}/events?wait=30` waits for you.",
    ),
    ProblemKind(
        "seat_resigned",
        409,
        "The seat has resigned",
        "A seat that has resigned can't act any more.",
        "Watch the table to its end.",
    ),
    ProblemKind(
        "seat_taken", 409, "The seat is taken", "Somebody was there first.", "Take another seat, if one is open."
    ),
    ProblemKind(
        "already_seated",
        409,
        "You sit there already",
        "A player has one seat at a table.",
        "Leave your seat first if you want another one.",
    ),
    ProblemKind(
        "table_not_started",
        409,
        "The table has not started",
        "Seats are still open; play begins by itself when the last one is taken.",
        "Wait for `table_started` in the events.",
    ),
    ProblemKind(
        "table_started",
        409,
        "The table has started",
        "Seats can't change any more, and the table can't be aborted.",
        'Whoever wants to leave a table that is being played resigns: `{"type": "resign"}`.',
    ),
    ProblemKind(
        "table_finished",
        409,
        "The table has ended",
        "It was played to its end or aborted; nothing more happens there.",
        "Read its outcome, its replay or its record, or start another table.",
    ),
    ProblemKind(
        "table_not_finished",
        409,
        "The table has not ended",
        "A record holds everything, also what is still hidden, so it is there after the end.",
        "Wait for `table_finished` in the events.",
    ),
    ProblemKind(
        "already_entered",
        409,
        "You have entered already",
        "A player has one entry in a tournament.",
        "Go on with the entry that is there, or withdraw it first.",
    ),
    ProblemKind(
        "tournament_full",
        409,
        "The tournament is full",
        "It has as many entrants as `entrants.max` allows.",
        "Wait for a withdrawal, or enter another one.",
    ),
    ProblemKind(
        "entry_withdrawn",
        409,
        "The entry was withdrawn",
        "What was withdrawn takes no further part.",
        "Enter anew, while the tournament takes entries.",
    ),
    ProblemKind(
        "cannot_start",
        409,
        "The tournament can't start",
        "Something is missing; `waits_for` of the tournament names each reason with a code, and who it is about.",
        "Mend what is missing and start it again.",
    ),
    ProblemKind(
        "tournament_not_started",
        409,
        "The tournament has not started",
        "This needs rounds, or a tournament that is running.",
        "Start it first.",
    ),
    ProblemKind(
        "tournament_started",
        409,
        "The tournament has started",
        "This can be done before the start only. Only a swiss takes entries after it.",
        "Wait for the next tournament.",
    ),
    ProblemKind(
        "tournament_not_over",
        409,
        "The tournament is not over",
        "The record holds everything, so it is there at the end.",
        "Wait for `tournament_finished` in the events.",
    ),
    ProblemKind(
        "tournament_over",
        409,
        "The tournament is over",
        "It was finished or cancelled.",
        "Read its standings; results of a finished one can still be corrected by the organiser.",
    ),
    ProblemKind(
        "version_conflict",
        409,
        "Others were faster",
        "The table changed three times while the command was being decided. Nothing has changed by your command. "
        "`version` is the table's, `entries` are those that came meanwhile, as your seat may see them.",
        "Take the entries in, and send the request again, with the same `Idempotency-Key`.",
        retryable=True,
    ),
    ProblemKind(
        "stale_version",
        412,
        "The table has moved on",
        "`If-Match` names a version that is not the table's any more; `version` is the table's, `entries` are those "
        "that you have missed. Nothing has changed.",
        "Take the entries in, decide again, and send the new `ETag` as `If-Match`; or leave `If-Match` out.",
    ),
    ProblemKind(
        "body_too_large",
        413,
        "The body is too large",
        "A body may have 64 KiB, a record 8 MiB.",
        "Send less.",
    ),
    ProblemKind(
        "unsupported_media_type",
        415,
        "Not in this format",
        "A body must be JSON in UTF-8 and say so.",
        "Send `Content-Type: application/json`.",
    ),
    ProblemKind(
        "validation_failed",
        422,
        "Values are wrong",
        "The body is JSON, but not what this address takes; `errors` says for each field what is wrong. A field that "
        "there is not is refused by name.",
        "Repair the fields that `errors` names. `/openapi.yaml` says what each may hold.",
    ),
    ProblemKind(
        "unknown_command",
        422,
        "There is no such command",
        "The `type` of the command is none that this table's game has.",
        "`GET /v1/games/{game}` lists a game's commands; `resign` is there at every table.",
    ),
    ProblemKind(
        "idempotency_key_reused",
        422,
        "The key was used for something else",
        "This `Idempotency-Key` came with another body or to another address before. Nothing has changed.",
        "Use a new key for each new wish, and the same key only to send the same wish again.",
    ),
    ProblemKind(
        "idempotency_key_weak",
        422,
        "The key can be guessed",
        "Without a token a key must have at least 32 characters, since whoever knows it gets the same answer, with the "
        "token in it.",
        "Draw the key at random, for example a UUID without shortening it.",
    ),
    ProblemKind(
        "rate_limited",
        429,
        "Too many requests",
        "More requests came than the limit lets through; the headers `RateLimit` and `RateLimit-Policy` say which.",
        "Wait as many seconds as `Retry-After` says. Live events need no polling: `GET …/events` can wait or stream.",
        retryable=True,
    ),
    ProblemKind(
        "internal_error",
        500,
        "Our mistake",
        "Something went wrong that should not; the log has it under `request_id`.",
        "Report it with the `request_id`. A request with an `Idempotency-Key` may be sent again.",
    ),
    ProblemKind(
        "unavailable",
        503,
        "Not now",
        "The service can't answer for the moment: its store is down or starting, the table was written by a newer "
        "version of this program or waits for a repair, or all live streams are taken.",
        "Send the request again after `Retry-After` seconds, with the same `Idempotency-Key`.",
        retryable=True,
    ),
)

PROBLEMS: Final[Mapping[str, ProblemKind]] = {kind.code: kind for kind in _KINDS}
"""All problems by code, in the order of their statuses."""
