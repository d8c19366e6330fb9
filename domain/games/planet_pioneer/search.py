"""The game as a search plays it: one state that changes, cards as small numbers, colonies as sets of cells.

The same rules as in `rules.py`, `turns.py` and `evolve.py` and the same choices as in `heuristic.py`; all are held
together by a law (`tests/domain/bots/test_imagined.py`). A card's number is the place of its name in card order.
"""

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Final

from domain.games.planet_pioneer import heuristic as h
from domain.games.planet_pioneer.cards import BASE_STATION, MAX_LEVEL
from domain.games.planet_pioneer.commands import Attack, Build, Cap, Discard, Strike, Visit
from domain.games.planet_pioneer.deck import Deck
from domain.games.planet_pioneer.evaluate import KEPT, SHELTERED, TURN
from domain.games.planet_pioneer.grid import ALL_CELLS, BASE, FULL, NEIGHBOURS, NUMBER, numbers_in
from domain.games.planet_pioneer.limits import CAPPED_ROUNDS
from domain.games.planet_pioneer.scoring import is_over
from domain.games.planet_pioneer.state import State
from domain.games.planet_pioneer.turns import CAP_DRY_ROUNDS, CAP_LAPS, CAP_ROUNDS
from domain.luck import Luck
from domain.values import Command, Seat

NOBODY: Final = -1
NO_CARD: Final = -1
NOWHERE: Final = -1

Move = tuple[float, Callable[..., None], tuple[int, ...]]
"""How good it is, what it does, and with what."""
Choice = tuple[float, Callable[..., None] | None, tuple[int, ...]]
"""The best move of some, or None where there is none."""


class Names:
    """What a deck says of its cards, by their numbers."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        names = list(deck.kind)
        self.place = {card: place for place, card in enumerate(names)} | {BASE_STATION: NO_CARD}
        self.level = [deck.level[card] for card in names]
        self.bit = [deck.bit[card] for card in names]
        self.defends = [deck.kind[card] == "defense" for card in names]
        self.worth = [h.WORTH.get(deck.kind[card], 0.0) for card in names]
        self.kept = [KEPT.get(deck.kind[card], 0.0) for card in names]
        self.visit, self.attack = self.place[deck.visit], self.place[deck.attack]
        self.strike, self.cap = self.place[deck.strike], self.place[deck.cap]


_names: Final[dict[int, Names]] = {}
_MOST_DECKS: Final = 64


def _names_of(deck: Deck) -> Names:
    """Look a deck up by identity: to compare it by value would cost more than it saves."""
    found = _names.get(id(deck))
    if found is None:
        if len(_names) >= _MOST_DECKS:
            _names.clear()
        found = _names[id(deck)] = Names(deck)
    return found


class Colony:
    """One colony; as `colony.Colony`, with the top cards and what they count by cell."""

    __slots__ = ("counts", "covered", "craters", "frontier", "level", "living", "shielded", "targets", "tops")

    def __init__(self) -> None:
        self.covered, self.frontier = 1 << BASE, NEIGHBOURS[BASE]
        self.shielded = self.targets = self.craters = self.living = self.level = 0
        self.tops = [NO_CARD] * FULL
        self.counts = [0] * FULL

    def copy(self) -> "Colony":
        """Give one that stands the same."""
        other = Colony.__new__(Colony)
        other.covered, other.frontier, other.shielded = self.covered, self.frontier, self.shielded
        other.targets, other.craters, other.living, other.level = self.targets, self.craters, self.living, self.level
        other.tops, other.counts = self.tops[:], self.counts[:]
        return other

    def key(self) -> tuple[object, ...]:
        """Everything, for comparing."""
        return tuple(getattr(self, name) for name in self.__slots__)


class Table:
    """One imagined table, changed in place."""

    __slots__ = (
        "colonies", "discard", "drawn", "dry", "extra", "final", "first", "full", "hands", "laid", "lap", "luck",
        "must_place", "names", "over", "pile", "placed", "round", "seats", "turn", "waiting",
    )  # fmt: skip

    def __init__(self, state: State, luck: Luck) -> None:
        """Begin in this state; `luck` shuffles."""
        self.names = names = _names_of(state.setup.deck)
        place, flow, stock = names.place, state.flow, state.stock
        self.luck = luck
        self.seats = state.setup.seats
        self.hands = [[place[card] for card in hand] for hand in state.hands]
        self.colonies = [_colony(colony.laid, colony, place) for colony in state.colonies]
        self.pile = [place[card] for card in stock.pile[stock.drawn :]]
        self.drawn = 0
        self.discard = [place[card] for card in stock.discard]
        self.first, self.round, self.lap, self.dry = int(flow.first_seat), flow.round, flow.lap, flow.dry_rounds
        self.waiting, self.placed = flow.waiting, flow.placed
        self.final: list[int] | None = None if flow.final is None else [int(seat) for seat in flow.final.still_to_play]
        self.turn = NOBODY if state.turn is None else int(state.turn)
        self.extra, self.laid = state.extra, state.laid
        self.over = is_over(state)
        self.must_place = state.setup.options.first_round == "until_all_placed"

    def key(self) -> tuple[object, ...]:
        """Everything that matters, for comparing."""
        return (
            self.hands, [colony.key() for colony in self.colonies], self.pile[self.drawn :], self.discard, self.first,
            self.round, self.lap, self.dry, self.waiting, self.placed, self.final, self.turn, self.extra, self.laid,
            self.over,
        )  # fmt: skip

    def copy(self) -> "Table":
        """Give one that stands the same."""
        other = Table.__new__(Table)
        other.names, other.luck, other.seats, other.must_place = (
            self.names,
            self.luck.copy(),
            self.seats,
            self.must_place,
        )
        other.hands = [hand[:] for hand in self.hands]
        other.colonies = [colony.copy() for colony in self.colonies]
        other.pile, other.drawn, other.discard = self.pile, self.drawn, self.discard[:]  # a pile is never changed
        other.first, other.round, other.lap, other.dry = self.first, self.round, self.lap, self.dry
        other.waiting, other.placed, other.turn = self.waiting, self.placed, self.turn
        other.final = None if self.final is None else self.final[:]
        other.extra, other.laid, other.over = self.extra, self.laid, self.over
        return other

    def play(self, seat: Seat, command: Command) -> None:  # noqa: ARG002 - one seat is in turn
        """Carry out a legal command of the seat in turn."""
        names = self.names
        match command:
            case Build(card=card, cell=cell):
                self._build(names.place[card], NUMBER[cell])
            case Visit(cell=cell):
                self._visit(NUMBER[cell])
            case Attack(opponent=opponent, cell=cell):
                self._attack(opponent, NUMBER[cell])
            case Strike(opponent=opponent, cell=cell):
                self._strike(opponent, NUMBER[cell])
            case Cap(cell=cell):
                self._cap(NUMBER[cell])
            case Discard(card=card):
                self._discard(names.place[card])
            case _:
                raise TypeError(command)

    def play_on(self, turns: int) -> None:
        """Play on as the heuristic would for so many turns; extra turns do not count."""
        while not self.over and (turns > 0 or self.extra):
            turns -= not self.extra
            self.step()

    # -------------------------------------------------------------------------------------------------- the rules

    def _build(self, card: int, number: int) -> None:
        names, colony, cell = self.names, self.colonies[self.turn], 1 << number
        level = names.level[card]
        self._cover(colony, number, card, level)
        if names.defends[card]:
            colony.shielded |= cell | NEIGHBOURS[number]
        else:
            colony.targets |= cell
        colony.living |= names.bit[card]
        colony.level += level
        self._lay(card)

    def _visit(self, number: int) -> None:
        self._cover(self.colonies[self.turn], number, self.names.visit, 0)
        self._lay(self.names.visit, extra=True)

    def _attack(self, opponent: int, number: int) -> None:
        colony = self.colonies[opponent]
        self._cover(colony, number, self.names.attack, 0)
        colony.targets |= 1 << number
        self.waiting |= 1 << opponent
        self._lay(self.names.attack)

    def _strike(self, opponent: int, number: int) -> None:
        names, colony, cell = self.names, self.colonies[opponent], 1 << number
        destroyed = colony.tops[number]
        colony.tops[number], colony.counts[number] = names.strike, 0
        colony.targets &= ~cell
        colony.craters |= cell
        colony.living &= ~names.bit[destroyed]
        colony.level -= names.level[destroyed]
        self._lay(names.strike)

    def _cap(self, number: int) -> None:
        names, colony, cell = self.names, self.colonies[self.turn], 1 << number
        level = names.level[names.cap]
        colony.tops[number], colony.counts[number] = names.cap, level
        colony.targets |= cell
        colony.craters &= ~cell
        colony.level += level
        self._lay(names.cap)

    def _discard(self, card: int) -> None:
        seat = self.turn
        self.hands[seat].remove(card)
        self.discard.append(card)
        self._finish(seat)
        self._after_turn(seat, extra=False)

    @staticmethod
    def _cover(colony: Colony, number: int, card: int, level: int) -> None:
        colony.covered |= 1 << number
        colony.frontier = (colony.frontier | NEIGHBOURS[number]) & ~colony.covered
        colony.tops[number], colony.counts[number] = card, level

    def _lay(self, card: int, *, extra: bool = False) -> None:
        seat = self.turn
        self.hands[seat].remove(card)
        self.laid = True
        if self.round == 1:
            self.placed |= 1 << seat
        self._finish(seat)
        self._after_turn(seat, extra=extra)

    def _finish(self, seat: int) -> None:
        if self.final is not None and seat in self.final:
            self.final.remove(seat)

    def _can_play(self, seat: int) -> bool:
        return bool(self.hands[seat]) or self.drawn < len(self.pile) or bool(self.discard)

    def _begin(self, seat: int, *, extra: bool = False) -> None:
        self.turn, self.extra = seat, extra
        if self.drawn == len(self.pile) and self.discard:
            self.pile = list(self.luck.shuffle(0, sorted(self.discard)))
            self.drawn, self.discard = 0, []
        if self.drawn < len(self.pile):
            insort(self.hands[seat], self.pile[self.drawn])
            self.drawn += 1

    def _after_turn(self, seat: int, *, extra: bool) -> None:
        self.turn = NOBODY
        if self.final is None:
            full = [owner for owner, colony in enumerate(self.colonies) if colony.covered == ALL_CELLS]
            if full:
                clockwise = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
                self.final = [other for other in clockwise if other not in full]
        if self.final is not None:
            self._next_final_turn()
        elif extra and self._can_play(seat):
            self._begin(seat, extra=True)
        else:
            self._next_turn(seat)
        self.over = self.turn == NOBODY

    def _next_final_turn(self) -> None:
        while self.final:
            seat = self.final[0]
            if self.waiting >> seat & 1:
                self.waiting &= ~(1 << seat)
            elif self._can_play(seat):
                self._begin(seat)
                return
            self.final.remove(seat)

    def _next_turn(self, seat: int) -> None:
        if self.round > 1:
            other = (seat + 1) % self.seats
            if other != self.first and not self.waiting >> other & 1 and self._can_play(other):
                self._begin(other)
                return
        everybody = (1 << self.seats) - 1
        waits = self.round == 1 and self.must_place
        while True:
            seat = (seat + 1) % self.seats
            if seat == self.first or (waits and self.placed == everybody):
                if waits and self.placed != everybody and self.lap < CAP_LAPS:
                    self.lap += 1
                else:
                    dry = 0 if self.laid else self.dry + 1
                    if dry == CAP_DRY_ROUNDS or self.round == CAP_ROUNDS:
                        return
                    self.dry, self.round, self.lap, self.laid = dry, self.round + 1, 1, False
                    waits, seat = False, self.first
            if self.waiting >> seat & 1:
                self.waiting &= ~(1 << seat)
            elif not (waits and self.placed >> seat & 1) and self._can_play(seat):
                self._begin(seat)
                return

    # -------------------------------------------------------------------------------------------------- the choices

    def step(self) -> None:
        """Take one decision as the heuristic would: the first of the best in the order of `legal`."""
        seat, own, hand, names = self.turn, self.colonies[self.turn], self.hands[self.turn], self.names
        level, bit, living = names.level, names.bit, own.living
        cards = list(dict.fromkeys(hand))
        best = [card for card in cards if bit[card] & ~living]
        best.sort(key=level.__getitem__)
        best.reverse()
        turns = self._turns_left(seat)
        ends = self.final is None and own.covered.bit_count() + 1 >= FULL
        most, act, what = self._build_best(cards, best, turns, ends=ends)
        if names.visit in hand:
            rating = h.VISIT + (self._ending(seat, 0) if ends else 0.0)
            if act is None or rating > most:
                most, act, what = rating, self._visit, (_lowest(own.frontier),)
        if self.round > 1:
            for move in self._attacks(hand, turns):
                if act is None or move[0] > most:
                    most, act, what = move
        if act is None or self.round > 1 or not self.must_place:
            worth, share = names.worth, 1.0 if turns == 1 else 0.1
            keeps = h.KEPT if turns > 1 else 0.0
            needed = best[:turns]
            for card in cards:
                rating = (
                    -h.KEPT * level[card]
                    if card in needed
                    else float(level[card])
                    if bit[card] & ~living
                    else level[card] * share - keeps * worth[card]
                )
                if act is None or rating > most:
                    most, act, what = rating, self._discard, (card,)
        if act is None:
            raise RuntimeError("A seat in turn has a card.")
        act(*what)

    def _build_best(self, cards: Sequence[int], best: Sequence[int], turns: int, *, ends: bool) -> Choice:
        names, own = self.names, self.colonies[self.turn]
        levels, defends = names.level, names.defends
        highest = self.round if self.round <= CAPPED_ROUNDS else MAX_LEVEL
        spared = 2.0 * levels[best[turns - 1]] if turns <= len(best) else h.DRAWN
        free = own.frontier
        safe = free & own.shielded
        most, act = 0.0, None
        what: tuple[int, ...] = ()
        for card in cards:
            level = levels[card]
            if level > highest or card not in best:
                continue
            rating = min(2.0 * level, spared) + h.ORDER * level
            if ends:
                rating += self._ending(self.turn, level)
            if defends[card]:
                needed, cell = self._neediest(own, free)
                rating += needed
            elif safe:
                cell = _lowest(safe)
                rating += h.SHELTER * level
            else:
                cell = _lowest(free)
            if act is None or rating > most:
                most, act, what = rating, self._build, (card, cell)
        return most, act, what

    def _neediest(self, own: Colony, free: int) -> tuple[float, int]:
        """Find the free cell where a defense helps most, the first of equals; gives how much it helps, and the cell."""
        most, cell = -1.0, NOWHERE
        for number in numbers_in(free):
            needed = sum([self._need(own, other) for other in numbers_in(NEIGHBOURS[number])])
            if needed > most:
                most, cell = needed, number
        return most, cell

    def _attacks(self, hand: Sequence[int], turns: int) -> list[Move]:
        """List Attacks, Strikes and Caps, the best cell of each."""
        names, seat, colonies = self.names, self.turn, self.colonies
        moves: list[Move] = []
        attacks, strikes = names.attack in hand, names.strike in hand
        if attacks or strikes:
            others = [(other, colony) for other, colony in enumerate(colonies) if other != seat]
            front, most = -1, -1000
            for other, colony in others:
                if colony.level >= most:
                    front, most = other, colony.level
            if attacks:
                for other, colony in others:
                    cells = colony.frontier & ~colony.shielded
                    if cells and not self.waiting >> other & 1:
                        rating = self._rate_attack(other, turns) * (1.0 if other == front else h.BYSTANDER)
                        moves.append((rating, self._attack, (other, _lowest(cells))))
            if strikes:
                patience = h.PATIENCE * min(1.0, (turns - 1) / h.LONG)
                for other, colony in others:
                    weight, counts = 1.0 if other == front else h.BYSTANDER, colony.counts
                    cells_hit = numbers_in(colony.targets & ~colony.shielded)
                    if cells_hit:
                        cell = max(cells_hit, key=counts.__getitem__)
                        moves.append((weight * counts[cell] - patience, self._strike, (other, cell)))
        if names.cap in hand and colonies[seat].craters:
            moves.append((h.CAP, self._cap, (_lowest(colonies[seat].craters),)))
        return moves

    def _turns_left(self, seat: int) -> int:
        if self.final is not None:
            return 1
        own, most = 0, 0
        for other, colony in enumerate(self.colonies):
            covered = colony.covered.bit_count()
            if other == seat:
                own = covered
            elif covered > most:
                most = covered
        return max(1, min(FULL - own, FULL - most + 1))

    @staticmethod
    def _need(own: Colony, number: int) -> float:
        if own.shielded >> number & 1:
            return 0.0
        return h.SHELTER * own.counts[number] if own.covered >> number & 1 else h.ROOM

    def _rate_attack(self, opponent: int, turns: int) -> float:
        if self.final is not None:
            return h.ATTACK + h.ATTACK_LATE if opponent in self.final else 0.0
        return h.ATTACK + h.ATTACK_LATE if turns <= h.LAST_TURNS else h.ATTACK

    def _ending(self, seat: int, level: int) -> float:
        own = self.colonies[seat]
        if self.final is not None or own.covered.bit_count() + 1 < FULL:
            return 0.0
        mine = own.level - sum([self.names.level[card] for card in self.hands[seat]]) + 2 * level
        theirs = max(
            [
                colony.level - h.HELD * len(self.hands[other]) + (0.0 if self.waiting >> other & 1 else h.LAST)
                for other, colony in enumerate(self.colonies)
                if other != seat
            ]
        )
        worst = 0.0 if self.dry else -h.MARGIN
        return h.END * max(worst, min(h.MARGIN, mine - theirs))

    def values(self) -> Sequence[float]:
        """Judge as `evaluate` does."""
        names, level, bit = self.names, self.names.level, self.names.bit
        covered = [colony.covered.bit_count() for colony in self.colonies]
        values = []
        for seat, (hand, colony) in enumerate(zip(self.hands, self.colonies, strict=True)):
            value = float(colony.level - sum([level[card] for card in hand]))
            if not self.over:
                if self.final is not None:
                    turns = int(seat in self.final)
                else:
                    behind = FULL - max([other for i, other in enumerate(covered) if i != seat])
                    turns = min(FULL - covered[seat], behind + 1)
                turns -= self.waiting >> seat & 1
                best = sorted([level[card] for card in set(hand) if bit[card] & ~colony.living], reverse=True)
                del best[max(0, turns) :]
                value += 2 * sum(best) + TURN * max(0, turns - len(best))
                if turns > 1:
                    value += sum([names.kept[card] for card in hand])
                    if colony.shielded:
                        counts = colony.counts
                        value += SHELTERED * sum([counts[number] for number in numbers_in(colony.shielded)])
            values.append(value)
        return values


def _lowest(cells: int) -> int:
    return (cells & -cells).bit_length() - 1


def _colony(laid: Sequence[tuple[int, str, int]], other: object, place: dict[str, int]) -> Colony:
    colony = Colony()
    for name in ("covered", "frontier", "shielded", "targets", "craters", "living", "level"):
        setattr(colony, name, getattr(other, name))
    for number, card, level in laid:
        colony.tops[number], colony.counts[number] = place[card], level
    return colony
