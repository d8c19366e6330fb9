"""The log as a viewer may see it, for ever: what was secret when it happened stays so."""

from domain.games.events import CardsDrawn, redact_drawn
from domain.games.universal_match.events import (
    BoardChosen,
    DealtHand,
    DealtStock,
    HandDealt,
    OfferAnswered,
    UniversalMatchEvent,
)
from domain.values import ALL, Viewer, may_see


def redact(event: UniversalMatchEvent, viewer: Viewer) -> UniversalMatchEvent:
    """Give the event as this viewer may see it; all else lies open on the table (U47)."""
    if viewer == ALL:
        return event
    match event:
        case HandDealt():
            return HandDealt(
                shuffle=event.shuffle,
                hand_number=event.hand_number,
                dealer=event.dealer,
                extra=event.extra,
                hands=tuple(
                    hand if may_see(viewer, hand.seat) else DealtHand(seat=hand.seat, count=hand.count)
                    for hand in event.hands
                ),
                stock=DealtStock(count=event.stock.count),
            )
        case BoardChosen() if not may_see(viewer, event.seat):
            return BoardChosen(seat=event.seat, count=event.count)
        case CardsDrawn():
            return redact_drawn(event, viewer)
        case OfferAnswered() if not may_see(viewer, event.seat):
            return OfferAnswered(seat=event.seat)
        case _:
            return event
