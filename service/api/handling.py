"""Commands at the desk on behalf of a request: its attempt, and what the caller has missed where he was late."""

import secrets
from typing import Final

import msgspec

from domain.errors import Refusal
from domain.values import PUBLIC, Viewer
from service.api.auth import confirm
from service.api.etags import if_match, quoted
from service.api.operation import Call
from service.api.problem_codes import PROBLEMS
from service.api.problems import Problem, problem_of
from service.application.handle import Attempt, Done, StaleVersion, Wish, command_id
from service.application.live import Live
from service.application.ports import Unproven
from service.application.present import entries_shown, etag

MOST_MISSED: Final = 200
"""So many missed entries come with a 412 or a lost race; the rest is in the events."""
CONFLICT: Final = 409
LOST: Final = "version_conflict"


def attempt_of(call: Call, bound_to: tuple[int, str] | None = None) -> Attempt:
    """Give the attempt that a request is, under its idempotency key."""
    key = command_id(call.known.player, call.key) if call.key is not None else secrets.token_hex(16)
    return Attempt(command_id=key, body=call.mark, if_match=bound_to, proof=call.proof)


def handled(call: Call, table: str, wish: Wish) -> Done:
    """Decide a command at a table, bound to the request's `If-Match`.

    Raises `Problem`: a conflict with the table's version, a stale version with the entries that were missed.
    """
    desk = call.services.desk
    attempt = attempt_of(call, if_match(call.request))
    began = desk.held(table).version
    try:
        done = _proven(call, table, wish, attempt)
    except StaleVersion as stale:
        why = f"The table is at version {stale.live.version}; If-Match names another state. Its tag is in the header ETag."
        raise _missed("stale_version", why, stale.live, stale.seen, call.player) from stale
    except Refusal as refusal:
        problem = problem_of(refusal)
        if problem.code == LOST:
            seen = began if attempt.if_match is None else attempt.if_match[0]
            raise _missed(LOST, problem.detail, desk.table(table), seen, call.player) from refusal
        if PROBLEMS[problem.code].status == CONFLICT:
            problem.more["version"] = desk.held(table).version
        raise problem from refusal
    if done.replayed and call.proof is not None:
        confirm(call.services.players, call.known)  # nothing was committed now
    return done


def _proven(call: Call, table: str, wish: Wish, attempt: Attempt) -> Done:
    """Commit with the proof that the caller's token is good; without, where that had to be asked."""
    desk = call.services.desk
    try:
        return desk.handle(table, wish, attempt)
    except Unproven:
        confirm(call.services.players, call.known)
        return desk.handle(table, wish, msgspec.structs.replace(attempt, proof=None))


def _missed(code: str, why: str, live: Live, seen: int, player: str | None) -> Problem:
    """Tell what the caller has missed since a version: as his seat may see it, each entry as his log has it."""
    with live.lock:
        table, version, head = live.table, live.version, live.head
        missed = live.entries[seen : seen + MOST_MISSED]
    seat = table.seat_of(player)
    viewer: Viewer = PUBLIC if seat is None else seat
    return Problem(
        code,
        why,
        headers={"ETag": quoted(etag(version, head.hash, viewer))},
        version=version,
        entries=entries_shown(live, missed, viewer),
    )
