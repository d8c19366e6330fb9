"""The list of all that a seat may do now."""

from domain.games.planet_pioneer.commands import ATTACKS, CAPS, STRIKES, VISITS, Discard, PlanetPioneerCommand
from domain.games.planet_pioneer.grid import numbers_in
from domain.games.planet_pioneer.limits import highest_level, must_lay
from domain.games.planet_pioneer.state import State
from domain.values import Seat


def legal(state: State, seat: Seat) -> tuple[PlanetPioneerCommand, ...]:
    """List all commands that `decide` accepts of this seat; nothing in it depends on what the seat can't see.

    In this order: builds by card and cell, visits, attacks and strikes by seat and cell, caps, discards by card.
    """
    if seat != state.turn:
        return ()
    deck, colonies, round_number = state.setup.deck, state.colonies, state.flow.round
    own = colonies[seat]
    bits, levels, dead, highest = deck.bit, deck.level, ~own.living, highest_level(state)
    names = dict.fromkeys(state.hands[seat])
    free = numbers_in(own.frontier)
    listed: list[PlanetPioneerCommand] = []
    for card in names:
        if bits[card] & dead and levels[card] <= highest:
            listed += map(deck.builds[card].__getitem__, free)
    if deck.visit in names:
        listed += map(VISITS.__getitem__, free)
    if round_number == 1:
        if not (listed and must_lay(state)):
            listed += map(deck.discards.__getitem__, names)
        return tuple(listed)
    if deck.attack in names:
        for other, colony in enumerate(colonies):
            if other != seat and not state.flow.waiting >> other & 1:
                listed += map(ATTACKS[other].__getitem__, numbers_in(colony.frontier & ~colony.shielded))
    if deck.strike in names:
        for other, colony in enumerate(colonies):
            if other != seat:
                listed += map(STRIKES[other].__getitem__, numbers_in(colony.targets & ~colony.shielded))
    if deck.cap in names:
        listed += map(CAPS.__getitem__, numbers_in(own.craters))
    listed += map(deck.discards.__getitem__, names)
    return tuple(listed)


def default_move(state: State, seat: Seat) -> PlanetPioneerCommand:
    """Give the move on a clock's expiry (P57).

    Discard the highest Level, ties by name; where P56 forbids it, the first command listed.
    """
    commands = legal(state, seat)
    level = state.setup.deck.level
    discards = [command for command in commands if isinstance(command, Discard)]
    return max(discards, key=lambda command: level[command.card]) if discards else commands[0]
