"""Which single cards make a board a match, and what for: the tables that the heuristic looks things up in."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from domain.games.universal_match.cards import BIT, CARDS, Card
from domain.games.universal_match.matches import MATCHES, PERFECT_BONUS, is_perfect, takings
from domain.games.universal_match.options import Options

ALL_BITS: Final = (1 << len(CARDS)) - 1

_COMPLETES: Final[dict[int, int]] = {}
for _match in MATCHES:
    for _out in BIT.values():
        if _match & _out:
            _COMPLETES[_match ^ _out] = _COMPLETES.get(_match ^ _out, 0) | _out


def cards_of(bits: int) -> tuple[Card, ...]:
    """Give a set of cards in card order."""
    return tuple(card for card in CARDS if bits & BIT[card])


def _each(bits: int) -> Iterator[int]:
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


def _pairs(board: int) -> tuple[int, int, int]:
    one, two, three = _each(board)
    return (one | two, one | three, two | three)


class _Outs(dict[int, int]):
    def __missing__(self, board: int) -> int:
        first, second, third = _pairs(board)
        found = _COMPLETES.get(first, 0) | _COMPLETES.get(second, 0) | _COMPLETES.get(third, 0)
        self[board] = found & ~board
        return self[board]


OUTS: Final = _Outs({0: 0})
"""By a board's bits: the cards that make a match with two of its three. Filled when asked."""


class Tables:
    """What matches are worth under a table's options, looked up by the bits of their cards."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._takers: dict[int, int] = {}
        self._ranked: dict[int, tuple[tuple[int, int], ...]] = {}
        self.worth = {match: facts.points + self._bonus(match) for match, facts in MATCHES.items()}
        """What each match earns its maker: its points, and under B the bonus of a perfect one."""

    def _bonus(self, match: int) -> int:
        options = self._options
        perfect = options.advanced_b and is_perfect(cards_of(match), options.perfect_match)
        return PERFECT_BONUS if perfect else 0

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

    def best(self, board: int, held: int) -> int:
        """Give the worth of the best match that one of the cards `held`, all outs of the board, makes of it."""
        ranked = self._ranked.get(board)
        if ranked is None:
            ranked = self._ranked[board] = self._rank(board)
        for out, value in ranked:
            if out & held:
                return value
        return 0

    def _rank(self, board: int) -> tuple[tuple[int, int], ...]:
        pairs = _pairs(board)
        values = [(max(self.worth.get(pair | out, 0) for pair in pairs), out) for out in _each(OUTS[board])]
        values.sort(reverse=True)
        return tuple((out, value) for value, out in values)


@cache
def tables(options: Options) -> Tables:
    """Give the tables of an option set, made once."""
    return Tables(options)
