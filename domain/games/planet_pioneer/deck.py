"""A table's deck, looked up by name."""

from collections.abc import Mapping
from functools import lru_cache

from domain.games.planet_pioneer.cards import BASE_STATION, LEVEL_KINDS, Card, Kind
from domain.games.planet_pioneer.commands import Build, Discard
from domain.games.planet_pioneer.grid import CELLS
from domain.games.planet_pioneer.options import Options
from domain.values import Value


class Deck(Value, frozen=True):
    """What the rules ask about a table's cards; `level` and `bit` know the Base Station too.

    `bit` gives every Level card a bit of its own and all other cards 0, so that the names that live in a colony
    are one number. `builds` (by cell; none for other than Level cards) and `discards` are the commands for each name,
    made once.
    """

    cards: tuple[Card, ...]
    kind: Mapping[Card, Kind]
    level: Mapping[Card, int]
    bit: Mapping[Card, int]
    builds: Mapping[Card, tuple[Build, ...]]
    discards: Mapping[Card, Discard]
    visit: Card
    attack: Card
    strike: Card
    cap: Card

    def __repr__(self) -> str:
        """Say it shortly: every state has the deck in it."""
        return f"Deck({len(self.cards)} cards, {len(self.kind)} names)"

    def is_level_card(self, card: Card) -> bool:
        """Tell whether a card is a structure or a defense (P15)."""
        return self.bit[card] != 0


@lru_cache(maxsize=64)
def deck_of(options: Options) -> Deck:
    """Give the deck of a table with these (checked) options; all cards in card order: by name, then copy."""
    listed = sorted(options.deck_list, key=lambda card: card.name)
    by_kind = {card.kind: card.name for card in listed}
    level = {card.name: card.level for card in listed} | {BASE_STATION: 0}
    level_cards = [card.name for card in listed if card.kind in LEVEL_KINDS]
    return Deck(
        cards=tuple(card.name for card in listed for _ in range(card.copies)),
        kind={card.name: card.kind for card in listed},
        level=level,
        bit=dict.fromkeys(level, 0) | {card: 1 << place for place, card in enumerate(level_cards)},
        builds={
            card.name: tuple(Build(card.name, cell) for cell in CELLS) if card.kind in LEVEL_KINDS else ()
            for card in listed
        },
        discards={card.name: Discard(card.name) for card in listed},
        visit=by_kind["visit"],
        attack=by_kind["attack"],
        strike=by_kind["strike"],
        cap=by_kind["cap"],
    )
