"""What can happen in a game: outcomes only, so that a replay needs neither rules nor chance."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from domain.games.events import CardsDrawn
from domain.games.universal_match.cards import Card, Cards
from domain.games.universal_match.commands import Source
from domain.games.universal_match.matches import Kind
from domain.values import Event, Seat, Value

Actor = Annotated[Seat, Meta(description="The seat that did it.", ge=0)]
Give = Annotated[Card, Meta(description="The card that left the actor.")]
Take = Annotated[Card, Meta(description="The card that the actor got.")]
From = Annotated[Source, Meta(description="Where `take` lay: an opponent's seat (his board) or `discard`.")]
Trio = tuple[Card, Card, Card]
Perfect = Annotated[
    bool, Meta(description="Whether the match is perfect; always false without advanced version B (U34, U51).")
]
TakenFrom = Annotated[Seat | None, Meta(description="Whose board it was taken from (U35); null: its owner made it.")]
EndReason = Literal["target_reached", "one_hand", "cap_hands"]


class DealtHand(Value, frozen=True, gc=False):
    """The six cards dealt to one seat."""

    seat: Annotated[Seat, Meta(description="Whose hand.", ge=0)]
    count: Annotated[int, Meta(description="How many cards: 6.")]
    cards: Annotated[Cards | UnsetType, Meta(description="The cards, in card order; only for their owner.")] = UNSET


class DealtStock(Value, frozen=True, gc=False):
    """What was left after the deal, face down."""

    count: Annotated[int, Meta(description="How many cards: 60 less 6 a seat.")]
    cards: Annotated[Cards | UnsetType, Meta(description="The cards in the order of drawing; only with `as=all`.")] = (
        UNSET
    )


class HandDealt(Event, frozen=True, gc=False, tag="hand_dealt"):
    """All 60 cards were shuffled and a hand was dealt (U1, U2, U4)."""

    shuffle: Annotated[int, Meta(description="The number of the table's shuffle: 0 for hand 1.", ge=0)]
    hand_number: Annotated[int, Meta(description="Which hand of the game, from 1.", ge=1)]
    dealer: Annotated[Seat, Meta(description="Who deals; the seat to the left begins.", ge=0)]
    extra: Annotated[
        int,
        Meta(description="0, or which extra hand this is (1 to 3) that a shared lead above the target asks for (U30)."),
    ]
    hands: Annotated[tuple[DealtHand, ...], Meta(description="The hands by seat.")]
    stock: Annotated[DealtStock, Meta(description="The stock.")]


class BoardChosen(Event, frozen=True, gc=False, tag="board_chosen"):
    """A seat has chosen its board; which cards, the others see when all have chosen (U8)."""

    seat: Actor
    count: Annotated[int, Meta(description="How many cards lie face down: 3.")]
    cards: Annotated[Cards | UnsetType, Meta(description="The cards in the order laid; only for their owner.")] = UNSET


class BoardsRevealed(Event, frozen=True, gc=False, tag="boards_revealed"):
    """All have chosen and turned their boards up (U8)."""

    boards: Annotated[tuple[Trio, ...], Meta(description="The boards by seat.")]


class TurnBegan(Event, frozen=True, gc=False, tag="turn_began"):
    """It is this seat's turn."""

    seat: Annotated[Seat, Meta(description="Whose turn it is.", ge=0)]
    dry_turns: Annotated[int, Meta(description="How many turns have passed since a card left the stock (U23).", ge=0)]
    forced_draw: Annotated[
        bool, Meta(description="Whether drawing is the only action allowed: three dry rounds have passed (U23).")
    ]


class CardDiscarded(Event, frozen=True, gc=False, tag="card_discarded"):
    """A seat that had drawn laid a card on the discard pile (U15)."""

    seat: Actor
    card: Annotated[Card, Meta(description="The card, now the top of the pile.")]


class BoardsSwitched(Event, frozen=True, gc=False, tag="boards_switched"):
    """A seat switched a card of its board with another board's or the top discard (option 2)."""

    seat: Actor
    give: Give
    take: Take
    source: From = field(name="from")


class HandSwitched(Event, frozen=True, gc=False, tag="hand_switched"):
    """A seat switched a card of its hand with another board's or the top discard (option 4)."""

    seat: Actor
    give: Give
    take: Take
    source: From = field(name="from")


class OwnSwitched(Event, frozen=True, gc=False, tag="own_switched"):
    """A seat switched a card of its hand (`give`) with one of its own board (`take`); both lie or lay open."""

    seat: Actor
    give: Give
    take: Take


class MatchMade(Event, frozen=True, gc=False, tag="match_made"):
    """The board of the seat whose turn it is was a match when its action was done (U10, U12)."""

    seat: Actor
    cards: Annotated[Trio, Meta(description="The board's cards in the order laid.")]
    kind: Kind
    perfect: Perfect


class MatchOffered(Event, frozen=True, gc=False, tag="match_offered"):
    """All opponents were asked whether they take the match (B: U35, U45)."""

    seat: Annotated[Seat, Meta(description="Whose match it is; this seat waits.", ge=0)]
    cards: Annotated[Trio, Meta(description="The match.")]
    asked: Annotated[tuple[Seat, ...], Meta(description="All opponents, ascending, whatever they hold.")]


class Taking(Value, frozen=True, gc=False):
    """How a seat would take a match."""

    give: Annotated[Card, Meta(description="The card that goes into the match.")]
    take: Annotated[Card, Meta(description="The card that it replaces.")]


class OfferAnswered(Event, frozen=True, gc=False, tag="offer_answered"):
    """A seat has answered an offer; what, nobody else ever sees (G8)."""

    seat: Actor
    answer: Annotated[
        Taking | UnsetType | None,
        Meta(description="How it would take the match; null: it declined. Only for the seat itself."),
    ] = UNSET


class MatchTaken(Event, frozen=True, gc=False, tag="match_taken"):
    """The first taker clockwise made the match perfect and took it (B: U35, U36)."""

    seat: Actor
    matcher: Annotated[Seat, Meta(description="Who had made the match.", ge=0)] = field(name="from")
    give: Annotated[Card, Meta(description="The taker's card that went into the match.")]
    take: Annotated[Card, Meta(description="The card that it replaced, now in the place of the taker's.")]
    place: Annotated[Literal["hand", "board"], Meta(description="The place of the taker's card.")]


class MatchBanked(Event, frozen=True, gc=False, tag="match_banked"):
    """A match was put aside; it counts when the hand ends (U24, U29)."""

    seat: Annotated[Seat, Meta(description="Who has it.", ge=0)]
    cards: Annotated[Trio, Meta(description="The match.")]
    kind: Kind
    perfect: Perfect
    taken_from: TakenFrom
    points: Annotated[int, Meta(description="The values of its cards (U28).")]
    bonus: Annotated[int, Meta(description="7 for a perfect match under B, else 0 (U34).")]


class BoardRefilled(Event, frozen=True, gc=False, tag="board_refilled"):
    """Three cards of the stock were laid on an emptied board, face up (U24, U41)."""

    seat: Annotated[Seat, Meta(description="Whose board.", ge=0)]
    cards: Annotated[Trio, Meta(description="The new cards.")]


class HandEnded(Event, frozen=True, gc=False, tag="hand_ended"):
    """A hand is over; matches on boards that were not collected are lost (U25, U26, U27)."""

    reason: Annotated[
        Literal["stock_empty", "stock_short"],
        Meta(description="The stock is empty (U26), or too short to refill a board (U25)."),
    ]
    points: Annotated[tuple[int, ...], Meta(description="This hand's points by seat, bonus included.")]
    totals: Annotated[tuple[int, ...], Meta(description="The totals by seat, this hand included.")]
    game_over: Annotated[
        EndReason | UnsetType,
        Meta(description="Why this hand was the last one; absent where another hand follows (U30, U31)."),
    ] = UNSET


UniversalMatchEvent = (
    HandDealt
    | BoardChosen
    | BoardsRevealed
    | TurnBegan
    | CardsDrawn
    | CardDiscarded
    | BoardsSwitched
    | HandSwitched
    | OwnSwitched
    | MatchMade
    | MatchOffered
    | OfferAnswered
    | MatchTaken
    | MatchBanked
    | BoardRefilled
    | HandEnded
)
