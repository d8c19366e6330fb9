"""The state of a game: what the events add up to. Only the rules see it; views show parts of it."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.games.universal_match.cards import CARDS, ORDER, Card, Cards
from domain.games.universal_match.commands import MAX_SEATS
from domain.games.universal_match.events import EndReason, Perfect, TakenFrom, Taking
from domain.games.universal_match.matches import Kind
from domain.games.universal_match.options import Options
from domain.values import Seat, Value

SEATS: Final = tuple(Seat(i) for i in range(MAX_SEATS))
NO_CARDS: Final[frozenset[Card]] = frozenset()

Phase = Literal["choose", "turn", "discard", "offer", "over"]


class Match(Value, frozen=True, gc=False):
    """A match put aside in this hand."""

    cards: Annotated[Cards, Meta(description="Its three cards in the order laid.")]
    kind: Kind
    perfect: Perfect
    taken_from: TakenFrom
    points: Annotated[int, Meta(description="The values of its cards (U28).")]
    bonus: Annotated[int, Meta(description="7 for a perfect match under B, else 0 (U34).")]


class Offer(Value, frozen=True, gc=False):
    """A match that all opponents of its maker are asked about; `answers` in the order given (None: declined)."""

    seat: Seat
    cards: Cards
    asked: tuple[Seat, ...]
    answers: tuple[tuple[Seat, Taking | None], ...] = ()


class Series(Value, frozen=True, gc=False):
    """What changes only from hand to hand; `extra` is which extra hand of U30 is played, `reason` why all ended."""

    options: Options
    seats: int
    hand_number: int
    dealer: Seat
    extra: int
    totals: tuple[int, ...]
    reason: EndReason | None = None


class State(Value, frozen=True, gc=False):
    """A game at one moment; zones by seat, hands in card order, boards in the order laid.

    `stock[0]` is drawn next, `discard[-1]` is the top of the pile; `drawn` is the card just drawn, which is in
    the hand too. A match that is on offer lies on its maker's board until it is banked. `banned` are the pairs of
    U22 in the order in which they were switched; `met` says the same for each card, in card order.
    """

    series: Series
    phase: Phase
    hands: tuple[Cards, ...]
    boards: tuple[Cards, ...]
    chosen: tuple[Cards, ...]
    stock: Cards
    discard: Cards
    turn: Seat | None = None
    dry_turns: int = 0
    forced_draw: bool = False
    drawn: Card | None = None
    offer: Offer | None = None
    banned: tuple[tuple[Card, Card], ...] = ()
    met: tuple[frozenset[Card], ...] = (NO_CARDS,) * len(CARDS)
    matches: tuple[tuple[Match, ...], ...] = ()


def initial(options: Options, seats: int) -> State:
    """Give the state before the first deal."""
    empty: tuple[Cards, ...] = ((),) * seats
    series = Series(options=options, seats=seats, hand_number=0, dealer=Seat(0), extra=0, totals=(0,) * seats)
    return State(
        series=series,
        phase="choose",
        hands=empty,
        boards=empty,
        chosen=empty,
        stock=(),
        discard=(),
        matches=((),) * seats,
    )


def hand_points(state: State) -> tuple[int, ...]:
    """Give this hand's points by seat, bonus included (U29)."""
    return tuple(sum(match.points + match.bonus for match in matches) for matches in state.matches)


def to_act(state: State) -> tuple[Seat, ...]:
    """Give the seats that must decide now: all that have not chosen or answered, else the seat in turn (G8)."""
    match state.phase:
        case "turn" | "discard":
            return () if state.turn is None else (state.turn,)
        case "choose":
            return tuple(seat for seat, cards in zip(SEATS, state.chosen, strict=False) if not cards)
        case "offer" if state.offer is not None:
            answered = {seat for seat, _ in state.offer.answers}
            return tuple(seat for seat in state.offer.asked if seat not in answered)
        case _:
            return ()


def is_banned(state: State, give: Card, take: Card) -> bool:
    """Tell whether two cards were switched between boards in this hand (U22)."""
    return take in state.met[ORDER[give]]


def banned_pair(one: Card, other: Card) -> tuple[Card, Card]:
    """Give the unordered pair of two cards, in card order, as `State.banned` holds it (U22)."""
    return (one, other) if ORDER[one] < ORDER[other] else (other, one)
