"""Planet Pioneer as the kit examines it."""

from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.cards import BASE_STATION, DeckCard
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.state import State
from domain.testing import Case, Zone
from domain.values import ALL, PUBLIC, Seat

OWN_DECK = (
    *(DeckCard(f"dome_{number}", "structure", 1 + number % 5, 2) for number in range(16)),
    DeckCard("wall", "defense", 1, 2),
    DeckCard("turret", "defense", 7, 1),
    DeckCard("friends", "visit", 0, 8),
    DeckCard("raiders", "attack", 0, 6),
    DeckCard("comet", "strike", 0, 7),
    DeckCard("lid", "cap", 1, 5),
)
"""61 cards in all, of which the names differ from the standard ones: it runs dry, and it has single copies."""


def zones(state: State) -> tuple[Zone, ...]:
    stock = state.stock
    colonies = [tuple(card for _, card, _ in colony.laid) for colony in state.colonies]
    undealt = () if state.flow.round or any(state.hands) else state.setup.deck.cards
    return (
        *(Zone(name=f"hand {seat}", cards=hand, seen_by=Seat(seat)) for seat, hand in enumerate(state.hands)),
        *(Zone(name=f"colony {seat}", cards=cards, seen_by=PUBLIC) for seat, cards in enumerate(colonies)),
        Zone(name="draw pile", cards=stock.pile[stock.drawn :] or undealt, seen_by=ALL),
        Zone(name="discard pile", cards=stock.discard, seen_by=PUBLIC),
    )


CASE = Case(
    game=PLANET_PIONEER,
    zones=zones,
    options=(
        Options(),
        Options(first_round="one_lap"),
        Options(first_seat=Seat(1)),
        Options(tie_break="hand_then_craters"),
        Options(deck=OWN_DECK),
        Options(first_round="one_lap", first_seat=Seat(0), tie_break="hand_then_craters", deck=OWN_DECK),
    ),
    apart=frozenset({BASE_STATION}),
)
