"""The hand being played as a search plays it: one state that changes, sets of cards as bits of one number.

The same rules as in `rules.py`, `flow.py` and `evolve.py`, held together by a law (`tests/domain/bots`), but for the
offers of advanced version B, and only to the end of the hand: the next deal is the same luck for all. Where a seat
plays on, it makes the best match that it can, else draws and gives up what helps least: the whole heuristic would
cost fifty times as much.
"""

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from domain.games.universal_match.cards import BIT, CARDS, VALUE, Card
from domain.games.universal_match.commands import (
    ChooseBoard,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
)
from domain.games.universal_match.evaluate import judge
from domain.games.universal_match.flow import BOARD_CARDS, DRY_ROUNDS
from domain.games.universal_match.matches import MATCHES
from domain.games.universal_match.outs import best, boards_of
from domain.games.universal_match.state import State, hand_points
from domain.values import Command, Seat

NOBODY: Final = -1
GIVEN_AWAY: Final = 0.4
"""What a match is worth to us that our discard lets another make."""
BEFORE: Final = 0.8
"""What is left of a chosen board's promise after each seat that plays before."""

_POINTS: Final = {board: facts.points for board, facts in MATCHES.items()}
_WORTH: Final = {BIT[card]: VALUE[card] for card in CARDS}


class Table:
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
        "hands",
        "over",
        "points",
        "restrained",
        "rng",
        "seats",
        "stock",
        "table",
        "turn",
    )  # fmt: skip

    def __init__(self, state: State, rng: random.Random) -> None:
        """Begin in this state; nothing is shuffled before the hand ends."""
        series = state.series
        self.rng = rng
        self.table = boards_of(series.options)
        self.restrained = series.options.advanced_a
        self.seats = series.seats
        self.dealer = int(series.dealer)
        self.hands = [_bits(hand) for hand in state.hands]
        self.boards = [_bits(board) for board in state.boards]
        self.chosen = [_bits(board) for board in state.chosen]
        self.stock = [BIT[card] for card in reversed(state.stock)]
        self.discard = [BIT[card] for card in state.discard]
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

    def play(self, seat: Seat, command: Command) -> None:
        """Carry out a legal command."""
        match command:
            case SwitchHand(give=give, take=take, source=source):
                self._switch_hand(BIT[give], BIT[take], source)
            case SwitchBoards(give=give, take=take, source=source):
                self._switch_boards(BIT[give], BIT[take], source)
            case SwitchOwn(give=give, take=take):
                self._switch_own(BIT[give], BIT[take])
            case DrawCard():
                self._draw()
            case Discard(card=card):
                self._give_up(BIT[card])
            case ChooseBoard(cards=cards):
                self._choose(seat, _bits(cards))
            case _:
                raise TypeError(command)

    def play_on(self, turns: int) -> None:
        """Play on for so many turns, a turn that has begun aside, to the end of the hand at most."""
        if self.discarding:
            self.step()
        for _ in range(turns):
            if self.over:
                return
            self.step()
            if self.discarding:
                self.step()

    def values(self) -> Sequence[float]:
        """Judge as `evaluate` does; when the hand is over, by the points."""
        if self.over:
            return self.points
        return judge(self.table, self.points, self.boards, self.hands, self.discard[-1] if self.discard else 0)

    # -------------------------------------------------------------------------------------------------- the rules

    def _choose(self, seat: int, cards: int) -> None:
        self.hands[seat] ^= cards
        self.chosen[seat] = cards
        if all(self.chosen):
            self.boards, self.chosen = self.chosen, [0] * self.seats
            self.choosing = False
            self.turn = (self.dealer + 1) % self.seats
            self.dry = 0

    def _draw(self) -> None:
        self.hands[self.turn] |= self.stock.pop()
        self.discarding = True
        self.dry = 0

    def _give_up(self, card: int) -> None:
        self.hands[self.turn] ^= card
        self.discard.append(card)
        self._close()

    def _switch_own(self, give: int, take: int) -> None:
        self.hands[self.turn] ^= give | take
        self.boards[self.turn] ^= give | take
        self._close()

    def _switch_hand(self, give: int, take: int, source: int | str) -> None:
        self.hands[self.turn] ^= give | take
        self._put(give, take, source)
        self._close()

    def _switch_boards(self, give: int, take: int, source: int | str) -> None:
        self.boards[self.turn] ^= give | take
        self._put(give, take, source)
        if not isinstance(source, str):
            self.banned.add(give | take)
        self._close()

    def _put(self, give: int, take: int, source: int | str) -> None:
        if isinstance(source, str):
            self.discard[-1] = give
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

    # -------------------------------------------------------------------------------------------------- the choices

    def step(self) -> None:
        """Take one decision."""
        if self.choosing:
            seat = self.chosen.index(0)
            self._choose(seat, self._best_choice(seat))
        elif self.discarding:
            self._give_up(self._least())
        elif self.dry >= DRY_ROUNDS * self.seats or not self._make_match():
            self._draw()

    def _make_match(self) -> bool:
        """Make the best match that one card of the hand, of another's board or of the pile makes; False for none."""
        seat, boards = self.turn, self.boards
        board, hand = boards[seat], self.hands[seat]
        pool = self.discard[-1] if self.discard else 0
        for cards in boards:
            pool |= cards
        pool ^= board
        for outs, _ in self.table[board][2]:
            card = outs & hand
            if card:
                card &= -card
                self._switch_own(card, _dropped(board, card))
                return True
            lying = outs & pool
            while lying:
                card = lying & -lying
                lying ^= card
                dropped = _dropped(board, card)
                if self.restrained and _WORTH[dropped] < _WORTH[card]:
                    continue
                if self.discard and card == self.discard[-1]:
                    self._switch_boards(dropped, card, "discard")
                    return True
                if card | dropped not in self.banned:
                    owner = next(other for other, cards in enumerate(boards) if cards & card and other != seat)
                    self._switch_boards(dropped, card, owner)
                    return True
        return False

    def _least(self) -> int:
        """Find the card of the hand that is missed least and helps the others least."""
        seat, table = self.turn, self.table
        hand, ranked = self.hands[seat], table[self.boards[seat]][2]
        others = [table[board][2] for other, board in enumerate(self.boards) if other != seat]
        most, least, left = -1e9, 0, hand
        while left:
            card = left & -left
            left ^= card
            worth = best(ranked, hand ^ card) - GIVEN_AWAY * max([best(other, card) for other in others])
            if worth > most:
                most, least = worth, card
        return least

    def _best_choice(self, seat: int) -> int:
        table, hand = self.table, self.hands[seat]
        calm = BEFORE ** ((seat - self.dealer - 1) % self.seats)
        most, chosen = -1.0, 0
        for cards in combinations(_each(hand), BOARD_CARDS):
            board = cards[0] | cards[1] | cards[2]
            made, outs, ranked = table[board]
            worth = max(made * calm, best(ranked, hand ^ board)) * calm + 0.04 * outs.bit_count()
            if worth > most:
                most, chosen = worth, board
        return chosen


@cache
def _dropped(board: int, out: int) -> int:
    """Give the card of the board that an out takes the place of, so that the best match comes about."""
    return max(_each(board), key=lambda card: _POINTS.get(board ^ card ^ out, 0))


def _each(bits: int) -> list[int]:
    found = []
    while bits:
        bit = bits & -bits
        found.append(bit)
        bits ^= bit
    return found


def _bits(cards: Sequence[Card]) -> int:
    return sum([BIT[card] for card in cards])


def table_of(state: State, rng: random.Random) -> Table | None:
    """Give the state as one that changes; None with advanced version B, whose offers it does not know."""
    return None if state.series.options.advanced_b else Table(state, rng)
