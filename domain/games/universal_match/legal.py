"""All that a seat may do, and what happens to one that does nothing."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import cast

from domain.games.universal_match.cards import Card, Cards
from domain.games.universal_match.commands import (
    DECLINE,
    DISCARDS,
    DRAW,
    OWN_SWITCHES,
    ChooseBoard,
    SwitchBoards,
    SwitchHand,
    TakeMatch,
    UniversalMatchCommand,
    switches,
)
from domain.games.universal_match.matches import takings
from domain.games.universal_match.state import State, to_act
from domain.values import Seat

Commands = tuple[UniversalMatchCommand, ...]
Rows = Mapping[Card, Mapping[Card, UniversalMatchCommand | None]]
"""Commands by the card given, then by the card taken; None where there is none."""


def legal(state: State, seat: Seat) -> Commands:
    """List all commands of this seat that `decide` accepts now, ordered by what the seat itself sees.

    A board may be chosen with its cards in any order; it is listed once, in card order.
    """
    if seat not in to_act(state):
        return ()
    match state.phase:
        case "choose":
            return tuple(ChooseBoard(cards) for cards in combinations(state.hands[seat], 3))
        case "discard":
            return tuple([DISCARDS[card] for card in state.hands[seat]])
        case "offer":
            return (*_takings(state, seat), DECLINE)
        case _:
            return (DRAW,) if state.forced_draw else _actions(state, seat)


def default_move(state: State, seat: Seat) -> UniversalMatchCommand:
    """Give the move for a seat whose time is over: draw, discard what was drawn, decline, lay the first three (U53)."""
    match state.phase:
        case "choose":
            first, second, third, *_ = state.hands[seat]
            return ChooseBoard((first, second, third))
        case "discard" if state.drawn is not None:
            return DISCARDS[state.drawn]
        case "offer":
            return DECLINE
        case _:
            return DRAW


def _actions(state: State, seat: Seat) -> Commands:
    """List the one draw (U14), then options 2, 3 and 4."""
    board, hand, top = state.boards[seat], state.hands[seat], state.discard[-1:]
    restrained = state.series.options.advanced_a
    others = [(Seat(i), cards) for i, cards in enumerate(state.boards) if i != seat]
    listed: list[UniversalMatchCommand | None] = [DRAW]
    for source, cards in others:
        listed += _grid(switches(SwitchBoards, source, restrained), board, cards)
    if state.banned:
        _strike(listed, board, [cards for _, cards in others], state.banned)
    if top:
        listed += _column(switches(SwitchBoards, "discard", restrained), board, top[0])
    listed += _grid(OWN_SWITCHES, hand, board)
    for source, cards in others:
        listed += _grid(switches(SwitchHand, source, restrained), hand, cards)
    if top:
        listed += _column(switches(SwitchHand, "discard", restrained), hand, top[0])
    if restrained or state.banned:
        return tuple([command for command in listed if command is not None])
    return cast("Commands", tuple(listed))


def _grid(rows: Rows, gives: Cards, takes: Cards) -> tuple[UniversalMatchCommand | None, ...]:
    """Give the commands of three cards with three others; written out, since all depends on its speed."""
    first, second, third = gives
    a, b, c = takes
    x, y, z = rows[first], rows[second], rows[third]
    return (x[a], x[b], x[c], y[a], y[b], y[c], z[a], z[b], z[c])


def _column(rows: Rows, gives: Cards, take: Card) -> tuple[UniversalMatchCommand | None, ...]:
    first, second, third = gives
    return (rows[first][take], rows[second][take], rows[third][take])


def _strike(
    listed: list[UniversalMatchCommand | None],
    board: Cards,
    others: Sequence[Cards],
    banned: Sequence[tuple[Card, Card]],
) -> None:
    """Strike out the switches between boards that U22 forbids; they stand behind the draw, nine for each board."""
    places = {card: 1 + 9 * i + j for i, cards in enumerate(others) for j, card in enumerate(cards)}
    for one, other in banned:
        if one in board:
            place, give = places.get(other), one
        elif other in board:
            place, give = places.get(one), other
        else:
            continue
        if place is not None:
            listed[place + 3 * board.index(give)] = None


def _takings(state: State, seat: Seat) -> list[TakeMatch]:
    """List how this seat could take the match on offer with a card of its hand or board (U36, U37)."""
    if state.offer is None:
        return []
    options = state.series.options
    held: tuple[Card, ...] = (*state.hands[seat], *state.boards[seat])
    ways = takings(state.offer.cards, options.perfect_match, restrained=options.advanced_a)
    return [TakeMatch(give=give, take=take) for give, take in ways if give in held]
