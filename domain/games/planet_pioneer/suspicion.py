"""How little an imagined hand goes with what its owner did last: for searches that reckon with the others' sense.

Who lays a card has mostly kept the lower ones; who throws one away had mostly none to lay. Nothing here is certain, so
it never rules a world out.
"""

from collections.abc import Callable, Mapping
from typing import Final, cast

from domain.game import Seen
from domain.games.planet_pioneer.cards import MAX_LEVEL
from domain.games.planet_pioneer.deck import deck_of
from domain.games.planet_pioneer.events import CardBuilt, CardDiscarded, RoundBegan, TurnBegan
from domain.games.planet_pioneer.limits import CAPPED_ROUNDS
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.state import State
from domain.values import Seat

NOTHING: Final = 0
"""The Level of a card that was thrown away, where another could have been laid."""


def suspect(seen: Seen) -> Callable[[State], float]:
    """Give what says of a state how strange the others' last moves were with these hands, 0 for not at all.

    Measured in Levels: by how much the cards that were kept and could have been laid exceed the one that was laid.
    """
    level = deck_of(cast("Options", seen.options)).level
    bit = deck_of(cast("Options", seen.options)).bit
    last = _last_moves(seen, level)

    def strange(state: State) -> float:
        doubt = 0
        for seat, (laid, most) in last.items():
            living = state.colonies[seat].living
            for card in state.hands[seat]:
                if laid < level[card] <= most and bit[card] & ~living:
                    doubt += level[card] - laid
        return doubt

    return strange


def _last_moves(seen: Seen, level: Mapping[str, int]) -> Mapping[Seat, tuple[int, int]]:
    """Give by seat the Level that it laid last and the highest that it could have laid then."""
    last: dict[Seat, tuple[int, int]] = {}
    highest = 0
    for event in seen.log:
        match event:
            case TurnBegan(seat=seat):
                last.pop(seat, None)
            case RoundBegan(round=number):
                highest = number if number <= CAPPED_ROUNDS else MAX_LEVEL
            case CardBuilt(seat=seat, card=card):
                last[seat] = level[card], highest
            case CardDiscarded(seat=seat):
                last[seat] = NOTHING, highest
            case _:
                pass
    last.pop(seen.seat, None)
    return last
