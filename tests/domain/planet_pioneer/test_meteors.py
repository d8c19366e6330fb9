"""Meteor Strikes, craters, Meteor Caps, and what the defenses keep off."""

import pytest

from domain.games.planet_pioneer.commands import Attack, Build, Cap, Strike, Visit
from domain.games.planet_pioneer.events import CapLaid, StrikeLaid
from tests.domain.planet_pioneer.scenes import BASE, DULL, A, B, C, D, Scene


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_p14_a_strike_may_be_laid_from_round_2_on(number):
    scene = Scene(round=number, hands={A: ("meteor_strike", *DULL)}).colony(B, {(0, 1): "water"})
    assert scene.allows(Strike(B, (0, 1)))


def test_p14_no_strike_in_round_1():
    scene = Scene(round=1, hands={A: ("meteor_strike", *DULL)}).colony(B, {(0, 1): "water"})
    assert "P14" == scene.refuses(Strike(B, (0, 1)))


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_p16_a_cap_may_be_laid_on_an_own_crater_from_round_2_on(number):
    scene = Scene(round=number, hands={A: ("meteor_cap", *DULL)}).colony(A, {(0, 1): ["water", "meteor_strike"]})

    assert CapLaid(A, (0, 1)) == scene.does(Cap((0, 1)))[0]


def test_p16_no_cap_in_round_1():
    assert "P16" == Scene(round=1, hands={A: ("meteor_cap", *DULL)}).refuses(Cap((0, 1)))


def test_p17_a_strike_has_no_level():
    scene = Scene().colony(A, {(0, 1): ["school", "meteor_strike"]})

    assert (("school", "meteor_strike"), 0) == scene.cell(A, (0, 1))
    assert 0 == scene.seat(A).colony_level


@pytest.mark.parametrize("defense", ["defense_battery", "force_field"])
def test_p24_both_defenses_protect_against_strikes_and_attacks(defense):
    scene = Scene(hands={A: ("meteor_strike", "alien_attack", *DULL[:4])})
    scene.colony(B, {(1, 2): defense, (1, 1): "water"})

    assert "P25" == scene.refuses(Strike(B, (1, 1)))
    assert "P26" == scene.refuses(Attack(B, (1, 3)))


def test_p25_case_iii_a_force_field_protects_all_that_touches_it_and_nothing_diagonal():
    scene = Scene(hands={A: ("meteor_strike", "alien_attack", *DULL[:4])})
    around = {(2, 1): "water", (1, 2): "crops", (3, 2): "rover", (1, 1): "storage"}
    scene.colony(B, {(2, 2): "force_field", **around})
    assert "P26" == scene.refuses(Attack(B, (2, 3)))
    scene.colony(B, {(2, 3): "shelter"})

    for cell in ((2, 1), (1, 2), (3, 2), (2, 3)):
        assert "P25" == scene.refuses(Strike(B, cell))
    assert "P35" == scene.refuses(Strike(B, (2, 2)))
    assert scene.allows(Strike(B, (1, 1)))


def test_p25_a_card_that_is_laid_later_next_to_a_defense_is_protected_too():
    scene = Scene(hands={A: ("oxygen", *DULL), B: ("meteor_strike", *DULL)}).colony(A, {(0, 1): "force_field"})

    scene.does(Build("oxygen", (0, 0)))
    assert "P25" == scene.refuses(Strike(A, (0, 0)))


def test_p34_the_own_colony_can_not_be_struck():
    scene = Scene(hands={A: ("meteor_strike", *DULL)}).colony(A, {(0, 1): "water"})
    assert "P34" == scene.refuses(Strike(A, (0, 1)))


@pytest.mark.parametrize("stack", ["force_field", "defense_battery", "alien_visit", ["water", "meteor_strike"], []])
def test_p35_bases_defenses_visits_craters_and_free_cells_can_not_be_struck(stack):
    scene = Scene(hands={A: ("meteor_strike", *DULL)}).colony(B, {(0, 1): stack})

    assert "P35" == scene.refuses(Strike(B, (0, 1)))
    assert "P35" == scene.refuses(Strike(B, BASE))


def test_p35_an_attack_and_a_cap_can_be_struck():
    scene = Scene(hands={A: ("meteor_strike", *DULL)})
    scene.colony(B, {(0, 1): "alien_attack", (0, 3): ["water", "meteor_strike", "meteor_cap"]})

    assert scene.allows(Strike(B, (0, 1)))
    assert StrikeLaid(A, B, (0, 3), "meteor_cap") == scene.does(Strike(B, (0, 3)))[0]


def test_p36_the_strike_lies_on_top_and_the_destroyed_card_under_it_counts_nothing():
    scene = Scene(hands={A: ("meteor_strike", *DULL)}).colony(B, {(0, 1): "school", (0, 3): "water"})
    assert 5 == scene.seat(B).colony_level

    assert StrikeLaid(A, B, (0, 1), "school") == scene.does(Strike(B, (0, 1)))[0]
    assert (("school", "meteor_strike"), 0) == scene.cell(B, (0, 1))
    assert 1 == scene.seat(B).colony_level


def test_p37_a_crater_counts_as_covered():
    scene = Scene(hands={A: ("terraformer", *DULL)}).full_but(A, (3, 4))
    scene.colony(A, {(0, 0): "meteor_strike", (1, 1): "meteor_strike"})
    assert 19 == scene.seat(A).covered

    scene.does(Build("terraformer", (3, 4)))
    assert "final" == scene.view().phase


def test_p38_a_cap_closes_the_crater_for_good_and_counts_level_1():
    scene = Scene(hands={A: ("meteor_cap", *DULL)}).colony(A, {(0, 1): ["water", "meteor_strike"]})

    scene.does(Cap((0, 1)))
    assert (("water", "meteor_strike", "meteor_cap"), 1) == scene.cell(A, (0, 1))
    assert 1 == scene.seat(A).colony_level
    scene.happened().turn(A)
    assert "P51" == scene.refuses(Cap((0, 1)))
    assert "P9" == scene.refuses(Build("school", (0, 1)))


@pytest.mark.parametrize("stack", [[], "water", ["water", "meteor_strike", "meteor_cap"]])
def test_p38_a_cap_needs_a_crater(stack):
    scene = Scene(hands={A: ("meteor_cap", *DULL)}).colony(A, {(0, 1): stack})
    assert "P38" == scene.refuses(Cap((0, 1)))


def test_p38_case_vii_a_struck_cap_loses_its_level_and_the_crater_may_be_capped_again():
    scene = Scene(hands={A: ("meteor_cap", *DULL)})
    scene.colony(A, {(0, 1): ["water", "meteor_strike", "meteor_cap"]})
    assert 1 == scene.seat(A).colony_level

    scene.colony(A, {(0, 1): "meteor_strike"})
    assert 0 == scene.seat(A).colony_level
    scene.does(Cap((0, 1)))
    assert 1 == scene.seat(A).colony_level


def test_p39_an_opponents_crater_has_no_address_for_a_cap():
    scene = Scene(hands={A: ("meteor_cap", *DULL)}).colony(B, {(0, 1): ["water", "meteor_strike"]})

    assert not [command for command in scene.listed() if isinstance(command, Cap)]
    assert "P38" == scene.refuses(Cap((0, 1)))


def test_p53_whom_to_strike_is_a_free_choice():
    scene = Scene(4, hands={A: ("meteor_strike", *DULL)})
    for seat in (B, C, D):
        scene.colony(seat, {(0, 1): "water"})

    assert [B, C, D] == [command.opponent for command in scene.listed() if isinstance(command, Strike)]


def test_a_visit_next_to_a_defense_is_exempt_not_protected():
    scene = Scene(hands={A: ("meteor_strike", *DULL)}).colony(B, {(0, 1): "force_field", (0, 0): "alien_visit"})

    assert "P35" == scene.refuses(Strike(B, (0, 0)))
    assert "P51" == scene.refuses(Visit((0, 1)))
