"""What a seat knows from its own log: the state as far as it lies open, and the ways to fill in the rest."""

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
    Paths,
    bound,
    drawn_by_other,
    drawn_by_self,
    first_path,
    laid_by_other,
    reshuffled,
)
from domain.games.planet_pioneer.state import State, initial
from domain.values import Seat, Value

HIDDEN: Final[Card] = "?"
"""Stands for a hidden card while a log is followed; no card has this name, and it comes before all."""


class Knowledge(Value, frozen=True):
    """What `seat` knows: the state with `HIDDEN` for each card that it does not see, and where these may lie."""

    seat: Seat
    state: State
    paths: Paths


def ignorance(options: Options, seats: int, seat: Seat) -> Knowledge:
    """Give what a seat knows before the deal."""
    state = initial(options, seats)
    deck = state.setup.deck
    early = frozenset(card for card in deck.kind if _is_early(card, deck))
    return Knowledge(seat, state, first_path(deck.cards, early, seats))


def learn(known: Knowledge, event: PlanetPioneerEvent) -> Knowledge:
    """Give what the seat knows after an event of its redacted log."""
    shown = _face_down(event)
    state, paths = known.state, _follow(known, shown)
    laid = _laid_card(shown, state.setup.deck)
    if laid is not None and laid[0] != known.seat:
        state = _turn_up(state, *laid)
    return Knowledge(known.seat, evolve(state, shown), paths)


def _is_early(card: Card, deck: Deck) -> bool:
    """Tell whether a card can be laid in the first round in a colony where no Level card lives."""
    return card == deck.visit or (deck.is_level_card(card) and deck.level[card] == 1)


def _follow(known: Knowledge, event: PlanetPioneerEvent) -> Paths:
    """Give the ways after an event, which has `HIDDEN` where the seat does not see a card."""
    before, paths, seat = known.state, known.paths, known.seat
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
            paths = laid_by_other(paths, owner, card)
            if isinstance(event, CardDiscarded) and _shows_no_early_card(before, owner):
                return bound(paths, owner)
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
