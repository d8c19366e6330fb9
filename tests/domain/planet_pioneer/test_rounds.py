"""Whose turn it is and what a round allows."""

import pytest

from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.commands import Attack, Build, Discard, Visit
from domain.games.planet_pioneer.events import CardDiscarded, RoundBegan, TurnBegan, TurnSkipped, VisitLaid
from domain.games.planet_pioneer.options import Options
from tests.domain.planet_pioneer.scenes import DULL, A, B, C, Scene, kinds, turns

ONE_LAP = Options(first_round="one_lap")


def test_p7_who_could_lay_may_discard_instead_from_round_2_on():
    scene = Scene(round=2, hands={A: ("oxygen", *DULL)})

    assert scene.allows(Build("oxygen", (0, 1)))
    assert {"oxygen", *DULL} == {command.card for command in scene.listed() if isinstance(command, Discard)}
    assert CardDiscarded(A, "oxygen") == scene.does(Discard("oxygen"))[0]
    assert "oxygen" == scene.view().discard_top


def test_p8_one_card_a_turn():
    scene = Scene(hands={A: ("oxygen", "water", *DULL[:4])})

    events = scene.does(Build("oxygen", (0, 1)))
    assert ["card_built", "turn_began", "cards_drawn"] == kinds(events)
    assert [B] == turns(events)


def test_p11_who_has_placed_waits_until_all_have():
    scene = Scene(3, round=1, hands={A: ("oxygen", *DULL), B: DULL, C: DULL}, pile=("mine",) * 4)

    scene.does(Build("oxygen", (0, 1)))
    scene.does(Discard("mine"))
    events = scene.does(Discard("mine"))

    assert (CardDiscarded(C, "mine"), RoundBegan(1, 2), TurnSkipped(A, "placed")) == events[:3]
    assert [B] == turns(events)
    assert (1, 2) == (scene.view().round, scene.view().lap)
    assert [True, False, False] == [seat.placed for seat in scene.view().seats]


def test_p11_the_first_round_is_complete_as_soon_as_all_have_placed():
    scene = Scene(round=1, hands={A: ("mine", *DULL), B: ("oxygen", *DULL[:4])}, pile=("mine", "crops"))

    scene.does(Discard("mine"))
    events = scene.does(Build("oxygen", (0, 1)))
    assert RoundBegan(1, 2) == events[1]
    events = scene.does(Build("crops", (0, 1)))

    assert ["card_built", "round_began", "turn_began", "pile_reshuffled", "cards_drawn"] == kinds(events)
    assert RoundBegan(2, 1) == events[1]
    assert [A] == turns(events)


def test_p11_with_one_lap_the_first_round_is_one_turn_each():
    scene = Scene(round=1, options=ONE_LAP)

    scene.does(Discard("mine"))
    events = scene.does(Discard("mine"))

    assert RoundBegan(2, 1) == events[1]
    assert [A] == turns(events)
    assert [False, False] == [seat.placed for seat in scene.view().seats]


def test_p11_case_i_without_a_level_1_or_a_visit_only_discards_are_offered_in_round_1():
    hand = ("greenhouse", "alien_attack", "meteor_strike", "meteor_cap", *DULL[:2])
    for options in (Options(), ONE_LAP):
        scene = Scene(round=1, hands={A: hand}, options=options)

        assert [Discard(card) for card in sorted(hand)] == list(scene.listed())


def test_p11_case_i_with_one_lap_round_2_offers_level_2_next_to_the_base():
    scene = Scene(round=1, hands={A: ("greenhouse", *DULL)}, options=ONE_LAP)
    scene.does(Discard("mine"))
    scene.does(Discard("mine"))

    assert scene.allows(Build("greenhouse", (0, 1)))
    assert "P13" == scene.refuses(Build("school", (0, 1)))


def test_p11_the_first_round_ends_after_13_laps_as_it_stands():
    scene = Scene(round=1, hands={A: ("oxygen", *DULL), B: DULL}, pile=("mine",) * 30)
    scene.does(Build("oxygen", (0, 1)))
    for lap in range(2, 14):
        events = scene.does(Discard("mine"))
        assert (RoundBegan(1, lap), TurnSkipped(A, "placed")) == events[1:3]

    events = scene.does(Discard("mine"))
    assert RoundBegan(2, 1) == events[1]
    assert [A] == turns(events)
    assert [True, False] == [seat.placed for seat in scene.view().seats]


def test_p11_a_visits_extra_turn_is_taken_at_once_by_the_cap_of_round_1_though_the_seat_has_placed():
    scene = Scene(round=1, hands={A: ("alien_visit", "greenhouse", "oxygen", *DULL[:3])})

    events = scene.does(Visit((0, 1)))
    assert [VisitLaid(A, (0, 1)), TurnBegan(A, extra=True, final=False)] == list(events[:2])
    assert scene.seat(A).placed
    assert "P13" == scene.refuses(Build("greenhouse", (0, 3)))
    assert "P56" == scene.refuses(Discard("greenhouse"))

    assert [B] == turns(scene.does(Build("oxygen", (0, 3))))


def test_p12_a_round_goes_from_the_first_player_and_no_skip_or_extra_turn_changes_it():
    scene = Scene(3, round=7, first=B, hands={B: ("alien_visit", "alien_attack", *DULL[:4])})

    events = scene.does(Visit((0, 1)))
    assert "round_began" not in kinds(events)
    events = scene.does(Attack(A, (0, 1)))
    assert [C] == turns(events)
    events = scene.does(Discard("mine"))

    assert (TurnSkipped(A, "attacked"), RoundBegan(8, 1), TurnBegan(B, extra=False, final=False)) == events[1:4]


@pytest.mark.parametrize("number", range(1, 8))
def test_p13_up_to_round_5_no_level_above_the_round_then_any(number):
    by_level = ("oxygen", "greenhouse", "mine", "school", "hospital", "terraformer")
    scene = Scene(round=number, hands={A: by_level})

    for level, card in enumerate(by_level, 1):
        if level <= number or number > 5:
            assert scene.allows(Build(card, (0, 1)))
        else:
            assert "P13" == scene.refuses(Build(card, (0, 1)))


def test_p56_who_can_lay_in_the_first_round_may_not_discard():
    for card, command in (("oxygen", Build("oxygen", (0, 1))), ("alien_visit", Visit((0, 1)))):
        scene = Scene(round=1, hands={A: (card, *DULL)})

        assert scene.allows(command)
        assert not any(isinstance(listed, Discard) for listed in scene.listed())
        assert {"P56"} == {scene.refuses(Discard(held)) for held in (card, *DULL)}


def test_p56_with_one_lap_the_first_round_leaves_the_choice():
    scene = Scene(round=1, hands={A: ("oxygen", *DULL)}, options=ONE_LAP)

    assert scene.allows(Build("oxygen", (0, 1)))
    assert scene.allows(Discard("oxygen"))


def test_p56_holds_in_every_lap_of_the_first_round():
    scene = Scene(round=1, hands={A: ("oxygen", *DULL), B: DULL}, pile=("mine", "mine", "water"))
    scene.does(Build("oxygen", (0, 1)))
    scene.does(Discard("mine"))
    scene.does(Discard("mine"))

    assert 3 == scene.view().lap
    assert "P56" == scene.refuses(Discard("school"))


def test_p57_the_default_move_discards_the_highest_level_ties_by_name():
    scene = Scene(round=3, hands={A: ("alien_visit", "hospital", "oxygen", "research_centre", "school", "spaceport")})
    assert Discard("hospital") == PLANET_PIONEER.default_move(scene.state, A)


def test_p57_where_a_discard_is_forbidden_the_default_move_is_the_first_command_listed():
    scene = Scene(round=1, hands={A: ("alien_visit", "oxygen", *DULL[:4])})

    assert scene.listed()[0] == PLANET_PIONEER.default_move(scene.state, A)
    assert Build("oxygen", (0, 1)) == scene.listed()[0]
