"""Alien Visits and Alien Attacks."""

import pytest

from domain.games.events import CardsDrawn
from domain.games.planet_pioneer.commands import Attack, Build, Discard, Visit
from domain.games.planet_pioneer.events import AttackLaid, CardBuilt, TurnBegan, TurnSkipped, VisitLaid
from tests.domain.planet_pioneer.scenes import DULL, A, B, C, D, Scene, kinds, turns


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_p14_a_visit_may_be_laid_from_round_1_on(number):
    assert Scene(round=number, hands={A: ("alien_visit", *DULL)}).allows(Visit((0, 1)))


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_p14_an_attack_may_be_laid_from_round_2_on(number):
    assert Scene(round=number, hands={A: ("alien_attack", *DULL)}).allows(Attack(B, (0, 1)))


def test_p14_no_attack_in_round_1():
    assert "P14" == Scene(round=1, hands={A: ("alien_attack", *DULL)}).refuses(Attack(B, (0, 1)))


def test_p17_visits_and_attacks_have_no_level():
    scene = Scene().colony(A, {(0, 1): "alien_visit", (0, 3): "alien_attack"})

    assert (("alien_visit",), 0) == scene.cell(A, (0, 1))
    assert (("alien_attack",), 0) == scene.cell(A, (0, 3))
    assert 0 == scene.seat(A).colony_level


def test_p26_no_attack_on_a_free_cell_next_to_a_defense():
    scene = Scene(hands={A: ("alien_attack", *DULL)})
    scene.colony(B, {(1, 2): "water", (2, 2): "force_field", (2, 1): "crops"})

    for cell in ((2, 3), (3, 2)):
        assert "P26" == scene.refuses(Attack(B, cell))
    for cell in ((0, 1), (1, 1), (1, 3), (2, 0), (3, 1)):
        assert scene.allows(Attack(B, cell))


def test_p27_a_defense_that_is_laid_later_repairs_nothing():
    scene = Scene(hands={A: ("force_field", *DULL)})
    scene.colony(A, {(0, 1): ["water", "meteor_strike"], (1, 2): "alien_attack"})

    scene.does(Build("force_field", (1, 1)))
    assert (("water", "meteor_strike"), 0) == scene.cell(A, (0, 1))
    assert (("alien_attack",), 0) == scene.cell(A, (1, 2))
    assert 3 == scene.seat(A).colony_level


def test_p28_an_attack_needs_a_free_cell_next_to_a_covered_one_of_that_colony():
    scene = Scene(hands={A: ("alien_attack", *DULL)}).colony(A, {(1, 2): "water"})

    assert [(0, 1), (0, 3), (1, 2)] == [command.cell for command in scene.listed() if isinstance(command, Attack)]
    for cell in ((0, 2), (0, 0), (1, 1), (3, 4)):
        assert "P28" == scene.refuses(Attack(B, cell))


def test_p28_the_own_colony_can_not_be_attacked():
    assert "P28" == Scene(hands={A: ("alien_attack", *DULL)}).refuses(Attack(A, (0, 1)))


def test_p29_an_attack_stays_and_covers_its_cell():
    scene = Scene(hands={A: ("alien_attack", *DULL), B: ("oxygen", *DULL)})

    scene.does(Attack(B, (0, 1)))
    assert 2 == scene.seat(B).covered
    assert (("alien_attack",), 0) == scene.cell(B, (0, 1))
    scene.turn(B)
    assert "P9" == scene.refuses(Build("oxygen", (0, 1)))
    assert scene.allows(Build("oxygen", (0, 0)))


def test_p30_who_is_attacked_skips_the_next_turn_without_a_draw_or_a_card():
    scene = Scene(3, hands={A: ("alien_attack", *DULL)})

    events = scene.does(Attack(B, (0, 1)))
    assert (AttackLaid(A, B, (0, 1)), TurnSkipped(B, "attacked")) == events[:2]
    assert [C] == turns(events)
    assert 5 == scene.seat(B).hand_count
    assert not scene.seat(B).waiting

    assert [A] == turns(scene.does(Discard("mine")))
    assert [B] == turns(scene.does(Discard("mine")))


def test_p31_attacks_do_not_add_up():
    scene = Scene(3, hands={A: ("alien_attack", *DULL), B: ("alien_attack", *DULL)})

    scene.does(Attack(C, (0, 1)))
    assert scene.seat(C).waiting
    assert "P31" == scene.refuses(Attack(C, (0, 0)))
    assert {A} == {command.opponent for command in scene.listed() if isinstance(command, Attack)}


def test_p31_who_has_waited_can_be_attacked_again():
    scene = Scene(hands={A: ("alien_attack", "alien_attack", *DULL[:4])})

    scene.does(Attack(B, (0, 1)))
    assert A == scene.state.turn
    assert scene.allows(Attack(B, (0, 0)))


def test_p32_a_visit_gives_one_full_turn_more_at_once():
    scene = Scene(hands={A: ("alien_visit", "oxygen", *DULL[:4])}, pile=("rover", "crops"))

    events = scene.does(Visit((0, 1)))
    assert (VisitLaid(A, (0, 1)), TurnBegan(A, extra=True, final=False), CardsDrawn(A, 1, ("rover",))) == events
    turn = scene.view().turn
    assert turn is not None
    assert (A, True) == (turn.seat, turn.extra)

    events = scene.does(Build("oxygen", (0, 3)))
    assert (CardBuilt(A, "oxygen", (0, 3)), TurnBegan(B, extra=False, final=False)) == events[:2]


def test_p33_a_visit_may_follow_a_visit():
    scene = Scene(hands={A: ("alien_visit", "alien_visit", "alien_visit", *DULL[:3])})

    for cell in ((0, 1), (0, 0), (1, 1)):
        assert ["visit_laid", "turn_began", "cards_drawn"] == kinds(scene.does(Visit(cell)))
        assert A == scene.state.turn
    assert [B] == turns(scene.does(Discard("mine")))


def test_p53_whom_to_attack_is_a_free_choice():
    scene = Scene(4, hands={A: ("alien_attack", *DULL)}).colony(D, {(0, 1): "water"})

    assert {B, C, D} == {command.opponent for command in scene.listed() if isinstance(command, Attack)}
