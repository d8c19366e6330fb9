"""Laying cards: rulings B4 to B6 and B11 to B18."""

import pytest

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import CollectCard, DeclineCard, LaunchRacer, PlayCard
from domain.games.beam_me_up.events import CardPlayed, LayerTied, TrickCleared, TrickVoided, TrickWon, TurnBegan
from domain.games.beam_me_up.trick import Laid
from domain.games.events import CardsDrawn
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, cards, deal

TWO = ("A1 F7 F3 F5", "A2 W7 W9 W5")
THREE = ("A1 F7 F3 F5", "A2 W7 W9 W5", "A3 E2 E12 E5")


def test_b4_seats_lay_clockwise_face_up_and_each_draws_when_its_own_turn_comes():
    scene = Scene(deal(THREE, pile="A11 A12 A13"))
    assert (CardPlayed(Seat(0), "A1", 1), TurnBegan(Seat(1), 1, 1), CardsDrawn(Seat(1), 1, ("A12",))) == scene.lay("A1")
    assert (CardPlayed(Seat(1), "A2", 1), TurnBegan(Seat(2), 1, 1), CardsDrawn(Seat(2), 1, ("A13",))) == scene.lay("A2")
    assert ((Laid(Seat(0), "A1"), Laid(Seat(1), "A2")),) == BEAM_ME_UP.view(scene.state, "public").trick.layers


def test_b4_another_seat_has_to_wait_for_its_turn():
    scene = Scene(deal(TWO))
    assert ("not_your_turn", None) == scene.refused(PlayCard("A2"), seat=1)
    assert () == BEAM_ME_UP.legal(scene.state, Seat(1))


def test_b5_any_card_of_the_hand_may_be_laid_whatever_was_led():
    scene = Scene(deal(TWO, pile="E1 E9"))
    scene.lay("F7")
    anything = tuple(PlayCard(card) for card in cards("A2 E9 W5 W7 W9"))
    assert anything == BEAM_ME_UP.legal(scene.state, Seat(1))


def test_b6_the_highest_number_wins_whatever_its_elemental():
    scene = Scene(deal(THREE))
    assert (CardPlayed(Seat(2), "E12", 1), TrickWon(Seat(2), "E12", 1)) == scene.lay("F7 W9 E12")
    assert "pick" == scene.state.phase
    assert Seat(2) == scene.seat


def test_b11_the_winner_leads_the_next_trick():
    scene = Scene(deal(THREE, pile="A11 A12 A13 A14"))
    scene.lay("F7 W9 E2")
    events = scene.decline()
    assert TrickCleared(cards("F7 W9 E2"), Seat(1)) == events[1]
    assert (TurnBegan(Seat(1), 2, 1), CardsDrawn(Seat(1), 1, ("A14",))) == events[2:]
    assert Seat(1) == BEAM_ME_UP.view(scene.state, "public").leader


def test_b12_nobody_can_forget_to_draw_the_draw_is_in_the_entry_that_passed_the_turn():
    scene = Scene(deal(TWO))
    scene.lay("F7")
    assert 5 == len(scene.state.hands[1])
    assert "draw_card" not in [command.__struct_config__.tag for command in BEAM_ME_UP.legal(scene.state, Seat(1))]


def test_b13_in_a_tie_all_players_lay_again():
    scene = Scene(deal(THREE))
    events = scene.lay("F7 W7 E2")
    assert (CardPlayed(Seat(2), "E2", 1), LayerTied(1, (Seat(0), Seat(1)), 7), TurnBegan(Seat(0), 1, 2)) == events
    for seat, card in enumerate(("F3", "W9", "E5")):
        assert seat == scene.seat
        scene.lay(card)
    assert "pick" == scene.state.phase


def test_b13_anyone_may_win_the_new_layer_also_a_seat_that_was_not_tied():
    scene = Scene(deal(THREE))
    scene.lay("F7 W7 E2")
    assert TrickWon(Seat(2), "E12", 2) == scene.lay("F3 W9 E12")[-1]


def test_b14_the_newest_layer_decides_alone():
    scene = Scene(deal(("A14 F3 F5 F6", "W14 W4 W5 W6")))
    scene.lay("A14 W14")
    assert TrickWon(Seat(1), "W4", 2) == scene.lay("F3 W4")[-1]


def test_b15_a_tie_below_the_top_is_no_tie():
    scene = Scene(deal(THREE))
    assert TrickWon(Seat(2), "E12", 1) == scene.lay("F7 W7 E12")[-1]


def test_b16_the_order_inside_a_new_layer_is_that_of_the_trick():
    scene = Scene(deal(THREE))
    scene.lay("F7 W9 E2")
    scene.decline()
    order = []
    for card in ("W5", "E5", "F5", "W7", "E12", "F3"):
        order.append(scene.seat)
        scene.lay(card)
    assert [1, 2, 0, 1, 2, 0] == order
    assert Seat(1) == scene.state.leader


def test_b17_nobody_draws_between_layers_and_all_refill_to_five_at_their_next_turn():
    scene = Scene(deal(TWO))
    events = scene.lay("F7 W7")
    assert not [event for event in events if isinstance(event, CardsDrawn)]
    assert [4, 4] == [len(hand) for hand in scene.state.hands]
    scene.lay("F3 W9")
    assert 2 == scene.decline()[-1].count
    assert [3, 5] == [len(hand) for hand in scene.state.hands]
    assert 2 == scene.lay("W5")[-1].count


def five_tied_layers():
    scene = Scene(deal(("A1 A2 A3 A4", "E1 E2 E3 E4"), pile="A5 E5"))
    return scene, scene.lay("A1 E1 A2 E2 A3 E3 A4 E4 A5 E5")


def test_b18_when_hands_run_out_in_a_tie_the_trick_is_void_and_the_same_seat_leads():
    scene, events = five_tied_layers()
    laid = cards("A1 E1 A2 E2 A3 E3 A4 E4 A5 E5")
    assert (
        CardPlayed(Seat(1), "E5", 5),
        LayerTied(5, (Seat(0), Seat(1)), 5),
        TrickVoided(laid, Seat(0)),
        TurnBegan(Seat(0), 2, 1),
    ) == events[:4]
    assert 5 == events[4].count
    assert laid == scene.state.discard
    assert ((), ()) == scene.state.lines
    assert Seat(0) == scene.state.leader


def test_b18_four_tied_layers_go_on_because_each_hand_has_a_card_left():
    scene = Scene(deal(("A1 A2 A3 A4", "E1 E2 E3 E4"), pile="A5 E5"))
    assert TurnBegan(Seat(0), 1, 5) == scene.lay("A1 E1 A2 E2 A3 E3 A4 E4")[-1]


@pytest.mark.parametrize("command", [CollectCard("F7"), DeclineCard()])
def test_b7_nobody_takes_a_card_before_the_trick_is_won(command):
    scene = Scene(deal(TWO))
    assert ("illegal_command", "B7") == scene.refused(command)


def test_b24_nobody_launches_before_three_alike_stand_in_the_line():
    scene = Scene(deal(TWO))
    assert ("illegal_command", "B24") == scene.refused(LaunchRacer("mars"))


def test_b37_a_card_that_is_not_in_the_hand_is_refused_alike_wherever_it_is():
    scene = Scene(deal(TWO))
    in_anothers_hand, in_the_pile = scene.refused(PlayCard("W7")), scene.refused(PlayCard("W14"))
    assert ("illegal_command", "B37") == in_anothers_hand == in_the_pile


def test_the_card_that_was_laid_is_in_no_hand_any_more():
    scene = Scene(deal(TWO))
    scene.lay("F7")
    assert "F7" not in scene.state.hands[0]
    assert ("F7",) == scene.state.trick.on_table
