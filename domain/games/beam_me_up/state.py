"""The state of a game of Beam Me Up: who holds what, and whose decision it is."""

from typing import Literal

from domain.games.beam_me_up.cards import RACERS, Card, Racer
from domain.games.beam_me_up.options import Options
from domain.games.beam_me_up.trick import Trick
from domain.values import Seat, Value


class State(Value, frozen=True, gc=False):
    """Everything that there is, hidden things too; never sent to anybody.

    Hands and lines are in card order, `draw` in the order of drawing, `discard` from bottom to top.
    `turn` is the seat that must decide; None before the deal and after a trick that nothing follows.
    """

    options: Options
    seats: int
    hands: tuple[tuple[Card, ...], ...]
    lines: tuple[tuple[Card, ...], ...]
    racers: tuple[tuple[Racer, ...], ...]
    racers_left: tuple[Racer, ...]
    trick: Trick = Trick()
    phase: Literal["play", "pick", "launch"] = "play"
    turn: Seat | None = None
    dealer: Seat = Seat(0)
    leader: Seat = Seat(0)
    draw: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    home: tuple[Card, ...] = ()
    shuffles: int = 0
    """How many shuffles there were: the number of the next one."""
    last_launch: int = 0
    """The number of the trick with the latest launch."""


def initial(options: Options, seats: int) -> State:
    """Give the table before the deal, its Space Racers lined up (B2, B32)."""
    nobody = ((),) * seats
    return State(
        options=options,
        seats=seats,
        hands=nobody,
        lines=nobody,
        racers=nobody,
        racers_left=tuple(racer for racer in RACERS if options.earth_racer or racer != "earth"),
    )
