"""The game as a search plays it: one state that changes, cards and Space Racers as small numbers.

The same rules as in `rules.py` and `evolve.py` and the same choices as in `heuristic.py`; both are held together by a
law (`tests/domain/bots/test_imagined.py`). A card's number is its place in card order, a Racer's its place by distance.
"""

from bisect import insort
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from domain.games.beam_me_up.cards import BEARS, ELEMENTALS, ORDER, RACERS, STANDS
from domain.games.beam_me_up.commands import CollectCard, DeclineCard, LaunchRacer, PlayCard
from domain.games.beam_me_up.evaluate import HELD, RACER
from domain.games.beam_me_up.heuristic import (
    HARM,
    SPENT,
    STAND,
    STEEP,
    TAKEN,
    TIE,
    Four,
    gains,
    line_worth,
)
from domain.games.beam_me_up.rules import CAP_NO_LAUNCH, CAP_TRICKS, HAND
from domain.games.beam_me_up.state import State
from domain.luck import Luck
from domain.values import Command, Seat

PLAY: Final = 0
PICK: Final = 1
LAUNCH: Final = 2
OVER: Final = 3
_PHASE: Final = {"play": PLAY, "pick": PICK, "launch": LAUNCH}

NUMBER: Final = tuple(place % 14 + 1 for place in range(56))
KIND: Final = tuple(place // 14 for place in range(56))
_RACER: Final = {racer: place for place, racer in enumerate(RACERS)}
_BEARS: Final = tuple(tuple(ELEMENTALS.index(one) for one in BEARS[racer]) for racer in RACERS)
_COST: Final = tuple(SPENT * (number / 14) ** STEEP for number in range(15))
_HELD: Final = tuple(HELD * (number / 14) ** 2 for number in NUMBER)
_WINS: Final = tuple(
    tuple(((number - 1) / 13 if number else 0.0) ** (STAND * left) for number in range(15)) for left in range(4)
)
"""By how many are still to lay and the number laid: the chance not to be beaten."""

_gains: dict[tuple[Four, Four], tuple[float, float, float, float]] = {}


def _gain(counts: Four, supply: Four) -> tuple[float, float, float, float]:
    """As `heuristic.gains`, by the elementals' places."""
    found = _gains.get((counts, supply))
    if found is None:
        by_name = gains(counts, supply)
        air, earth, fire, water = (by_name[elemental] for elemental in ELEMENTALS)
        found = _gains[counts, supply] = (air, earth, fire, water)
    return found


class Table:
    """One imagined table, changed in place."""

    __slots__ = (
        "counts", "discard", "draw", "goes_home", "hands", "home", "last_launch", "layer", "leader", "left", "lines",
        "luck", "newest", "number", "on_table", "phase", "picks", "racers", "seats", "supply", "turn",
    )  # fmt: skip

    def __init__(self, state: State, luck: Luck) -> None:
        """Begin in this state; `luck` shuffles."""
        place, trick = ORDER, state.trick
        self.luck = luck
        self.seats = state.seats
        self.hands = [[place[card] for card in hand] for hand in state.hands]
        self.lines = [[place[card] for card in line] for line in state.lines]
        self.racers = [[_RACER[racer] for racer in racers] for racers in state.racers]
        self.left = [_RACER[racer] for racer in state.racers_left]
        self.draw = [place[card] for card in reversed(state.draw)]
        self.discard = [place[card] for card in state.discard]
        self.home = [place[card] for card in state.home]
        self.on_table = [place[card] for card in trick.on_table]
        is_begun = len(trick.layers) == trick.layer
        self.newest: list[tuple[int, int]] = (
            [(laid.seat, place[laid.card]) for laid in trick.layers[-1]] if is_begun and trick.layers else []
        )
        self.number, self.layer, self.picks = trick.number, trick.layer, trick.picks_left
        self.turn: int = -1 if state.turn is None else state.turn
        self.phase = _PHASE[state.phase]
        if not state.racers_left or (state.turn is None and trick.number > 0):
            self.phase = OVER
        self.leader: int = state.leader
        self.last_launch = state.last_launch
        self.goes_home = state.options.launched_aliens == "home"
        self.counts = [_count(line) for line in self.lines]
        self.supply = _supply(self.left)

    def key(self) -> tuple[object, ...]:
        """Everything that matters, for comparing."""
        return tuple(getattr(self, name) for name in self.__slots__ if name != "luck")

    def copy(self) -> "Table":
        """Give one that stands the same."""
        other = Table.__new__(Table)
        other.luck, other.seats, other.goes_home = self.luck.copy(), self.seats, self.goes_home
        other.hands = [hand[:] for hand in self.hands]
        other.lines = [line[:] for line in self.lines]
        other.racers = [racers[:] for racers in self.racers]
        other.left, other.draw, other.discard, other.home = self.left[:], self.draw[:], self.discard[:], self.home[:]
        other.on_table, other.newest = self.on_table[:], self.newest[:]
        other.number, other.layer, other.picks = self.number, self.layer, self.picks
        other.turn, other.phase, other.leader, other.last_launch = self.turn, self.phase, self.leader, self.last_launch
        other.counts, other.supply = self.counts[:], self.supply
        return other

    def play(self, seat: Seat, command: Command) -> None:  # noqa: ARG002 - one seat is in turn
        """Carry out a legal command of the seat in turn."""
        match command:
            case PlayCard(card=card):
                self._lay(ORDER[card])
            case CollectCard(card=card, replace=replaced):
                self._take(ORDER[card], None if replaced is UNSET else ORDER[replaced])
            case DeclineCard():
                self._clear()
            case LaunchRacer(racer=racer):
                self._launch(_RACER[racer])
            case _:
                raise TypeError(command)

    def play_on(self, turns: int) -> None:
        """Play on as the heuristic would, so many decisions, and then until the trick has ended."""
        while self.phase != OVER:
            if turns <= 0 and self.phase == PLAY and not self.on_table:
                return
            turns -= 1
            self.step()

    def step(self) -> None:
        """Take one decision as the heuristic would."""
        if self.phase == PLAY:
            self._lay(self._best_card())
        elif self.phase == PICK:
            self._pick()
        else:
            self._launch(self._best_racer())

    def values(self) -> Sequence[float]:
        """Judge as `evaluate` does."""
        supply, held = self.supply, _HELD
        return [
            RACER * len(racers) + line_worth(counts, supply) + sum([held[card] for card in hand])
            for racers, counts, hand in zip(self.racers, self.counts, self.hands, strict=True)
        ]

    # -------------------------------------------------------------------------------------------------- the rules

    def _lay(self, card: int) -> None:
        seat = self.turn
        self.hands[seat].remove(card)
        self.newest.append((seat, card))
        self.on_table.append(card)
        if len(self.newest) < self.seats:
            self._begin((seat + 1) % self.seats)
            return
        top, winner, tied = 0, seat, 0
        for other, laid in self.newest:
            number = NUMBER[laid]
            if number > top:
                top, winner, tied = number, other, 0
            elif number == top:
                tied += 1
        if not tied:
            self.turn, self.phase, self.picks = winner, PICK, self.layer
        elif self.hands[seat]:
            self.layer += 1
            self.newest = []
            self._begin(self.leader)
        else:
            self.discard += self.on_table
            self._next_trick(self.leader)

    def _take(self, card: int, replaced: int | None) -> None:
        seat = self.turn
        line = self.lines[seat]
        if replaced is not None:
            line.remove(replaced)
            self.discard.append(replaced)
        insort(line, card)
        self.on_table.remove(card)
        self.picks -= 1
        counts = self.counts[seat] = _count(line)
        if STANDS in counts and self.supply[KIND[card]]:
            self.phase = LAUNCH
        elif not self.picks:
            self._clear()

    def _launch(self, racer: int) -> None:
        seat = self.turn
        line = self.lines[seat]
        self.racers[seat].append(racer)
        self.left.remove(racer)
        self.supply = _supply(self.left)
        if self.goes_home:
            self.home += line
        else:
            self.discard += line
        self.lines[seat] = []
        self.counts[seat] = (0, 0, 0, 0)
        self.last_launch = self.number
        self.phase = PICK
        if not self.left:
            self.phase = OVER
        elif not self.picks:
            self._clear()

    def _clear(self) -> None:
        self.discard += self.on_table
        self._next_trick(self.turn)

    def _next_trick(self, leader: int) -> None:
        self.on_table, self.newest, self.picks = [], [], 0
        self.leader = leader
        self.phase = PLAY
        if self.number >= CAP_TRICKS or self.number - self.last_launch >= CAP_NO_LAUNCH:
            self.phase, self.turn = OVER, -1
            return
        self.number += 1
        self.layer = 1
        self._begin(leader)

    def _begin(self, seat: int) -> None:
        self.turn = seat
        if self.layer > 1:
            return
        hand, draw = self.hands[seat], self.draw
        for _ in range(HAND - len(hand)):
            if not draw:
                if not self.discard:
                    return
                draw = list(self.luck.shuffle(0, sorted(self.discard)))
                draw.reverse()
                self.draw, self.discard = draw, []
            insort(hand, draw.pop())

    # -------------------------------------------------------------------------------------------------- the choices

    def _best_card(self) -> int:
        seat, seats, newest, supply, counts = self.turn, self.seats, self.newest, self.supply, self.counts
        hand = self.hands[seat]
        to_come = seats - len(newest) - 1
        top = max([NUMBER[card] for _, card in newest], default=0)
        if to_come:
            rivals = [(seat + step) % seats for step in range(1, seats)]
        else:
            rivals = [other for other, card in newest if NUMBER[card] == top]
        own = _gain(counts[seat], supply)
        others = [_gain(counts[rival], supply) for rival in rivals]
        table = {KIND[card] for card in self.on_table}
        own_table = max([own[kind] for kind in table], default=0.0)
        others_table = [max([other[kind] for kind in table], default=0.0) for other in others]
        wins, cost, count = _WINS[to_come], _COST, len(others)
        best, most = hand[0], -1e9
        harms: dict[int, float] = {}
        for card in hand:
            number, kind = NUMBER[card], KIND[card]
            chance = wins[number] if number > top else TIE if number == top else 0.0
            gain = max(own_table, own[kind])
            harm = harms.get(kind)
            if harm is None:
                harm = harms[kind] = (
                    sum([max(one, other[kind]) for one, other in zip(others_table, others, strict=True)]) / count
                )
            rating = chance * gain - (1 - chance) * HARM * harm - cost[number]
            if rating > most:
                best, most = card, rating
        return best

    def _pick(self) -> None:
        seat, supply = self.turn, self.supply
        line, counts = self.lines[seat], self.counts[seat]
        now = line_worth(counts, supply)
        card_to_take, to_replace, most = -1, None, 0.0
        seen: set[tuple[int, int]] = set()
        for card in self.on_table:
            kind = KIND[card]
            for out in line if len(line) == STANDS else (None,):
                key = (kind, -1 if out is None else KIND[out])
                if key in seen:
                    continue
                seen.add(key)
                after = list(counts)
                after[kind] += 1
                if out is not None:
                    after[KIND[out]] -= 1
                air, earth, fire, water = after
                gain = line_worth((air, earth, fire, water), supply) - now - TAKEN
                if gain > most or (card_to_take < 0 and gain == 0.0):
                    card_to_take, to_replace, most = card, out, gain
        if card_to_take < 0:
            self._clear()
        else:
            self._take(card_to_take, to_replace)

    def _best_racer(self) -> int:
        seat = self.turn
        kind = KIND[self.lines[seat][0]]
        best, least = -1, 1e9
        for racer in self.left:
            if kind in _BEARS[racer]:
                left = _supply([other for other in self.left if other != racer])
                others = sum([line_worth(counts, left) for other, counts in enumerate(self.counts) if other != seat])
                if others < least:
                    best, least = racer, others
        return best


def _count(line: Sequence[int]) -> Four:
    kinds = [KIND[card] for card in line]
    return (kinds.count(0), kinds.count(1), kinds.count(2), kinds.count(3))


def _supply(left: Sequence[int]) -> Four:
    kinds = [kind for racer in left for kind in _BEARS[racer]]
    return (kinds.count(0), kinds.count(1), kinds.count(2), kinds.count(3))
