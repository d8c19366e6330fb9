"""What a seat may do: `decide` accepts or refuses a command, `legal` lists all that it accepts."""

from typing import Final, assert_never

from domain.chance import Chance
from domain.errors import illegal, not_your_turn
from domain.games.planet_pioneer.cards import Card, title
from domain.games.planet_pioneer.commands import (
    ATTACKS,
    CAPS,
    STRIKES,
    VISITS,
    Attack,
    Build,
    Cap,
    Discard,
    PlanetPioneerCommand,
    Strike,
    Visit,
    builds,
    discard,
)
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
from domain.games.planet_pioneer.grid import Cell, number_of, numbers_in
from domain.games.planet_pioneer.state import State
from domain.games.planet_pioneer.turns import after_turn
from domain.values import Seat

CAPPED_ROUNDS: Final = 5
"""Up to this round no Level above the round may be laid; after it any (P13)."""


def decide(state: State, seat: Seat, command: PlanetPioneerCommand, chance: Chance) -> tuple[PlanetPioneerEvent, ...]:
    """Give what a command causes: the card laid or discarded, then all up to the next decision.

    Raises `Refusal`: `not_your_turn`, or `illegal_command` with the ruling that forbids it.
    """
    if seat != state.flow.turn:
        raise not_your_turn()
    match command:
        case Build():
            done: PlanetPioneerEvent = _build(state, seat, command)
        case Visit():
            done = _visit(state, seat, command)
        case Attack():
            done = _attack(state, seat, command)
        case Strike():
            done = _strike(state, seat, command)
        case Cap():
            done = _cap(state, seat, command)
        case Discard():
            done = _discard(state, seat, command)
        case _:
            assert_never(command)
    return (done, *after_turn(evolve(state, done), seat, chance, extra=isinstance(command, Visit)))


def legal(state: State, seat: Seat) -> tuple[PlanetPioneerCommand, ...]:
    """List all commands that `decide` accepts of this seat; nothing in it depends on what the seat can't see.

    In this order: builds by card and cell, visits, attacks and strikes by seat and cell, caps, discards by card.
    """
    if seat != state.flow.turn:
        return ()
    deck, hand, own = state.setup.deck, state.hands[seat], state.colonies[seat]
    names = list(dict.fromkeys(hand))
    free = numbers_in(own.frontier)
    highest = _highest_level(state)
    listed: list[PlanetPioneerCommand] = []
    for card in names:
        bit = deck.bit[card]
        if bit and not bit & own.living and deck.level[card] <= highest:
            listed.extend(map(builds(card).__getitem__, free))
    if deck.visit in names:
        listed.extend(map(VISITS.__getitem__, free))
    if state.flow.round > 1:
        _list_blows(state, seat, names, listed)
    if not (listed and _must_lay(state)):
        listed.extend(map(discard, names))
    return tuple(listed)


def _list_blows(state: State, seat: Seat, names: list[Card], listed: list[PlanetPioneerCommand]) -> None:
    """Add attacks, strikes and caps, which are for round 2 and later (P14, P16)."""
    deck = state.setup.deck
    colonies = [(other, colony) for other, colony in enumerate(state.colonies) if other != seat]
    if deck.attack in names:
        for other, colony in colonies:
            if not state.waiting >> other & 1:
                listed.extend(map(ATTACKS[other].__getitem__, numbers_in(colony.frontier & ~colony.shielded)))
    if deck.strike in names:
        for other, colony in colonies:
            listed.extend(map(STRIKES[other].__getitem__, numbers_in(colony.targets & ~colony.shielded)))
    if deck.cap in names:
        listed.extend(map(CAPS.__getitem__, numbers_in(state.colonies[seat].craters)))


def default_move(state: State, seat: Seat) -> PlanetPioneerCommand:
    """Give the move on a clock's expiry (P57).

    Discard the highest Level, ties by name; where P56 forbids it, the first command listed.
    """
    commands = legal(state, seat)
    level = state.setup.deck.level
    discards = [command for command in commands if isinstance(command, Discard)]
    return max(discards, key=lambda command: level[command.card]) if discards else commands[0]


def _highest_level(state: State) -> int:
    round_number = state.flow.round
    return round_number if round_number <= CAPPED_ROUNDS else max(state.setup.deck.level.values())


def _must_lay(state: State) -> bool:
    """Tell whether who can lay may not discard (P56)."""
    return state.flow.round == 1 and state.setup.options.first_round == "until_all_placed"


def _can_lay_in_round_1(state: State, seat: Seat) -> bool:
    deck, own = state.setup.deck, state.colonies[seat]
    if not own.frontier:
        return False
    return any(
        card == deck.visit or (deck.bit[card] & ~own.living and deck.level[card] == 1) for card in state.hands[seat]
    )


def _build(state: State, seat: Seat, build: Build) -> CardBuilt:
    deck, card, own = state.setup.deck, build.card, state.colonies[seat]
    _need_in_hand(state, seat, card)
    if not deck.bit[card]:
        raise illegal("P15", f"{title(card)} is no Level card: it is laid by the command {deck.kind[card]}.")
    if deck.level[card] > _highest_level(state):
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
    deck, opponent, number = state.setup.deck, attack.opponent, number_of(attack.cell)
    _need_round_2(state, "P14", deck.attack)
    if opponent == seat:
        raise illegal("P28", f"{title(deck.attack)} is laid in an opponent's colony, not in your own.")
    _need_in_hand(state, seat, deck.attack)
    colony = state.colonies[opponent]
    if not colony.frontier >> number & 1:
        raise illegal("P28", f"{title(deck.attack)} needs a free cell next to a covered one; {_cell(number)} is not.")
    if colony.shielded >> number & 1:
        raise illegal("P26", f"{_cell(number)} is next to a defense of that colony.")
    if state.waiting >> opponent & 1:
        raise illegal("P31", "That player is waiting already; Attacks do not add up.")
    return AttackLaid(seat, opponent, attack.cell)


def _strike(state: State, seat: Seat, strike: Strike) -> StrikeLaid:
    deck, opponent, number = state.setup.deck, strike.opponent, number_of(strike.cell)
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
    deck, number = state.setup.deck, number_of(cap.cell)
    _need_round_2(state, "P16", deck.cap)
    _need_in_hand(state, seat, deck.cap)
    if not state.colonies[seat].craters >> number & 1:
        raise illegal("P38", f"There is no crater at {_cell(number)} of your colony.")
    return CapLaid(seat, cap.cell)


def _discard(state: State, seat: Seat, command: Discard) -> CardDiscarded:
    _need_in_hand(state, seat, command.card)
    if _must_lay(state) and _can_lay_in_round_1(state, seat):
        raise illegal("P56", "In the first round only who can lay no card may discard; you can lay one.")
    return CardDiscarded(seat, command.card)


def _need_in_hand(state: State, seat: Seat, card: Card) -> None:
    if card not in state.hands[seat]:
        raise illegal("P51", f"{title(card)} is not in your hand.")


def _need_round_2(state: State, ruling: str, card: Card) -> None:
    if state.flow.round == 1:
        raise illegal(ruling, f"{title(card)} may be laid from round 2 on; this is round 1.")


def _need_free(state: State, seat: Seat, cell: Cell) -> None:
    number = number_of(cell)
    own = state.colonies[seat]
    if own.covered >> number & 1:
        raise illegal("P9", f"{_cell(number)} of your colony is covered.")
    if not own.frontier >> number & 1:
        raise illegal("P9", f"{_cell(number)} is not side to side or top to bottom with a covered cell.")


def _cell(number: int) -> str:
    return f"[{number // 5}, {number % 5}]"
