"""The flow of a hand: the deal, the turns, a match put aside, the end of the hand and of the game."""

from collections.abc import Iterable
from typing import Final

from msgspec import UNSET

from domain.chance import Chance
from domain.games.universal_match.cards import CARDS, Cards, in_order
from domain.games.universal_match.events import (
    BoardRefilled,
    DealtHand,
    DealtStock,
    EndReason,
    HandDealt,
    HandEnded,
    MatchBanked,
    MatchMade,
    MatchOffered,
    TurnBegan,
    UniversalMatchEvent,
)
from domain.games.universal_match.evolve import evolve
from domain.games.universal_match.matches import MATCHES, PERFECT_BONUS, bits_of, is_perfect, takings
from domain.games.universal_match.state import SEATS, State, hand_points
from domain.values import Seat

Events = tuple[UniversalMatchEvent, ...]

HAND_CARDS: Final = 6
BOARD_CARDS: Final = 3
DRY_ROUNDS: Final = 3
"""After so many rounds in which no card left the stock, drawing is forced (U23)."""
EXTRA_HANDS: Final = 3
"""So many more hands are played while the lead above the target is shared (U30)."""
MAX_HANDS: Final = 50
"""The game ends after so many hands, whatever the totals (G10)."""


def deal(state: State, chance: Chance) -> Events:
    """Deal hand 1; the dealer is drawn by lot (U1)."""
    return (_deal_hand(state, Seat(chance.pick("dealer", state.series.seats)), 0, chance),)


def left_of(seat: Seat, seats: int) -> Seat:
    """Give the next seat clockwise."""
    return SEATS[(seat + 1) % seats]


def begin_turn(state: State, seat: Seat, dry_turns: int) -> TurnBegan:
    """Pass the turn on; after three dry rounds drawing is forced (U23)."""
    return TurnBegan(seat, dry_turns, dry_turns >= DRY_ROUNDS * state.series.seats)


def close_turn(before: State, seat: Seat, action: UniversalMatchEvent, board: Cards, chance: Chance) -> Events:
    """Give the action of a turn and what follows from it; `board` is the actor's board behind the action.

    Only this board is looked at, and only now (U10): if it is a match, it is collected (U12).
    """
    found = MATCHES.get(bits_of(board))
    if found is None:
        if not before.stock:
            return (action, *_end_hand(evolve(before, action), chance))
        dry_turns = 0 if before.phase == "discard" else before.dry_turns + 1
        return (action, begin_turn(before, left_of(seat, before.series.seats), dry_turns))
    options = before.series.options
    first, second, third = board
    trio = (first, second, third)
    perfect = options.advanced_b and is_perfect(trio, options.perfect_match)
    made = MatchMade(seat=seat, cards=trio, kind=found.kind, perfect=perfect)
    if options.advanced_b and takings(trio, options.perfect_match, restrained=options.advanced_a):
        asked = tuple(other for other in SEATS[: before.series.seats] if other != seat)
        return (action, made, MatchOffered(seat=seat, cards=trio, asked=asked))
    after = evolve(before, action)
    return (action, made, *bank(after, seat, None, chance))


def bank(state: State, matcher: Seat, taker: Seat | None, chance: Chance) -> Events:
    """Put the match on the matcher's board aside, for him or its taker, and refill the board or end the hand.

    Fewer than three cards in the stock: no refill, the hand ends at once (U25). None left after the refill: the
    hand ends with this turn (U26).
    """
    options = state.series.options
    first, second, third = state.boards[matcher]
    trio = (first, second, third)
    facts = MATCHES[bits_of(trio)]
    perfect = options.advanced_b and is_perfect(trio, options.perfect_match)
    banked = MatchBanked(
        seat=matcher if taker is None else taker,
        cards=trio,
        kind=facts.kind,
        perfect=perfect,
        taken_from=None if taker is None else matcher,
        points=facts.points,
        bonus=PERFECT_BONUS if perfect else 0,
    )
    if len(state.stock) < BOARD_CARDS:
        return (banked, *_end_hand(evolve(state, banked), chance))
    first, second, third = state.stock[:BOARD_CARDS]
    refilled = BoardRefilled(seat=matcher, cards=(first, second, third))
    if len(state.stock) == BOARD_CARDS:
        return (banked, refilled, *_end_hand(_fold(state, (banked, refilled)), chance))
    return (banked, refilled, begin_turn(state, left_of(matcher, state.series.seats), 0))


def _fold(state: State, events: Iterable[UniversalMatchEvent]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def _deal_hand(state: State, dealer: Seat, extra: int, chance: Chance) -> HandDealt:
    """Shuffle all 60 cards (U4) and deal one at a time, from the dealer's left, until each seat has six."""
    seats = state.series.seats
    shuffle = state.series.hand_number
    order = chance.shuffle(shuffle, CARDS)
    dealt = HAND_CARDS * seats
    hands = tuple(
        DealtHand(seat=Seat(i), count=HAND_CARDS, cards=in_order(order[(i - dealer - 1) % seats : dealt : seats]))
        for i in range(seats)
    )
    return HandDealt(
        shuffle=shuffle,
        hand_number=shuffle + 1,
        dealer=dealer,
        extra=extra,
        hands=hands,
        stock=DealtStock(count=len(order) - dealt, cards=order[dealt:]),
    )


def _end_hand(state: State, chance: Chance) -> Events:
    """Count the points and deal the next hand, unless the game is over."""
    points = hand_points(state)
    totals = tuple(total + new for total, new in zip(state.series.totals, points, strict=True))
    over = _why_over(state, totals)
    ended = HandEnded(
        reason="stock_short" if state.stock else "stock_empty",
        points=points,
        totals=totals,
        game_over=UNSET if over is None else over,
    )
    if over is not None:
        return (ended,)
    dealer = left_of(state.series.dealer, state.series.seats)
    extra = state.series.extra + 1 if _is_reached(state, totals) else 0
    return (ended, _deal_hand(state, dealer, extra, chance))


def _is_reached(state: State, totals: tuple[int, ...]) -> bool:
    target = state.series.options.target
    return target != "one_hand" and max(totals) >= target


def _why_over(state: State, totals: tuple[int, ...]) -> EndReason | None:
    """Tell why the game is over after a hand with these totals (U29, U30, U31, G10); None if it goes on."""
    if state.series.options.target == "one_hand":
        return "one_hand"
    is_shared = totals.count(max(totals)) > 1
    if _is_reached(state, totals) and (not is_shared or state.series.extra == EXTRA_HANDS):
        return "target_reached"
    return "cap_hands" if state.series.hand_number >= MAX_HANDS else None
