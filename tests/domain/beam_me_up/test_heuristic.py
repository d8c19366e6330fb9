"""The heuristic: what a sensible player does when it is plain."""

import random

import pytest

from domain.game import Seen
from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import CollectCard, DeclineCard, PlayCard
from domain.games.beam_me_up.heuristic import known_lines
from domain.games.beam_me_up.options import Options
from domain.testing import by_rate
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, deal, with_lines

HANDS = ("A1 F7 F3 F5", "A2 W7 W9 W5")


def choice(state, log=(), options=Options()):  # noqa: B008 - frozen
    (seat,) = BEAM_ME_UP.to_act(state)
    seen = Seen(
        options=options,
        seats=state.seats,
        seat=seat,
        view=BEAM_ME_UP.view(state, seat),
        commands=BEAM_ME_UP.legal(state, seat),
        log=tuple(log),
    )
    return by_rate(BEAM_ME_UP, seen, random.Random(0))


def won(line, racers_left=None):
    scene = Scene(with_lines(deal(HANDS, pile="A11 A12"), "", line, racers_left=racers_left))
    scene.lay("F7 W9")
    return scene.state


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("W2 W3", CollectCard("W9")),
        ("F2 F4 A4", CollectCard("F7", "A4")),
        ("W2 W3 F4", CollectCard("W9", "F4")),
    ],
)
def test_it_takes_the_card_that_betters_the_line_most(line, move):
    assert move == choice(won(line))


def test_it_takes_no_card_that_no_racer_is_left_for():
    assert DeclineCard() == choice(won("A3 A4", racers_left="mercury"))


def test_laying_last_it_wins_what_completes_its_line_and_with_no_higher_card_than_it_needs():
    scene = Scene(with_lines(deal(("A1 F7 F3 F5", "A2 W10 W9 W5"), pile="A11 A12"), "", "F13 F14"))
    scene.lay("F7")
    assert PlayCard("W9") == choice(scene.state)


def test_it_gives_away_its_lowest_card_where_it_cannot_win():
    scene = Scene(deal(("A14 F7 F3 F5", "A2 W10 W9 W5"), pile="A11 A12"))
    scene.lay("A14")
    assert PlayCard("A2") == choice(scene.state)


def test_it_does_not_feed_the_seat_that_wins():
    scene = Scene(with_lines(deal(("A14 F7 F3 F5", "W2 E3 W9 W5"), pile="A11 A12"), "W3 W4", ""))
    scene.lay("A14")
    assert PlayCard("E3") == choice(scene.state)


def test_b34_with_hidden_lines_it_remembers_the_picks():
    options = Options(lines="hidden")
    scene = Scene(deal(HANDS, options=options))
    scene.lay("F7 W9")
    scene.take("W9")
    seen = Seen(
        options=options,
        seats=2,
        seat=Seat(0),
        view=BEAM_ME_UP.view(scene.state, Seat(0)),
        commands=(),
        log=tuple(scene.log),
    )
    assert {Seat(0): (), Seat(1): ("W9",)} == known_lines(seen, BEAM_ME_UP.view(scene.state, Seat(0)))
