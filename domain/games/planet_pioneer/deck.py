"""A table's deck, looked up by name."""

from collections.abc import Mapping
from functools import lru_cache

from domain.games.planet_pioneer.cards import BASE_STATION, LEVEL_KINDS, Card, Kind
from domain.games.planet_pioneer.options import Options
from domain.values import Value


class Deck(Value, frozen=True):
    """What the rules ask about a table's cards; `level` and `bit` know the Base Station too.

    `bit` gives every Level card a bit of its own and all other cards 0, so that the names that live in a colony
    are one number.
    """

    cards: tuple[Card, ...]
    kind: Mapping[Card, Kind]
    level: Mapping[Card, int]
    bit: Mapping[Card, int]
    visit: Card
    attack: Card
    strike: Card
    cap: Card

    def is_level_card(self, card: Card) -> bool:
        """Tell whether a card is a structure or a defense (P15)."""
        return self.bit[card] != 0


@lru_cache(maxsize=64)
def deck_of(options: Options) -> Deck:
    """Give the deck of a table with these (checked) options; all cards in card order: by name, then copy."""
    listed = sorted(options.deck_list, key=lambda card: card.name)
    by_kind = {card.kind: card.name for card in listed}
    return Deck(
        cards=tuple(card.name for card in listed for _ in range(card.copies)),
        kind={card.name: card.kind for card in listed},
        level={card.name: card.level for card in listed} | {BASE_STATION: 0},
        bit={card.name: (card.kind in LEVEL_KINDS) << place for place, card in enumerate(listed)} | {BASE_STATION: 0},
        visit=by_kind["visit"],
        attack=by_kind["attack"],
        strike=by_kind["strike"],
        cap=by_kind["cap"],
    )
