"""What happened."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.grid import Cell
from domain.values import Event, Seat, Value

Owner = Annotated[Seat, Meta(description="The seat whose card it was.")]
Place = Annotated[Cell, Meta(description="`[row, column]`, both from 0, in the colony of that seat (P54).")]
Target = Annotated[Seat, Meta(description="The seat whose colony was hit.")]
TargetPlace = Annotated[Cell, Meta(description="`[row, column]`, both from 0, in the opponent's colony (P54).")]


class DealtHand(Value, frozen=True, gc=False):
    """The cards that one seat was dealt."""

    seat: Annotated[Seat, Meta(description="Whose hand.")]
    count: Annotated[int, Meta(description="How many cards: five (P6).")]
    cards: (
        Annotated[tuple[Card, ...], Meta(description="The hand by name; seen by its seat and by `as=all` (P51).")]
        | UnsetType
    ) = UNSET


class DealtPile(Value, frozen=True, gc=False):
    """The draw pile after the deal."""

    count: Annotated[int, Meta(description="How many cards are left to draw.")]
    cards: (
        Annotated[tuple[Card, ...], Meta(description="In the order of drawing; seen by `as=all` only (P51).")]
        | UnsetType
    ) = UNSET


class CardsDealt(Event, frozen=True, gc=False, tag="cards_dealt"):
    """The deck was shuffled (shuffle 0 of the table) and five cards dealt to each seat."""

    shuffle: Annotated[int, Meta(description="The number of the shuffle, 0 (G1).")]
    first_seat: Annotated[Seat, Meta(description="Who begins, in every round (P4, P12).")]
    hands: Annotated[tuple[DealtHand, ...], Meta(description="By seat.")]
    pile: Annotated[DealtPile, Meta(description="What is left: the draw pile.")]


class RoundBegan(Event, frozen=True, gc=False, tag="round_began"):
    """A round began, or a further lap of the first round (P11, P12)."""

    round: Annotated[int, Meta(description="The round, from 1: up to round 5 no Level above it may be laid (P13).")]
    lap: Annotated[int, Meta(description="The lap of the first round, 1 to 13; 1 in every other round (P11).")]


class TurnBegan(Event, frozen=True, gc=False, tag="turn_began"):
    """A turn began; `cards_drawn` follows, with a reshuffle before it where the draw pile is empty (P5, P48)."""

    seat: Annotated[Seat, Meta(description="Whose turn.")]
    extra: Annotated[bool, Meta(description="True for the extra turn of an Alien Visit (P32).")]
    final: Annotated[bool, Meta(description="True for a final turn, after which this seat takes no other (P42).")]


SkipReason = Literal["attacked", "placed", "no_card"]


class TurnSkipped(Event, frozen=True, gc=False, tag="turn_skipped"):
    """A seat was passed over."""

    seat: Annotated[Seat, Meta(description="Who was passed over.")]
    reason: Annotated[
        SkipReason,
        Meta(
            description="`attacked`: it waits after an Alien Attack (P30, P43). `placed`: it has a card in its colony "
            "and waits until all have (P11). `no_card`: hand and both piles are empty (P48)."
        ),
    ]


class CardBuilt(Event, frozen=True, gc=False, tag="card_built"):
    """A seat laid a Level card in its own colony."""

    seat: Owner
    card: Annotated[Card, Meta(description="The structure or defense.")]
    cell: Place


class VisitLaid(Event, frozen=True, gc=False, tag="visit_laid"):
    """A seat laid an Alien Visit in its own colony; an extra turn follows unless the game is ending (P32, P44)."""

    seat: Owner
    cell: Place


class CapLaid(Event, frozen=True, gc=False, tag="cap_laid"):
    """A seat closed a crater of its own colony with a Meteor Cap (P38)."""

    seat: Owner
    cell: Place


class AttackLaid(Event, frozen=True, gc=False, tag="attack_laid"):
    """A seat laid an Alien Attack in an opponent's colony; the opponent skips the next turn (P29, P30)."""

    seat: Owner
    opponent: Target
    cell: TargetPlace


class StrikeLaid(Event, frozen=True, gc=False, tag="strike_laid"):
    """A seat destroyed a card in an opponent's colony; the crater covers it (P36)."""

    seat: Owner
    opponent: Target
    cell: TargetPlace
    destroyed: Annotated[Card, Meta(description="The card that counts no more and lies under the Strike.")]


class CardDiscarded(Event, frozen=True, gc=False, tag="card_discarded"):
    """A seat put a card face up on the discard pile instead of laying one (P7)."""

    seat: Owner
    card: Annotated[Card, Meta(description="The card, now the top of the discard pile.")]


class FinalRoundBegan(Event, frozen=True, gc=False, tag="final_round_began"):
    """A colony is full; every player but its owner takes one final turn (P42)."""

    full: Annotated[tuple[Seat, ...], Meta(description="The owners of full grids, who play no more (P41).")]
    order: Annotated[
        tuple[Seat, ...],
        Meta(description="Who takes a final turn, in this order; a seat that waits loses it (P43)."),
    ]


PlanetPioneerEvent = (
    CardsDealt
    | RoundBegan
    | TurnBegan
    | TurnSkipped
    | CardsDrawn
    | PileReshuffled
    | CardBuilt
    | VisitLaid
    | CapLaid
    | AttackLaid
    | StrikeLaid
    | CardDiscarded
    | FinalRoundBegan
)
