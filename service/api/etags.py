"""Entity tags: a table's version, head hash and viewer; and the conditions that requests put on them (RFC 9110 13)."""

import re
from typing import Final

from flask import Request

from service.api.problems import Problem

_TAGS: Final = re.compile(r'(?:W/)?"([\x21\x23-\x7e]*)"')
_LIST: Final = re.compile(rf"{_TAGS.pattern}(?:[ \t]*,[ \t]*{_TAGS.pattern})*")
_OURS: Final = re.compile(r"(\d{1,9})-([0-9a-f]{16})(?:-.*)?")

NEVER: Final = (0, "")
"""A condition that no table meets: a tag that none of ours is."""


def if_match(request: Request) -> tuple[int, str] | None:
    """Give the version and hash prefix that a command is bound to; None where it is bound to nothing (`*`).

    Of several tags the newest version counts, since only that one can be the table's. A tag counts whoever it was
    made for and whether or not something on the way weakened it. Raises `Problem` `malformed_request`.
    """
    tags = _tags(request.headers.get("If-Match"), "If-Match")
    if tags is None:
        return None
    ours = [match for tag in tags if (match := _OURS.fullmatch(tag))]
    return max(((int(match[1]), match[2]) for match in ours), default=NEVER)


def is_fresh(request: Request, tag: str) -> bool:
    """Tell whether the caller holds what `tag` names, so that a GET is answered 304."""
    header = request.headers.get("If-None-Match")
    if header is None:
        return False
    tags = _tags(header, "If-None-Match")
    return tags is None or tag in tags


def quoted(tag: str) -> str:
    """Write a tag as the header `ETag` has it."""
    return f'"{tag}"'


def _tags(header: str | None, name: str) -> list[str] | None:
    """Give the tags of a header; None where it is absent or `*`."""
    if header is None or header.strip() == "*":
        return None
    if not _LIST.fullmatch(header.strip()):
        raise Problem("malformed_request", f'The header {name} must hold entity tags in quotes, like "12-9f3c…-s0".')
    return _TAGS.findall(header)
