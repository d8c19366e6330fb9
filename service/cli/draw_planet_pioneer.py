"""Planet Pioneer in a terminal."""

from math import ceil
from textwrap import wrap
from typing import Final

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from service.cli.draw import Card, Json, boxes, facts, seat_name

_ROWS: Final = 4
_COLUMNS: Final = 5
_STYLES: Final = {
    "meteor_strike": "red",
    "meteor_cap": "yellow",
    "alien_attack": "magenta",
    "alien_visit": "cyan",
    "base_station": "bold",
}
_CELL: Final = 9


class PlanetPioneer:
    """All colonies, the own first, and the own hand."""

    def __init__(self, catalogue: Json, options: Json) -> None:
        """Take the Levels: from the table's own deck, else from the catalogue."""
        self._levels: dict[str, int] = {card["card"]: card["facts"]["level"] for card in catalogue["cards"]}
        if isinstance(options.get("deck"), list):
            self._levels |= {card["name"]: card["level"] for card in options["deck"]}

    def _card(self, card: str) -> Card:
        level = self._levels.get(card, 0)
        return Card(top=_title(card), bottom=f"Level {level}" if level else "", style=_STYLES.get(card, "green"))

    def draw(self, view: Json, you: int | None) -> RenderableType:
        """Draw a view."""
        turn = view["turn"]
        final = view["final"]
        head = facts(
            f"Round {view['round']}" + (f", lap {view['lap']}" if view["lap"] > 1 else ""),
            "" if turn is None else f"seat {turn['seat']}'s turn" + (" (extra)" if turn["extra"] else ""),
            "" if final is None else f"last round: to play {', '.join(map(str, final['still_to_play'])) or 'nobody'}",
            f"draw pile {view['draw_count']}",
            f"discards {view['discard_count']}" + (f", top {view['discard_top']}" if view["discard_top"] else ""),
        )
        seats = sorted(view["seats"], key=lambda seat: (seat["seat"] != you, seat["seat"]))
        rows: list[RenderableType] = [head, Columns([_colony(seat, you) for seat in seats], padding=(0, 2))]
        if you is not None and "hand" in view["seats"][you]:
            rows += [Text("Your hand", "bold"), boxes(map(self._card, view["seats"][you]["hand"]))]
        return Group(*rows)

    def say(self, command: Json) -> tuple[str, str]:
        """Say a command."""
        at = "" if "cell" not in command else f"{command['cell'][0]},{command['cell'][1]}"
        match command:
            case {"type": "build", "card": card}:
                return f"build {_title(card)} at", at
            case {"type": "discard", "card": card}:
                return "discard", _title(card)
            case {"type": "attack" | "strike" as what, "opponent": seat}:
                return f"{what} seat {seat} at", at
            case {"type": what}:
                return f"{what} at", at
            case _:
                return str(command), ""


def _title(card: str) -> str:
    return card.replace("_", " ").title()


def _colony(seat: Json, you: int | None) -> RenderableType:
    title = seat_name(seat["seat"], you) + Text(
        f"  Level {seat['colony_level']} · hand {seat['hand_count']}" + (" · waits a turn" if seat["waiting"] else ""),
        "dim",
    )
    grid = Table(box=box.SQUARE, padding=0, header_style="dim", title_justify="left", title=title)
    grid.add_column("")
    for column in range(_COLUMNS):
        grid.add_column(str(column), width=_CELL, justify="center")
    cells = {tuple(covered["cell"]): covered for covered in seat["colony"]}
    for row in range(_ROWS):
        here = [cells.get((row, column)) for column in range(_COLUMNS)]
        grid.add_row(Text(str(row), "dim"), *map(_cell, here))
    return grid


def _cell(covered: Json | None) -> Text:
    if covered is None:
        return Text("·", "dim")
    top = covered["cards"][-1]
    level = [f"L{covered['level']}"] if covered["level"] else []
    words = [piece for word in _title(top).split() for piece in _broken(word)]
    return Text("\n".join(wrap(" ".join([*words, *level]), _CELL)), _STYLES.get(top, "green"))


def _broken(word: str) -> list[str]:
    """Break a word that is wider than a cell into even pieces; nothing of a name is ever left out."""
    if len(word) <= _CELL:
        return [word]
    size = ceil(len(word) / ceil(len(word) / (_CELL - 1)))
    pieces = [word[at : at + size] for at in range(0, len(word), size)]
    return [*(f"{piece}-" for piece in pieces[:-1]), pieces[-1]]
