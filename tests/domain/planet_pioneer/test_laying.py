"""Level cards: where they go and which may be repeated."""

import pytest

from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.cards import STANDARD
from domain.games.planet_pioneer.commands import Attack, Build, Cap, Discard, Strike, Visit
from domain.games.planet_pioneer.events import CapLaid, CardBuilt, StrikeLaid, VisitLaid
from domain.games.planet_pioneer.options import Options
from tests.domain.planet_pioneer.case import OWN_DECK
from tests.domain.planet_pioneer.scenes import BASE, DULL, A, B, C, InOrder, Scene


def test_p9_a_card_goes_side_to_side_or_top_to_bottom_never_only_diagonally():
    scene = Scene(hands={A: ("oxygen", *DULL)}).colony(A, {(1, 2): "water"})

    cells = [command.cell for command in scene.listed() if isinstance(command, Build) and command.card == "oxygen"]
    assert [(0, 1), (0, 3), (1, 1), (1, 3), (2, 2)] == cells
    for cell in ((2, 1), (2, 3), (0, 0), (3, 4)):
        assert "P9" == scene.refuses(Build("oxygen", cell))


def test_p9_a_covered_cell_takes_no_card():
    scene = Scene(hands={A: ("oxygen", "alien_visit", *DULL)}).colony(A, {(1, 2): "water"})

    for cell in (BASE, (1, 2)):
        assert "P9" == scene.refuses(Build("oxygen", cell))
        assert "P9" == scene.refuses(Visit(cell))


@pytest.mark.parametrize(
    "stack",
    ["water", "alien_visit", "alien_attack", ["water", "meteor_strike"], ["water", "meteor_strike", "meteor_cap"]],
)
def test_p10_anything_that_lies_there_counts_as_occupied(stack):
    scene = Scene(hands={A: ("oxygen", *DULL)}).colony(A, {(0, 1): stack})

    assert scene.allows(Build("oxygen", (0, 0)))
    assert scene.allows(Build("oxygen", (1, 1)))


def test_p10_case_vi_next_to_the_craters_around_the_base_a_fourth_card_still_goes():
    struck = {
        (0, 1): ["water", "meteor_strike"],
        (0, 3): ["crops", "meteor_strike"],
        (1, 2): ["rover", "meteor_strike"],
    }
    scene = Scene(hands={A: ("oxygen", *DULL)}).colony(A, struck)

    assert CardBuilt(A, "oxygen", (2, 2)) == scene.does(Build("oxygen", (2, 2)))[0]


def test_p15_defenses_are_level_cards_and_obey_the_cap():
    scene = Scene(round=2, hands={A: ("force_field", "defense_battery", *DULL)})

    assert "P13" == scene.refuses(Build("force_field", (0, 1)))
    assert scene.allows(Build("defense_battery", (0, 1)))


@pytest.mark.parametrize("card", ["alien_visit", "alien_attack", "meteor_strike", "meteor_cap"])
def test_p15_no_other_card_is_built(card):
    assert "P15" == Scene(hands={A: (card, *DULL)}).refuses(Build(card, (0, 1)))


def test_p15_a_defense_may_not_be_repeated_and_counts():
    scene = Scene(hands={A: ("force_field", *DULL)}).colony(A, {(0, 1): "force_field"})

    assert "P20" == scene.refuses(Build("force_field", (0, 3)))
    assert 3 == scene.seat(A).colony_level


def test_p19_identical_cards_are_never_repeated_in_whatever_round():
    for number in (2, 5, 6, 20):
        scene = Scene(round=number, hands={A: ("oxygen", *DULL)}).colony(A, {(0, 1): "oxygen"})
        assert "P20" == scene.refuses(Build("oxygen", (0, 3)))


def test_p20_visits_attacks_strikes_and_caps_may_be_repeated():
    scene = Scene(3, hands={A: ("alien_visit", "alien_attack", "meteor_strike", "meteor_cap", *DULL[:2])})
    scene.colony(A, {(0, 1): "alien_visit", (1, 2): ["water", "meteor_strike", "meteor_cap"]})
    scene.colony(A, {(0, 3): ["crops", "meteor_strike"]})
    scene.colony(B, {(0, 1): "alien_attack", (0, 3): ["water", "meteor_strike"], (1, 2): "rover"})

    assert scene.allows(Visit((0, 0)))
    assert scene.allows(Cap((0, 3)))
    assert scene.allows(Attack(B, (0, 0)))
    assert scene.allows(Strike(B, (1, 2)))


def test_p20_the_same_name_may_live_in_another_colony():
    scene = Scene(hands={A: ("oxygen", *DULL)}).colony(B, {(0, 1): "oxygen"})

    assert scene.allows(Build("oxygen", (0, 1)))


def test_p21_identical_means_the_same_name_not_the_same_level():
    scene = Scene(hands={A: ("water", *DULL)}).colony(A, {(0, 1): "oxygen"})

    assert scene.allows(Build("water", (0, 3)))


def test_p22_case_ii_a_destroyed_cards_name_is_free_again_also_after_capping():
    scene = Scene(hands={A: ("oxygen", "meteor_cap", *DULL[:4])}).colony(A, {(0, 1): "oxygen"})
    assert "P20" == scene.refuses(Build("oxygen", (0, 3)))

    scene.colony(A, {(0, 1): "meteor_strike"})
    assert scene.allows(Build("oxygen", (0, 3)))
    assert "P9" == scene.refuses(Build("oxygen", (0, 1)))

    scene.happened(CapLaid(A, (0, 1))).turn(A)
    assert scene.allows(Build("oxygen", (0, 3)))
    assert "P9" == scene.refuses(Build("oxygen", (0, 1)))


def test_p23_the_defense_laser_of_the_sheet_is_the_defense_battery():
    assert ["defense_battery", "force_field"] == [card.name for card in STANDARD if card.kind == "defense"]


def test_p50_what_lies_is_never_moved_or_replaced():
    scene = Scene(hands={A: ("oxygen", "alien_visit", "meteor_cap", *DULL[:3])}).colony(A, {(0, 1): "water"})

    before = scene.cell(A, (0, 1))
    for command in (Build("oxygen", (0, 1)), Visit((0, 1)), Cap((0, 1))):
        assert scene.refuses(command) in {"P9", "P38"}
    scene.does(Build("oxygen", (0, 3)))
    assert before == scene.cell(A, (0, 1))


def test_p51_a_card_that_is_not_in_the_hand_can_neither_be_laid_nor_discarded():
    scene = Scene().colony(B, {(0, 1): "water"}).colony(A, {(0, 1): ["water", "meteor_strike"]})

    commands = (
        Build("oxygen", (0, 3)),
        Visit((0, 3)),
        Attack(B, (0, 3)),
        Strike(B, (0, 1)),
        Cap((0, 1)),
        Discard("oxygen"),
        Discard("base_station"),
        Build("base_station", (0, 3)),
    )
    assert ["P51"] * len(commands) == [scene.refuses(command) for command in commands]


def test_p55_only_attacks_and_strikes_go_to_another_colony():
    hand = ("oxygen", "alien_visit", "alien_attack", "meteor_strike", "meteor_cap", "mine")
    scene = Scene(3, hands={A: hand}).colony(A, {(0, 1): ["water", "meteor_strike"]}).colony(C, {(0, 1): "water"})

    abroad = {type(command) for command in scene.listed() if hasattr(command, "opponent")}
    assert {Attack, Strike} == abroad
    assert {0, 1, 2} - {A} == {command.opponent for command in scene.listed() if isinstance(command, Attack)}
    for command, event in (
        (Build("oxygen", (0, 3)), CardBuilt(A, "oxygen", (0, 3))),
        (Visit((0, 3)), VisitLaid(A, (0, 3))),
        (Cap((0, 1)), CapLaid(A, (0, 1))),
    ):
        assert event == PLANET_PIONEER.decide(scene.state, A, command, InOrder())[0]
    assert StrikeLaid(A, C, (0, 1), "water") == scene.does(Strike(C, (0, 1)))[0]


def test_an_own_deck_names_its_cards_as_it_likes():
    scene = Scene(
        options=Options(deck=OWN_DECK), hands={A: ("comet", "friends", "wall", "dome_1")}, pile=("dome_2",) * 9
    )
    scene.colony(B, {(0, 1): "dome_1"})

    assert scene.allows(Build("wall", (0, 1)))
    scene.does(Strike(B, (0, 1)))
    assert (("dome_1", "comet"), 0) == scene.cell(B, (0, 1))
