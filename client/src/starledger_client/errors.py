"""What can go wrong, as exceptions; each tells what the service said (RFC 9457)."""

from typing import Any


class StarledgerError(Exception):
    """The base of all errors of this package."""


class Unreachable(StarledgerError):
    """The service did not answer, also after all retries."""


class HistoryLost(StarledgerError):
    """The service has not got what a stream had sent: forget it, read what there is, and go on behind `version`."""

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__(f"what was sent before is not there any more; the newest is {version}")


class Problem(StarledgerError):
    """The service refused: `code` never changes, `detail` says what was wrong and what to do.

    `ruling` is the rule's id where the rules forbid it, `errors` what is wrong by field, `extra` all members of
    the answer.
    """

    def __init__(self, status: int, extra: dict[str, Any], request_id: str = "") -> None:
        self.status = status
        self.code: str = str(extra.get("code", "unknown"))
        self.detail: str = str(extra.get("detail", ""))
        self.ruling: str | None = extra.get("ruling")
        self.errors: dict[str, Any] = extra.get("errors") or {}
        self.retryable: bool = bool(extra.get("retryable", False))
        self.request_id = request_id
        self.extra = extra
        ruling = f" ({self.ruling})" if self.ruling else ""
        super().__init__(f"{status} {self.code}{ruling}: {self.detail}")


class Unauthenticated(Problem):
    """401: the token is missing, unknown or revoked."""


class Forbidden(Problem):
    """403: not for this caller."""


class NotFound(Problem):
    """404: there is no such thing."""


class Conflict(Problem):
    """409: not now, or the rules forbid it."""


class Stale(Problem):
    """412: the table has moved on since the version that was named."""


class Invalid(Problem):
    """400 or 422: the request is wrong in itself."""


class RateLimited(Problem):
    """429: too much at once, also after waiting as told."""


_BY_STATUS: dict[int, type[Problem]] = {
    400: Invalid,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Stale,
    422: Invalid,
    429: RateLimited,
}


def problem(status: int, extra: dict[str, Any], request_id: str = "") -> Problem:
    """Make the exception for an answer's status."""
    return _BY_STATUS.get(status, Problem)(status, extra, request_id)
