"""Universal Match as the kit examines it."""

from domain.games.universal_match import UNIVERSAL_MATCH
from domain.games.universal_match.cards import in_order
from domain.games.universal_match.commands import ChooseBoard
from domain.games.universal_match.options import Options
from domain.games.universal_match.state import State
from domain.testing import Case, Zone
from domain.values import ALL, PUBLIC, Command, Seat


def zones(state: State) -> tuple[Zone, ...]:
    return (
        *(Zone(name=f"hand {seat}", cards=hand, seen_by=Seat(seat)) for seat, hand in enumerate(state.hands)),
        *(Zone(name=f"chosen {seat}", cards=chosen, seen_by=Seat(seat)) for seat, chosen in enumerate(state.chosen)),
        *(Zone(name=f"board {seat}", cards=board, seen_by=PUBLIC) for seat, board in enumerate(state.boards)),
        *(
            Zone(name=f"match {seat}.{i}", cards=match.cards, seen_by=PUBLIC)
            for seat, matches in enumerate(state.matches)
            for i, match in enumerate(matches)
        ),
        Zone(name="stock", cards=state.stock, seen_by=ALL),
        Zone(name="discard pile", cards=state.discard, seen_by=PUBLIC),
    )


def listed_form(command: Command) -> Command:
    """Three cards are chosen in any order; listed they are in card order."""
    if not isinstance(command, ChooseBoard):
        return command
    first, second, third = in_order(command.cards)
    return ChooseBoard(cards=(first, second, third))


CASE = Case(
    game=UNIVERSAL_MATCH,
    zones=zones,
    revealing=frozenset({"boards_revealed", "match_taken", "match_banked", "board_refilled"}),
    same=listed_form,
    options=(
        Options(target="one_hand"),
        Options(),
        Options(advanced_a=True, target=50),
        Options(advanced_b=True, target=50),
        Options(advanced_a=True, advanced_b=True, target="one_hand"),
        Options(advanced_b=True, perfect_match="neighbouring_suits", target="one_hand"),
        Options(advanced_a=True, advanced_b=True, perfect_match="neighbouring_suits", target=50),
    ),
)
