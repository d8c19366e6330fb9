"""The end of the game, its scores and its guards."""

import pytest

from domain.game import Verdict
from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.commands import Attack, Build, Discard, Strike, Visit
from domain.games.planet_pioneer.events import (
    AttackLaid,
    CardBuilt,
    CardDiscarded,
    FinalRoundBegan,
    RoundBegan,
    TurnBegan,
    TurnSkipped,
    VisitLaid,
)
from domain.games.planet_pioneer.options import Options
from domain.values import Seat
from tests.domain.planet_pioneer.scenes import DULL, A, B, C, D, Scene, kinds, turns

LAST = (3, 4)
TIE_BREAK = Options(tie_break="hand_then_craters")


def outcome(scene: Scene) -> Verdict:
    verdict = PLANET_PIONEER.outcome(scene.state)
    assert verdict is not None
    assert () == PLANET_PIONEER.to_act(scene.state)
    assert "over" == scene.view().phase
    assert scene.view().turn is None
    return verdict


def test_p40_the_turn_that_covers_a_colonys_20th_cell_begins_the_final_round():
    scene = Scene(hands={A: ("terraformer", *DULL)}).full_but(A, LAST)

    events = scene.does(Build("terraformer", LAST))
    assert (
        CardBuilt(A, "terraformer", LAST),
        FinalRoundBegan(full=(A,), order=(B,)),
        TurnBegan(B, extra=False, final=True),
        CardsDrawn(B, 1, ("rover",)),
    ) == events
    assert "final" == scene.view().phase


def test_p40_ends_the_game_as_grid_full():
    scene = Scene(hands={A: ("terraformer", *DULL)}).full_but(A, LAST)
    scene.does(Build("terraformer", LAST))
    assert PLANET_PIONEER.outcome(scene.state) is None

    assert ["card_discarded"] == kinds(scene.does(Discard("mine")))
    assert "grid_full" == outcome(scene).reason


def test_p41_case_iv_who_fills_anothers_grid_by_an_attack_gives_all_but_its_owner_a_final_turn():
    scene = Scene(4, hands={A: ("alien_attack", *DULL)}).full_but(B, LAST)

    events = scene.does(Attack(B, LAST))
    assert (AttackLaid(A, B, LAST), FinalRoundBegan(full=(B,), order=(C, D, A))) == events[:2]
    final = scene.view().final
    assert final is not None
    assert ((B,), (C, D, A)) == (final.full, final.still_to_play)

    played = turns(events)
    while PLANET_PIONEER.outcome(scene.state) is None:
        played += turns(scene.does(Discard("mine" if "mine" in scene.state.hands[scene.state.turn or A] else "rover")))
    assert [C, D, A] == played
    assert "grid_full" == outcome(scene).reason


def test_p42_the_player_who_filled_the_grid_of_another_comes_last():
    scene = Scene(3, first=B, hands={B: ("alien_attack", *DULL)}).full_but(A, LAST)

    assert FinalRoundBegan(full=(A,), order=(C, B)) == scene.does(Attack(A, LAST))[1]


def test_p42_everybody_else_takes_exactly_one_final_turn_whatever_the_round():
    scene = Scene(3, round=9, first=A, hands={A: DULL, B: ("terraformer", *DULL)}).full_but(B, LAST)
    scene.turn(B)

    events = scene.does(Build("terraformer", LAST))
    assert FinalRoundBegan(full=(B,), order=(C, A)) == events[1]
    events = scene.does(Discard("mine"))
    assert [A] == turns(events)
    assert "round_began" not in kinds(events)
    assert 9 == scene.view().round
    assert [] == turns(scene.does(Discard("mine")))


def test_p42_who_takes_the_final_turn_is_still_to_play_until_it_is_done():
    scene = Scene(3, hands={A: ("terraformer", *DULL)}).full_but(A, LAST)

    left = []
    scene.does(Build("terraformer", LAST))
    for _ in range(2):
        final = scene.view().final
        assert final is not None
        left.append(final.still_to_play)
        scene.does(Discard("mine"))
    final = scene.view().final
    assert final is not None
    assert [(B, C), (C,), ()] == [*left, final.still_to_play]


def test_p43_case_viii_who_is_waiting_as_the_final_round_starts_takes_no_final_turn():
    scene = Scene(3, hands={A: ("terraformer", *DULL), C: ("alien_attack", *DULL)}).full_but(A, LAST)
    scene.turn(C).does(Attack(B, (0, 1)))
    scene.turn(A)

    events = scene.does(Build("terraformer", LAST))
    assert FinalRoundBegan(full=(A,), order=(B, C)) == events[1]
    assert TurnSkipped(B, "attacked") == events[2]
    assert [C] == turns(events)
    assert [] == turns(scene.does(Discard("mine")))
    assert "grid_full" == outcome(scene).reason


def test_p43_who_is_attacked_in_the_final_round_loses_the_final_turn():
    scene = Scene(3, hands={A: ("terraformer", *DULL), B: ("alien_attack", *DULL)}).full_but(A, LAST)
    scene.does(Build("terraformer", LAST))

    assert [AttackLaid(B, C, (0, 1)), TurnSkipped(C, "attacked")] == list(scene.does(Attack(C, (0, 1))))
    assert "grid_full" == outcome(scene).reason


def test_p44_case_v_a_visit_that_fills_the_grid_gives_no_extra_turn():
    scene = Scene(hands={A: ("alien_visit", *DULL)}).full_but(A, LAST)

    events = scene.does(Visit(LAST))
    assert (VisitLaid(A, LAST), FinalRoundBegan(full=(A,), order=(B,))) == events[:2]
    assert [TurnBegan(B, extra=False, final=True)] == [event for event in events if isinstance(event, TurnBegan)]


def test_p44_a_visit_in_the_final_round_gives_no_extra_turn():
    scene = Scene(3, hands={A: ("terraformer", *DULL), B: ("alien_visit", *DULL)}).full_but(A, LAST)
    scene.does(Build("terraformer", LAST))

    events = scene.does(Visit((0, 1)))
    assert [C] == turns(events)


def test_p45_another_grid_filled_in_the_final_round_changes_nothing():
    scene = Scene(3, hands={A: ("terraformer", *DULL), B: ("terraformer", *DULL)})
    scene.full_but(A, LAST).full_but(B, LAST)
    scene.does(Build("terraformer", LAST))

    events = scene.does(Build("terraformer", LAST))
    assert "final_round_began" not in kinds(events)
    assert [C] == turns(events)
    final = scene.view().final
    assert final is not None
    assert (A,) == final.full
    assert [20, 20, 1] == [seat.covered for seat in scene.view().seats]


def test_p46_case_ix_levels_in_hand_are_subtracted():
    hand = ("terraformer", "hospital", "alien_attack", "meteor_strike", "meteor_cap")
    scene = Scene(hands={A: hand, B: ()})

    assert (-12, 0) == scene.scores()


def test_p46_living_cards_count_with_defenses_and_caps_but_not_what_is_destroyed():
    scene = Scene(hands={A: ("oxygen",), B: ()})
    scene.colony(A, {(0, 1): "school", (0, 3): "force_field", (1, 2): ["hospital", "meteor_strike"]})
    scene.colony(A, {(0, 0): ["water", "meteor_strike", "meteor_cap"], (1, 1): "alien_visit"})

    assert (4 + 3 + 1 - 1, 0) == scene.scores()


def test_p18_the_base_counts_nothing():
    assert (0, 0) == Scene(hands={A: (), B: ()}).scores()


def test_p47_a_tie_is_a_shared_win():
    scene = Scene(hands={A: ("water",), B: ("alien_visit",)}).colony(A, {(0, 1): "greenhouse"})
    scene.colony(B, {(0, 1): "oxygen"})

    ranks = PLANET_PIONEER.verdict(scene.state).ranks
    assert (1, 1) == scene.scores()
    assert ranks[0] == ranks[1]


def test_p47_with_hand_then_craters_the_lower_total_in_hand_decides():
    scene = Scene(hands={A: ("water",), B: ("alien_visit",)}, options=TIE_BREAK).colony(A, {(0, 1): "greenhouse"})
    scene.colony(B, {(0, 1): "oxygen"})

    ranks = PLANET_PIONEER.verdict(scene.state).ranks
    assert (1, 1) == scene.scores()
    assert ranks[1] > ranks[0]


def test_p47_with_hand_then_craters_the_fewer_craters_decide_next_and_then_the_win_is_shared():
    hands = {Seat(seat): ("water",) for seat in range(3)}
    scene = Scene(3, hands=hands, options=TIE_BREAK)
    for seat in (A, B, C):
        scene.colony(seat, {(0, 1): "greenhouse"})
    scene.colony(B, {(0, 3): ["rover", "meteor_strike"]})

    ranks = PLANET_PIONEER.verdict(scene.state).ranks
    assert ranks[0] == ranks[2] > ranks[1]


def test_p48_an_empty_draw_pile_is_made_of_the_discards_exactly_when_a_draw_finds_it_empty():
    scene = Scene(hands={A: ("oxygen", *DULL), B: ("water", *DULL)}, pile=("rover",))

    assert "pile_reshuffled" not in kinds(scene.does(Discard("oxygen")))
    assert (0, 1) == (scene.view().draw_count, scene.view().discard_count)
    events = scene.does(Discard("water"))
    assert (
        TurnBegan(A, extra=False, final=False),
        PileReshuffled(1, 2, ("oxygen", "water")),
        CardsDrawn(A, 1, ("oxygen",)),
    ) == events[-3:]
    assert (1, 0, None) == (scene.view().draw_count, scene.view().discard_count, scene.view().discard_top)


def test_p48_each_reshuffle_has_the_next_number():
    scene = Scene(hands={A: ("mine",), B: ("mine",)}, pile=())

    numbers = []
    for _ in range(6):
        events = scene.does(Discard("mine"))
        numbers += [event.shuffle for event in events if isinstance(event, PileReshuffled)]
    assert [1, 2, 3, 4, 5, 6][: len(numbers)] == numbers
    assert len(numbers) > 2


def test_p48_with_both_piles_empty_the_play_goes_on_without_drawing():
    scene = Scene(hands={A: ("oxygen", "water"), B: ("water", "rover")}, pile=())

    events = scene.does(Build("oxygen", (0, 1)))
    assert (TurnBegan(B, extra=False, final=False), CardsDrawn(B, 0, ())) == events[1:]
    assert 2 == scene.seat(B).hand_count


def test_p48_who_has_no_card_is_passed_over():
    scene = Scene(3, hands={A: ("oxygen", "water"), B: (), C: ("rover",)}, pile=())

    events = scene.does(Build("oxygen", (0, 1)))
    assert TurnSkipped(B, "no_card") == events[1]
    assert [C] == turns(events)


def test_p48_an_extra_turn_without_a_card_is_passed_over():
    scene = Scene(hands={A: ("alien_visit",), B: ("rover",)}, pile=())

    events = scene.does(Visit((0, 1)))
    assert (VisitLaid(A, (0, 1)), TurnSkipped(A, "no_card"), TurnBegan(B, extra=False, final=False)) == events[:3]


def test_p48_a_final_turn_without_a_card_is_passed_over():
    scene = Scene(3, hands={A: ("terraformer",), B: (), C: ("rover",)}, pile=()).full_but(A, LAST)

    events = scene.does(Build("terraformer", LAST))
    assert TurnSkipped(B, "no_card") == events[2]
    assert [C] == turns(events)


def test_p49_three_full_rounds_without_a_card_laid_end_the_game_as_cap_stall():
    scene = Scene(round=10, hands={A: ("mine", *DULL), B: DULL}, pile=("mine",) * 30)

    dry = [scene.view().dry_rounds]
    for _ in range(5):
        scene.does(Discard("mine"))
        dry.append(scene.view().dry_rounds)
    assert [0, 0, 1, 1, 2, 2] == dry

    assert (CardDiscarded(B, "mine"),) == scene.does(Discard("mine"))
    assert "cap_stall" == outcome(scene).reason
    assert 3 == scene.view().dry_rounds
    assert 12 == scene.view().round


def test_p49_a_card_laid_starts_the_count_anew():
    scene = Scene(round=10, hands={A: ("mine", "water", *DULL), B: DULL}, pile=("mine",) * 30)
    for _ in range(4):
        scene.does(Discard("mine"))
    assert 2 == scene.view().dry_rounds

    scene.does(Build("water", (0, 1)))
    scene.does(Discard("mine"))
    assert 0 == scene.view().dry_rounds
    assert 13 == scene.view().round


def test_p49_a_strike_or_an_attack_is_a_card_laid():
    scene = Scene(hands={A: ("meteor_strike", *DULL), B: DULL}, pile=("mine",) * 30).colony(B, {(0, 1): "water"})
    scene.happened(RoundBegan(7, 1)).turn(A)

    scene.does(Strike(B, (0, 1)))
    scene.does(Discard("mine"))
    assert 0 == scene.view().dry_rounds


def test_p49_a_game_ends_after_60_rounds_as_cap_rounds():
    scene = Scene(round=60, hands={A: ("oxygen", *DULL), B: DULL}, pile=("mine",) * 30)

    scene.does(Build("oxygen", (0, 1)))
    assert (CardDiscarded(B, "mine"),) == scene.does(Discard("mine"))
    assert "cap_rounds" == outcome(scene).reason


def test_p49_laps_of_the_first_round_are_no_rounds():
    scene = Scene(round=1, hands={A: ("mine", *DULL), B: DULL}, pile=("mine",) * 40)

    while scene.view().round == 1:
        assert 0 == scene.view().dry_rounds
        scene.does(Discard("mine"))
    assert 1 == scene.view().dry_rounds


def test_p49_three_dry_rounds_from_the_start_end_a_game_of_one_lap():
    scene = Scene(
        round=1, hands={A: ("mine", *DULL), B: DULL}, pile=("mine",) * 40, options=Options(first_round="one_lap")
    )

    for _ in range(6):
        scene.does(Discard("mine"))
    assert "cap_stall" == outcome(scene).reason
    assert 3 == scene.view().round


def test_p49_where_nobody_has_a_card_the_rounds_pass_and_the_game_ends():
    scene = Scene(hands={A: ("oxygen",), B: ()}, pile=())

    events = scene.does(Build("oxygen", (0, 1)))
    assert [7, 8, 9] == [event.round for event in events if isinstance(event, RoundBegan)]
    assert {"no_card"} == {event.reason for event in events if isinstance(event, TurnSkipped)}
    assert "cap_stall" == outcome(scene).reason


@pytest.mark.parametrize("seats", PLANET_PIONEER.seats)
def test_a_standing_can_be_given_at_any_time(seats):
    verdict = PLANET_PIONEER.verdict(Scene(seats).state)

    assert (-22,) * seats == verdict.scores
    assert ((-22,),) * seats == verdict.ranks
