"""Other states that a seat must reckon with: those that agree with all that it saw.

The state that is drawn is as likely as the shuffles make it, given the log; what another chose to do tells nothing
but what the rules let him do (`paths.py` has the reckoning).
"""

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from msgspec import UnsetType
from msgspec.structs import replace

from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.deck import Deck
from domain.games.planet_pioneer.events import (
    AttackLaid,
    CapLaid,
    CardBuilt,
    CardDiscarded,
    CardsDealt,
    DealtHand,
    DealtPile,
    PlanetPioneerEvent,
    StrikeLaid,
    VisitLaid,
)
from domain.games.planet_pioneer.evolve import evolve
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.paths import (
    Path,
    Paths,
    arrangements,
    bound,
    drawn_by_other,
    drawn_by_self,
    first_path,
    laid_by_other,
    pruned,
    reshuffled,
)
from domain.games.planet_pioneer.state import State, initial
from domain.values import Seat, Value

HIDDEN: Final[Card] = "?"
"""Stands for a hidden card while a log is followed; no card has this name."""


class HiddenDeal(Value, frozen=True):
    """One deal's hidden cards and the places in hands where they lie; what is left over is the draw pile.

    `late` cards may lie in any place, `early` ones in none of the `bound` places.
    """

    late: tuple[Card, ...]
    early: tuple[Card, ...]
    bound: tuple[tuple[Seat, int], ...]
    free: tuple[tuple[Seat, int], ...]


class Knowledge(Value, frozen=True):
    """All that a seat knows: the state with `HIDDEN` for hidden cards, and the ways to fill them in.

    `sums` are the running sums of the ways' weights.
    """

    state: State
    ways: tuple[tuple[HiddenDeal, ...], ...]
    sums: tuple[int, ...]


def knowledge(options: Options, seats: int, seat: Seat, log: Sequence[PlanetPioneerEvent]) -> Knowledge:
    """Gather what `seat` knows from its own redacted log."""
    state = initial(options, seats)
    deck = state.setup.deck
    early = frozenset(card for card in deck.level if _is_early(card, deck))
    paths = first_path(deck.cards)
    for event in log:
        shown = _face_down(event)
        paths = pruned(_follow(paths, state, shown, seat, early), early)
        laid = _laid_card(shown, deck)
        if laid is not None and laid[0] != seat:
            state = _turn_up(state, *laid)
        state = evolve(state, shown)
    return Knowledge(
        state,
        tuple(_hidden(path, early) for path in paths),
        tuple(accumulate(weight * arrangements(path, early) for path, weight in paths.items())),
    )


def world(known: Knowledge, rng: random.Random) -> State:
    """Draw one state of all that agree with what is known, as likely as the shuffles make it."""
    way = known.ways[0]
    if len(known.ways) > 1:
        at = rng.randrange(known.sums[-1])
        way = next(way for way, total in zip(known.ways, known.sums, strict=True) if at < total)
    hands = [[card for card in hand if card != HIDDEN] for hand in known.state.hands]
    pile: list[Card] = []
    for deal in way:
        pile = _lay_out(deal, hands, rng)
    stock = known.state.stock
    return replace(
        known.state,
        stock=replace(stock, pile=tuple(pile), drawn=0),
        hands=tuple(tuple(sorted(hand)) for hand in hands),
    )


class _Same:
    """A log that equals itself only, so that asking again behind the same log costs no comparison of its events."""

    __slots__ = ("log",)

    def __init__(self, log: tuple[PlanetPioneerEvent, ...]) -> None:
        self.log = log

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.log is other.log

    def __hash__(self) -> int:
        return id(self.log)


@lru_cache(maxsize=64)
def _remembered(options: Options, seats: int, seat: Seat, same: _Same) -> Knowledge:
    return knowledge(options, seats, seat, same.log)


def resample(options: Options, seats: int, seat: Seat, log: Sequence[PlanetPioneerEvent], rng: random.Random) -> State:
    """Draw a state that agrees with the seat's log; quick when the same tuple is given again."""
    if isinstance(log, tuple):
        return world(_remembered(options, seats, seat, _Same(log)), rng)
    return world(knowledge(options, seats, seat, log), rng)


def _is_early(card: Card, deck: Deck) -> bool:
    """Tell whether a card can be laid in the first round in a colony where no Level card lives."""
    return card == deck.visit or (deck.is_level_card(card) and deck.level[card] == 1)


def _follow(paths: Paths, before: State, event: PlanetPioneerEvent, seat: Seat, early: frozenset[Card]) -> Paths:
    """Give the ways after an event, which has `HIDDEN` where the seat does not see a card."""
    match event:
        case CardsDealt(hands=hands):
            for dealt in hands:
                paths = _drawn(paths, dealt.seat, dealt.cards, seat)
            return paths
        case CardsDrawn(seat=owner, cards=cards):
            return _drawn(paths, owner, cards, seat)
        case PileReshuffled():
            return reshuffled(paths, before.stock.discard)
        case _:
            laid = _laid_card(event, before.setup.deck)
            if laid is None or laid[0] == seat:
                return paths
            owner, card = laid
            paths = laid_by_other(paths, owner, card, early)
            if isinstance(event, CardDiscarded) and _shows_no_early_card(before, owner):
                return bound(paths, owner, early)
            return paths


def _drawn(paths: Paths, owner: Seat, cards: tuple[Card, ...] | UnsetType, seat: Seat) -> Paths:
    known = () if isinstance(cards, UnsetType) else cards
    return drawn_by_self(paths, known) if owner == seat else drawn_by_other(paths, owner, len(known))


def _shows_no_early_card(before: State, seat: Seat) -> bool:
    """Tell whether a discard shows that the hand has no early card (P56).

    Where a Level card lives in the colony already, its name could be in the hand all the same. In a first round that
    is so in a final turn only, with a deck of one's own of 19 Alien Visits or more; nothing is concluded then.
    """
    return (
        before.flow.round == 1
        and before.setup.options.first_round == "until_all_placed"
        and not before.colonies[seat].living
    )


def _face_down(event: PlanetPioneerEvent) -> PlanetPioneerEvent:
    match event:
        case CardsDealt(hands=hands, pile=pile):
            dealt = tuple(DealtHand(hand.seat, hand.count, _filled(hand.cards, hand.count)) for hand in hands)
            return replace(event, hands=dealt, pile=DealtPile(pile.count, _filled(pile.cards, pile.count)))
        case CardsDrawn(seat=seat, count=count, cards=cards):
            return CardsDrawn(seat, count, _filled(cards, count))
        case PileReshuffled(shuffle=shuffle, count=count, cards=cards):
            return PileReshuffled(shuffle, count, _filled(cards, count))
        case _:
            return event


def _filled(cards: tuple[Card, ...] | UnsetType, count: int) -> tuple[Card, ...]:
    return (HIDDEN,) * count if isinstance(cards, UnsetType) else cards


def _laid_card(event: PlanetPioneerEvent, deck: Deck) -> tuple[Seat, Card] | None:
    """Give who laid or discarded which card."""
    match event:
        case CardBuilt(seat=seat, card=card) | CardDiscarded(seat=seat, card=card):
            return seat, card
        case VisitLaid(seat=seat):
            return seat, deck.visit
        case AttackLaid(seat=seat):
            return seat, deck.attack
        case StrikeLaid(seat=seat):
            return seat, deck.strike
        case CapLaid(seat=seat):
            return seat, deck.cap
        case _:
            return None


def _turn_up(state: State, seat: Seat, card: Card) -> State:
    """Put a card that another is about to lay in the place of a hidden one."""
    hands = list(state.hands)
    hands[seat] = (*hands[seat][1:], card)
    return replace(state, hands=tuple(hands))


def _hidden(path: Path, early: frozenset[Card]) -> tuple[HiddenDeal, ...]:
    deals = []
    for deal, cards in enumerate(path.left):
        every = [card for card, count in cards for _ in range(count)]
        places = [(place, count) for place, count in path.held if place.deal == deal]
        deals.append(
            HiddenDeal(
                late=tuple(card for card in every if card not in early),
                early=tuple(card for card in every if card in early),
                bound=tuple((place.seat, count) for place, count in places if place.bound),
                free=tuple((place.seat, count) for place, count in places if not place.bound),
            )
        )
    return tuple(deals)


def _lay_out(deal: HiddenDeal, hands: list[list[Card]], rng: random.Random) -> list[Card]:
    """Put a deal's cards at random in their places and give those that are left over."""
    chance = rng.random
    late: Sequence[Card] = deal.late
    if deal.bound:
        late = sorted(late, key=lambda _: chance())
        for seat, count in deal.bound:
            hands[seat] += late[:count]
            late = late[count:]
    rest = sorted((*late, *deal.early), key=lambda _: chance())  # 53 random bits decide each pair
    for seat, count in deal.free:
        hands[seat] += rest[:count]
        del rest[:count]
    return rest
