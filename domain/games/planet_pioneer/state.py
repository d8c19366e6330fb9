"""The whole state of a game, hidden cards and all; a viewer gets a view of it, never this."""

from typing import Annotated

from msgspec import Meta

from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.colony import FOUNDED, Colony
from domain.games.planet_pioneer.deck import Deck, deck_of
from domain.games.planet_pioneer.options import Options
from domain.values import Seat, Value

SeatSet = int
"""A set of seats, one bit each."""


class Setup(Value, frozen=True, gc=False):
    """What never changes at a table."""

    options: Options
    seats: int
    deck: Deck


class Stock(Value, frozen=True, gc=False):
    """The two piles: `pile[drawn:]` is still to be drawn, next card first; `discard` from bottom to top.

    `shuffles` is how often cards have been shuffled: the number of the next shuffle.
    """

    pile: tuple[Card, ...]
    drawn: int
    discard: tuple[Card, ...]
    shuffles: int

    @property
    def draw_count(self) -> int:
        """How many cards can be drawn before a reshuffle."""
        return len(self.pile) - self.drawn

    @property
    def is_empty(self) -> bool:
        """Tell whether both piles are empty, so that nobody can draw (P48)."""
        return self.drawn == len(self.pile) and not self.discard


class FinalRound(Value, frozen=True, gc=False):
    """The final round: the owners of full grids, and who has not finished the final turn, in order (P42)."""

    full: Annotated[tuple[Seat, ...], Meta(description="The owners of full grids, who play no more (P41).")]
    still_to_play: Annotated[
        tuple[Seat, ...],
        Meta(description="Who has not finished the final turn, in order of play; the seat in turn stands first (P42)."),
    ]


class Flow(Value, frozen=True, gc=False):
    """Where the play stands between turns; `waiting` (P30) and `placed` (P11) are sets of seats.

    `round` is 0 before the deal; `lap` above 1 only in a first round that goes on (P11); `dry_rounds` is how many full
    rounds before this one, without a break, had no card laid (P49).
    """

    first_seat: Seat
    round: int
    lap: int
    dry_rounds: int
    waiting: SeatSet
    placed: SeatSet
    final: FinalRound | None


class State(Value, frozen=True, gc=False):
    """The game, hands (by name) and colonies by seat.

    `turn` is None between turns, before the deal and after the end; `extra`: the turn is that of a Visit (P32);
    `laid`: a card has been laid in this round (P49).
    """

    setup: Setup
    flow: Flow
    turn: Seat | None
    extra: bool
    laid: bool
    stock: Stock
    hands: tuple[tuple[Card, ...], ...]
    colonies: tuple[Colony, ...]


def initial(options: Options, seats: int) -> State:
    """Give the state before the deal."""
    return State(
        setup=Setup(options, seats, deck_of(options)),
        flow=Flow(Seat(0), 0, 1, 0, 0, 0, None),
        turn=None,
        extra=False,
        laid=False,
        stock=Stock((), 0, (), 0),
        hands=((),) * seats,
        colonies=(FOUNDED,) * seats,
    )
