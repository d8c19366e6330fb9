"""What the catalogue shows of a game."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from domain.game import CardFacts
from domain.values import Value


class GameShown(Value, frozen=True):
    """A game: enough for a client that knows none to offer every option, show every card and send every command."""

    game: Annotated[str, Meta(description="Its name, as tables have it.", examples=["beam-me-up"])]
    title: Annotated[str, Meta(description="Its name for people.", examples=["Beam Me Up"])]
    rules_version: Annotated[int, Meta(description="Raised when the game's behaviour changes.")]
    seats: Annotated[tuple[int, ...], Meta(description="The numbers of seats that it can be played with.")]
    options: Annotated[
        Mapping[str, Any],
        Meta(description="JSON Schema of its options, each with its default and, as `x-ruling`, its ruling's id."),
    ]
    commands: Annotated[Mapping[str, Any], Meta(description="JSON Schema of its commands, told apart by `type`.")]
    cards: Annotated[
        tuple[CardFacts, ...],
        Meta(description="Every kind of card with the default options, in card order: name, title, copies, facts."),
    ]
    bots: Annotated[tuple[str, ...], Meta(description="The built-in bots that can sit there, weakest first.")]


class GameList(Value, frozen=True):
    """All games."""

    items: tuple[GameShown, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]
