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
    Discard,
    DrawCard,
    Source,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
    TakeMatch,
)
from domain.games.universal_match.options import Options
from domain.games.universal_match.outs import ALL_BITS, OUTS, tables
from domain.games.universal_match.views import View
from domain.values import Command, Value


class Weights(Value, frozen=True):
    """What a point is worth, by how it is to be had."""

    ready_hand: float = 0.6
    """A match of the own board with a card of the own hand, next turn."""
    ready_pool: float = 0.35
    """The same with a card that lies open elsewhere."""
    live_out: float = 2.0
    """All cards that nobody has seen being outs of the own board, in points."""
    fresh: float = 2.5
    """A board just refilled, in points."""
    ripe: float = 0.9
    """A match ready on an opponent's board."""
    threat_open: float = 0.5
    """A match that an opponent can make with a card that lies open."""
    threat_hidden: float = 3.0
    """A match that an opponent can surely make with a card of his hand, in points."""
    loss: float = 0.6
    """What a taker gains by a match that was ours."""
    calm: float = 0.8
    """What is left of a plan after each opponent's turn."""
    draw: float = 0.2
    """A draw by itself, in points."""
    dry: float = 0.1
    """A draw for each turn since the last card left the stock, in points."""


WEIGHTS: Final = Weights()
HAND: Final = 3
TAKEN: Final = 8
"""What a taker gains beside the points of the match that was made: the bonus, and a better card."""


def rate(seen: Seen) -> Sequence[float]:
    """Rate each of the commands; higher is better."""
    return rate_by(seen, WEIGHTS)


def rate_by(seen: Seen, weights: Weights) -> Sequence[float]:
    """Rate each of the commands by the weights given."""
    rating = _Position(seen, weights).rate
    return [rating(command) for command in seen.commands]


class _Position:
    """What one seat sees, as sets of cards; made for one decision and thrown away."""

    def __init__(self, seen: Seen, weights: Weights) -> None:
        view = seen.view
        if not isinstance(view, View) or not isinstance(seen.options, Options):
            raise TypeError(seen)
        self.view = view
        self.weights = weights
        self.tables = tables(seen.options)
        self.worth = self.tables.worth
        self.me = int(seen.seat)
        self.seats = seen.seats
        own = view.seats[self.me]
        self.hand = _bits(own.hand if own.hand is not UNSET else ())
        boards = [_bits(seat.board) for seat in view.seats]
        self.board = boards[self.me]
        self.others = {i: board for i, board in enumerate(boards) if i != self.me}
        self.top = BIT[view.discard[-1]] if view.discard else 0
        self.pool = self.top
        for board in boards:
            self.pool |= board
        known = self.hand | self.pool | _bits(view.discard) | _bits(own.chosen if own.chosen is not UNSET else ())
        for seat in view.seats:
            for match in seat.matches:
                known |= _bits(match.cards)
        self.unseen = ALL_BITS & ~known
        count = max(1, self.unseen.bit_count())
        self.live = weights.live_out / count
        self.hidden = weights.threat_hidden * HAND / count
        self.share = 1 / math.sqrt(self.seats - 1)
        self.base_own = self._own(self.board, self.hand, self.pool)
        self.threats = {i: self._threat(board, self.pool) for i, board in self.others.items()}
        self.threat = sum(self.threats.values())
        self.outs = {i: 0 if board in self.worth else OUTS[board] for i, board in self.others.items()}
        self.all_outs = 0
        for outs in self.outs.values():
            self.all_outs |= outs

    def rate(self, command: Command) -> float:
        """Rate one command; the kinds are told apart by what they change on the table."""
        match command:
            case SwitchHand():
                change = BIT[command.give] ^ BIT[command.take]
                own = self.base_own
                if change & OUTS[self.board]:
                    own = self._own(self.board, self.hand ^ change, self.pool ^ change)
                threat = self._moved(change, command.source)
                if not isinstance(command.source, str):
                    board = self.others[command.source] ^ change
                    threat += self._threat(board, self.pool ^ change) - self.threats[command.source]
                return own - threat * self.share
            case SwitchBoards():
                change = BIT[command.give] ^ BIT[command.take]
                threat = self.threat
                if not isinstance(command.source, str):
                    board = self.others[command.source] ^ change
                    threat += self._threat(board, self.pool) - self.threats[command.source]
                return self._own(self.board ^ change, self.hand, self.pool) - threat * self.share
            case SwitchOwn():
                change = BIT[command.give] ^ BIT[command.take]
                own = self._own(self.board ^ change, self.hand ^ change, self.pool ^ change)
                return own - self._moved(change, "discard") * self.share
            case DrawCard():
                live = (OUTS[self.board] & self.unseen).bit_count() * self.live
                drawn = self.weights.draw + live + self.view.dry_turns * self.weights.dry
                return drawn + self.base_own - self.threat * self.share
            case Discard():
                card = BIT[command.card]
                own = self._own(self.board, self.hand ^ card, self.pool ^ self.top ^ card)
                return own - self._moved(self.top ^ card, "discard") * self.share
            case ChooseBoard():
                return self._choice(command.cards)
            case TakeMatch():
                return self._taking(command)
            case _:
                return self.base_own

    def _own(self, board: int, hand: int, pool: int) -> float:
        """What the seat has and will have: a match now, or the best one that it could make next turn."""
        made = self.worth.get(board)
        if made is not None:
            return self._earned(board, made) + self.weights.fresh
        outs = OUTS[board]
        value = 0.0
        if outs & hand:
            value = self.tables.best(board, outs & hand) * self.weights.ready_hand
        if outs & pool:
            value = max(value, self.tables.best(board, outs & pool) * self.weights.ready_pool)
        return value + (outs & self.unseen).bit_count() * self.live

    def _earned(self, board: int, made: int) -> float:
        """What a match earns when it may be taken (B)."""
        takers = self.tables.takers(board)
        if not takers:
            return made
        if takers & self.pool & ~self.top & ~board:
            risk = 1.0
        else:
            places = HAND * (self.seats - 1)
            risk = min(1.0, (takers & self.unseen).bit_count() * places / max(1, self.unseen.bit_count()))
        return made * (1 - risk) - risk * self.weights.loss * (made + TAKEN)

    def _threat(self, board: int, pool: int) -> float:
        """What an opponent with this board is near to."""
        made = self.worth.get(board)
        if made is not None:
            return made * self.weights.ripe
        outs = OUTS[board]
        hidden = min(self.weights.threat_hidden, (outs & self.unseen).bit_count() * self.hidden)
        if outs & pool:
            return max(hidden, self.tables.best(board, outs & pool) * self.weights.threat_open)
        return hidden

    def _moved(self, change: int, source: Source) -> float:
        """What the opponents are near to when these cards come into the open or leave it, the source's board aside."""
        total = self.threat
        if change & self.all_outs:
            for i, outs in self.outs.items():
                if change & outs and i != source:
                    total += self._threat(self.others[i], self.pool ^ change) - self.threats[i]
        return total

    def _choice(self, cards: Sequence[Card]) -> float:
        weights = self.weights
        board = _bits(cards)
        before = (self.me - self.view.dealer - 1) % self.seats
        whole = self.worth.get(board, 0) * math.pow(weights.calm, 1.5 * before) + (0.5 if before == 0 else 0)
        outs = OUTS[board]
        pair = self.tables.best(board, outs & self.hand & ~board) * math.pow(weights.calm, before)
        return max(whole, pair) + (outs & self.unseen).bit_count() * self.live

    def _taking(self, command: TakeMatch) -> float:
        offer = self.view.offer
        if offer is None:
            return 0.0
        change = BIT[command.give] ^ BIT[command.take]
        won = self.worth[_bits(offer.cards) ^ change]
        if BIT[command.give] & self.hand:
            return won + self._own(self.board, self.hand ^ change, self.pool)
        return won + self._own(self.board ^ change, self.hand, self.pool)


def _bits(cards: Sequence[Card]) -> int:
    total = 0
    for card in cards:
        total |= BIT[card]
    return total
