"""Write errors.md from the code: `python docs/errors.py`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from service.api.problem_codes import PROBLEMS  # noqa: E402 - the project is found by then

FILE = ROOT / "docs/errors.md"
_HEAD = """\
# Errors

Every failure is `application/problem+json` (RFC 9457). `code` says what it is, for programs, and never changes; `detail`
says in words what was wrong this time. A running server explains each at `/problems/CODE`. [api.md](api.md) tells of the
other members, and in which order is checked.

Codes may be added: treat one that you don't know by its status. "Send again" says that the same request may be sent
again, with the same `Idempotency-Key`.

This page is written by `python docs/errors.py` from `service/api/problem_codes.py`.
"""


def page() -> str:
    """Give the whole page."""
    parts = [_HEAD]
    status = 0
    for kind in PROBLEMS.values():
        if kind.status != status:
            status = kind.status
            parts.append(f"\n## {status}\n")
        again = " Send again." if kind.retryable else ""
        parts.append(f"\n### `{kind.code}`\n\n{kind.title}. {kind.meaning}\n\n**What to do:** {kind.remedy}{again}\n")
    return "".join(parts)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
