"""Every kind of card of a table, for the catalogue and for clients that draw them."""

from domain.game import CardFacts
from domain.games.planet_pioneer.cards import BASE_STATION, BASE_STATIONS, title
from domain.games.planet_pioneer.options import Options


def cards(options: Options) -> tuple[CardFacts, ...]:
    """Give the cards of the deck by name, and the Base Station, which is in no deck (P3); `kind` and `level` of each."""
    listed = [
        CardFacts(card.name, title(card.name), card.copies, {"kind": card.kind, "level": card.level})
        for card in options.deck_list
    ]
    listed.append(CardFacts(BASE_STATION, title(BASE_STATION), BASE_STATIONS, {"kind": "base", "level": 0}))
    return tuple(sorted(listed, key=lambda facts: facts.card))
