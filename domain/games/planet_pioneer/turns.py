"""The deal, and what follows the end of a turn: skipped seats, rounds, the next turn with its draw, the end."""

from typing import Final

from domain.chance import Chance
from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.commands import MAX_SEATS
from domain.games.planet_pioneer.events import (
    CardsDealt,
    DealtHand,
    DealtPile,
    FinalRoundBegan,
    PlanetPioneerEvent,
    RoundBegan,
    SkipReason,
    TurnBegan,
    TurnSkipped,
)
from domain.games.planet_pioneer.evolve import evolve
from domain.games.planet_pioneer.grid import ALL_CELLS
from domain.games.planet_pioneer.state import State
from domain.values import Seat

SEATS: Final = tuple(Seat(seat) for seat in range(MAX_SEATS))
HAND: Final = 5
CAP_LAPS: Final = 13
"""The first round has at most so many laps, 12 of them of waiting (P11)."""
CAP_DRY_ROUNDS: Final = 3
CAP_ROUNDS: Final = 60


def deal(state: State, chance: Chance) -> tuple[PlanetPioneerEvent, ...]:
    """Shuffle the deck, give seat 0 the first five cards and so on, and begin round 1 (SETUP, P4, P52)."""
    setup = state.setup
    cards = chance.shuffle(0, setup.deck.cards)
    wanted = setup.options.first_seat
    first = Seat(chance.pick("first_seat", setup.seats)) if wanted is None else wanted
    pile = cards[HAND * setup.seats :]
    dealt = CardsDealt(
        shuffle=0,
        first_seat=first,
        hands=tuple(_hand(Seat(seat), cards) for seat in range(setup.seats)),
        pile=DealtPile(len(pile), pile),
    )
    return (dealt, RoundBegan(1, 1), *_turn(evolve(state, dealt), first, chance))


def after_turn(state: State, seat: Seat, chance: Chance, *, extra: bool) -> list[PlanetPioneerEvent]:
    """Give what follows when a seat has laid or discarded; `extra`: it laid an Alien Visit.

    In this order: a full grid ends the game (P40); a final round goes on (P42); the extra turn (P32); the next
    seat that may act, by way of skipped ones and new rounds. No turn begins where the game is over.
    """
    events: list[PlanetPioneerEvent] = []
    if state.flow.final is None and ALL_CELLS in [colony.covered for colony in state.colonies]:
        state = _add(events, state, _final_round(state, seat))
    if state.flow.final is not None:
        _next_final_turn(events, state, chance)
        return events
    if extra:
        if _can_play(state, seat):
            return _turn(state, seat, chance, extra=True)
        state = _add(events, state, TurnSkipped(seat, "no_card"))
    _next_turn(events, state, seat, chance)
    return events


def dry_rounds_now(state: State) -> int:
    """Give the number of rounds in a row without a card laid, if this round ended now (P49)."""
    return 0 if state.laid else state.flow.dry_rounds + 1


def _hand(seat: Seat, cards: tuple[Card, ...]) -> DealtHand:
    own = tuple(sorted(cards[HAND * seat : HAND * (seat + 1)]))
    return DealtHand(seat, len(own), own)


def _add(events: list[PlanetPioneerEvent], state: State, event: PlanetPioneerEvent) -> State:
    events.append(event)
    return evolve(state, event)


def _can_play(state: State, seat: Seat) -> bool:
    """Tell whether a seat has a card or can draw one (P48)."""
    return bool(state.hands[seat]) or not state.stock.is_empty


def _turn(
    state: State, seat: Seat, chance: Chance, *, extra: bool = False, final: bool = False
) -> list[PlanetPioneerEvent]:
    """Give the beginning of a turn with its draw (P5), with a reshuffle where the draw pile is empty (P48)."""
    stock = state.stock
    pile, drawn = stock.pile, stock.drawn
    events: list[PlanetPioneerEvent] = [TurnBegan(seat, extra, final)]
    if drawn == len(pile) and stock.discard:
        pile, drawn = chance.shuffle(stock.shuffles, sorted(stock.discard)), 0
        events.append(PileReshuffled(stock.shuffles, len(pile), pile))
    cards = pile[drawn : drawn + 1]
    events.append(CardsDrawn(seat, len(cards), cards))
    return events


def _final_round(state: State, seat: Seat) -> FinalRoundBegan:
    full = tuple(Seat(owner) for owner, colony in enumerate(state.colonies) if colony.is_full)
    seats = state.setup.seats
    clockwise = (Seat((seat + step) % seats) for step in range(1, seats + 1))
    return FinalRoundBegan(full, tuple(other for other in clockwise if other not in full))


def _next_final_turn(events: list[PlanetPioneerEvent], state: State, chance: Chance) -> None:
    while (final := state.flow.final) is not None and final.still_to_play:
        seat = final.still_to_play[0]
        if state.flow.waiting >> seat & 1:
            state = _add(events, state, TurnSkipped(seat, "attacked"))
        elif not _can_play(state, seat):
            state = _add(events, state, TurnSkipped(seat, "no_card"))
        else:
            events += _turn(state, seat, chance, final=True)
            return


def _next_turn(events: list[PlanetPioneerEvent], state: State, seat: Seat, chance: Chance) -> None:
    seats = state.setup.seats
    everybody = (1 << seats) - 1
    while True:
        flow, began = state.flow, None
        waits = flow.round == 1 and state.setup.options.first_round == "until_all_placed"
        seat = SEATS[(seat + 1) % seats]
        if seat == flow.first_seat or (waits and flow.placed == everybody):
            if waits and flow.placed != everybody and flow.lap < CAP_LAPS:
                began = RoundBegan(1, flow.lap + 1)
            elif dry_rounds_now(state) == CAP_DRY_ROUNDS or flow.round == CAP_ROUNDS:
                return
            else:
                began = RoundBegan(flow.round + 1, 1)
                waits = False
                seat = flow.first_seat
            events.append(began)
        skipped = _why_skipped(state, seat, waits=waits)
        if skipped is None:
            events += _turn(state, seat, chance)
            return
        if began is not None:
            state = evolve(state, began)
        state = _add(events, state, TurnSkipped(seat, skipped))


def _why_skipped(state: State, seat: Seat, *, waits: bool) -> SkipReason | None:
    """Tell why a seat is passed over, if it is; a round that has just begun makes no difference to that."""
    if state.flow.waiting >> seat & 1:
        return "attacked"
    if waits and state.flow.placed >> seat & 1:
        return "placed"
    return None if _can_play(state, seat) else "no_card"
