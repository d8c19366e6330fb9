"""The deal, and what follows the end of a turn: skipped seats, rounds, the next turn with its draw, the end."""

from typing import Final

from domain.chance import Chance
from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.events import (
    CardsDealt,
    DealtHand,
    DealtPile,
    FinalRoundBegan,
    PlanetPioneerEvent,
    RoundBegan,
    TurnBegan,
    TurnSkipped,
)
from domain.games.planet_pioneer.evolve import evolve
from domain.games.planet_pioneer.state import Flow, State
from domain.values import Seat

HAND: Final = 5
CAP_LAPS: Final = 13
"""The first round has at most so many laps, 12 of them of waiting (P11)."""
CAP_DRY_ROUNDS: Final = 3
CAP_ROUNDS: Final = 60


class _Draft:
    """The events of one entry while they are decided, with the state as they leave it."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[PlanetPioneerEvent] = []

    def add(self, event: PlanetPioneerEvent) -> None:
        self.state = evolve(self.state, event)
        self.events.append(event)

    def begin_turn(self, seat: Seat, *, extra: bool = False, final: bool = False) -> bool:
        """Begin a turn with its draw (P5), or pass over a seat that can neither play nor draw (P48)."""
        state = self.state
        stock = state.stock
        if not state.hands[seat] and stock.is_empty:
            self.add(TurnSkipped(seat, "no_card"))
            return False
        self.events.append(TurnBegan(seat, extra, final))
        pile, drawn = stock.pile, stock.drawn
        if drawn == len(pile) and stock.discard:
            pile, drawn = self.chance.shuffle(stock.shuffles, sorted(stock.discard)), 0
            self.events.append(PileReshuffled(stock.shuffles, len(pile), pile))
        cards = pile[drawn : drawn + 1]
        self.events.append(CardsDrawn(seat, len(cards), cards))
        return True


def deal(state: State, chance: Chance) -> tuple[PlanetPioneerEvent, ...]:
    """Shuffle the deck, give seat 0 the first five cards and so on, and begin round 1 (SETUP, P4, P52)."""
    setup = state.setup
    cards = chance.shuffle(0, setup.deck.cards)
    wanted = setup.options.first_seat
    first = Seat(chance.pick("first_seat", setup.seats)) if wanted is None else wanted
    pile = cards[HAND * setup.seats :]
    draft = _Draft(state, chance)
    draft.add(
        CardsDealt(
            shuffle=0,
            first_seat=first,
            hands=tuple(_hand(Seat(seat), cards) for seat in range(setup.seats)),
            pile=DealtPile(len(pile), pile),
        )
    )
    draft.add(RoundBegan(1, 1))
    draft.begin_turn(first)
    return tuple(draft.events)


def after_turn(state: State, seat: Seat, chance: Chance, *, extra: bool) -> list[PlanetPioneerEvent]:
    """Give what follows when a seat has laid or discarded; `extra`: it laid an Alien Visit.

    In this order: a full grid ends the game (P40); a final round goes on (P42); the extra turn (P32); the next
    seat that may act, by way of skipped ones and new rounds. No turn begins where the game is over.
    """
    draft = _Draft(state, chance)
    if state.final is None and any(colony.is_full for colony in state.colonies):
        draft.add(_final_round(state, seat))
    if draft.state.final is not None:
        _next_final_turn(draft)
    elif not (extra and draft.begin_turn(seat, extra=True)):
        _next_turn(draft, seat)
    return draft.events


def dry_rounds_now(flow: Flow) -> int:
    """Give the number of rounds in a row without a card laid, if this round ended now (P49)."""
    return 0 if flow.laid else flow.dry_rounds + 1


def _hand(seat: Seat, cards: tuple[Card, ...]) -> DealtHand:
    own = tuple(sorted(cards[HAND * seat : HAND * (seat + 1)]))
    return DealtHand(seat, len(own), own)


def _final_round(state: State, seat: Seat) -> FinalRoundBegan:
    full = tuple(Seat(owner) for owner, colony in enumerate(state.colonies) if colony.is_full)
    seats = state.setup.seats
    clockwise = (Seat((seat + step) % seats) for step in range(1, seats + 1))
    return FinalRoundBegan(full, tuple(other for other in clockwise if other not in full))


def _next_final_turn(draft: _Draft) -> None:
    while (final := draft.state.final) is not None and final.still_to_play:
        seat = final.still_to_play[0]
        if draft.state.waiting >> seat & 1:
            draft.add(TurnSkipped(seat, "attacked"))
        elif draft.begin_turn(seat, final=True):
            return


def _next_turn(draft: _Draft, seat: Seat) -> None:
    while True:
        state = draft.state
        flow = state.flow
        first_goes_on = flow.round == 1 and state.setup.options.first_round == "until_all_placed"
        all_placed = state.placed == (1 << state.setup.seats) - 1
        seat = Seat((seat + 1) % state.setup.seats)
        if seat == flow.first_seat or (first_goes_on and all_placed):
            if first_goes_on and not all_placed and flow.lap < CAP_LAPS:
                draft.add(RoundBegan(1, flow.lap + 1))
            elif dry_rounds_now(flow) == CAP_DRY_ROUNDS or flow.round == CAP_ROUNDS:
                return
            else:
                draft.add(RoundBegan(flow.round + 1, 1))
                seat = flow.first_seat
                first_goes_on = False
        if state.waiting >> seat & 1:
            draft.add(TurnSkipped(seat, "attacked"))
        elif first_goes_on and state.placed >> seat & 1:
            draft.add(TurnSkipped(seat, "placed"))
        elif draft.begin_turn(seat):
            return
