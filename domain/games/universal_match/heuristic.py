"""How good each command is, judged by what the seat sees: the greedy bot takes the best one.

A command is rated by what it earns now, how near it brings the seat to its next match, and how near the
others are to theirs; the weights are in points and were found by play against itself.
"""

import math
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from domain.game import Seen
from domain.games.universal_match.cards import BIT, Card
from domain.games.universal_match.commands import (
    ChooseBoard,
    DeclineMatch,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
    TakeMatch,
)
from domain.games.universal_match.options import Options
from domain.games.universal_match.outs import ALL_BITS, outs, tables
from domain.games.universal_match.views import View
from domain.values import Command, Value


class Weights(Value, frozen=True):
    """What a point is worth, by how it is to be had."""

    ready_hand: float = 0.8
    """A match of the own board with a card of the own hand, next turn."""
    ready_pool: float = 0.45
    """The same with a card that lies open elsewhere."""
    live_out: float = 0.5
    """An out that nobody has seen, by its share of the unseen cards."""
    fresh: float = 1.5
    """A board just refilled, in points."""
    ripe: float = 0.9
    """A match ready on an opponent's board."""
    threat_open: float = 0.6
    """A match that an opponent can make with a card that lies open."""
    threat_hidden: float = 0.5
    """A match that he could make with a card of his hand."""
    loss: float = 0.6
    """What a taker gains by a match that was ours."""
    calm: float = 0.8
    """What is left of a plan after each opponent's turn."""
    draw: float = 0.2
    """A draw by itself, in points."""


WEIGHTS: Final = Weights()
TYPICAL: Final = 6.0
"""What a match is worth of which only the outs are known."""
HAND: Final = 3


def rate(seen: Seen) -> Sequence[float]:
    """Rate each of the commands; higher is better."""
    return rate_by(seen, WEIGHTS)


def rate_by(seen: Seen, weights: Weights) -> Sequence[float]:
    """Rate each of the commands by the weights given."""
    position = _Position(seen, weights)
    return [position.rate(command) for command in seen.commands]


class _Position:
    """What one seat sees, as sets of cards; made for one decision and thrown away."""

    def __init__(self, seen: Seen, weights: Weights) -> None:
        view = seen.view
        if not isinstance(view, View) or not isinstance(seen.options, Options):
            raise TypeError(seen)
        self.weights = weights
        self.seats = seen.seats
        self.me = int(seen.seat)
        self.tables = tables(seen.options)
        self.view = view
        own = view.seats[self.me]
        self.hand = _bits(own.hand if own.hand is not UNSET else ())
        self.boards = [_bits(seat.board) for seat in view.seats]
        self.top = BIT[view.discard[-1]] if view.discard else 0
        known = self.hand | _bits(view.discard) | _bits(own.chosen if own.chosen is not UNSET else ())
        for seat, board in zip(view.seats, self.boards, strict=True):
            known |= board
            for match in seat.matches:
                known |= _bits(match.cards)
        self.unseen = ALL_BITS & ~known
        self.unseen_count = max(1, self.unseen.bit_count())

    def rate(self, command: Command) -> float:
        match command:
            case SwitchHand() | SwitchBoards():
                return self._switch(command)
            case SwitchOwn():
                give, take = BIT[command.give], BIT[command.take]
                return self._score(self._with(self.me, give, take), self.hand ^ give ^ take, self.top)
            case DrawCard():
                live = (outs(self.boards[self.me]) & self.unseen).bit_count() / self.unseen_count
                bonus = self.weights.draw + live * self.weights.live_out * TYPICAL
                return bonus + self._score(self.boards, self.hand, self.top)
            case Discard():
                card = BIT[command.card]
                return self._score(self.boards, self.hand ^ card, card)
            case ChooseBoard():
                return self._choice(command.cards)
            case TakeMatch():
                return self._taking(command)
            case DeclineMatch():
                return self._ready(self.boards[self.me], self.hand, self.boards, self.top)
            case _:
                raise TypeError(command)

    def _with(self, seat: int, put_in: int, taken: int) -> list[int]:
        boards = list(self.boards)
        boards[seat] ^= put_in ^ taken
        return boards

    def _switch(self, command: SwitchHand | SwitchBoards) -> float:
        give, take = BIT[command.give], BIT[command.take]
        top, hand = self.top, self.hand
        boards = list(self.boards)
        if isinstance(command.source, str):
            top = give
        else:
            boards[command.source] ^= give ^ take
        if isinstance(command, SwitchHand):
            hand ^= give ^ take
        else:
            boards[self.me] ^= give ^ take
        return self._score(boards, hand, top)

    def _score(self, boards: list[int], hand: int, top: int) -> float:
        board = boards[self.me]
        earned = self.tables.worth.get(board)
        if earned is None:
            own = self._ready(board, hand, boards, top)
        else:
            own = self._earned(board, earned, boards) + self.weights.fresh
        return own - self._threats(boards, top)

    def _earned(self, board: int, worth: int, boards: list[int]) -> float:
        """What a match earns when it may be taken (B)."""
        takers = self.tables.takers(board)
        if not takers:
            return worth
        if any(takers & other for i, other in enumerate(boards) if i != self.me):
            risk = 1.0
        else:
            risk = min(1.0, self._hidden(takers, HAND * (self.seats - 1)))
        return worth * (1 - risk) - risk * self.weights.loss * (worth + 8)

    def _hidden(self, cards: int, places: int) -> float:
        """How many of these cards lie in so many places that the seat can't see."""
        return (cards & self.unseen).bit_count() * places / self.unseen_count

    def _ready(self, board: int, hand: int, boards: list[int], top: int) -> float:
        weights = self.weights
        own = self.tables.best(board, hand) * weights.ready_hand
        pool = top
        for i, other in enumerate(boards):
            if i != self.me:
                pool |= other
        lying = self.tables.best(board, pool) * weights.ready_pool
        live = (outs(board) & self.unseen).bit_count() / self.unseen_count
        return max(own, lying) + live * weights.live_out * TYPICAL

    def _threats(self, boards: list[int], top: int) -> float:
        weights, me = self.weights, self.me
        pool = top
        for board in boards:
            pool |= board
        total = 0.0
        for i, board in enumerate(boards):
            if i == me:
                continue
            ripe = self.tables.worth.get(board)
            if ripe is not None:
                total += ripe * weights.ripe
                continue
            lying = self.tables.best(board, pool) * weights.threat_open
            hidden = min(1.0, self._hidden(outs(board), HAND)) * TYPICAL * weights.threat_hidden
            total += max(lying, hidden)
        return total / math.sqrt(self.seats - 1)

    def _choice(self, cards: Sequence[Card]) -> float:
        weights = self.weights
        board = _bits(cards)
        hand = self.hand ^ board
        before = (self.me - self.view.dealer - 1) % self.seats
        whole = self.tables.worth.get(board, 0) * math.pow(weights.calm, 1.5 * before) + (0.5 if before == 0 else 0)
        pair = self.tables.best(board, hand) * math.pow(weights.calm, before)
        live = (outs(board) & self.unseen).bit_count() / self.unseen_count
        return max(whole, pair) + live * weights.live_out * TYPICAL

    def _taking(self, command: TakeMatch) -> float:
        offer = self.view.offer
        if offer is None:
            return 0.0
        give, take = BIT[command.give], BIT[command.take]
        won = self.tables.worth[_bits(offer.cards) ^ take ^ give]
        boards, hand = self.boards, self.hand
        if hand & give:
            hand ^= give ^ take
        else:
            boards = self._with(self.me, give, take)
        return won + self._ready(boards[self.me], hand, boards, self.top)


def _bits(cards: Sequence[Card]) -> int:
    total = 0
    for card in cards:
        total |= BIT[card]
    return total
