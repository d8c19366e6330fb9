"""What a viewer may see of the state and of the log: two halves of one rule (P51)."""

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.games.events import CardsDrawn, PileReshuffled, redact_drawn, redact_reshuffled
from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.events import CardsDealt, DealtHand, DealtPile, PlanetPioneerEvent
from domain.games.planet_pioneer.grid import CELLS, Cell
from domain.games.planet_pioneer.scoring import is_over
from domain.games.planet_pioneer.state import FinalRound, State
from domain.games.planet_pioneer.turns import dry_rounds_now
from domain.values import ALL, Seat, Value, Viewer, may_see


class CellView(Value, frozen=True):
    """A covered cell of a colony."""

    cell: Annotated[Cell, Meta(description="`[row, column]`, both from 0; the Base lies at `[0, 2]` (P1).")]
    cards: Annotated[
        tuple[Card, ...],
        Meta(
            description="What lies there, from bottom to top. The top card says what the cell is: a Level card that "
            "lives, a Meteor Strike (a crater), a Meteor Cap (a capped crater), an Alien Attack, an Alien Visit or "
            "the `base_station`."
        ),
    ]
    level: Annotated[int, Meta(description="What the cell counts now: the Level of its top card (P17, P18, P38).")]


class SeatView(Value, frozen=True):
    """One player as a viewer sees him."""

    seat: Annotated[Seat, Meta(description="The seat.")]
    hand_count: Annotated[int, Meta(description="How many cards the hand has.")]
    waiting: Annotated[bool, Meta(description="Will skip the next turn, after an Alien Attack (P30).")]
    placed: Annotated[bool, Meta(description="Has laid a card in the first round (P11).")]
    covered: Annotated[
        int, Meta(description="How many cells are covered, the Base included; 20 is a full grid (P2, P37).")
    ]
    colony_level: Annotated[int, Meta(description="The Levels of all living cards in the colony, caps included (P46).")]
    colony: Annotated[tuple[CellView, ...], Meta(description="The covered cells by row, then column.")]
    hand: (
        Annotated[
            tuple[Card, ...],
            Meta(description="The hand by name; only for the seat itself, for `as=all` and after the end (P51)."),
        ]
        | UnsetType
    ) = UNSET


class TurnView(Value, frozen=True):
    """The turn that goes on."""

    seat: Annotated[Seat, Meta(description="Whose turn it is.")]
    extra: Annotated[bool, Meta(description="True in the extra turn of an Alien Visit (P32).")]


class PlanetPioneerView(Value, frozen=True, tag_field="game", tag="planet-pioneer"):
    """A game of Planet Pioneer as one viewer sees it."""

    phase: Annotated[
        Literal["play", "final", "over"],
        Meta(
            description="`play`: nobody has filled a grid. `final`: somebody has, and the others take one final turn "
            "each (P42). `over`: the game has ended."
        ),
    ]
    round: Annotated[int, Meta(description="The round; up to round 5 no Level above it may be laid (P12, P13).")]
    lap: Annotated[
        int, Meta(description="The lap of the first round; above 1 only in a first round that goes on (P11).")
    ]
    first_seat: Annotated[Seat, Meta(description="Who begins each round (P4).")]
    turn: Annotated[TurnView | None, Meta(description="Whose turn it is; null after the end.")]
    seats: Annotated[tuple[SeatView, ...], Meta(description="All seats, clockwise, from seat 0.")]
    final: Annotated[
        FinalRound | None, Meta(description="The final round; null as long as nobody has filled a grid (P42).")
    ]
    draw_count: Annotated[int, Meta(description="How many cards the draw pile has.")]
    discard_count: Annotated[int, Meta(description="How many cards the discard pile has.")]
    discard_top: Annotated[
        Card | None, Meta(description="The top card of the discard pile; null where it is empty (P51).")
    ]
    dry_rounds: Annotated[
        int, Meta(description="How many full rounds in a row nobody has laid a card; three end the game (P49).")
    ]
    draw: (
        Annotated[tuple[Card, ...], Meta(description="The draw pile in the order of drawing; for `as=all` only.")]
        | UnsetType
    ) = UNSET
    discard: (
        Annotated[tuple[Card, ...], Meta(description="The discard pile from bottom to top; for `as=all` only.")]
        | UnsetType
    ) = UNSET


def view(state: State, viewer: Viewer, *, over: bool = False, shown: bool = False) -> PlanetPioneerView:
    """Give what the viewer may see; `over`: the table has ended, `shown`: the hands lie open for everybody."""
    flow, stock = state.flow, state.stock
    ended = is_over(state)
    over = over or ended
    everything = viewer == ALL
    return PlanetPioneerView(
        phase="over" if over else "play" if flow.final is None else "final",
        round=flow.round,
        lap=flow.lap,
        first_seat=flow.first_seat,
        turn=None if over or state.turn is None else TurnView(state.turn, state.extra),
        seats=tuple(_seat(state, Seat(seat), viewer, shown=shown) for seat in range(state.setup.seats)),
        final=flow.final,
        draw_count=stock.draw_count,
        discard_count=len(stock.discard),
        discard_top=stock.discard[-1] if stock.discard else None,
        dry_rounds=dry_rounds_now(state) if ended and flow.final is None else flow.dry_rounds,
        draw=stock.pile[stock.drawn :] if everything else UNSET,
        discard=stock.discard if everything else UNSET,
    )


def redact(event: PlanetPioneerEvent, viewer: Viewer) -> PlanetPioneerEvent:
    """Give the event as the viewer may see it: others' cards and the pile's order are left out."""
    match event:
        case CardsDrawn():
            return redact_drawn(event, viewer)
        case PileReshuffled():
            return redact_reshuffled(event, viewer)
        case CardsDealt():
            if viewer == ALL:
                return event
            return CardsDealt(
                shuffle=event.shuffle,
                first_seat=event.first_seat,
                hands=tuple(
                    dealt if may_see(viewer, dealt.seat) else DealtHand(dealt.seat, dealt.count)
                    for dealt in event.hands
                ),
                pile=DealtPile(event.pile.count),
            )
        case _:  # everything else happens face up
            return event


def hands(state: State) -> tuple[tuple[str, ...] | None, ...]:
    """All hands by seat, by name."""
    return state.hands


def _seat(state: State, seat: Seat, viewer: Viewer, *, shown: bool) -> SeatView:
    hand, colony = state.hands[seat], state.colonies[seat]
    return SeatView(
        seat,
        len(hand),
        bool(state.flow.waiting >> seat & 1),
        bool(state.flow.placed >> seat & 1),
        colony.covered.bit_count(),
        colony.level,
        _cells(colony.laid),
        hand if shown or may_see(viewer, seat) else UNSET,
    )


@lru_cache(maxsize=2048)
def _cells(laid: tuple[tuple[int, Card, int], ...]) -> tuple[CellView, ...]:
    """Give the covered cells; remembered, since a turn changes one colony and the view shows all."""
    stacks: dict[int, tuple[Card, ...]] = {}
    levels: dict[int, int] = {}
    for number, card, level in laid:
        stacks[number] = (*stacks.get(number, ()), card)
        levels[number] = level
    return tuple([CellView(CELLS[number], stacks[number], levels[number]) for number in sorted(stacks)])
