"""The end and its result: rulings B29 to B33 and the caps of G10."""

import random

from msgspec.structs import replace

from domain.game import Verdict
from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import DeclineCard, PlayCard
from domain.games.beam_me_up.events import RacerLaunched, TrickCleared, TrickVoided
from domain.games.beam_me_up.options import Options
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, cards, deal, ended, played_out, with_lines

HANDS = ("A1 F7 F3 F5", "A2 W7 W9 W5")


def before_the_last(layers=1, options=Options()):  # noqa: B008 - frozen
    """Seat 1 has completed Waters, and Pluto is the last Space Racer; seat 0 has all others."""
    scene = Scene(with_lines(deal(HANDS, options=options), "", "W2 W3", racers_left="pluto"))
    scene.lay("F7 W9" if layers == 1 else "F7 W7 F3 W9")
    scene.take("W9")
    return scene


def test_b29_the_last_launch_ends_the_game_at_once():
    scene = before_the_last()
    events = scene.launch("pluto")
    assert [RacerLaunched] == [type(event) for event in events]
    assert () == BEAM_ME_UP.to_act(scene.state)
    assert "all_racers" == ended(scene.state).reason
    assert "over" == BEAM_ME_UP.view(scene.state, "public").phase


def test_b29_unused_picks_lapse():
    scene = before_the_last(layers=2)
    assert 1 == scene.state.trick.picks_left
    assert 1 == len(scene.launch("pluto"))
    assert () == BEAM_ME_UP.legal(scene.state, Seat(1))


def test_after_the_end_nobody_has_a_turn():
    scene = before_the_last()
    scene.launch("pluto")
    for seat in (0, 1):
        assert ("not_your_turn", None) == scene.refused(DeclineCard(), seat=seat)


def test_b30_the_game_goes_on_when_the_lead_cannot_be_caught():
    state = with_lines(deal(HANDS), "", "", racers_left="pluto")
    assert 8 == len(state.racers[0])
    assert BEAM_ME_UP.outcome(state) is None
    assert (Seat(0),) == BEAM_ME_UP.to_act(state)


def test_b31_a_tie_for_most_is_a_shared_win():
    state = replace(deal(HANDS), racers_left=(), racers=(("mars", "venus"), ("earth", "pluto")))
    assert Verdict(scores=(2, 2), ranks=((2,), (2,)), reason="all_racers") == BEAM_ME_UP.outcome(state)


def test_b31_the_score_is_the_number_of_racers():
    state = replace(deal(HANDS), racers_left=(), racers=(("mars",), ("earth", "pluto")))
    assert ((1, 2), ((1,), (2,))) == (ended(state).scores, ended(state).ranks)


def test_b32_the_short_game_ends_with_the_eighth_racer():
    verdict = ended(played_out(deal(HANDS, options=Options(earth_racer=False)), random.Random(1))[0])
    assert 8 == sum(verdict.scores)


def test_b33_by_option_fewer_cards_left_in_line_break_a_tie():
    options = Options(tie_break="fewer_in_line")
    state = with_lines(deal(HANDS, options=options), "A5", "A6 E9")
    state = replace(state, racers_left=(), racers=(("mars",), ("earth",)))
    ranks = ended(state).ranks
    assert ranks[0] > ranks[1]
    assert (1, 1) == ended(state).scores


def test_b33_with_equal_lines_the_win_is_shared_still():
    options = Options(tie_break="fewer_in_line")
    state = replace(deal(HANDS, options=options), racers_left=(), racers=(("mars",), ("earth",)))
    ranks = ended(state).ranks
    assert ranks[0] == ranks[1]


def test_b33_fewer_cards_in_line_never_beat_more_racers():
    options = Options(tie_break="fewer_in_line")
    state = with_lines(deal(HANDS, options=options), "", "A6 E9")
    state = replace(state, racers_left=(), racers=(("mars",), ("earth", "pluto")))
    ranks = ended(state).ranks
    assert ranks[1] > ranks[0]


def in_trick(number, last_launch):
    scene = Scene(deal(HANDS))
    scene.state = replace(scene.state, trick=replace(scene.state.trick, number=number), last_launch=last_launch)
    return scene


def test_g10_300_tricks_without_a_launch_end_the_game_and_most_racers_win():
    scene = in_trick(307, last_launch=7)
    scene.lay("F7 W9")
    events = scene.decline()
    assert TrickCleared(cards("F7 W9"), Seat(1)) == events[-1]
    assert "cap_no_launch" == ended(scene.state).reason
    assert () == BEAM_ME_UP.to_act(scene.state)


def test_g10_299_tricks_without_a_launch_do_not():
    scene = in_trick(306, last_launch=7)
    scene.lay("F7 W9")
    scene.decline()
    assert BEAM_ME_UP.outcome(scene.state) is None


def test_g10_a_launch_begins_the_count_anew():
    scene = before_the_last()
    scene.state = replace(
        scene.state,
        trick=replace(scene.state.trick, number=305),
        racers_left=("pluto", "mars"),
    )
    scene.launch("pluto")
    assert BEAM_ME_UP.outcome(scene.state) is None
    assert 306 == scene.state.trick.number


def test_g10_1500_tricks_end_the_game():
    scene = in_trick(1500, last_launch=1499)
    scene.lay("F7 W9")
    scene.take("F7")
    assert "cap_tricks" == ended(scene.state).reason


def test_g10_a_voided_trick_counts_too():
    scene = Scene(deal(("A1 A2 A3 A4", "E1 E2 E3 E4"), pile="A5 E5"))
    scene.state = replace(scene.state, trick=replace(scene.state.trick, number=300))
    events = scene.lay("A1 E1 A2 E2 A3 E3 A4 E4 A5 E5")
    assert isinstance(events[-1], TrickVoided)
    assert "cap_no_launch" == ended(scene.state).reason


def test_g10_seats_that_never_take_a_card_end_by_the_cap():
    scene = Scene(deal(HANDS))
    while BEAM_ME_UP.to_act(scene.state):
        scene.do(DeclineCard() if scene.state.phase == "pick" else BEAM_ME_UP.legal(scene.state, scene.seat)[0])
    assert "cap_no_launch" == ended(scene.state).reason
    assert 300 == scene.state.trick.number


def test_a_game_broken_off_stands_as_it_stood():
    state = with_lines(deal(HANDS), "", "", racers_left="pluto")
    assert (8, 0) == BEAM_ME_UP.verdict(state).scores
    assert PlayCard("F7") in BEAM_ME_UP.legal(state, Seat(0))
