"""The games: the only registry."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Final

from domain.game import AnyGame, Game
from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.universal_match import UNIVERSAL_MATCH

ENTRY_POINTS: Final = "starledger.games"
"""The group of entry points by which a package outside the tree brings a game; each names one `Game` value."""

OWN: Final[tuple[AnyGame, ...]] = (BEAM_ME_UP, PLANET_PIONEER, UNIVERSAL_MATCH)
"""The games of this tree."""


def all_games() -> Mapping[str, AnyGame]:
    """Gather the games by name; raises `TypeError` or `ValueError` where an entry point brings no new game."""
    games = {game.name: game for game in OWN}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        game = point.load()
        if not isinstance(game, Game):
            raise TypeError(f"The entry point {point.name!r} of {ENTRY_POINTS} is no domain.game.Game: {point.value}.")
        if game.name in games:
            raise ValueError(f"The entry point {point.name!r} of {ENTRY_POINTS} brings {game.name!r} a second time.")
        games[game.name] = game
    return MappingProxyType(games)


GAMES: Final[Mapping[str, AnyGame]] = all_games()
"""Every game by its name, the tree's own first."""

__all__ = ["GAMES"]
