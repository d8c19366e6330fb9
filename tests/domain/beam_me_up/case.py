"""Beam Me Up as the kit examines it."""

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.options import Options
from domain.games.beam_me_up.state import State
from domain.testing import Case, Zone
from domain.values import ALL, PUBLIC, Seat


def zones(state: State) -> tuple[Zone, ...]:
    return (
        *(Zone(name=f"hand {seat}", cards=hand, seen_by=Seat(seat)) for seat, hand in enumerate(state.hands)),
        *(Zone(name=f"line {seat}", cards=line, seen_by=PUBLIC) for seat, line in enumerate(state.lines)),
        *(Zone(name=f"racers {seat}", cards=racers, seen_by=PUBLIC) for seat, racers in enumerate(state.racers)),
        Zone(name="racers left", cards=state.racers_left, seen_by=PUBLIC),
        Zone(name="on the table", cards=state.trick.on_table, seen_by=PUBLIC),
        Zone(name="draw pile", cards=state.draw, seen_by=ALL),
        Zone(name="discard pile", cards=state.discard, seen_by=PUBLIC),
        Zone(name="home", cards=state.home, seen_by=PUBLIC),
    )


CASE = Case(
    game=BEAM_ME_UP,
    zones=zones,
    options=(
        Options(),
        Options(launched_aliens="discard"),
        Options(lines="hidden"),
        Options(earth_racer=False),
        Options(tie_break="fewer_in_line"),
        Options(launched_aliens="discard", lines="hidden", earth_racer=False, tie_break="fewer_in_line"),
    ),
)
