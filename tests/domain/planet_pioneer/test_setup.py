"""The box, the grid and the deal."""

from collections import Counter

import pytest

from domain.chance import SeededChance, chosen_secret
from domain.games.events import CardsDrawn
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.cards import BASE_STATION, STANDARD
from domain.games.planet_pioneer.commands import Attack, Build, Discard
from domain.games.planet_pioneer.events import AttackLaid, CardsDealt, RoundBegan, TurnBegan
from domain.games.planet_pioneer.options import Options
from domain.values import Seat
from tests.domain.planet_pioneer.scenes import BASE, DULL, A, B, InOrder, Scene

SEED = chosen_secret("a deal").chance("", [])


def dealt(seats: int, chance: SeededChance | InOrder = SEED, options: Options | None = None) -> CardsDealt:
    event = PLANET_PIONEER.deal(PLANET_PIONEER.initial(options or Options(), seats), chance)[0]
    assert isinstance(event, CardsDealt)
    return event


def all_cards(event: CardsDealt) -> Counter[str]:
    found = Counter(event.pile.cards if isinstance(event.pile.cards, tuple) else ())
    for hand in event.hands:
        found.update(hand.cards if isinstance(hand.cards, tuple) else ())
    return found


def test_p1_the_base_lies_at_the_top_centre_and_the_first_card_goes_left_right_or_below():
    scene = Scene(round=1, hands={A: ("oxygen", *DULL[:4])})

    assert ((BASE_STATION,), 0) == scene.cell(A, BASE)
    assert [(0, 1), (0, 3), (1, 2)] == [command.cell for command in scene.listed() if isinstance(command, Build)]


def test_p2_the_base_counts_as_one_of_the_20_cells_of_a_full_grid():
    scene = Scene(hands={A: ("terraformer", *DULL[:4])})
    assert 1 == scene.seat(A).covered

    scene.full_but(A, (3, 4))
    assert 19 == scene.seat(A).covered
    assert "play" == scene.view().phase

    scene.does(Build("terraformer", (3, 4)))
    assert 20 == scene.seat(A).covered
    assert "final" == scene.view().phase


def test_p3_unused_base_stations_leave_the_game_and_are_never_drawn():
    for seats in PLANET_PIONEER.seats:
        assert BASE_STATION not in all_cards(dealt(seats))

    emptied = Scene(hands={A: ("mine", *DULL[:4])}, pile=())
    events = emptied.does(Discard("mine"))
    assert "PileReshuffled" in [type(event).__name__ for event in events]
    assert BASE_STATION not in emptied.state.stock.pile


def test_p4_chance_names_the_first_seat_unless_the_option_does():
    firsts = {dealt(4, chosen_secret(f"seed {number}").chance("", [])).first_seat for number in range(40)}

    assert {0, 1, 2, 3} == firsts
    assert 2 == dealt(4, options=Options(first_seat=Seat(2))).first_seat
    assert SEED.pick("first_seat", 4) == dealt(4).first_seat


def test_p4_an_option_that_names_the_first_seat_leaves_the_cards_as_they_were():
    assert dealt(2).hands == dealt(2, options=Options(first_seat=B)).hands


def test_p5_every_turn_starts_with_a_draw_of_one():
    scene = Scene(hands={A: ("mine", *DULL[:4])}, pile=("rover", "crops", "water"))

    events = scene.does(Discard("mine"))
    assert (TurnBegan(B, extra=False, final=False), CardsDrawn(B, 1, ("rover",))) == events[-2:]

    events = scene.does(Discard("rover"))
    assert (TurnBegan(A, extra=False, final=False), CardsDrawn(A, 1, ("crops",))) == events[-2:]


def test_p5_the_draw_of_the_first_turn_follows_the_deal():
    events = PLANET_PIONEER.deal(PLANET_PIONEER.initial(Options(first_seat=B), 2), InOrder())

    assert RoundBegan(1, 1) == events[1]
    assert TurnBegan(B, extra=False, final=False) == events[2]
    assert isinstance(events[3], CardsDrawn)
    assert (B, 1) == (events[3].seat, events[3].count)
    assert 4 == len(events)


def test_p6_a_hand_goes_from_five_to_six_and_back_to_five():
    scene = Scene(hands={A: (*DULL[:4], "oxygen", "water")}, pile=("rover",) * 9)

    scene.does(Build("water", (0, 1)))
    assert [5, 6] == [seat.hand_count for seat in scene.view().seats]

    scene.does(Discard("rover"))
    assert [6, 5] == [seat.hand_count for seat in scene.view().seats]


@pytest.mark.parametrize("seats", PLANET_PIONEER.seats)
def test_p52_the_full_deck_of_104_is_in_play_at_every_number_of_seats(seats):
    event = dealt(seats)

    assert 104 == all_cards(event).total()
    assert {card.name: card.copies for card in STANDARD} == all_cards(event)
    assert [5] * seats == [hand.count for hand in event.hands]
    assert 104 - 5 * seats == event.pile.count


def test_p54_each_colony_has_its_base_at_its_own_top_and_is_addressed_so():
    scene = Scene(hands={A: ("alien_attack", *DULL)}).colony(B, {(0, 3): "water"})

    assert AttackLaid(A, B, (0, 4)) == scene.does(Attack(B, (0, 4)))[0]
    assert (("alien_attack",), 0) == scene.cell(B, (0, 4))
    assert [BASE, BASE] == [scene.seat(seat).colony[0].cell for seat in (A, B)]
    assert scene.cell(A, (0, 4)) is None


def test_the_deal_is_shuffle_0_of_the_deck_in_card_order():
    event = dealt(2, InOrder())

    in_order = sorted(all_cards(event).elements())
    assert 0 == event.shuffle
    assert tuple(in_order[:5]) == event.hands[0].cards
    assert tuple(in_order[5:10]) == event.hands[1].cards
    assert tuple(in_order[10:]) == event.pile.cards
