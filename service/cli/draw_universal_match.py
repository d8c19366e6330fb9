"""Universal Match in a terminal."""

from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from service.cli.draw import Card, Json, boxes, chips, facts, seat_name, seats_table

_SUITS: Final = {
    "E": ("Earth", "blue"),
    "J": ("Jupiter", "yellow"),
    "M": ("Mars", "red"),
    "N": ("Neptune", "cyan"),
    "S": ("Saturn", "magenta"),
    "V": ("Venus", "green"),
}
_RANKS: Final = {"G": "Galaxy", "S": "Sun", "M": "Moon"}


class UniversalMatch:
    """Boards, matches, the offer and the own hand."""

    def __init__(self, catalogue: Json, options: Json) -> None:
        """All that it needs is in the view."""

    def draw(self, view: Json, you: int | None) -> RenderableType:
        """Draw a view."""
        seats = seats_table("hand", "board", "matches", "this hand", "total")
        for seat in view["seats"]:
            seats.add_row(
                seat_name(seat["seat"], you),
                str(seat["hand_count"]),
                chips(map(_card, seat["board"])),
                str(len(seat["matches"])),
                str(seat["hand_points"]),
                str(seat["total"]),
            )
        discard = view["discard"]
        rows: list[RenderableType] = [
            facts(
                f"Hand {view['hand_number']}",
                "" if view["turn"] is None else f"seat {view['turn']}'s turn",
                "must draw" if view["forced_draw"] else "",
                f"stock {view['stock_count']}",
                f"discards {len(discard)}",
            ),
            Text("Discard pile, top first: ", "dim") + chips(map(_card, reversed(discard[-5:]))),
            seats,
        ]
        if view["offer"] is not None:
            offer = view["offer"]
            rows.append(Text(f"Seat {offer['seat']} offers the match ") + chips(map(_card, offer["cards"])))
        if you is not None:
            rows += _own(view["seats"][you])
        return Group(*rows)

    def say(self, command: Json) -> tuple[str, str]:
        """Say a command."""
        match command:
            case {"type": "choose_board", "cards": cards}:
                return "lay on your board", " ".join(cards)
            case {"type": "draw_card"}:
                return "draw a card", ""
            case {"type": "discard", "card": card}:
                return "discard", card
            case {"type": "switch_boards", "give": give, "take": take, "from": source}:
                return f"board: give {give} for", f"{take} of {_source(source)}"
            case {"type": "switch_hand", "give": give, "take": take, "from": source}:
                return f"hand: give {give} for", f"{take} of {_source(source)}"
            case {"type": "switch_own", "give": give, "take": take}:
                return f"hand: give {give} to your own board for", take
            case {"type": "take_match", "give": give, "take": take}:
                return f"take the match: give {give} for", take
            case {"type": "decline_match"}:
                return "decline the match", ""
            case _:
                return str(command["type"]), ""


def _source(source: int | str) -> str:
    return "the discard pile" if source == "discard" else f"seat {source}"


def _card(card: str) -> Card:
    suit, colour = _SUITS[card[-1]]
    return Card(top=card, bottom=f"{_RANKS.get(card[0], '')} {suit}".strip(), style=colour)


def _own(seat: Json) -> list[RenderableType]:
    rows: list[RenderableType] = []
    if seat.get("chosen"):
        rows.append(Text("You have chosen ", "bold") + chips(map(_card, seat["chosen"])))
    if "hand" in seat:
        rows += [Text("Your hand", "bold"), boxes(map(_card, seat["hand"]))]
    return rows
