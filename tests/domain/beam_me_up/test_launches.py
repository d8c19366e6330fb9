"""Calling «Beam Me Up»: rulings B11 and B23 to B26."""

import pytest

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import CollectCard, DeclineCard, LaunchRacer, PlayCard
from domain.games.beam_me_up.events import CardCollected, RacerLaunched, TrickCleared, TurnBegan
from domain.games.beam_me_up.options import Options
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, cards, deal, with_lines

HANDS = ("A1 F7 F3 F5", "A2 W7 W9 W5")


def complete(options=Options(), racers_left=None):  # noqa: B008 - frozen
    """Seat 1 has just completed three Waters and may take no more."""
    scene = Scene(with_lines(deal(HANDS, options=options), "", "W2 W3", racers_left=racers_left))
    scene.lay("F7 W9")
    scene.take("W9")
    return scene


def test_b23_three_alike_must_be_launched_before_anything_else():
    scene = complete()
    assert "launch" == BEAM_ME_UP.view(scene.state, "public").phase
    for command in (DeclineCard(), CollectCard("F7"), PlayCard("W7")):
        assert ("illegal_command", "B23") == scene.refused(command)
    assert (LaunchRacer("earth"), LaunchRacer("neptune"), LaunchRacer("pluto")) == BEAM_ME_UP.legal(
        scene.state, Seat(1)
    )


def test_b23_the_call_is_the_command_that_names_the_racer():
    scene = complete()
    assert RacerLaunched(Seat(1), "pluto", cards("W2 W3 W9"), "home") == scene.launch("pluto")[0]
    assert ("pluto",) == scene.state.racers[1]
    assert "pluto" not in scene.state.racers_left


@pytest.mark.parametrize("racer", ["mars", "mercury", "venus"])
def test_b24_a_racer_of_another_elemental_is_refused(racer):
    assert ("illegal_command", "B24") == complete().refused(LaunchRacer(racer))


def test_b24_a_racer_that_is_gone_is_refused():
    assert ("illegal_command", "B24") == complete(racers_left="earth pluto mars").refused(LaunchRacer("neptune"))


def test_b24_the_racer_for_earth_is_refused_in_the_short_game():
    scene = complete(Options(earth_racer=False))
    assert ("illegal_command", "B24") == scene.refused(LaunchRacer("earth"))


def test_b24_the_winner_chooses_among_the_matching_racers_earth_included():
    scene = complete()
    scene.launch("earth")
    assert ("earth",) == scene.state.racers[1]


def test_b25_three_alike_without_a_racer_stay_in_a_full_line_and_play_goes_on():
    scene = Scene(with_lines(deal(HANDS), "", "W2 W3", racers_left="mars"))
    scene.lay("F7 W9")
    events = scene.take("W9")
    assert CardCollected(Seat(1), "W9") == events[0]
    assert TrickCleared(("F7",), Seat(1)) == events[1]
    assert cards("W2 W3 W9") == scene.state.lines[1]
    assert "play" == scene.state.phase


def test_b25_the_line_may_be_changed_later_by_swaps():
    scene = Scene(with_lines(deal(HANDS), "", "W2 W3 W4", racers_left="mars"))
    scene.lay("F7 W9")
    scene.take("F7", replace="W3")
    assert cards("F7 W2 W4") == scene.state.lines[1]


def test_b26_the_three_aliens_are_home_and_leave_the_game():
    scene = complete()
    scene.launch("pluto")
    assert cards("W2 W3 W9") == scene.state.home
    assert 3 == BEAM_ME_UP.view(scene.state, "public").home_count
    assert ("F7",) == scene.state.discard


def test_b26_by_option_the_three_aliens_go_to_the_discard_pile_at_once():
    scene = complete(Options(launched_aliens="discard"))
    assert "discard" == scene.launch("pluto")[0].to
    assert () == scene.state.home
    assert cards("W2 W3 W9 F7") == scene.state.discard


def test_b11_who_launches_leads_the_next_trick_and_has_no_turn_besides():
    scene = complete()
    events = scene.launch("pluto")
    assert TrickCleared(("F7",), Seat(1)) == events[1]
    assert TurnBegan(Seat(1), 2, 1) == events[2]
