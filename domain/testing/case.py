"""What the kit must be told about a game beside the game itself: its zones and what is peculiar to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.game import AnyGame
from domain.values import Command, Value, Viewer


class Zone(Value, frozen=True):
    """A place where cards lie: by name, with its cards, and who *knows* which they are.

    `seen_by` is `PUBLIC` for what lies open or was seen by all as it got there (a closed discard pile), a seat
    for what only that seat knows, `ALL` for what nobody knows (a draw pile).
    """

    name: str
    cards: tuple[str, ...]
    seen_by: Viewer


def _itself(command: Any) -> Any:
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A game to be examined.

    `zones` gives all zones of a state: each card of the catalogue is in them as often as it has copies, but for
    those in `apart`. `options` are the option sets to play with, defaults among them. `revealing` names the types
    of event by which a seat's command may show what it could not know (a card turned up from a pile, choices laid
    open when the last has chosen): from there on two worlds may differ. `same` gives the listed form
    of a command that may be written in several ways (the order of cards in a choice).
    """

    game: AnyGame
    zones: Callable[[Any], Sequence[Zone]]
    options: tuple[Value, ...]
    apart: frozenset[str] = frozenset()
    revealing: frozenset[str] = frozenset()
    same: Callable[[Any], Command] = field(default=_itself)


def expect(holds: object, message: str) -> None:
    """Raise `AssertionError` with the message unless it holds; unlike `assert`, also under `python -O`."""
    if not holds:
        raise AssertionError(message)
