"""The trick on the table: public in all its parts, so the state and every view hold the same value."""

from typing import Annotated

from msgspec import Meta

from domain.games.beam_me_up.cards import Card
from domain.values import Seat, Value


class Laid(Value, frozen=True):
    """A card that a seat has laid."""

    seat: Annotated[Seat, Meta(description="The seat that laid the card.")]
    card: Annotated[Card, Meta(description="The alien that was laid.")]


class Trick(Value, frozen=True):
    """The trick that is being played or, in `pick` and `launch`, the one that was won."""

    number: Annotated[int, Meta(description="Which trick of the game this is, from 1; a voided trick counts.")] = 0
    layer: Annotated[int, Meta(description="The layer that is being laid, from 1; each tie adds one (B13).")] = 0
    layers: Annotated[
        tuple[tuple[Laid, ...], ...],
        Meta(description="The layers, oldest first, each in the order laid. A layer is there from its first card on."),
    ] = ()
    on_table: Annotated[
        tuple[Card, ...], Meta(description="The trick's cards that nobody has picked, in the order laid (B7).")
    ] = ()
    winner: Annotated[Seat | None, Meta(description="Who won the trick; null while it is being played.")] = None
    picks_left: Annotated[
        int, Meta(description="How many cards the winner may still take: one for each layer (B19).")
    ] = 0
