"""What the service answers, typed. Fields that a later version adds are ignored."""

from typing import Any, Generic, Literal, TypeVar

import msgspec

T = TypeVar("T")

View = dict[str, Any]
"""What one viewer may see of a game; its shape is the game's (openapi.yaml, docs/games/)."""

Command = dict[str, Any]
"""One command, ready to be posted as it is: `{"type": …, …}`."""


class Player(msgspec.Struct, frozen=True):
    """An account as everybody sees it."""

    id: str
    name: str
    kind: Literal["human", "bot"]


class NewPlayer(msgspec.Struct, frozen=True):
    """An account that was just made; the token is shown this once."""

    id: str
    name: str
    kind: str
    token: str


class NewToken(msgspec.Struct, frozen=True):
    """A token that was just made; it is shown this once."""

    id: str
    scopes: list[str]
    token: str


class Seat(msgspec.Struct, frozen=True):
    """A position at a table."""

    seat: int
    kind: Literal["open", "player", "ai"]
    resigned: bool = False
    to_act: bool = False
    player: Player | None = None
    bot: str | None = None
    reserved: bool = False
    played_by: str | None = None


class You(msgspec.Struct, frozen=True):
    """Where the caller sits."""

    seat: int


class Outcome(msgspec.Struct, frozen=True):
    """How a table ended, by seat."""

    winners: list[int]
    scores: list[int]
    places: list[int]
    resigned: list[int]
    reason: str


class Table(msgspec.Struct, frozen=True):
    """A table as the caller sees it; an item of a list has no `view`."""

    id: str
    game: str
    status: Literal["open", "playing", "finished", "aborted"]
    version: int
    seats: list[Seat]
    to_act: list[int]
    options: dict[str, Any] = {}
    you: You | None = None
    view: View | None = None
    outcome: Outcome | None = None
    clock: dict[str, Any] | None = None
    fairness: dict[str, Any] = {}
    visibility: str = "public"
    rated: bool = False
    created_at: str = ""
    creator: str | None = None


class Entry(msgspec.Struct, frozen=True):
    """One accepted command with the events that it caused, as the viewer may see them."""

    version: int
    time: str
    events: list[dict[str, Any]]
    summary: str
    seat: int | None = None


class LogPage(msgspec.Struct, frozen=True):
    """A part of a table's log."""

    items: list[Entry]
    version: int
    status: str


class Offer(msgspec.Struct, frozen=True):
    """All that the caller may do now at a table."""

    version: int
    commands: list[Command]
    seat: int | None = None


class Accepted(msgspec.Struct, frozen=True):
    """A command was accepted; everything is as at its entry's version."""

    version: int
    entries: list[Entry]
    to_act: list[int]
    commands: list[Command]
    view: View | None = None
    outcome: Outcome | None = None


class Frame(msgspec.Struct, frozen=True):
    """One step of a replay."""

    version: int
    time: str
    events: list[dict[str, Any]]
    summary: str
    to_act: list[int]
    view: View | None = None
    seat: int | None = None


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A part of a list; `next_cursor` leads on."""

    items: list[T]
    next_cursor: str | None = None
