"""Words that every game shares: seats, viewers, and the frozen base of all values."""

from typing import Final, Literal, NewType

import msgspec

Seat = NewType("Seat", int)
"""A position at a table, from 0."""

Viewer = Seat | Literal["public", "all"]
"""Whose eyes: a seat, the public (what lies open), or all (everything; finished tables only)."""

PUBLIC: Final = "public"
ALL: Final = "all"


def may_see(viewer: Viewer, owner: Seat | None) -> bool:
    """Tell whether `viewer` sees a zone of `owner` (None: a pile that nobody owns)."""
    return viewer == ALL or (owner is not None and viewer == owner)


class Value(msgspec.Struct, frozen=True):
    """The base of states, views and parts: compared by content, never changed."""


class Command(msgspec.Struct, frozen=True, tag_field="type"):
    """The base of commands: a wish, imperative; its tag is its `type` on the wire."""


class Event(msgspec.Struct, frozen=True, tag_field="type"):
    """The base of events: a fact, past tense; its tag is its `type` on the wire.

    A field that somebody may not see is `UNSET` in the redacted event and then absent from the JSON.
    """
