"""What happened in a game of Beam Me Up; `PileReshuffled` and `CardsDrawn` are those of every game."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.games.beam_me_up.cards import Card, Racer
from domain.games.events import CardsDrawn, PileReshuffled
from domain.values import Event, Seat, Value

_LAYER = Meta(description="The layer of the trick, from 1; each tie adds one (B13).")
_LEADER = Meta(description="Who leads the next trick (B11, B18).")


class DealtHand(Value, frozen=True, gc=False):
    """The cards that one seat was dealt."""

    seat: Annotated[Seat, Meta(description="Whose hand it is.")]
    count: Annotated[int, Meta(description="How many cards were dealt to it: 4.")]
    cards: (
        Annotated[
            tuple[Card, ...], Meta(description="The cards in card order; only that seat and `as=all` see them (B37).")
        ]
        | UnsetType
    ) = UNSET


class DealtPile(Value, frozen=True, gc=False):
    """The draw pile after the deal."""

    count: Annotated[int, Meta(description="How many cards the draw pile has (B3).")]
    cards: (
        Annotated[tuple[Card, ...], Meta(description="The cards in the order of drawing; only `as=all` sees them.")]
        | UnsetType
    ) = UNSET


class CardsDealt(Event, frozen=True, gc=False, tag="cards_dealt"):
    """The aliens were shuffled and four dealt to each seat; the rest is the draw pile."""

    shuffle: Annotated[int, Meta(description="The number of the shuffle at this table: the deal is 0.")]
    dealer: Annotated[Seat, Meta(description="The dealer, drawn by the table's seed (B1).")]
    leader: Annotated[Seat, Meta(description="Who leads the first trick: the seat to the dealer's left.")]
    hands: Annotated[tuple[DealtHand, ...], Meta(description="The hands by seat.")]
    pile: Annotated[DealtPile, Meta(description="The draw pile.")]


class TurnBegan(Event, frozen=True, gc=False, tag="turn_began"):
    """It is a seat's turn to lay a card; in layer 1 it first draws up to five cards (B4, B12)."""

    seat: Annotated[Seat, Meta(description="Whose turn it is.")]
    trick: Annotated[int, Meta(description="The number of the trick, from 1.")]
    layer: Annotated[int, _LAYER]


class CardPlayed(Event, frozen=True, gc=False, tag="card_played"):
    """A seat laid a card face up."""

    seat: Annotated[Seat, Meta(description="Who laid it.")]
    card: Annotated[Card, Meta(description="The card that was laid.")]
    layer: Annotated[int, _LAYER]


class LayerTied(Event, frozen=True, gc=False, tag="layer_tied"):
    """The highest number of a layer was laid more than once (B13, B14)."""

    layer: Annotated[int, _LAYER]
    seats: Annotated[tuple[Seat, ...], Meta(description="The seats that laid the highest number, ascending.")]
    number: Annotated[int, Meta(description="The number that they share.")]


class TrickWon(Event, frozen=True, gc=False, tag="trick_won"):
    """A seat won the trick with the highest number of its newest layer (B6, B14)."""

    seat: Annotated[Seat, Meta(description="The winner.")]
    card: Annotated[Card, Meta(description="The card that won.")]
    picks: Annotated[int, Meta(description="How many cards the winner may take: one for each layer (B19).")]


class TrickVoided(Event, frozen=True, gc=False, tag="trick_voided"):
    """A layer was tied and the hands are empty: nobody takes a card of this trick (B18)."""

    discarded: Annotated[
        tuple[Card, ...], Meta(description="The trick's cards in the order laid, as they go to the discard pile.")
    ]
    leader: Annotated[Seat, _LEADER]


class CardCollected(Event, frozen=True, gc=False, tag="card_collected"):
    """The winner put a card of the trick into the line (B7)."""

    seat: Annotated[Seat, Meta(description="The winner of the trick.")]
    card: Annotated[Card, Meta(description="The card that was taken.")]
    replaced: (
        Annotated[
            Card,
            Meta(description="The card that left the full line for the discard pile (B10); absent if none did."),
        ]
        | UnsetType
    ) = UNSET
    complete: (
        Annotated[
            Literal[True],
            Meta(description="Three alike and a matching Space Racer is left: it must be launched now (B22, B23)."),
        ]
        | UnsetType
    ) = UNSET


class PicksDeclined(Event, frozen=True, gc=False, tag="picks_declined"):
    """The winner takes no more cards of this trick (B7, B20)."""

    seat: Annotated[Seat, Meta(description="The winner of the trick.")]
    declined: Annotated[int, Meta(description="How many picks lapse.")]


class RacerLaunched(Event, frozen=True, gc=False, tag="racer_launched"):
    """A seat called «Beam Me Up»: a Space Racer came for three aliens of its line (B23)."""

    seat: Annotated[Seat, Meta(description="Who launched it and keeps it.")]
    racer: Annotated[Racer, Meta(description="The Space Racer.")]
    aliens: Annotated[tuple[Card, ...], Meta(description="The three aliens of the line, in card order.")]
    to: Annotated[
        Literal["home", "discard"], Meta(description="Where the aliens went, by the option `launched_aliens` (B26).")
    ]


class TrickCleared(Event, frozen=True, gc=False, tag="trick_cleared"):
    """The picks are done: the rest of the trick goes to the discard pile (B36)."""

    discarded: Annotated[
        tuple[Card, ...], Meta(description="The cards that nobody took, in the order laid; the last is the new top.")
    ]
    leader: Annotated[Seat, _LEADER]


BeamMeUpEvent = (
    CardsDealt
    | TurnBegan
    | CardsDrawn
    | PileReshuffled
    | CardPlayed
    | LayerTied
    | TrickWon
    | TrickVoided
    | CardCollected
    | PicksDeclined
    | RacerLaunched
    | TrickCleared
)
