"""All that a seat may do, and what happens to one that does nothing."""

from itertools import combinations
from typing import TypeVar

from domain.games.universal_match.cards import ORDER, VALUE, Card, Cards
from domain.games.universal_match.commands import (
    DECLINE,
    DISCARDS,
    DRAW,
    ChooseBoard,
    Source,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
    TakeMatch,
    UniversalMatchCommand,
)
from domain.games.universal_match.matches import takings
from domain.games.universal_match.state import NO_CARDS, SEATS, State, to_act
from domain.values import Seat

Commands = tuple[UniversalMatchCommand, ...]
Switch = TypeVar("Switch", SwitchBoards, SwitchHand)


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
    boards, hand = state.boards, state.hands[seat]
    board = boards[seat]
    with_board: list[SwitchBoards] = []
    with_hand: list[SwitchHand] = []
    met = [state.met[ORDER[card]] for card in board] if state.banned else []
    met_by_any = NO_CARDS.union(*met)
    for other, cards in zip(SEATS, boards, strict=False):
        if other == seat:
            continue
        if met_by_any.isdisjoint(cards):
            with_board += _grid(SwitchBoards, board, cards, other)
        else:
            with_board += [
                SwitchBoards(give, take, other)
                for give, banned in zip(board, met, strict=True)
                for take in cards
                if take not in banned
            ]
        with_hand += _grid(SwitchHand, hand, cards, other)
    if state.discard:
        with_board += _column(SwitchBoards, board, state.discard[-1])
        with_hand += _column(SwitchHand, hand, state.discard[-1])
    if state.series.options.advanced_a:
        with_board = [switch for switch in with_board if VALUE[switch.give] >= VALUE[switch.take]]
        with_hand = [switch for switch in with_hand if VALUE[switch.give] >= VALUE[switch.take]]
    return (DRAW, *with_board, *_own(hand, board), *with_hand)


# The commands are made anew each time: all that there are would not fit into a processor's fast memory, and to fetch one
# from elsewhere takes longer than to make it. They are written out, since all depends on the speed of these lines.


def _grid(kind: type[Switch], gives: Cards, takes: Cards, source: Source) -> tuple[Switch, ...]:
    """Give the switches of three cards with three others."""
    x, y, z = gives
    a, b, c = takes
    return (
        kind(x, a, source),
        kind(x, b, source),
        kind(x, c, source),
        kind(y, a, source),
        kind(y, b, source),
        kind(y, c, source),
        kind(z, a, source),
        kind(z, b, source),
        kind(z, c, source),
    )


def _column(kind: type[Switch], gives: Cards, take: Card) -> tuple[Switch, ...]:
    """Give the switches of three cards with the top discard."""
    x, y, z = gives
    return (kind(x, take, "discard"), kind(y, take, "discard"), kind(z, take, "discard"))


def _own(gives: Cards, takes: Cards) -> tuple[SwitchOwn, ...]:
    x, y, z = gives
    a, b, c = takes
    return (
        SwitchOwn(x, a),
        SwitchOwn(x, b),
        SwitchOwn(x, c),
        SwitchOwn(y, a),
        SwitchOwn(y, b),
        SwitchOwn(y, c),
        SwitchOwn(z, a),
        SwitchOwn(z, b),
        SwitchOwn(z, c),
    )


def _takings(state: State, seat: Seat) -> list[TakeMatch]:
    """List how this seat could take the match on offer with a card of its hand or board (U36, U37)."""
    if state.offer is None:
        return []
    options = state.series.options
    held: tuple[Card, ...] = (*state.hands[seat], *state.boards[seat])
    ways = takings(state.offer.cards, options.perfect_match, restrained=options.advanced_a)
    return [TakeMatch(give=give, take=take) for give, take in ways if give in held]
