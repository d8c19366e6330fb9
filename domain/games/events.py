"""Events that more than one game uses."""

from msgspec import UNSET, UnsetType

from domain.values import ALL, Event, Seat, Viewer, may_see


class CardsDrawn(Event, frozen=True, tag="cards_drawn"):
    """A seat drew `count` cards; which ones only that seat sees."""

    seat: Seat
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET


class PileReshuffled(Event, frozen=True, tag="pile_reshuffled"):
    """The discards became the draw pile by shuffle `shuffle` of the table; `cards` in the order of drawing."""

    shuffle: int
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET


def redact_drawn(event: CardsDrawn, viewer: Viewer) -> CardsDrawn:
    """Hide the drawn cards from all but their owner."""
    return event if may_see(viewer, event.seat) else CardsDrawn(seat=event.seat, count=event.count)


def redact_reshuffled(event: PileReshuffled, viewer: Viewer) -> PileReshuffled:
    """Hide the pile's order from everybody."""
    return event if viewer == ALL else PileReshuffled(shuffle=event.shuffle, count=event.count)
