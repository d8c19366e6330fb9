"""What a viewer may see of a game, built from the state by the rules, never by leaving things out later."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.games.universal_match.cards import Card, Cards, in_order
from domain.games.universal_match.events import Taking
from domain.games.universal_match.state import Match, Offer, Phase, State, hand_points
from domain.values import ALL, Seat, Value, Viewer, may_see


class SeatView(Value, frozen=True, kw_only=True):
    """One seat as a viewer sees it."""

    seat: Annotated[Seat, Meta(description="Which seat, from 0.", ge=0)]
    hand_count: Annotated[int, Meta(description="How many cards its hand holds.", ge=0)]
    hand: Annotated[
        Cards | UnsetType,
        Meta(description="Its hand in card order; for its owner, and for everybody when the table has ended."),
    ] = UNSET
    drawn: Annotated[
        Card | UnsetType,
        Meta(description="The card just drawn, which is in the hand too; for its owner, in phase `discard` (U47)."),
    ] = UNSET
    chosen_count: Annotated[Literal[0, 3], Meta(description="How many cards lie face down as its chosen board (U8).")]
    chosen: Annotated[Cards | UnsetType, Meta(description="Those cards in the order laid; for their owner.")] = UNSET
    board: Annotated[Cards, Meta(description="Its board in the order laid; empty until all have chosen.")]
    total: Annotated[int, Meta(description="Its points from the finished hands.", ge=0)]
    hand_points: Annotated[int, Meta(description="This hand's points so far, bonus included.", ge=0)]
    matches: Annotated[tuple[Match, ...], Meta(description="The matches that it has put aside in this hand.")]


class AnswerView(Value, frozen=True):
    """What a seat has answered to an offer."""

    seat: Annotated[Seat, Meta(description="Who answered.", ge=0)]
    answer: Annotated[Taking | None, Meta(description="How it would take the match; null: it declined.")]


class OfferView(Value, frozen=True):
    """A match that the opponents of its maker are asked about (U35, U45)."""

    seat: Annotated[Seat, Meta(description="Whose match it is; it still lies on that board.", ge=0)]
    cards: Annotated[Cards, Meta(description="The match.")]
    asked: Annotated[tuple[Seat, ...], Meta(description="All opponents, ascending, whatever they hold.")]
    answered: Annotated[tuple[Seat, ...], Meta(description="Those that have answered, ascending; not what (G8).")]
    own_answer: Annotated[
        Taking | UnsetType | None,
        Meta(description="The viewer's own answer, null: declined; absent until given."),
    ] = UNSET
    answers: Annotated[
        tuple[AnswerView, ...] | UnsetType, Meta(description="All answers so far; only with `as=all`.")
    ] = UNSET


class View(Value, frozen=True, kw_only=True):
    """The game as one viewer sees it; always 60 cards in all."""

    game: Literal["universal-match"] = "universal-match"
    phase: Annotated[
        Phase,
        Meta(
            description="`choose`: the boards are chosen. `turn`: the seat in turn does one action. `discard`: it has "
            "drawn. `offer`: its opponents are asked whether they take its match. `over`: the table has ended."
        ),
    ]
    hand_number: Annotated[int, Meta(description="Which hand is played, from 1.", ge=0)]
    dealer: Annotated[Seat, Meta(description="Who dealt; the seat to the left began (U2).", ge=0)]
    turn: Annotated[Seat | None, Meta(description="Whose turn it is; null while boards are chosen and at the end.")]
    forced_draw: Annotated[bool, Meta(description="Whether only drawing is allowed (U23).")]
    dry_turns: Annotated[int, Meta(description="How many turns have passed since a card left the stock (U23).", ge=0)]
    seats: Annotated[tuple[SeatView, ...], Meta(description="All seats in order.")]
    offer: Annotated[OfferView | None, Meta(description="The match on offer; null where there is none.")]
    stock_count: Annotated[int, Meta(description="How many cards the stock holds.", ge=0)]
    stock: Annotated[Cards | UnsetType, Meta(description="The stock in the order of drawing; only with `as=all`.")] = (
        UNSET
    )
    discard: Annotated[Cards, Meta(description="The discard pile from bottom to top; only the top can be taken (U46).")]
    banned_pairs: Annotated[
        tuple[tuple[Card, Card], ...],
        Meta(description="Pairs of cards that may not be switched between two boards again in this hand (U22)."),
    ]


def view(state: State, viewer: Viewer, *, over: bool, shown: bool) -> View:
    """Give what this viewer may see; `over`: the table has ended; `shown`: the hands lie open to everybody."""
    points = hand_points(state)
    ended = over or state.phase == "over"
    return View(
        phase="over" if ended else state.phase,
        hand_number=state.series.hand_number,
        dealer=state.series.dealer,
        turn=None if ended else state.turn,
        forced_draw=state.forced_draw and not ended,
        dry_turns=state.dry_turns,
        seats=tuple(_seat_view(state, Seat(i), viewer, points[i], shown=shown) for i in range(state.series.seats)),
        offer=None if ended or state.offer is None else _offer_view(state.offer, viewer),
        stock_count=len(state.stock),
        stock=state.stock if viewer == ALL else UNSET,
        discard=state.discard,
        banned_pairs=state.banned,
    )


def hands(state: State) -> tuple[Cards, ...]:
    """Give all hands by seat, in card order, for the table's last entry."""
    return tuple(in_order(hand) for hand in state.hands)


def _seat_view(state: State, seat: Seat, viewer: Viewer, points: int, *, shown: bool) -> SeatView:
    own = may_see(viewer, seat)
    hand, chosen = state.hands[seat], state.chosen[seat]
    has_drawn = own and state.turn == seat and state.drawn is not None
    return SeatView(
        seat=seat,
        hand_count=len(hand),
        hand=hand if own or shown else UNSET,
        drawn=state.drawn if has_drawn and state.drawn is not None else UNSET,
        chosen_count=3 if chosen else 0,
        chosen=chosen if own else UNSET,
        board=state.boards[seat],
        total=state.series.totals[seat],
        hand_points=points,
        matches=state.matches[seat],
    )


def _offer_view(offer: Offer, viewer: Viewer) -> OfferView:
    own = [answer for seat, answer in offer.answers if seat == viewer]
    return OfferView(
        seat=offer.seat,
        cards=offer.cards,
        asked=offer.asked,
        answered=tuple(sorted(seat for seat, _ in offer.answers)),
        own_answer=own[0] if own else UNSET,
        answers=tuple(AnswerView(*answer) for answer in offer.answers) if viewer == ALL else UNSET,
    )
