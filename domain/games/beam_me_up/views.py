"""What a viewer may see of the state and of the log: two halves of one rule."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.games.beam_me_up.cards import Card, Racer
from domain.games.beam_me_up.events import BeamMeUpEvent, CardsDealt, DealtHand, DealtPile
from domain.games.beam_me_up.rules import is_over
from domain.games.beam_me_up.state import State
from domain.games.beam_me_up.trick import Trick
from domain.games.events import CardsDrawn, PileReshuffled, redact_drawn, redact_reshuffled
from domain.values import ALL, Seat, Value, Viewer, may_see


class SeatView(Value, frozen=True):
    """One seat as a viewer sees it."""

    seat: Annotated[Seat, Meta(description="The seat.")]
    hand_count: Annotated[int, Meta(description="How many cards the hand has.")]
    line_count: Annotated[int, Meta(description="How many cards stand in the Beam Me Up line, three at most (B8).")]
    racers: Annotated[
        tuple[Racer, ...], Meta(description="The Space Racers it has launched, in the order of launching.")
    ]
    hand: (
        Annotated[
            tuple[Card, ...],
            Meta(description="The hand in card order; only for the seat itself, for `as=all` and after the end (B37)."),
        ]
        | UnsetType
    ) = UNSET
    line: (
        Annotated[
            tuple[Card, ...],
            Meta(
                description="The Beam Me Up line in card order. Open to all; with the option `lines: hidden` seen as "
                "a hand is (B34)."
            ),
        ]
        | UnsetType
    ) = UNSET


class BeamMeUpView(Value, frozen=True, tag_field="game", tag="beam-me-up"):
    """A game of Beam Me Up as one viewer sees it."""

    phase: Annotated[
        Literal["play", "pick", "launch", "over"],
        Meta(
            description="`play`: the seat to act lays a card. `pick`: the winner of the trick takes cards. `launch`: "
            "the winner must launch a Space Racer (B23). `over`: the game has ended."
        ),
    ]
    dealer: Annotated[Seat, Meta(description="The dealer (B1).")]
    leader: Annotated[Seat, Meta(description="Who leads this trick (B11).")]
    seats: Annotated[tuple[SeatView, ...], Meta(description="All seats, clockwise, from seat 0.")]
    trick: Annotated[Trick, Meta(description="The trick on the table.")]
    racers: Annotated[
        tuple[Racer, ...], Meta(description="The Space Racers still to be had, by distance from the Sun (B2).")
    ]
    draw_count: Annotated[int, Meta(description="How many cards the draw pile has (B3).")]
    discard_count: Annotated[int, Meta(description="How many cards the discard pile has.")]
    discard_top: Annotated[
        Card | None, Meta(description="The top card of the discard pile; null where it is empty (B36).")
    ]
    home_count: Annotated[int, Meta(description="How many aliens have left the game with a Space Racer (B26).")]
    draw: (
        Annotated[tuple[Card, ...], Meta(description="The draw pile in the order of drawing; for `as=all` only.")]
        | UnsetType
    ) = UNSET
    discard: (
        Annotated[tuple[Card, ...], Meta(description="The discard pile from bottom to top; for `as=all` only (B36).")]
        | UnsetType
    ) = UNSET
    home: (
        Annotated[tuple[Card, ...], Meta(description="The aliens that are home, in their order; for `as=all` only.")]
        | UnsetType
    ) = UNSET


def view(state: State, viewer: Viewer, *, over: bool = False, shown: bool = False) -> BeamMeUpView:
    """Give what the viewer may see; `over`: the table has ended, `shown`: hands and lines lie open for everybody."""
    hidden_lines = state.options.lines == "hidden"
    seats = []
    for number in range(state.seats):
        seat = Seat(number)
        hand, line = state.hands[seat], state.lines[seat]
        own = shown or may_see(viewer, seat)
        seats.append(
            SeatView(
                seat,
                len(hand),
                len(line),
                state.racers[seat],
                hand if own else UNSET,
                line if own or not hidden_lines else UNSET,
            )
        )
    everything = viewer == ALL
    return BeamMeUpView(
        phase="over" if over or is_over(state) else state.phase,
        dealer=state.dealer,
        leader=state.leader,
        seats=tuple(seats),
        trick=state.trick,
        racers=state.racers_left,
        draw_count=len(state.draw),
        discard_count=len(state.discard),
        discard_top=state.discard[-1] if state.discard else None,
        home_count=len(state.home),
        draw=state.draw if everything else UNSET,
        discard=state.discard if everything else UNSET,
        home=state.home if everything else UNSET,
    )


def redact(event: BeamMeUpEvent, viewer: Viewer) -> BeamMeUpEvent:
    """Give the event as the viewer may see it: others' cards and the pile's order are left out."""
    if type(event) not in _SECRET:
        return event
    match event:
        case CardsDrawn():
            return redact_drawn(event, viewer)
        case PileReshuffled():
            return redact_reshuffled(event, viewer)
        case CardsDealt() if viewer != ALL:
            return CardsDealt(
                shuffle=event.shuffle,
                dealer=event.dealer,
                leader=event.leader,
                hands=tuple(
                    dealt if may_see(viewer, dealt.seat) else DealtHand(dealt.seat, dealt.count)
                    for dealt in event.hands
                ),
                pile=DealtPile(event.pile.count),
            )
        case _:
            return event


_SECRET: Final = frozenset({CardsDrawn, PileReshuffled, CardsDealt})
"""Everything else happens face up; asked first, because a `case` that doesn't fit is slow."""


def hands(state: State) -> tuple[tuple[str, ...] | None, ...]:
    """All hands by seat, in card order."""
    return state.hands
