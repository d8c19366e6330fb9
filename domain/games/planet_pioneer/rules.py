"""What a seat's command causes, or the ruling that forbids it."""

from typing import assert_never

from domain.chance import Chance
from domain.errors import illegal, not_your_turn
from domain.games.planet_pioneer.cards import Card, title
from domain.games.planet_pioneer.commands import Attack, Build, Cap, Discard, PlanetPioneerCommand, Strike, Visit
from domain.games.planet_pioneer.events import (
    AttackLaid,
    CapLaid,
    CardBuilt,
    CardDiscarded,
    PlanetPioneerEvent,
    StrikeLaid,
    VisitLaid,
)
from domain.games.planet_pioneer.evolve import evolve
from domain.games.planet_pioneer.grid import CELLS, NUMBER, Cell
from domain.games.planet_pioneer.limits import can_lay_in_round_1, highest_level, must_lay
from domain.games.planet_pioneer.state import State
from domain.games.planet_pioneer.turns import after_turn
from domain.values import Seat


def decide(state: State, seat: Seat, command: PlanetPioneerCommand, chance: Chance) -> tuple[PlanetPioneerEvent, ...]:
    """Give what a command causes: the card laid or discarded, then all up to the next decision.

    Raises `Refusal`: `not_your_turn`, or `illegal_command` with the ruling that forbids it.
    """
    if seat != state.turn:
        raise not_your_turn()
    match command:
        case Build():
            done: PlanetPioneerEvent = _build(state, seat, command)
        case Discard():
            done = _discard(state, seat, command)
        case Visit():
            done = _visit(state, seat, command)
        case Attack():
            done = _attack(state, seat, command)
        case Strike():
            done = _strike(state, seat, command)
        case Cap():
            done = _cap(state, seat, command)
        case _:
            assert_never(command)
    return (done, *after_turn(evolve(state, done), seat, chance, extra=type(command) is Visit))


def _build(state: State, seat: Seat, build: Build) -> CardBuilt:
    deck, card, own = state.setup.deck, build.card, state.colonies[seat]
    _need_in_hand(state, seat, card)
    if not deck.bit[card]:
        raise illegal("P15", f"{title(card)} is no Level card: it is laid by the command {deck.kind[card]}.")
    if deck.level[card] > highest_level(state):
        raise illegal("P13", f"{title(card)} has Level {deck.level[card]}; this is round {state.flow.round}.")
    if deck.bit[card] & own.living:
        raise illegal("P20", f"{title(card)} lives in your colony already; identical cards may not be repeated.")
    _need_free(state, seat, build.cell)
    return CardBuilt(seat, card, build.cell)


def _visit(state: State, seat: Seat, visit: Visit) -> VisitLaid:
    _need_in_hand(state, seat, state.setup.deck.visit)
    _need_free(state, seat, visit.cell)
    return VisitLaid(seat, visit.cell)


def _attack(state: State, seat: Seat, attack: Attack) -> AttackLaid:
    deck, opponent, number = state.setup.deck, attack.opponent, NUMBER[attack.cell]
    _need_round_2(state, "P14", deck.attack)
    if opponent == seat:
        raise illegal("P28", f"{title(deck.attack)} is laid in an opponent's colony, not in your own.")
    _need_in_hand(state, seat, deck.attack)
    colony = state.colonies[opponent]
    if not colony.frontier >> number & 1:
        raise illegal("P28", f"{title(deck.attack)} needs a free cell next to a covered one; {_cell(number)} is not.")
    if colony.shielded >> number & 1:
        raise illegal("P26", f"{_cell(number)} is next to a defense of that colony.")
    if state.flow.waiting >> opponent & 1:
        raise illegal("P31", "That player is waiting already; Attacks do not add up.")
    return AttackLaid(seat, opponent, attack.cell)


def _strike(state: State, seat: Seat, strike: Strike) -> StrikeLaid:
    deck, opponent, number = state.setup.deck, strike.opponent, NUMBER[strike.cell]
    _need_round_2(state, "P14", deck.strike)
    if opponent == seat:
        raise illegal("P34", f"{title(deck.strike)} is laid in an opponent's colony, not in your own.")
    _need_in_hand(state, seat, deck.strike)
    colony = state.colonies[opponent]
    if not colony.targets >> number & 1:
        raise illegal(
            "P35",
            f"There is no card at {_cell(number)} that a Strike may hit: a Base, a defense, an Alien Visit and a "
            "crater are exempt.",
        )
    if colony.shielded >> number & 1:
        raise illegal("P25", f"The card at {_cell(number)} is next to a defense.")
    return StrikeLaid(seat, opponent, strike.cell, colony.top(number))


def _cap(state: State, seat: Seat, cap: Cap) -> CapLaid:
    deck, number = state.setup.deck, NUMBER[cap.cell]
    _need_round_2(state, "P16", deck.cap)
    _need_in_hand(state, seat, deck.cap)
    if not state.colonies[seat].craters >> number & 1:
        raise illegal("P38", f"There is no crater at {_cell(number)} of your colony.")
    return CapLaid(seat, cap.cell)


def _discard(state: State, seat: Seat, command: Discard) -> CardDiscarded:
    _need_in_hand(state, seat, command.card)
    if must_lay(state) and can_lay_in_round_1(state, seat):
        raise illegal("P56", "In the first round only who can lay no card may discard; you can lay one.")
    return CardDiscarded(seat, command.card)


def _need_in_hand(state: State, seat: Seat, card: Card) -> None:
    if card not in state.hands[seat]:
        raise illegal("P51", f"{title(card)} is not in your hand.")


def _need_round_2(state: State, ruling: str, card: Card) -> None:
    if state.flow.round == 1:
        raise illegal(ruling, f"{title(card)} may be laid from round 2 on; this is round 1.")


def _need_free(state: State, seat: Seat, cell: Cell) -> None:
    number = NUMBER[cell]
    own = state.colonies[seat]
    if own.covered >> number & 1:
        raise illegal("P9", f"{_cell(number)} of your colony is covered.")
    if not own.frontier >> number & 1:
        raise illegal("P9", f"{_cell(number)} is not side to side or top to bottom with a covered cell.")


def _cell(number: int) -> str:
    return str(list(CELLS[number]))
