"""Other states that a seat must reckon with: those that agree with all that it saw.

A card is hidden from a seat where it is in another's hand or in the draw pile. All that play is public, and a
card that was ever seen can only get out of sight again by a reshuffle. So each hidden card belongs to a *deal*:
0, or the number of the latest reshuffle that took it in. Which cards a deal hides is known, and so is how many of
them each hand holds (drawn from it less laid again); who holds which is not. Every way to fill these places is
one state that agrees with the log, and each is equally likely before the others' intentions are weighed.
"""

import random
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from domain.games.beam_me_up.cards import CARDS, ORDER, Card
from domain.games.beam_me_up.events import BeamMeUpEvent, CardPlayed, CardsDealt
from domain.games.beam_me_up.evolve import evolve
from domain.games.beam_me_up.options import Options
from domain.games.beam_me_up.state import State, initial
from domain.games.events import CardsDrawn, PileReshuffled
from domain.values import Seat, Value


class Knowledge(Value, frozen=True):
    """All that a seat knows: the state with empty hands of others and an empty pile, and what is hidden.

    `deals` gives for each deal with hidden cards: these cards, and how many of them each other hand holds;
    what is left of the latest deal is the draw pile.
    """

    state: State
    deals: tuple[tuple[tuple[Card, ...], tuple[tuple[Seat, int], ...]], ...]


def knowledge(options: Options, seats: int, seat: Seat, log: Sequence[BeamMeUpEvent]) -> Knowledge:
    """Gather what `seat` knows from its own redacted log."""
    state = initial(options, seats)
    deal_of = dict.fromkeys(CARDS, 0)
    held: list[dict[Seat, int]] = [{}]
    for event in log:
        # By type, not by `match`: a log has thousands of events, and a `case` that doesn't fit is slow.
        if type(event) is CardPlayed:
            if event.seat != seat:
                held[deal_of[event.card]][event.seat] -= 1
        elif type(event) is CardsDrawn:
            if event.seat != seat:
                held[-1][event.seat] = held[-1].get(event.seat, 0) + event.count
        elif type(event) is PileReshuffled:
            deal_of.update(dict.fromkeys(state.discard, len(held)))
            held.append({})
        elif type(event) is CardsDealt:
            held[0] = {dealt.seat: dealt.count for dealt in event.hands if dealt.seat != seat}
        state = evolve(state, event)
    seen = {*state.discard, *state.home, *state.trick.on_table, *state.hands[seat]}
    seen.update(*state.lines)
    hidden: list[list[Card]] = [[] for _ in held]
    for card in CARDS:
        if card not in seen:
            hidden[deal_of[card]].append(card)
    deals = zip(hidden, held, strict=True)
    return Knowledge(state, tuple((tuple(cards), tuple(places.items())) for cards, places in deals if cards))


def world(known: Knowledge, rng: random.Random) -> State:
    """Draw one state of all that agree with what is known, each equally likely."""
    chance = rng.random
    hands: list[list[Card]] = [list(hand) for hand in known.state.hands]
    draw: list[Card] = []
    for cards, places in known.deals:
        draw = sorted(cards, key=lambda _: chance())  # a shuffle at C speed: 53 random bits decide each pair
        for seat, count in places:
            hands[seat] += draw[:count]
            del draw[:count]
    place = ORDER.__getitem__
    return replace(known.state, hands=tuple([tuple(sorted(hand, key=place)) for hand in hands]), draw=tuple(draw))


class _Same:
    """A log that equals itself only, so that asking again behind the same log costs no comparison of its events."""

    __slots__ = ("log",)

    def __init__(self, log: tuple[BeamMeUpEvent, ...]) -> None:
        self.log = log

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.log is other.log

    def __hash__(self) -> int:
        return id(self.log)


@lru_cache(maxsize=64)
def _remembered(options: Options, seats: int, seat: Seat, same: _Same) -> Knowledge:
    return knowledge(options, seats, seat, same.log)


def resample(options: Options, seats: int, seat: Seat, log: Sequence[BeamMeUpEvent], rng: random.Random) -> State:
    """Draw a state uniformly from those that agree with the seat's log; quick when the same tuple is given again."""
    if isinstance(log, tuple):
        return world(_remembered(options, seats, seat, _Same(log)), rng)
    return world(knowledge(options, seats, seat, log), rng)
