"""Tables drawn for a terminal: what all games share, and a plain drawing for a game that has none of its own."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.pretty import Pretty
from rich.table import Table
from rich.text import Text

Json = dict[str, Any]


class Card(NamedTuple):
    """A card as it is drawn: what stands large, what stands below it, and in which style."""

    top: str
    bottom: str
    style: str


class Drawer(Protocol):
    """How a game is drawn; it is made from the game's entry in the catalogue and the table's options."""

    def draw(self, view: Json, you: int | None) -> RenderableType:
        """Draw a view; `you` is the own seat."""
        ...

    def say(self, command: Json) -> tuple[str, str]:
        """Say a command in two parts: what, and where or which; those that share the first part stand in a line."""
        ...


class Plain:
    """Draws any view as its fields, for games from outside the tree."""

    def __init__(self, catalogue: Json, options: Json) -> None:
        """All that it needs is in the view."""

    def draw(self, view: Json, you: int | None) -> RenderableType:
        """Draw a view."""
        own = [] if you is None else [Text("Your hand: ", "bold") + Text(" ".join(view["seats"][you].get("hand", [])))]
        return Group(Pretty(view, expand_all=False), *own)

    def say(self, command: Json) -> tuple[str, str]:
        """Say a command."""
        what = str(command["type"]).replace("_", " ")
        return what, ", ".join(f"{name} {value}" for name, value in command.items() if name != "type")


def boxes(cards: Iterable[Card]) -> RenderableType:
    """Draw cards side by side, large."""
    drawn = [_box(card) for card in cards]
    return Columns(drawn, padding=(0, 1)) if drawn else Text("(none)", "dim")


def chips(cards: Iterable[Card]) -> Text:
    """Write cards in a line, small."""
    text = Text()
    for card in cards:
        text.append(f"[{card.top}]", card.style)
        text.append(" ")
    return text if text.plain else Text("–", "dim")


def seat_name(seat: int, you: int | None) -> Text:
    """Name a seat as the summaries do, and tell which is the own."""
    return Text(f"Seat {seat}" + (" (you)" if seat == you else ""), "bold" if seat == you else "")


def facts(*parts: str) -> Text:
    """Write short facts in a line."""
    return Text(" · ".join(part for part in parts if part), "dim")


def seats_table(*columns: str) -> Table:
    """Give an empty table with a column for the seat and these."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("", *columns):
        table.add_column(column)
    return table


def _box(card: Card) -> Text:
    width = max(len(card.top), len(card.bottom)) + 2
    lines: Sequence[str] = (
        "╭" + "─" * width + "╮",
        "│" + card.top.center(width) + "│",
        "│" + card.bottom.center(width) + "│",
        "╰" + "─" * width + "╯",
    )
    return Text("\n".join(lines), card.style, no_wrap=True)
