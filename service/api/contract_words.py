"""The contract's words that belong to no single operation: introduction, tags, parameters, headers."""

from typing import Any, Final

from service.api.dispatch import KEY_PATTERN

INTRODUCTION: Final = """\
Starledger plays card games over HTTP. A **table** is one session of a game; players and built-in bots sit at its
**seats**. A player sends **commands** (wishes: `play_card`); an accepted one becomes an **entry** of **events** (facts:
`card_played`) in the table's log. The number of entries is the table's **version**. What a **viewer** may see of it, a
seat or the public, is its **view**; hidden cards are counts.

**A first game.** `POST /v1/players` gives a token. `POST /v1/tables` makes a table, for example with seats `me` and
`ai`. `GET /v1/tables/{table}/commands` lists what may be done, each ready to be sent to
`POST /v1/tables/{table}/commands` as it is. `GET /v1/tables/{table}/events` tells what happens, by pages, by long polling
or live.

**Tokens** go into the header `Authorization: Bearer TOKEN`, never into an address. Reading public things needs none; one
that is sent must be good there too.

**Failures** are `application/problem+json` (RFC 9457): `code` is stable, `type` is the address of a page that says what
it means and what to do. Unknown fields and parameters are refused by name; unknown fields in answers are to be ignored.

**Sending again.** With an `Idempotency-Key` every POST may be sent again: it counts once, and a repeat gets the first
answer, byte for byte, with `Idempotent-Replayed: true`. Refusals are not kept.

**Versions.** The `ETag` of a table is its version, the hash of its log and the viewer. `If-None-Match` saves reading what
has not changed; `If-Match` makes a command count only at that version.

**Lists** come in pages: `limit`, and the `next_cursor` of one page as the `cursor` of the next. A list that changes while
it is read neither skips nor doubles.

Times are RFC 3339 in UTC, durations are seconds, ids are opaque. Adding fields is no breaking change; before anything
goes, `Deprecation` and `Sunset` headers say so.
"""

TAGS: Final[tuple[tuple[str, str], ...]] = (
    ("Games", "What can be played, and how."),
    ("Players", "Accounts and their tokens."),
    ("Tables", "Sessions of a game, and who sits there."),
    ("Play", "What may be done at a table, doing it, and what happened."),
    ("Records", "What was played: replay, records, import, export in bulk."),
    ("Webhooks", "Addresses to which a player's notices are sent, and what was delivered there."),
    ("Tournaments", "Events of many tables: entries, rounds, results, standings; and ratings."),
    ("Service", "The service itself, for those who run it."),
    ("Reference", "This contract, and pages that explain it."),
)

KEY_HEADER: Final[dict[str, Any]] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A name of your choice for this wish, drawn at random: 1 to 128 printable ASCII characters, without a "
    "token at least 32; each comma followed by a space. The same key with the same request gets the same answer and changes nothing; with another "
    "request it is refused. Each player has keys of his own.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": f"^({KEY_PATTERN})$"},
    "example": "6f1c1f0e-8c5b-4a44-9b1d-4f0f7d2f3a10",
}
STRONG_KEY_HEADER: Final[dict[str, Any]] = {
    **KEY_HEADER,
    "description": "A name of your choice for this wish, drawn at random: 32 to 128 printable ASCII characters, since no "
    "token protects it. The same key with the same request gets the same answer, its token included.",
    "schema": {"type": "string", "minLength": 32, "maxLength": 128, "pattern": f"^({KEY_PATTERN})$"},
}
IF_MATCH: Final[dict[str, Any]] = {
    "name": "If-Match",
    "in": "header",
    "description": "The `ETag` that you have seen: the request counts only if the table is still at that version. Of "
    "several tags the newest version counts; `*` is the same as leaving it out.",
    "schema": {"type": "string"},
    "example": '"12-9f3c1b2a4d5e6f70-s0"',
}
IF_NONE_MATCH: Final[dict[str, Any]] = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The `ETag` that you hold: if it still holds, the answer is 304 without a body.",
    "schema": {"type": "string"},
    "example": '"12-9f3c1b2a4d5e6f70-s0"',
}
LAST_EVENT_ID: Final[dict[str, Any]] = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The version of the last entry that came over a stream that broke off; goes before `after`.",
    "schema": {"type": "string"},
    "example": "12",
}
REQUEST_ID: Final[dict[str, Any]] = {
    "name": "X-Request-Id",
    "in": "header",
    "description": "A name for this request in our log and yours: up to 128 of `A-Z a-z 0-9 . _ : / + = @ -`. Any other "
    "is replaced by one of ours.",
    "schema": {"type": "string"},
}
REQUEST_HEADERS: Final = {
    each["name"]: each for each in (KEY_HEADER, IF_MATCH, IF_NONE_MATCH, LAST_EVENT_ID, REQUEST_ID)
}

PATH_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game": {"description": "The game's name.", "schema": {"type": "string"}, "example": "beam-me-up"},
    "player": {"description": "The player's id.", "schema": {"type": "string"}},
    "token_id": {"description": "The token's id, not its secret.", "schema": {"type": "string"}},
    "table": {"description": "The table's id.", "schema": {"type": "string"}},
    "webhook": {"description": "The webhook's id.", "schema": {"type": "string"}},
    "delivery": {"description": "The delivery's id in the webhook's log.", "schema": {"type": "string"}},
    "tournament": {"description": "The tournament's id.", "schema": {"type": "string"}},
    "entry": {"description": "The entry's id.", "schema": {"type": "string"}, "example": "e1"},
    "round": {"description": "The round, from 1.", "schema": {"type": "integer", "minimum": 1}},
    "seat": {"description": "The seat, from 0.", "schema": {"type": "integer", "minimum": 0}},
    "code": {"description": "The problem's code.", "schema": {"type": "string"}, "example": "not_your_turn"},
    "asset": {"description": "The file's name.", "schema": {"type": "string"}},
}

RESPONSE_HEADERS: Final[dict[str, tuple[str, str]]] = {
    "X-Request-Id": ("The request's id, as in our log.", "4f1d2c3b5a69788f"),
    "ETag": ("The entity tag: version, head hash and viewer.", '"12-9f3c1b2a4d5e6f70-s0"'),
    "Location": ("The address of what was made.", "/v1/tables/b4n7c2x5q3w6e7r4t2y5u3i6oa"),
    "Link": ("The next page (RFC 8288); absent at the end.", '</v1/tables?cursor=MTc3>; rel="next"'),
    "Idempotent-Replayed": ("`true` on a repeat under an `Idempotency-Key`; absent on a first answer.", "true"),
    "RateLimit": ("What is left in the bucket, and in how many seconds more flows in.", '"commands";r=499;t=1'),
    "RateLimit-Policy": ("The bucket's size, and the seconds in which it fills.", '"commands";q=500;w=10'),
    "Retry-After": ("Seconds after which sending it again may help.", "1"),
    "Content-Disposition": ("How a browser names the file.", 'attachment; filename="b4n7c2x5.slr.jsonl"'),
    "WWW-Authenticate": ("How to show who you are (RFC 6750).", 'Bearer realm="starledger"'),
}
ALWAYS_THERE: Final = frozenset({"X-Request-Id", "ETag", "Location", "WWW-Authenticate"})
"""Headers that are in every answer that names them."""
