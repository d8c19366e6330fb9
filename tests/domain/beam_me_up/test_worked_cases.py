"""The worked cases (i) to (vii) of the rulings."""

from msgspec.structs import replace

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import LaunchRacer
from domain.games.beam_me_up.events import TrickVoided, TrickWon, TurnBegan
from domain.games.events import CardsDrawn, PileReshuffled
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, cards, deal, with_lines


def test_case_i_after_7_7_and_3_9_the_owner_of_the_9_takes_up_to_two_of_the_four_and_both_refill_two():
    scene = Scene(deal(("A1 F7 F3 F5", "A2 W7 W9 W5")))
    assert TrickWon(Seat(1), "W9", 2) == scene.lay("F7 W7 F3 W9")[-1]
    assert cards("F7 W7 F3 W9") == scene.state.trick.on_table
    scene.take("F7")
    events = scene.take("W7")
    assert 2 == events[-1].count
    assert 2 == scene.lay("W5")[-1].count


def test_case_ii_three_layers_line_f_f_picks_f_w_w_launch_at_pick_1_and_leave_w_w():
    scene = Scene(with_lines(deal(("F7 F3 F1 A1", "W7 W3 W9 A2")), "", "F13 F14"))
    assert TrickWon(Seat(1), "W9", 3) == scene.lay("F7 W7 F3 W3 F1 W9")[-1]
    scene.take("F7")
    assert "launch" == scene.state.phase
    scene.launch("mars")
    scene.take("W7")
    scene.take("W3")
    assert cards("W3 W7") == scene.state.lines[1]
    assert cards("F7 F13 F14") == scene.state.home


def test_case_iii_fire_spent_and_earth_left_only_earth_is_offered():
    state = with_lines(deal(("A1 F7 F3 F5", "A2 W7 W9 W5")), "", "F13 F14", racers_left="earth pluto venus")
    scene = Scene(state)
    scene.lay("F7 W9")
    scene.take("F7")
    assert (LaunchRacer("earth"),) == BEAM_ME_UP.legal(scene.state, Seat(1))


def test_case_iv_fire_and_earth_spent_no_launch_the_line_stays_full_and_the_next_win_may_swap():
    state = with_lines(deal(("A1 F7 F3 F5", "A2 W7 W9 W5")), "", "F13 F14", racers_left="pluto venus")
    scene = Scene(state)
    scene.lay("F7 W9")
    scene.take("F7")
    assert "play" == scene.state.phase
    assert cards("F7 F13 F14") == scene.state.lines[1]
    scene.lay("W7 F3")
    scene.take("W7", replace="F13")
    assert cards("F7 F14 W7") == scene.state.lines[1]


def test_case_v_one_card_in_the_pile_and_three_to_draw_the_second_draw_reshuffles_without_the_trick():
    scene = Scene(deal(("A1 F7 F3 F5", "A2 W7 W9 W5", "A3 E2 E12 E5")))
    scene.lay("F7 W9 E2")
    scene.decline()
    scene.state = replace(scene.state, draw=("A14",), discard=cards("E14 F7 W9"))
    scene.state = replace(scene.state, hands=(scene.state.hands[0], cards("A2 W7 W5 F13"), scene.state.hands[2]))
    assert CardsDrawn(Seat(2), 1, ("A14",)) == scene.lay("W7")[-1]
    shuffled, drawn = scene.lay("E12")[-2:]
    assert PileReshuffled(1, 3, cards("E14 F7 W9")) == shuffled
    assert CardsDrawn(Seat(0), 1, ("E14",)) == drawn
    assert cards("W7 E12") == scene.state.trick.on_table


def test_case_vi_the_third_player_not_tied_in_layer_1_wins_layer_2_and_the_trick():
    scene = Scene(deal(("A1 F7 F3 F5", "A2 W7 W9 W5", "A3 E2 E12 E5")))
    scene.lay("F7 W7 E2")
    assert TrickWon(Seat(2), "E12", 2) == scene.lay("F5 W9 E12")[-1]


def test_case_vii_five_tied_layers_void_the_trick_and_the_same_seat_leads():
    scene = Scene(deal(("A1 A2 A3 A4", "E1 E2 E3 E4"), pile="A5 E5"))
    events = scene.lay("A1 E1 A2 E2 A3 E3 A4 E4 A5 E5")
    assert TrickVoided(cards("A1 E1 A2 E2 A3 E3 A4 E4 A5 E5"), Seat(0)) == events[2]
    assert TurnBegan(Seat(0), 2, 1) == events[3]
