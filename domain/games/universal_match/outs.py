"""What a board is worth and which single cards would make it a match: looked up by the bits of its three cards."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec.structs import replace

from domain.games.universal_match.cards import BIT, CARDS, Card
from domain.games.universal_match.matches import MATCHES, PERFECT_BONUS, is_perfect, takings
from domain.games.universal_match.options import Options

ALL_BITS: Final = (1 << len(CARDS)) - 1

Ranked = tuple[tuple[int, int], ...]
"""Sets of cards with what each of them makes, best first."""


def cards_of(bits: int) -> tuple[Card, ...]:
    """Give a set of cards in card order."""
    return tuple(card for card in CARDS if bits & BIT[card])


def _each(bits: int) -> Iterator[int]:
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


class Boards(dict[int, tuple[int, int, Ranked]]):
    """Under one option set, by a board's bits: what it is worth, its outs, and what they make; filled when asked.

    A match is worth its points, and under B the bonus of a perfect one; what is no match, 0. An *out* makes a match
    with two of the board's three. An empty board is nothing.
    """

    def __init__(self, options: Options) -> None:
        super().__init__({0: (0, 0, ())})
        self._options = options
        self._takers: dict[int, int] = {}
        self._worth = {match: facts.points + self._bonus(match) for match, facts in MATCHES.items()}
        self._completing: dict[int, list[tuple[int, int]]] = {}
        for match, worth in self._worth.items():
            for out in _each(match):
                self._completing.setdefault(match ^ out, []).append((out, worth))

    def _bonus(self, match: int) -> int:
        options = self._options
        perfect = options.advanced_b and is_perfect(cards_of(match), options.perfect_match)
        return PERFECT_BONUS if perfect else 0

    def __missing__(self, board: int) -> tuple[int, int, Ranked]:
        one, two, three = _each(board)
        worth_of: dict[int, int] = {}
        for pair in (one | two, one | three, two | three):
            for out, value in self._completing.get(pair, ()):
                if value > worth_of.get(out, 0):
                    worth_of[out] = value
        outs = 0
        by_value: dict[int, int] = {}
        for out, value in worth_of.items():
            if not out & board:
                outs |= out
                by_value[value] = by_value.get(value, 0) | out
        ranked = tuple((by_value[value], value) for value in sorted(by_value, reverse=True))
        self[board] = found = (self._worth.get(board, 0), outs, ranked)
        return found

    def takers(self, match: int) -> int:
        """Give the cards with which an opponent could take this match from its maker (B)."""
        options = self._options
        if not options.advanced_b:
            return 0
        found = self._takers.get(match)
        if found is None:
            ways = takings(cards_of(match), options.perfect_match, restrained=options.advanced_a)
            found = self._takers[match] = sum({BIT[give] for give, _ in ways})
        return found


def best(ranked: Ranked, held: int) -> int:
    """Give what the best of the cards `held` makes; 0 for none."""
    for outs, value in ranked:
        if outs & held:
            return value
    return 0


def boards_of(options: Options) -> Boards:
    """Give the boards of an option set, made once; the target makes no difference to them."""
    return _boards(replace(options, target=Options().target))


@cache
def _boards(options: Options) -> Boards:
    return Boards(options)
