"""Taking cards of a trick: rulings B7 to B10, B19 to B22, B36 and B39."""

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import CollectCard, DeclineCard, LaunchRacer, PlayCard
from domain.games.beam_me_up.events import CardCollected, PicksDeclined, TrickCleared
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, cards, deal, with_lines

HANDS = ("A1 F7 F3 F5", "A2 W7 W9 W5")


def won(*lines, racers_left=None):
    """Seat 1 has won F7, W9."""
    state = deal(HANDS, pile="A11 A12")
    scene = Scene(with_lines(state, *lines, racers_left=racers_left) if lines else state)
    scene.lay("F7 W9")
    return scene


def tied(*lines, racers_left=None):
    """Seat 1 has won F7, W7, F3, W9 and has two picks."""
    state = deal(HANDS, pile="A11 A12")
    scene = Scene(with_lines(state, *lines, racers_left=racers_left) if lines else state)
    scene.lay("F7 W7 F3 W9")
    return scene


def test_b7_the_winner_takes_any_card_of_the_trick_his_own_included_or_none():
    scene = won()
    assert (CollectCard("F7"), CollectCard("W9"), DeclineCard()) == BEAM_ME_UP.legal(scene.state, Seat(1))
    assert CardCollected(Seat(1), "W9") == scene.take("W9")[0]
    assert (("W9",)) == scene.state.lines[1]


def test_b7_a_card_that_is_not_on_the_table_is_refused():
    assert ("illegal_command", "B7") == won().refused(CollectCard("A2"))


def test_b7_who_declines_gets_nothing_and_the_whole_trick_is_discarded():
    scene = won()
    events = scene.decline()
    assert (PicksDeclined(Seat(1), 1), TrickCleared(cards("F7 W9"), Seat(1))) == events[:2]
    assert cards("F7 W9") == scene.state.discard


def test_b8_no_more_than_three_cards_stand_in_a_line():
    scene = won("", "A3 E4 E6")
    assert ("illegal_command", "B8") == scene.refused(CollectCard("W9"))


def test_b9_a_card_is_swapped_out_of_a_full_line_only():
    scene = won("", "A3 E4")
    assert ("illegal_command", "B9") == scene.refused(CollectCard("W9", "A3"))
    scene.take("W9")
    assert cards("A3 E4 W9") == scene.state.lines[1]


def test_b9_the_card_that_makes_room_must_be_in_the_own_line():
    scene = won("E5", "A3 E4 E6")
    assert ("illegal_command", "B9") == scene.refused(CollectCard("W9", "E5"))
    assert ("illegal_command", "B9") == scene.refused(CollectCard("W9", "F7"))


def test_b9_in_a_full_line_every_swap_is_listed_and_nothing_else():
    scene = won("", "A3 E4 E6")
    swaps = [CollectCard(card, held) for card in cards("F7 W9") for held in cards("A3 E4 E6")]
    assert (*swaps, DeclineCard()) == BEAM_ME_UP.legal(scene.state, Seat(1))


def test_b10_the_card_swapped_out_goes_to_the_discard_pile_at_once():
    scene = tied("", "A3 E4 E6")
    assert (CardCollected(Seat(1), "W9", "A3"),) == scene.take("W9", replace="A3")
    assert cards("E4 E6 W9") == scene.state.lines[1]
    assert ("A3",) == scene.state.discard
    assert "A3" not in scene.state.hands[1]


def test_b19_any_so_many_cards_of_the_whole_trick_one_for_each_layer():
    scene = tied()
    assert 2 == scene.state.trick.picks_left
    scene.take("F7")
    events = scene.take("F3")
    assert cards("F3 F7") == scene.state.lines[1]
    assert TrickCleared(cards("W7 W9"), Seat(1)) == events[1]


def test_b20_fewer_picks_are_the_winners_choice():
    scene = tied()
    scene.take("F7")
    assert (PicksDeclined(Seat(1), 1), TrickCleared(cards("W7 F3 W9"), Seat(1))) == scene.decline()[:2]


def test_b20_to_decline_at_once_gives_up_all_picks():
    assert PicksDeclined(Seat(1), 2) == tied().decline()[0]


def test_b21_picks_are_made_one_after_the_other_and_each_sees_the_line_before():
    scene = tied("", "A3 E4")
    assert (CardCollected(Seat(1), "F7"),) == scene.take("F7")
    assert ("illegal_command", "B8") == scene.refused(CollectCard("F3"))
    assert (CardCollected(Seat(1), "F3", "F7"),) == scene.take("F3", replace="F7")[:1]


def test_b22_a_set_is_launched_during_the_picks_and_the_remaining_picks_go_on():
    scene = tied("", "W2 W3")
    assert (CardCollected(Seat(1), "W7", complete=True),) == scene.take("W7")
    assert "launch" == scene.state.phase
    scene.launch("neptune")
    assert "pick" == scene.state.phase
    assert 1 == scene.state.trick.picks_left
    assert () == scene.state.lines[1]
    scene.take("F7")
    assert ("F7",) == scene.state.lines[1]


def test_b22_two_launches_in_one_trick_are_possible_from_four_layers_on():
    state = deal(("A1 A2 A3 F4", "E1 E2 E3 E9"), pile="A5 E5")
    scene = Scene(with_lines(state, "", "E7 E8"))
    scene.lay("A1 E1 A2 E2 A3 E3 F4 E9")
    assert 4 == scene.state.trick.picks_left
    scene.take("E1")
    scene.launch("saturn")
    for card in ("A1", "A2", "A3"):
        scene.take(card)
    scene.launch("uranus")
    assert ("saturn", "uranus") == scene.state.racers[1]
    assert "play" == scene.state.phase


def test_b36_the_rest_of_a_trick_is_discarded_in_the_order_laid_and_the_last_is_the_top():
    scene = tied("", "A3 E4 E6")
    scene.take("W7", replace="E4")
    scene.decline()
    assert cards("E4 F7 F3 W9") == scene.state.discard
    view = BEAM_ME_UP.view(scene.state, "public")
    assert (4, "W9") == (view.discard_count, view.discard_top)


def test_b39_a_pick_blocks_play_until_it_is_made():
    scene = won()
    assert ("illegal_command", "B39") == scene.refused(PlayCard("W7"))
    assert ("not_your_turn", None) == scene.refused(PlayCard("F3"), seat=0)
    assert "pick" == BEAM_ME_UP.view(scene.state, "public").phase


def test_b24_launching_without_a_set_is_refused_in_the_picks_too():
    assert ("illegal_command", "B24") == won().refused(LaunchRacer("mars"))
