"""An entry as it is made behind a head: its salt, its hash in the chain, the mark of the body that caused it."""

import hmac
from collections.abc import Callable

from domain.history import GENESIS, SALT_BYTES, Entry, chain
from domain.values import Seat
from service.application.due import written
from service.application.ports import Due, Head


def entry_behind(
    head: Head,
    events: bytes,
    seat: Seat | None,
    now_ms: int,
    due: Due | None,
    random: Callable[[int], bytes],
    *,
    command_id: str,
    body: bytes = b"",
) -> Entry:
    """Make the next entry behind `head` (version 0: the first) of events in canonical JSON."""
    version, salt = head.version + 1, random(SALT_BYTES)
    return Entry(
        version=version,
        time_ms=now_ms,
        seat=seat,
        events=events,
        salt=salt,
        hash=chain(head.hash or GENESIS, version, now_ms, seat, events, salt),
        command_id=command_id,
        body=_body_mark(salt, body),
        base=head.version,
        due=written(due),
    )


def is_body(entry: Entry, body: bytes) -> bool:
    """Tell whether an entry was caused by a request with this body."""
    return hmac.compare_digest(entry.body, _body_mark(entry.salt, body))


def _body_mark(salt: bytes, body: bytes) -> str:
    return hmac.digest(salt, body, "sha256").hex()[:32]
