"""Events that more than one game uses."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.values import ALL, Event, Seat, Viewer, may_see


class CardsDrawn(Event, frozen=True, gc=False, tag="cards_drawn"):
    """A seat drew `count` cards; which ones only that seat sees."""

    seat: Annotated[Seat, Meta(description="Who drew.")]
    count: Annotated[int, Meta(description="How many cards were drawn.")]
    cards: (
        Annotated[
            tuple[str, ...], Meta(description="The cards in the order drawn; only that seat and `as=all` see them.")
        ]
        | UnsetType
    ) = UNSET


class PileReshuffled(Event, frozen=True, gc=False, tag="pile_reshuffled"):
    """The discards became the draw pile by shuffle `shuffle` of the table; `cards` in the order of drawing."""

    shuffle: Annotated[int, Meta(description="The number of the shuffle at this table; the deal is 0.")]
    count: Annotated[int, Meta(description="How many cards the new draw pile has.")]
    cards: (
        Annotated[tuple[str, ...], Meta(description="The pile in the order of drawing; only `as=all` sees it.")]
        | UnsetType
    ) = UNSET


def redact_drawn(event: CardsDrawn, viewer: Viewer) -> CardsDrawn:
    """Hide the drawn cards from all but their owner."""
    return event if may_see(viewer, event.seat) else CardsDrawn(seat=event.seat, count=event.count)


def redact_reshuffled(event: PileReshuffled, viewer: Viewer) -> PileReshuffled:
    """Hide the pile's order from everybody."""
    return event if viewer == ALL else PileReshuffled(shuffle=event.shuffle, count=event.count)
