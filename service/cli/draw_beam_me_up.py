"""Beam Me Up in a terminal."""

from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from service.cli.draw import Card, Json, boxes, chips, facts, seat_name, seats_table

_ELEMENTALS: Final = {"A": ("Air", "cyan"), "E": ("Earth", "green"), "F": ("Fire", "red"), "W": ("Water", "blue")}


class BeamMeUp:
    """Trick, lines, racers and the own hand."""

    def __init__(self, catalogue: Json, options: Json) -> None:
        """All that it needs is in the view."""

    def draw(self, view: Json, you: int | None) -> RenderableType:
        """Draw a view."""
        trick = view["trick"]
        seats = seats_table("hand", "line", "Space Racers")
        for seat in view["seats"]:
            line = chips(map(_card, seat["line"])) if "line" in seat else Text(f"{seat['line_count']} hidden", "dim")
            racers = ", ".join(map(str.title, seat["racers"]))
            seats.add_row(seat_name(seat["seat"], you), str(seat["hand_count"]), line, racers)
        rows: list[RenderableType] = [
            facts(
                f"Trick {trick['number']}",
                f"draw pile {view['draw_count']}",
                f"discards {view['discard_count']}" + (f", top {view['discard_top']}" if view["discard_top"] else ""),
                f"sent home {view['home_count']}",
            ),
            Text("Racers to be had: ", "dim") + Text(", ".join(map(str.title, view["racers"])) or "none"),
            seats,
        ]
        rows += [_layer(number, layer) for number, layer in enumerate(trick["layers"], start=1) if layer]
        if view["phase"] == "pick":
            rows.append(
                Text(f"Seat {trick['winner']} won and may take {trick['picks_left']} of ")
                + chips(map(_card, trick["on_table"]))
            )
        if you is not None and "hand" in view["seats"][you]:
            rows += [Text("Your hand", "bold"), boxes(map(_card, view["seats"][you]["hand"]))]
        return Group(*rows)

    def say(self, command: Json) -> tuple[str, str]:
        """Say a command."""
        match command:
            case {"type": "play_card", "card": card}:
                return "play", card
            case {"type": "collect_card", "card": card, "replace": old}:
                return f"take {card} for", old
            case {"type": "collect_card", "card": card}:
                return "take", card
            case {"type": "decline_card"}:
                return "take nothing more", ""
            case {"type": "launch_racer", "racer": racer}:
                return "launch", str(racer).title()
            case _:
                return str(command["type"]), ""


def _card(card: str) -> Card:
    elemental, colour = _ELEMENTALS[card[0]]
    return Card(top=card, bottom=elemental, style=colour)


def _layer(number: int, layer: list[Json]) -> Text:
    text = Text(f"Layer {number}: ", "dim")
    for laid in layer:
        text.append(f"seat {laid['seat']} ").append_text(chips([_card(laid["card"])])).append(" ")
    return text
