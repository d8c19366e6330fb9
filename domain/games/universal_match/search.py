"""The hand being played as a search plays it on: with the choices of `heuristic.py`, made on sets of cards."""

import math
from itertools import combinations
from typing import Final

from domain.games.universal_match.cards import BIT, CARDS, VALUE
from domain.games.universal_match.flow import BOARD_CARDS, DRY_ROUNDS
from domain.games.universal_match.heuristic import HAND, WEIGHTS
from domain.games.universal_match.outs import ALL_BITS, Ranked, best
from domain.games.universal_match.played import PILE, Played, each
from domain.games.universal_match.state import State
from domain.luck import Luck

_WORTH: Final = {BIT[card]: VALUE[card] for card in CARDS}


class Table(Played):
    """One imagined table, changed in place."""

    __slots__ = ()

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

    def step(self) -> None:
        """Take one decision as the heuristic would: one of the best."""
        if self.choosing:
            seat = self.chosen.index(0)
            self.choose(seat, self._best_choice(seat))
        elif self.discarding:
            self.give_up(self._least())
        elif self.dry >= DRY_ROUNDS * self.seats:
            self.draw()
        else:
            self._act()

    def _act(self) -> None:  # noqa: PLR0915 - written out, since a search spends most of its time here
        """Make the best of the switches, or draw."""
        seat, table, boards, restrained = self.turn, self.table, self.boards, self.restrained
        board, hand, top = boards[seat], self.hands[seat], self.discard[-1] if self.discard else 0
        pool = sum(boards) | top
        unseen = ALL_BITS & ~(self.gone | pool | hand)
        count = unseen.bit_count() or 1
        live, hidden, share = WEIGHTS.live / count, WEIGHTS.hidden * HAND / count, _SHARE[self.seats]
        threats = [
            0.0 if other == seat else _threat(table[cards], unseen, pool, hidden) for other, cards in enumerate(boards)
        ]
        threat = sum(threats)
        own = _own(table[board], hand, unseen, live)
        outs = 0 if table[board][0] else table[board][1]
        most = (
            WEIGHTS.draw + (table[board][1] & unseen).bit_count() * live + self.dry * WEIGHTS.dry + own - threat * share
        )
        act: tuple[int, int, int, bool] | None = None
        mine, held = each(board), each(hand)

        def moved(change: int, but: int) -> float:
            """Say what the others are near to when these cards come into the open or leave it, one board aside."""
            new = pool ^ change
            return sum(
                [
                    _threat(table[cards], unseen, new, hidden)
                    for other, cards in enumerate(boards)
                    if other not in (seat, but)
                ]
            )

        sources = [(other, cards, each(cards)) for other, cards in enumerate(boards) if other != seat]
        if top:
            sources.append((PILE, top, [top]))
        calm = threat * share
        for give in mine:
            for other, cards, takes in sources:
                least = calm if other == PILE else calm - threats[other] * share
                for take in takes:
                    if restrained and _WORTH[give] < _WORTH[take]:
                        continue
                    change = give | take
                    if other != PILE and change in self.banned:
                        continue
                    rating = _own(table[board ^ change], hand, unseen, live) - least
                    if rating > most and other != PILE:
                        rating -= _threat(table[cards ^ change], unseen, pool, hidden) * share
                    if rating > most:
                        most, act = rating, (other, give, take, True)
            for card in held:
                change = give | card
                rating = _own(table[board ^ change], hand ^ change, unseen, live)
                if rating > most:
                    rating -= moved(change, PILE) * share
                if rating > most:
                    most, act = rating, (seat, card, give, False)
        for give in held:
            for other, cards, takes in sources:
                for take in takes:
                    if restrained and _WORTH[give] < _WORTH[take]:
                        continue
                    change = give | take
                    rating = _own(table[board], hand ^ change, unseen, live) if change & outs else own
                    if rating > most:
                        near = 0.0 if other == PILE else _threat(table[cards ^ change], unseen, pool ^ change, hidden)
                        rating -= (near + moved(change, other)) * share
                    if rating > most:
                        most, act = rating, (other, give, take, False)
        if act is None:
            self.draw()
            return
        source, give, take, is_board = act
        if source == seat:
            self.switch_own(give, take)
        elif is_board:
            self.switch_boards(give, take, source)
        else:
            self.switch_hand(give, take, source)

    def _least(self) -> int:
        """Find the card of the hand that is missed least and helps the others least."""
        seat, table, boards = self.turn, self.table, self.boards
        hand, board, open_cards = self.hands[seat], boards[seat], sum(boards)
        unseen = ALL_BITS & ~(self.gone | open_cards | hand)
        count = unseen.bit_count() or 1
        live, hidden, share = WEIGHTS.live / count, WEIGHTS.hidden * HAND / count, _SHARE[self.seats]
        others = [table[cards] for other, cards in enumerate(boards) if other != seat]
        most, least = -1e9, 0
        for card in each(hand):
            pool = open_cards | card
            near = sum([_threat(other, unseen, pool, hidden) for other in others])
            rating = _own(table[board], hand ^ card, unseen, live) - near * share
            if rating > most:
                most, least = rating, card
        return least

    def _best_choice(self, seat: int) -> int:
        table, hand = self.table, self.hands[seat]
        before = (seat - self.dealer - 1) % self.seats
        calm = WEIGHTS.calm**before
        unseen = ALL_BITS & ~hand
        live = WEIGHTS.live / unseen.bit_count()
        most, chosen = -1.0, 0
        for cards in combinations(each(hand), BOARD_CARDS):
            board = cards[0] | cards[1] | cards[2]
            made, outs, ranked = table[board]
            whole = made * calm * math.sqrt(calm) + (0.0 if before else WEIGHTS.draw)
            worth = max(whole, best(ranked, hand ^ board) * calm) + (outs & unseen).bit_count() * live
            if worth > most:
                most, chosen = worth, board
        return chosen


_SHARE: Final = tuple(1 / math.sqrt(seats - 1) if seats > 1 else 1.0 for seats in range(7))
_READY: Final = WEIGHTS.ready
_FRESH: Final = WEIGHTS.fresh
_RIPE: Final = WEIGHTS.ripe
_OPEN: Final = WEIGHTS.open
_HIDDEN: Final = WEIGHTS.hidden


def _own(facts: tuple[int, int, Ranked], hand: int, unseen: int, live: float) -> float:
    """Say what a board and a hand promise their owner, as the heuristic does."""
    made, outs, ranked = facts
    if made:
        return made + _FRESH
    worth = (outs & unseen).bit_count() * live
    if outs & hand:
        for cards, value in ranked:
            if cards & hand:
                return worth + value * _READY
    return worth


def _threat(facts: tuple[int, int, Ranked], unseen: int, pool: int, hidden: float) -> float:
    """Say what an opponent with this board is near to, as the heuristic does."""
    made, outs, ranked = facts
    if made:
        return made * _RIPE
    near = min((outs & unseen).bit_count() * hidden, _HIDDEN)
    if outs & pool:
        for cards, value in ranked:
            if cards & pool:
                return max(near, value * _OPEN)
    return near


def table_of(state: State, luck: Luck) -> Table | None:  # noqa: ARG001 - nothing is shuffled before the hand ends
    """Give the state as one that changes; None with advanced version B, whose offers it does not know."""
    return None if state.series.options.advanced_b else Table(state)
