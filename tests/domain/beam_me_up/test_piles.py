"""The draw pile: rulings B17, B27 and B28, and how shuffles are numbered."""

import random
from itertools import pairwise

from msgspec.structs import replace

from domain.games.beam_me_up.cards import in_order
from domain.games.events import CardsDrawn, PileReshuffled
from domain.values import Seat
from tests.domain.beam_me_up.scene import NoShuffle, Scene, cards, deal, played_out

THREE = ("A1 F7 F3 F5", "A2 W7 W9 W5", "A3 E2 E12 E5")


def with_pile(state, pile, discard):
    """Leave only these cards in the draw pile and put these into the discard pile."""
    return replace(state, draw=cards(pile), discard=cards(discard))


def test_b27_the_discards_are_shuffled_when_a_draw_finds_the_pile_empty_and_not_earlier():
    chance = NoShuffle()
    scene = Scene(with_pile(deal(THREE), "A11", "W14 F10 A14 F9"), chance)
    assert CardsDrawn(Seat(1), 1, ("A11",)) == scene.lay("F7")[-1]
    assert [] == chance.shuffled
    assert (PileReshuffled(1, 4, cards("A14 F9 F10 W14")), CardsDrawn(Seat(2), 1, ("A14",))) == scene.lay("W9")[-2:]


def test_b27_the_cards_of_the_current_trick_are_not_among_them():
    scene = Scene(with_pile(deal(THREE), "", "W14 F10"))
    scene.lay("F7")
    assert cards("F10 W14") == scene.log[-2].cards
    assert ("F7",) == scene.state.trick.on_table


def test_b27_a_reshuffle_in_the_middle_of_a_draw_splits_it_in_two():
    scene = Scene(deal(("A1 F7 F3 F5", "A2 W7 W9 W5"), pile="A11 A12"))
    scene.lay("F7 W7 F3 W9")
    scene.state = with_pile(scene.state, "A13", "E14 A14")
    events = scene.decline()
    assert (
        CardsDrawn(Seat(1), 1, ("A13",)),
        PileReshuffled(1, 6, cards("A14 E14 F3 F7 W7 W9")),
        CardsDrawn(Seat(1), 1, ("A14",)),
    ) == events[-3:]


def test_b27_a_pile_that_is_just_enough_is_not_reshuffled():
    scene = Scene(deal(("A1 F7 F3 F5", "A2 W7 W9 W5"), pile="A11 A12"))
    scene.lay("F7 W7 F3 W9")
    scene.state = with_pile(scene.state, "A13 A14", "E14")
    assert CardsDrawn(Seat(1), 2, cards("A13 A14")) == scene.decline()[-1]
    assert () == scene.state.draw


def test_b27_shuffles_are_numbered_on_and_begin_with_the_cards_in_card_order():
    chance = NoShuffle()
    scene = Scene(deal(THREE), chance)
    for number, card in enumerate(("F7", "W9"), 1):
        scene.state = with_pile(scene.state, "", "W1 E1 F1")
        scene.lay(card)
        assert (number, cards("E1 F1 W1")) == chance.shuffled[-1]
    assert 3 == scene.state.shuffles


def test_b28_where_there_is_no_card_at_all_the_draw_is_skipped():
    scene = Scene(with_pile(deal(THREE), "", ""))
    assert ["CardPlayed", "TurnBegan"] == [type(event).__name__ for event in scene.lay("F7")]


def test_b28_it_cannot_happen_every_turn_of_a_game_begins_with_five_cards_in_hand():
    for seats in (2, 3, 4):
        rng = random.Random(seats)
        _, log = played_out(deal([" ".join(f"{e}{n}" for n in range(1, 5)) for e in "AEFW"[:seats]]), rng)
        drawn = 0
        for before, event in pairwise(log):
            if type(before).__name__ == "TurnBegan" and before.layer == 1:
                assert isinstance(event, CardsDrawn | PileReshuffled)
                drawn += 1
        assert drawn > 100


def test_b17_the_draw_is_one_card_for_each_card_laid_in_the_last_trick():
    scene = Scene(deal(THREE))
    scene.lay("F7 W7 E2 F3 W9 E12")
    scene.decline()
    counts = [scene.log[-1].count]
    for card in ("E5", "F5"):
        scene.lay(card)
        counts.append(scene.log[-1].count)
    assert [2, 2, 2] == counts
    assert in_order(scene.state.hands[0]) == scene.state.hands[0]
