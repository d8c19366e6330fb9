"""B40: the move for a seat whose time is up."""

import pytest

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import CollectCard, DeclineCard, LaunchRacer, PlayCard
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, deal, with_lines

HANDS = ("A1 F7 F3 F5", "A2 W7 W9 W5")


def won(line, racers_left=None):
    """Seat 1 has won F7, W9 with this line."""
    scene = Scene(with_lines(deal(HANDS, pile="A11 A12"), "", line, racers_left=racers_left))
    scene.lay("F7 W9")
    return scene.state


def test_b40_the_lowest_card_is_laid():
    assert PlayCard("A1") == BEAM_ME_UP.default_move(deal(HANDS), Seat(0))


def test_b40_of_equal_numbers_the_first_in_card_order_is_laid():
    state = deal(("W3 F3 E3 F9", "A2 W7 W9 W5"), pile="A11")
    assert PlayCard("E3") == BEAM_ME_UP.default_move(state, Seat(0))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("W2 W3", CollectCard("W9")),  # completes
        ("F2 W3 W4", CollectCard("W9", "F2")),  # completes by a swap
        ("F2", CollectCard("F7")),  # extends
        ("A3 F2 F4", CollectCard("F7", "A3")),  # completes
        ("A3 E4 F2", CollectCard("F7", "A3")),  # extends by a swap
        ("", DeclineCard()),  # there is no set yet
        ("A3", DeclineCard()),
        ("A3 A4", DeclineCard()),
        ("A3 A4 F2", DeclineCard()),  # a second Fire makes nothing larger
    ],
)
def test_b40_the_pick_completes_or_else_extends_a_set_or_is_none(line, move):
    assert move == BEAM_ME_UP.default_move(won(line), Seat(1))


def test_b40_a_set_that_no_racer_is_left_for_is_not_extended():
    assert DeclineCard() == BEAM_ME_UP.default_move(won("W2 W3", racers_left="mars"), Seat(1))


def test_b40_of_matching_racers_the_nearest_to_the_sun_is_launched():
    scene = Scene(with_lines(deal(HANDS), "", "W2 W3"))
    scene.lay("F7 W9")
    scene.take("W9")
    assert LaunchRacer("earth") == BEAM_ME_UP.default_move(scene.state, Seat(1))
