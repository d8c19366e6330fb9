"""What happened, in words."""

from typing import Final, assert_never

from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer.cards import title
from domain.games.planet_pioneer.events import (
    AttackLaid,
    CapLaid,
    CardBuilt,
    CardDiscarded,
    CardsDealt,
    FinalRoundBegan,
    PlanetPioneerEvent,
    RoundBegan,
    StrikeLaid,
    TurnBegan,
    TurnSkipped,
    VisitLaid,
)
from domain.games.planet_pioneer.grid import Cell
from domain.values import Seat

_SKIPPED: Final = {
    "attacked": "waits a turn after the Alien Attack",
    "placed": "waits until all have placed a card",
    "no_card": "has no card and is passed over",
}


def summary(event: PlanetPioneerEvent) -> str:
    """Give a (redacted) event in words, `""` where it goes without saying."""
    match event:
        case CardsDealt(first_seat=first):
            return f"Five cards are dealt to each player, {_who(first)} begins"
        case RoundBegan(round=number, lap=lap):
            return f"Round {number} begins" if lap == 1 else f"Round {number} goes on with lap {lap}"
        case TurnBegan(seat=seat, extra=extra, final=final):
            if final:
                return f"{_who(seat)} takes the final turn"
            return f"{_who(seat)} takes an extra turn" if extra else ""
        case TurnSkipped(seat=seat, reason=reason):
            return f"{_who(seat)} {_SKIPPED[reason]}"
        case CardsDrawn(seat=seat, count=count, cards=cards):
            if count == 0:
                return f"{_who(seat)} has nothing to draw"
            what = ", ".join(map(title, cards)) if isinstance(cards, tuple) else "a card"
            return f"{_who(seat)} draws {what}"
        case PileReshuffled(count=count):
            return f"The discard pile is shuffled into a new draw pile of {count} cards"
        case CardBuilt(seat=seat, card=card, cell=cell):
            return f"{_who(seat)} builds {title(card)} {_at(cell)}"
        case VisitLaid(seat=seat, cell=cell):
            return f"{_who(seat)} receives an Alien Visit {_at(cell)}"
        case CapLaid(seat=seat, cell=cell):
            return f"{_who(seat)} caps the crater {_at(cell)}"
        case AttackLaid(seat=seat, opponent=opponent, cell=cell):
            return f"{_who(seat)} sends an Alien Attack to {_who(opponent)} {_at(cell)}"
        case StrikeLaid(seat=seat, opponent=opponent, cell=cell, destroyed=card):
            return f"{_who(seat)} destroys {title(card)} of {_who(opponent)} {_at(cell)} with a Meteor Strike"
        case CardDiscarded(seat=seat, card=card):
            return f"{_who(seat)} discards {title(card)}"
        case FinalRoundBegan(full=full):
            return f"{' and '.join(map(_who, full))} has a full grid: the final round begins"
        case _:
            assert_never(event)


def _who(seat: Seat) -> str:
    return f"{{seat:{seat}}}"


def _at(cell: Cell) -> str:
    return f"at [{cell[0]}, {cell[1]}]"
