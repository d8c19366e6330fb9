"""Which kind of stream an id names: a table's or a tournament's."""

from typing import Final

TOURNAMENT: Final = "cup_"
"""What ids of tournaments begin with, and ids of tables never."""


def is_tournament(stream: str) -> bool:
    """Tell a tournament's id from a table's."""
    return stream.startswith(TOURNAMENT)
