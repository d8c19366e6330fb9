"""What is seen: rulings B2, B3 and B34 to B38, the shapes of the contract, and the log."""

import pytest
from msgspec.structs import replace

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.events import CardsDealt
from domain.games.beam_me_up.options import Options
from domain.games.events import CardsDrawn, PileReshuffled
from domain.testing.shapes import shape
from domain.values import Seat
from tests.domain.beam_me_up.scene import Scene, deal, with_lines

HANDS = ("A1 F7 F3 F5", "A2 W7 W9 W5")


def view(state, viewer, *, over=False, shown=False):
    return shape(BEAM_ME_UP.view(state, viewer, over=over, shown=shown))


def seen(event, viewer):
    return shape(BEAM_ME_UP.redact(event, viewer))


def test_the_public_view_has_exactly_the_fields_of_the_contract():
    public = view(deal(HANDS, pile="A11"), "public")
    assert {
        "game": "beam-me-up",
        "phase": "play",
        "dealer": 1,
        "leader": 0,
        "seats": [
            {"seat": 0, "hand_count": 5, "line_count": 0, "line": [], "racers": []},
            {"seat": 1, "hand_count": 4, "line_count": 0, "line": [], "racers": []},
        ],
        "trick": {"number": 1, "layer": 1, "layers": [], "on_table": [], "winner": None, "picks_left": 0},
        "racers": ["mercury", "venus", "earth", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto"],
        "draw_count": 47,
        "discard_count": 0,
        "discard_top": None,
        "home_count": 0,
    } == public


def test_the_trick_shows_its_layers_and_what_is_left_on_the_table():
    scene = Scene(deal(HANDS))
    scene.lay("F7 W7 F3 W9")
    scene.take("W7")
    assert {
        "number": 1,
        "layer": 2,
        "layers": [
            [{"seat": 0, "card": "F7"}, {"seat": 1, "card": "W7"}],
            [{"seat": 0, "card": "F3"}, {"seat": 1, "card": "W9"}],
        ],
        "on_table": ["F7", "F3", "W9"],
        "winner": 1,
        "picks_left": 1,
    } == view(scene.state, "public")["trick"]


def test_b34_lines_lie_open_by_default():
    state = with_lines(deal(HANDS), "A5 F1", "W2 A6")
    assert [["A5", "F1"], ["A6", "W2"]] == [seat["line"] for seat in view(state, "public")["seats"]]


def test_b34_hidden_lines_show_others_a_count_only():
    state = with_lines(deal(HANDS, options=Options(lines="hidden")), "A5 F1", "W2")
    own, other = view(state, Seat(0))["seats"]
    assert (2, ["A5", "F1"]) == (own["line_count"], own["line"])
    assert 1 == other["line_count"]
    assert "line" not in other
    assert ["line" in seat for seat in view(state, "public")["seats"]] == [False, False]
    assert [["A5", "F1"], ["W2"]] == [seat["line"] for seat in view(state, "all")["seats"]]


def test_b34_with_hidden_lines_the_log_still_shows_each_pick():
    scene = Scene(deal(HANDS, options=Options(lines="hidden")))
    scene.lay("F7 W9")
    assert {"type": "card_collected", "seat": 1, "card": "F7"} == seen(scene.take("F7")[0], "public")


@pytest.mark.parametrize("lines", ["open", "hidden"])
def test_b35_a_line_is_in_card_order_whatever_the_order_of_picks(lines):
    scene = Scene(with_lines(deal(HANDS, options=Options(lines=lines)), "", "W2"))
    scene.lay("F7 W9")
    scene.take("F7")
    assert ["F7", "W2"] == view(scene.state, Seat(1))["seats"][1]["line"]


def test_b36_of_the_discard_pile_the_top_alone_is_shown():
    scene = Scene(deal(HANDS))
    scene.lay("F7 W9")
    scene.decline()
    for viewer in ("public", Seat(0), Seat(1)):
        it = view(scene.state, viewer)
        assert (2, "W9") == (it["discard_count"], it["discard_top"])
        assert "discard" not in it
    assert ["F7", "W9"] == view(scene.state, "all")["discard"]


def test_b37_a_hand_is_seen_by_its_seat_and_by_all_and_is_absent_else():
    state = deal(HANDS, pile="A11")
    assert ["A1", "A11", "F3", "F5", "F7"] == view(state, Seat(0))["seats"][0]["hand"]
    assert "hand" not in view(state, Seat(0))["seats"][1]
    assert [False, False] == ["hand" in seat for seat in view(state, "public")["seats"]]
    assert [True, True] == ["hand" in seat for seat in view(state, "all")["seats"]]


def test_b3_the_draw_pile_is_a_count_for_everybody_but_all():
    state = deal(HANDS)
    for viewer in ("public", Seat(0), Seat(1)):
        assert "draw" not in view(state, viewer)
    assert list(state.draw) == view(state, "all")["draw"]


def test_b38_a_seat_has_no_field_that_is_not_of_the_game():
    fields = {"seat", "hand_count", "hand", "line_count", "line", "racers"}
    assert fields == set(view(deal(HANDS), "all")["seats"][0])


def test_the_view_of_a_finished_table_shows_hands_and_lines_to_everybody():
    state = with_lines(deal(HANDS, options=Options(lines="hidden")), "A5 F1", "W2")
    for viewer in ("public", Seat(0), Seat(1), "all"):
        it = view(state, viewer, over=True, shown=True)
        assert "over" == it["phase"]
        assert [list(hand) for hand in state.hands] == [seat["hand"] for seat in it["seats"]]
        assert [["A5", "F1"], ["W2"]] == [seat["line"] for seat in it["seats"]]


def test_a_table_that_ended_while_its_deal_is_in_play_elsewhere_keeps_its_hands_hidden():
    it = view(deal(HANDS), "public", over=True, shown=False)
    assert "over" == it["phase"]
    assert [False, False] == ["hand" in seat for seat in it["seats"]]


def test_the_log_shows_a_deal_to_each_seat_with_its_own_hand_only():
    dealt = BEAM_ME_UP.deal(BEAM_ME_UP.initial(Options(), 2), Scene(deal(HANDS)).chance)[0]
    assert isinstance(dealt, CardsDealt)
    assert {
        "type": "cards_dealt",
        "shuffle": 0,
        "dealer": 0,
        "leader": 1,
        "hands": [{"seat": 0, "count": 4}, {"seat": 1, "count": 4, "cards": ["A5", "A6", "A7", "A8"]}],
        "pile": {"count": 48},
    } == seen(dealt, Seat(1))
    assert [{"seat": 0, "count": 4}, {"seat": 1, "count": 4}] == seen(dealt, "public")["hands"]
    assert 48 == len(seen(dealt, "all")["pile"]["cards"])


def test_the_log_shows_a_draw_to_its_seat_and_a_reshuffle_to_nobody():
    drawn, shuffled = CardsDrawn(Seat(1), 1, ("F7",)), PileReshuffled(1, 2, ("F7", "W9"))
    assert {"type": "cards_drawn", "seat": 1, "count": 1} == seen(drawn, Seat(0)) == seen(drawn, "public")
    assert ["F7"] == seen(drawn, Seat(1))["cards"]
    assert {"type": "pile_reshuffled", "shuffle": 1, "count": 2} == seen(shuffled, Seat(1))
    assert ["F7", "W9"] == seen(shuffled, "all")["cards"]


def test_hands_for_the_last_entry_are_in_card_order():
    assert (("A1", "A11", "F3", "F5", "F7"), ("A2", "W5", "W7", "W9")) == BEAM_ME_UP.hands(deal(HANDS, pile="A11"))


def test_the_cards_of_every_view_of_all_are_56():
    scene = Scene(with_lines(deal(HANDS), "A5 F1", "W2 W3"))
    scene.lay("F7 W9")
    it = view(scene.state, "all")
    piles = len(it["trick"]["on_table"]) + it["draw_count"] + it["discard_count"] + it["home_count"]
    assert 56 == piles + sum(seat["hand_count"] + seat["line_count"] for seat in it["seats"])


def test_summaries_say_it_in_words():
    scene = Scene(with_lines(deal(HANDS, pile="A11 A12"), "", "W2 W3"))
    scene.lay("F7 W9")
    scene.take("W9")
    scene.launch("pluto")
    assert [
        "{seat:0} lays Fire 7",
        "{seat:1} draws Air 12",
        "{seat:1} lays Water 9",
        "{seat:1} wins the trick with Water 9 and may take one card",
        "{seat:1} takes Water 9",
        "{seat:1} calls «Beam Me Up» and launches Pluto for Water 2, Water 3 and Water 9",
    ] == [words for words in map(BEAM_ME_UP.summary, scene.log) if words][:6]


def test_a_summary_of_anothers_draw_names_a_count():
    event = BEAM_ME_UP.redact(CardsDrawn(Seat(1), 2, ("F7", "W9")), Seat(0))
    assert "{seat:1} draws two cards" == BEAM_ME_UP.summary(event)


def test_the_view_does_not_change_when_hidden_cards_change_places():
    state = deal(HANDS)
    other = replace(state, hands=(state.hands[0], state.draw[:4]), draw=(*state.hands[1], *state.draw[4:]))
    assert view(state, Seat(0)) == view(other, Seat(0))
