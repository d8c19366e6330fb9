"""What a seat may wish: the four actions of a turn, the choice of the board, and the answers to an offer."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, field

from domain.games.universal_match.cards import CARDS, Card
from domain.values import Command, Seat

MAX_SEATS: Final = 6

Source = Annotated[Seat, Meta(ge=0, le=MAX_SEATS - 1)] | Literal["discard"]
"""Where a card is switched from: an opponent's board, or the top of the discard pile."""


class ChooseBoard(Command, frozen=True, gc=False, tag="choose_board"):
    """Choose three of the six cards dealt for the board, secretly and for good (U8)."""

    cards: Annotated[
        tuple[Card, Card, Card],
        Meta(
            description="Three different cards of your hand, in any order; the other three stay in it.",
            extra_json_schema={"uniqueItems": True, "x-ruling": "U8"},
        ),
    ]


class DrawCard(Command, frozen=True, gc=False, tag="draw_card"):
    """Option 1: draw the next card of the stock; a `discard` must follow (U14, U15)."""


class Discard(Command, frozen=True, gc=False, tag="discard"):
    """End option 1: lay one of the four cards now in hand on the discard pile, also the one just drawn (U15)."""

    card: Annotated[Card, Meta(description="A card of your hand.")]


class SwitchBoards(Command, frozen=True, gc=False, tag="switch_boards"):
    """Option 2: switch a card of your board with one of another player's board or the top discard (U19, U22)."""

    give: Annotated[Card, Meta(description="The card of your board that you give.")]
    take: Annotated[Card, Meta(description="The card that you get: of that opponent's board, or the top discard.")]
    source: Annotated[
        Source,
        Meta(description="Where `take` lies: an opponent's seat, or `discard`."),
    ] = field(name="from")


class SwitchOwn(Command, frozen=True, gc=False, tag="switch_own"):
    """Option 3: switch a card of your hand with one of your own board."""

    give: Annotated[Card, Meta(description="The card of your hand that goes to your board.")]
    take: Annotated[Card, Meta(description="The card of your board that comes to your hand.")]


class SwitchHand(Command, frozen=True, gc=False, tag="switch_hand"):
    """Option 4: switch a card of your hand with one of another player's board or the top discard (U19, U20)."""

    give: Annotated[Card, Meta(description="The card of your hand that you give.")]
    take: Annotated[Card, Meta(description="The card that you get: of that opponent's board, or the top discard.")]
    source: Annotated[
        Source,
        Meta(description="Where `take` lies: an opponent's seat, or `discard`."),
    ] = field(name="from")


class TakeMatch(Command, frozen=True, gc=False, tag="take_match"):
    """Answer an offer: make the match perfect with a card of your own and take it (U35 to U43).

    All opponents answer; of those who would take it, the first one clockwise from the matcher gets it.
    """

    give: Annotated[Card, Meta(description="A card of your hand or board that goes into the match (U36).")]
    take: Annotated[
        Card, Meta(description="The card of the match that it replaces, of the same rank; it goes to your place (U38).")
    ]


class DeclineMatch(Command, frozen=True, gc=False, tag="decline_match"):
    """Answer an offer: leave the match to its maker (U37)."""


UniversalMatchCommand = (
    ChooseBoard | DrawCard | Discard | SwitchBoards | SwitchOwn | SwitchHand | TakeMatch | DeclineMatch
)


def check_command(options: object, seats: int, command: UniversalMatchCommand) -> Mapping[str, str]:  # noqa: ARG001
    """Tell what can't be right about a command at a table of so many seats: field to reason.

    One's own seat is a seat of the table, so naming it is not refused here but by U20.
    """
    if isinstance(command, ChooseBoard) and len(set(command.cards)) < len(command.cards):
        return {"cards": "Name three different cards."}
    if isinstance(command, SwitchBoards | SwitchHand) and command.source != "discard" and command.source >= seats:
        return {"from": f"This table has seats 0 to {seats - 1}."}
    return {}


DISCARDS: Final[Mapping[Card, Discard]] = {card: Discard(card) for card in CARDS}
DRAW: Final = DrawCard()
DECLINE: Final = DeclineMatch()
