"""Other states that a seat must reckon with: those that agree with all that it saw.

The state that is drawn is as likely as the shuffles make it, given the log; what another chose to do tells nothing
but what the rules let him do (`paths.py` has the reckoning).
"""

import random
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import accumulate

from msgspec.structs import replace

from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.events import PlanetPioneerEvent
from domain.games.planet_pioneer.knowledge import HIDDEN, Knowledge, ignorance, learn
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.paths import Path, Paths, arrangements, hidden_cards, hidden_places
from domain.games.planet_pioneer.state import State
from domain.values import Seat, Value


class Deal(Value, frozen=True):
    """One deal's hidden cards and the places in hands where they lie; what is left over is the draw pile.

    `late` cards may lie in any place, `early` ones in none of the `bound` places.
    """

    late: tuple[Card, ...]
    early: tuple[Card, ...]
    bound: tuple[tuple[Seat, int], ...]
    free: tuple[tuple[Seat, int], ...]


class Worlds:
    """All states that agree with what a seat knows, ready to be drawn from; each path is laid out when first met."""

    def __init__(self, known: Knowledge) -> None:
        self._state = known.state
        self._paths = known.paths
        self._ways = list(known.paths.ways)
        if not self._ways:
            raise ValueError("No deal agrees with this log.")
        weighed = (weight * arrangements(known.paths, path) for path, weight in known.paths.ways.items())
        self._sums = list(accumulate(weighed))
        self._deals: dict[int, tuple[Deal, ...]] = {}

    def draw(self, rng: random.Random) -> State:
        """Draw one, as likely as the shuffles make it."""
        way = bisect(self._sums, rng.randrange(self._sums[-1])) if len(self._ways) > 1 else 0
        deals = self._deals.get(way)
        if deals is None:
            deals = self._deals[way] = _deals(self._paths, self._ways[way])
        state = self._state
        hands = [[card for card in hand if card != HIDDEN] for hand in state.hands]
        pile: list[Card] = []
        for deal in deals:
            pile = _lay_out(deal, hands, rng)
        return replace(
            state,
            stock=replace(state.stock, pile=tuple(pile), drawn=0),
            hands=tuple([tuple(sorted(hand)) for hand in hands]),
        )


class _Memory:
    """The newest log of one seat at one table with what was made of it, since the next one begins in the same way."""

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.known: tuple[Sequence[PlanetPioneerEvent], Knowledge, Worlds] | None = None


@lru_cache(maxsize=128)
def _memory(options: Options, seats: int, seat: Seat, first: PlanetPioneerEvent | None) -> _Memory:  # noqa: ARG001
    return _Memory()


def worlds(options: Options, seats: int, seat: Seat, log: Sequence[PlanetPioneerEvent]) -> Worlds:
    """Give all states that agree with the seat's redacted log; quick where the log is the last one, or goes on."""
    memory = _memory(options, seats, seat, log[0] if log else None)
    if memory.known is not None and memory.known[0] is log:
        return memory.known[2]
    if memory.known is not None and memory.known[0] == log[: len(memory.known[0])]:
        known = reduce(learn, log[len(memory.known[0]) :], memory.known[1])
    else:
        known = reduce(learn, log, ignorance(options, seats, seat))
    made = Worlds(known)
    if isinstance(log, tuple):
        memory.known = (log, known, made)
    return made


def resample(options: Options, seats: int, seat: Seat, log: Sequence[PlanetPioneerEvent], rng: random.Random) -> State:
    """Draw a state that agrees with the seat's redacted log."""
    return worlds(options, seats, seat, log).draw(rng)


def _deals(paths: Paths, path: Path) -> tuple[Deal, ...]:
    found = []
    for deal in range(paths.deals):
        cards = [card for card, count in hidden_cards(paths, path, deal) for _ in range(count)]
        found.append(
            Deal(
                late=tuple(card for card in cards if card not in paths.early),
                early=tuple(card for card in cards if card in paths.early),
                bound=tuple(hidden_places(paths, path, deal, bound=True)),
                free=tuple(hidden_places(paths, path, deal, bound=False)),
            )
        )
    return tuple(found)


def _lay_out(deal: Deal, hands: list[list[Card]], rng: random.Random) -> list[Card]:
    """Put a deal's cards at random in their places and give those that are left over."""
    chance = rng.random
    late: Sequence[Card] = deal.late
    if deal.bound:
        late = sorted(late, key=lambda _: chance())
        for seat, count in deal.bound:
            hands[seat] += late[:count]
            late = late[count:]
    rest = sorted((*late, *deal.early), key=lambda _: chance())  # a shuffle at C speed: 53 random bits decide each pair
    for seat, count in deal.free:
        hands[seat] += rest[:count]
        del rest[:count]
    return rest
