"""What can't be right about a command at a table, whatever has happened there."""

from collections.abc import Mapping

from domain.games.planet_pioneer.cards import BASE_STATION
from domain.games.planet_pioneer.commands import Attack, Build, Cap, Discard, PlanetPioneerCommand, Strike, Visit
from domain.games.planet_pioneer.deck import deck_of
from domain.games.planet_pioneer.options import Options


def check_command(options: Options, seats: int, command: PlanetPioneerCommand) -> Mapping[str, str]:
    """Give what can't be right, by field: a card that the game has not, a seat that is not there."""
    match command:
        case Build(card=card) | Discard(card=card):
            if card != BASE_STATION and card not in deck_of(options).kind:
                return {"card": f"This table's deck has no card {card}."}
        case Attack(opponent=opponent) | Strike(opponent=opponent):
            if not 0 <= opponent < seats:
                return {"opponent": f"This table has seats 0 to {seats - 1}."}
        case Visit() | Cap():
            pass
    return {}
