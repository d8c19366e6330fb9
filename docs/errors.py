"""Write errors.md from the code: `python docs/errors.py`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from service.api.problem_codes import PROBLEMS  # noqa: E402 - the project is found by then

FILE = ROOT / "docs/errors.md"
_HEAD = """\
# Errors

Every failure is `application/problem+json` (RFC 9457), 404, 405, 413 and 500 included:

```json
{"type": "/problems/illegal_command", "title": "The rules forbid it", "status": 409,
 "detail": "You don't hold F7.", "code": "illegal_command", "ruling": "B37", "version": 12}
```

- `code` is stable: decide by it, never by `title` or `detail`, which are for people and may change.
- `type` is the address of a page that says what the problem means and what to do: `GET /problems/illegal_command`.
- `errors` tells by field what is wrong with a body or a query: `{"seats[1].kind": "Must be one of: …"}`.
- `ruling` is the id of the ruling that refuses a command; the game's page explains it.
- `version` is the table's, `entries` are those that a stale `If-Match`, or who lost a race, has missed: the first 200.
- `scope` is the scope that your token lacks.
- `retryable: true` says that the same request may succeed later; `Retry-After` says when. Send it again with the same
  `Idempotency-Key`, and nothing is done twice.
- `request_id` (5xx) is the `X-Request-Id` of the answer: name it when you report the problem.

Which code can come where is in `openapi.yaml`, at each operation. In the order in which a request is looked at:

| what is wrong | status | code |
|---|---|---|
| no token, or a bad one | 401 | `unauthenticated` |
| too many requests | 429 | `rate_limited` |
| the token may not | 403 | `scope_missing` |
| no format that is wanted | 406 | `not_acceptable` |
| a body that does not come | 408 | `body_too_slow` |
| query or body | 400, 413, 415, 422 | `malformed_json`, `malformed_request`, `body_too_large`, `unsupported_media_type`, `validation_failed`, `unknown_command` |
| the key | 422 | `idempotency_key_reused`, `idempotency_key_weak` |
| what the address names | 404 | `not_found` |
| not yours to do | 403 | `forbidden`, `not_seated`, `perspective_not_allowed` |
| the state of things | 409, 412 | `not_your_turn`, `table_finished`, `stale_version`, … |
| the rules | 409 | `illegal_command` |
| our side | 500, 503 | `internal_error`, `unavailable` |

No message, status or list tells what is hidden: for two states that look alike to you the answer is the same.

What is no request that can be handed on never gets as far as the service. The HTTP server answers it by itself, without a
body and without an `X-Request-Id`, and closes the connection: 400 where the first line, a header or a length can't be read
as HTTP, 414 for an address of more than 65,534 bytes, 431 for more than 100 headers or for far too long ones. (granian 2.8
has no setting for these answers.) A library for HTTP sends none of that.

## Rate limits

Commands, reads and creations have buckets of their own, for each token, or for each address (of IPv6 the first 64 bits)
without one; reading never costs a move. Each answer tells where you stand
(draft-ietf-httpapi-ratelimit-headers):

```
RateLimit-Policy: "commands";q=500;w=10     500 fit; an empty bucket is full after 10 seconds
RateLimit: "commands";r=499;t=1             499 are left; the next one flows in within 1 second
```

`GET /v1/me` shows all three limits. An empty bucket is 429 with `Retry-After`. Live events need no polling:
`GET …/events` and `GET /v1/me/stream` wait or stream.

## All codes

Codes may be added: treat one that you don't know by its status. "Send again" says that the same request may be sent
again, with the same `Idempotency-Key`. This page is written by `python docs/errors.py`, this part of it from
`service/api/problem_codes.py`.
"""


def page() -> str:
    """Give the whole page."""
    parts = [_HEAD]
    status = 0
    for kind in PROBLEMS.values():
        if kind.status != status:
            status = kind.status
            parts.append(f"\n### {status}\n")
        again = " Send again." if kind.retryable else ""
        parts.append(f"\n#### `{kind.code}`\n\n{kind.title}. {kind.meaning}\n\n**What to do:** {kind.remedy}{again}\n")
    return "".join(parts)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
