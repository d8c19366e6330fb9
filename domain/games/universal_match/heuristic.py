"""How good each command is, judged by what the seat sees: the greedy bot takes the best one.

A command is rated by what it earns now, how near it brings the seat to its next match, and how near it leaves the
others to theirs; the weights are in points and were found by play against itself. A search asks for these figures
a million times, so sets of cards are bits of one number and the loop over the switches is written out.
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
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
    TakeMatch,
)
from domain.games.universal_match.options import Options
from domain.games.universal_match.outs import ALL_BITS, best, boards_of
from domain.games.universal_match.views import View
from domain.values import Command, Value


class Weights(Value, frozen=True):
    """What a point is worth, by how it is to be had."""

    ready: float = 0.55
    """A match that the own board makes with a card of the own hand, next turn."""
    live: float = 2.0
    """All cards that nobody has seen being outs of the own board, in points."""
    fresh: float = 2.5
    """A board just refilled, in points."""
    ripe: float = 0.9
    """A match ready on an opponent's board."""
    open: float = 0.6
    """A match that an opponent can make with a card that lies open."""
    hidden: float = 4.0
    """A match that an opponent can surely make with a card of his hand, in points."""
    loss: float = 0.6
    """What a taker gains by a match that was ours."""
    calm: float = 0.8
    """What is left of a plan after each opponent's turn."""
    draw: float = 0.25
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
    return _Position(seen, weights).rates(seen.commands)


class _Position:
    """What one seat sees, as sets of cards; made for one decision and thrown away."""

    def __init__(self, seen: Seen, weights: Weights) -> None:
        view = seen.view
        if not isinstance(view, View) or not isinstance(seen.options, Options):
            raise TypeError(seen)
        self.view = view
        self.weights = weights
        self.table = boards_of(seen.options)
        self.me = int(seen.seat)
        self.seats = seen.seats
        own = view.seats[self.me]
        self.hand = _bits(own.hand if own.hand is not UNSET else ())
        self.board = _bits(own.board)
        self.others = {int(seat.seat): _bits(seat.board) for seat in view.seats if seat.seat != self.me}
        self.top = BIT[view.discard[-1]] if view.discard else 0
        self.pool = self.board | self.top
        for board in self.others.values():
            self.pool |= board
        known = self.hand | self.pool | _bits(view.discard) | _bits(own.chosen if own.chosen is not UNSET else ())
        for seat in view.seats:
            for match in seat.matches:
                known |= _bits(match.cards)
        self.unseen = ALL_BITS & ~known
        count = max(1, self.unseen.bit_count())
        self.live = weights.live / count
        self.hidden = weights.hidden * HAND / count
        self.most_hidden, self.open, self.ripe, self.ready = weights.hidden, weights.open, weights.ripe, weights.ready
        self.share = 1 / math.sqrt(self.seats - 1)
        self.own = self._own(self.board, self.hand)
        self.threats: dict[int, float] = {}
        self.alerts: dict[int, int] = {}
        self.all_alerts = 0
        for i, board in self.others.items():
            self.threats[i], self.alerts[i] = self._watch(board)
            self.all_alerts |= self.alerts[i]
        self.threat = sum(self.threats.values())

    def rates(self, commands: Sequence[Command]) -> list[float]:
        """Rate commands: what the seat has behind them, less its share of what the others are near to."""
        bit, own, threat, share, threat_of = BIT, self.own, self.threat, self.share, self._threat
        board, hand, whole_pool, others, threats = self.board, self.hand, self.pool, self.others, self.threats
        outs, alerts = self.table[board][1], self.all_alerts
        if self.table[board][0]:
            outs = 0
        rates: list[float] = []
        for command in commands:
            if isinstance(command, SwitchHand):
                change = bit[command.give] ^ bit[command.take]
                source = command.source
                near = self._moved(change, source) if change & alerts else threat
                if source != "discard":
                    near += threat_of(others[source] ^ change, whole_pool ^ change) - threats[source]
                mine = self._own(board, hand ^ change) if change & outs else own
                rates.append(mine - near * share)
            elif isinstance(command, SwitchBoards):
                change = bit[command.give] ^ bit[command.take]
                source = command.source
                near = threat
                if source != "discard":
                    near += threat_of(others[source] ^ change, whole_pool) - threats[source]
                rates.append(self._own(board ^ change, hand) - near * share)
            else:
                rates.append(self._rate(command))
        return rates

    def _rate(self, command: Command) -> float:
        match command:
            case SwitchOwn():
                change = BIT[command.give] ^ BIT[command.take]
                near = self._moved(change, "discard") if change & self.all_alerts else self.threat
                return self._own(self.board ^ change, self.hand ^ change) - near * self.share
            case DrawCard():
                live = (self.table[self.board][1] & self.unseen).bit_count() * self.live
                drawn = self.weights.draw + live + self.view.dry_turns * self.weights.dry
                return drawn + self.own - self.threat * self.share
            case Discard():
                card = BIT[command.card]
                near = self._moved(self.top ^ card, "discard")
                return self._own(self.board, self.hand ^ card) - near * self.share
            case ChooseBoard():
                return self._choice(command.cards)
            case TakeMatch():
                return self._taking(command)
            case _:
                return self.own

    def _own(self, board: int, hand: int) -> float:
        """What the seat has and will have: a match now, or the best one that it can make by itself next turn."""
        made, outs, ranked = self.table[board]
        if made:
            return self._earned(board, made) + self.weights.fresh
        live = (outs & self.unseen).bit_count() * self.live
        return live + best(ranked, hand) * self.ready if outs & hand else live

    def _earned(self, board: int, made: int) -> float:
        """What a match earns when it may be taken (B)."""
        takers = self.table.takers(board)
        if not takers:
            return made
        if takers & self.pool & ~self.top & ~board:
            risk = 1.0
        else:
            places = HAND * (self.seats - 1)
            risk = min(1.0, (takers & self.unseen).bit_count() * places / max(1, self.unseen.bit_count()))
        return made * (1 - risk) - risk * self.weights.loss * (made + TAKEN)

    def _threat(self, board: int, pool: int) -> float:
        """What an opponent with this board is near to, with the cards in the open and those of his hand."""
        made, outs, ranked = self.table[board]
        if made:
            return made * self.ripe
        near = (outs & self.unseen).bit_count() * self.hidden
        near = min(near, self.most_hidden)
        if outs & pool:
            for cards, value in ranked:
                if cards & pool:
                    return max(near, value * self.open)
        return near

    def _watch(self, board: int) -> tuple[float, int]:
        """Give an opponent's threat, and the cards whose coming into the open, or leaving it, would change it."""
        made, outs, ranked = self.table[board]
        if made:
            return made * self.ripe, 0
        near = min((outs & self.unseen).bit_count() * self.hidden, self.most_hidden)
        alert = 0
        for cards, value in ranked:
            if value * self.open <= near:
                break
            lying = cards & self.pool
            if lying:
                is_alone = not lying & (lying - 1)
                return value * self.open, alert | (lying if is_alone else 0)
            alert |= cards
        return near, alert

    def _moved(self, change: int, source: int | str) -> float:
        """What the opponents are near to when these cards come into the open or leave it, the source's board aside."""
        total = self.threat
        for i, alert in self.alerts.items():
            if change & alert and i != source:
                total += self._threat(self.others[i], self.pool ^ change) - self.threats[i]
        return total

    def _choice(self, cards: Sequence[Card]) -> float:
        """A board is as good as the match that it is or can become, if the seats before leave it alone."""
        board = _bits(cards)
        made, outs, ranked = self.table[board]
        before = (self.me - self.view.dealer - 1) % self.seats
        calm = math.pow(self.weights.calm, before)
        whole = made * calm * math.sqrt(calm) + (self.weights.draw if before == 0 else 0)
        pair = best(ranked, self.hand & ~board) * calm
        return max(whole, pair) + (outs & self.unseen).bit_count() * self.live

    def _taking(self, command: TakeMatch) -> float:
        offer = self.view.offer
        if offer is None:
            return 0.0
        change = BIT[command.give] ^ BIT[command.take]
        won = self.table[_bits(offer.cards) ^ change][0]
        if BIT[command.give] & self.hand:
            return won + self._own(self.board, self.hand ^ change)
        return won + self._own(self.board ^ change, self.hand)


def _bits(cards: Sequence[Card]) -> int:
    total = 0
    for card in cards:
        total |= BIT[card]
    return total
