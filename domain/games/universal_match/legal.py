"""All that a seat may do, and what happens to one that does nothing."""

from itertools import combinations

from domain.games.universal_match.cards import VALUE, Card, Cards
from domain.games.universal_match.commands import (
    DECLINE,
    DISCARDS,
    DRAW,
    ChooseBoard,
    Source,
    SwitchBoards,
    SwitchHand,
    TakeMatch,
    UniversalMatchCommand,
    own_switches,
    switches,
)
from domain.games.universal_match.matches import takings
from domain.games.universal_match.state import State, banned_pair, to_act
from domain.values import Seat

Commands = tuple[UniversalMatchCommand, ...]


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
    board, hand = state.boards[seat], state.hands[seat]
    sources: list[tuple[Source, Cards]] = [(Seat(i), cards) for i, cards in enumerate(state.boards) if i != seat]
    if state.discard:
        sources.append(("discard", state.discard[-1:]))
    listed: list[UniversalMatchCommand] = [DRAW]
    if state.series.options.advanced_a or state.banned:
        _list_checked(state, board, hand, sources, listed)
        return tuple(listed)
    for give in board:
        for source, cards in sources:
            to = switches(SwitchBoards, give, source)
            listed += [to[take] for take in cards]
    _list_own(board, hand, listed)
    for give in hand:
        for source, cards in sources:
            by = switches(SwitchHand, give, source)
            listed += [by[take] for take in cards]
    return tuple(listed)


def _list_checked(
    state: State, board: Cards, hand: Cards, sources: list[tuple[Source, Cards]], listed: list[UniversalMatchCommand]
) -> None:
    """List options 2 to 4 where the pair ban (U22) or the restraint (U32) may forbid some."""
    restrained = state.series.options.advanced_a
    banned = set(state.banned)
    for give in board:
        for source, cards in sources:
            to = switches(SwitchBoards, give, source)
            listed += [
                to[take]
                for take in cards
                if not (restrained and VALUE[give] < VALUE[take])
                and (source == "discard" or banned_pair(give, take) not in banned)
            ]
    _list_own(board, hand, listed)
    for give in hand:
        for source, cards in sources:
            by = switches(SwitchHand, give, source)
            listed += [by[take] for take in cards if not (restrained and VALUE[give] < VALUE[take])]


def _list_own(board: Cards, hand: Cards, listed: list[UniversalMatchCommand]) -> None:
    for give in hand:
        own = own_switches(give)
        listed += [own[take] for take in board]


def _takings(state: State, seat: Seat) -> list[TakeMatch]:
    """List how this seat could take the match on offer with a card of its hand or board (U36, U37)."""
    if state.offer is None:
        return []
    options = state.series.options
    held: tuple[Card, ...] = (*state.hands[seat], *state.boards[seat])
    ways = takings(state.offer.cards, options.perfect_match, restrained=options.advanced_a)
    return [TakeMatch(give=give, take=take) for give, take in ways if give in held]
