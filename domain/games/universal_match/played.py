"""The hand being played as a state that changes, for searches: sets of cards as bits of one number.

The same rules as in `rules.py`, `flow.py` and `evolve.py`, held together by a law (`tests/domain/bots`), but for the
offers of advanced version B, and only to the end of the hand: the next deal is the same luck for all.
"""

from collections.abc import Sequence
from typing import Final, Self

from domain.games.universal_match.cards import BIT, Card
from domain.games.universal_match.commands import (
    ChooseBoard,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
)
from domain.games.universal_match.evaluate import judge
from domain.games.universal_match.flow import BOARD_CARDS
from domain.games.universal_match.matches import MATCHES
from domain.games.universal_match.outs import boards_of
from domain.games.universal_match.state import State, hand_points
from domain.values import Command, Seat

NOBODY: Final = -1
PILE: Final = -1
"""The place of the discard pile's top card, among the boards."""

_POINTS: Final = {board: facts.points for board, facts in MATCHES.items()}


class Played:
    """One imagined table, changed in place; `turn` is nobody's while boards are chosen and when the hand is over."""

    __slots__ = (
        "banned",
        "boards",
        "choosing",
        "chosen",
        "dealer",
        "discard",
        "discarding",
        "dry",
        "gone",
        "hands",
        "over",
        "points",
        "restrained",
        "seats",
        "stock",
        "table",
        "turn",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        """Begin in this state; nothing is shuffled before the hand ends."""
        series = state.series
        self.table = boards_of(series.options)
        self.restrained = series.options.advanced_a
        self.seats = series.seats
        self.dealer = int(series.dealer)
        self.hands = [bits_of_all(hand) for hand in state.hands]
        self.boards = [bits_of_all(board) for board in state.boards]
        self.chosen = [bits_of_all(board) for board in state.chosen]
        self.stock = [BIT[card] for card in reversed(state.stock)]
        self.discard = [BIT[card] for card in state.discard]
        self.gone = sum(self.discard) + sum(
            [bits_of_all(match.cards) for matches in state.matches for match in matches]
        )
        self.banned = {BIT[one] | BIT[other] for one, other in state.banned}
        self.over = state.phase == "over"
        fresh = (0,) * series.seats if self.over else hand_points(state)
        self.points = [total + new for total, new in zip(series.totals, fresh, strict=True)]
        self.choosing = state.phase == "choose"
        self.discarding = state.phase == "discard"
        self.turn = NOBODY if state.turn is None else int(state.turn)
        self.dry = state.dry_turns

    def key(self) -> tuple[object, ...]:
        """Everything that matters, for comparing; a card that was drawn last may be any, and so may a bygone turn."""
        return (
            self.hands, self.boards, self.chosen, self.stock, self.discard, self.banned, self.points, self.choosing,
            self.discarding, self.turn, self.dry, self.over,
        )  # fmt: skip

    def copy(self) -> Self:
        """Give one that stands the same."""
        other = self.__class__.__new__(self.__class__)
        other.table, other.restrained, other.seats, other.dealer = self.table, self.restrained, self.seats, self.dealer
        other.hands, other.boards, other.chosen = self.hands[:], self.boards[:], self.chosen[:]
        other.stock, other.discard, other.banned = self.stock[:], self.discard[:], self.banned.copy()
        other.gone, other.over, other.points, other.choosing = self.gone, self.over, self.points[:], self.choosing
        other.discarding, other.turn, other.dry = self.discarding, self.turn, self.dry
        return other

    def play(self, seat: Seat, command: Command) -> None:
        """Carry out a legal command."""
        match command:
            case SwitchHand(give=give, take=take, source=source):
                self.switch_hand(BIT[give], BIT[take], PILE if source == "discard" else source)
            case SwitchBoards(give=give, take=take, source=source):
                self.switch_boards(BIT[give], BIT[take], PILE if source == "discard" else source)
            case SwitchOwn(give=give, take=take):
                self.switch_own(BIT[give], BIT[take])
            case DrawCard():
                self.draw()
            case Discard(card=card):
                self.give_up(BIT[card])
            case ChooseBoard(cards=cards):
                self.choose(seat, bits_of_all(cards))
            case _:
                raise TypeError(command)

    def values(self) -> Sequence[float]:
        """Judge as `evaluate` does; when the hand is over, by the points."""
        if self.over:
            return self.points
        return judge(self.table, self.points, self.boards, self.hands, self.discard[-1] if self.discard else 0)

    # -------------------------------------------------------------------------------------------------- the rules

    def choose(self, seat: int, cards: int) -> None:
        """Lay the first board."""
        self.hands[seat] ^= cards
        self.chosen[seat] = cards
        if all(self.chosen):
            self.boards, self.chosen = self.chosen, [0] * self.seats
            self.choosing = False
            self.turn = (self.dealer + 1) % self.seats
            self.dry = 0

    def draw(self) -> None:
        """Draw a card; one must be given up then."""
        self.hands[self.turn] |= self.stock.pop()
        self.discarding = True
        self.dry = 0

    def give_up(self, card: int) -> None:
        """Lay a card of the hand on the discard pile."""
        self.hands[self.turn] ^= card
        self.discard.append(card)
        self.gone |= card
        self._close()

    def switch_own(self, give: int, take: int) -> None:
        """Switch a card of the hand (`give`) with one of the own board."""
        self.hands[self.turn] ^= give | take
        self.boards[self.turn] ^= give | take
        self._close()

    def switch_hand(self, give: int, take: int, source: int) -> None:
        """Switch a card of the hand with one of another's board, or of the pile."""
        self.hands[self.turn] ^= give | take
        self._put(give, take, source)
        self._close()

    def switch_boards(self, give: int, take: int, source: int) -> None:
        """Switch a card of the own board with one of another's, or of the pile."""
        self.boards[self.turn] ^= give | take
        self._put(give, take, source)
        if source != PILE:
            self.banned.add(give | take)
        self._close()

    def _put(self, give: int, take: int, source: int) -> None:
        if source == PILE:
            self.discard[-1] = give
            self.gone ^= give | take
        else:
            self.boards[source] ^= give | take

    def _close(self) -> None:
        """End the turn: collect the match on the board, refill it or end the hand, and pass the turn on."""
        seat, stock = self.turn, self.stock
        points = _POINTS.get(self.boards[seat])
        if points is None:
            if not stock:
                self._end()
                return
            self.dry = 0 if self.discarding else self.dry + 1
        else:
            self.points[seat] += points
            self.gone |= self.boards[seat]
            self.boards[seat] = 0
            if len(stock) < BOARD_CARDS:
                self._end()
                return
            self.boards[seat] = stock.pop() | stock.pop() | stock.pop()
            if not stock:
                self._end()
                return
            self.dry = 0
        self.discarding = False
        self.turn = (seat + 1) % self.seats

    def _end(self) -> None:
        self.over, self.turn, self.discarding = True, NOBODY, False


def each(bits: int) -> list[int]:
    """Give the cards of a set, one bit each, in card order."""
    found = []
    while bits:
        bit = bits & -bits
        found.append(bit)
        bits ^= bit
    return found


def bits_of_all(cards: Sequence[Card]) -> int:
    """Give cards as a set."""
    return sum([BIT[card] for card in cards])
