"""The deal: rulings B1 to B4 and the option of B32."""

import random
from collections import Counter

import pytest

from domain.chance import RandomChance, SeededChance, chosen_secret
from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.cards import BEARS, CARDS, RACERS, RACERS_FOR
from domain.games.beam_me_up.events import CardsDealt, TurnBegan
from domain.games.beam_me_up.options import Options
from domain.games.events import CardsDrawn
from domain.testing.shapes import shape
from domain.values import Seat
from tests.domain.beam_me_up.scene import NoShuffle, fold


def dealt(seats, chance, options=Options()):  # noqa: B008 - frozen
    state = BEAM_ME_UP.initial(options, seats)
    events = BEAM_ME_UP.deal(state, chance)
    return events, fold(state, events)


def test_there_are_56_aliens_four_elementals_by_fourteen_numbers():
    assert 56 == len(set(CARDS))
    assert {"A": 14, "E": 14, "F": 14, "W": 14} == Counter(card[0] for card in CARDS)


def test_two_racers_bear_each_elemental_and_earth_bears_all():
    assert {"A": 3, "E": 3, "F": 3, "W": 3} == {one: len(racers) for one, racers in RACERS_FOR.items()}
    assert ("earth", "mars", "jupiter") == RACERS_FOR["F"]
    assert ("A", "E", "F", "W") == BEARS["earth"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_b1_the_dealer_is_drawn_by_the_seed_and_the_seat_to_his_left_leads(seats):
    dealers = set()
    for number in range(40):
        events, state = dealt(seats, chosen_secret(f"dealer {number}").chance("", []))
        assert isinstance(events[0], CardsDealt)
        assert (events[0].dealer + 1) % seats == events[0].leader
        assert (events[0].leader,) == BEAM_ME_UP.to_act(state)
        dealers.add(events[0].dealer)
    assert set(range(seats)) == dealers


def test_b1_the_dealer_is_the_pick_named_dealer():
    chance = SeededChance(bytes(32))
    events, _ = dealt(4, chance)
    assert chance.pick("dealer", 4) == events[0].dealer


def test_b2_all_nine_racers_lie_open_by_distance_from_the_sun():
    _, state = dealt(2, NoShuffle())
    assert RACERS == BEAM_ME_UP.view(state, "public", over=False, shown=False).racers
    assert ("mercury", "venus", "earth", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto") == RACERS


@pytest.mark.parametrize(("seats", "rest"), [(2, 48), (3, 44), (4, 40)])
def test_b3_four_cards_each_and_the_rest_is_the_draw_pile_whose_count_is_public(seats, rest):
    events, _ = dealt(seats, NoShuffle())
    assert [4] * seats == [hand.count for hand in events[0].hands]
    assert rest == shape(BEAM_ME_UP.redact(events[0], "public"))["pile"]["count"]
    assert rest == events[0].pile.count == len(events[0].pile.cards)


def test_the_deal_is_shuffle_0_of_all_aliens_in_card_order():
    chance = NoShuffle()
    events, _ = dealt(3, chance)
    assert [(0, CARDS)] == chance.shuffled
    assert 0 == events[0].shuffle
    assert CARDS[4:8] == events[0].hands[1].cards
    assert CARDS[12:] == events[0].pile.cards


def test_b4_the_leaders_turn_begins_with_the_draw_of_one_card_in_the_entry_of_the_deal():
    events, state = dealt(4, NoShuffle())
    leader = events[0].leader
    assert [TurnBegan(leader, 1, 1), CardsDrawn(leader, 1, events[0].pile.cards[:1])] == list(events[1:])
    assert [5 if seat == leader else 4 for seat in range(4)] == [len(hand) for hand in state.hands]


def test_b32_the_short_game_leaves_out_the_racer_for_earth_only():
    _, state = dealt(3, NoShuffle(), Options(earth_racer=False))
    assert tuple(racer for racer in RACERS if racer != "earth") == state.racers_left
    assert "earth" not in [facts.card for facts in BEAM_ME_UP.cards(Options(earth_racer=False))]


def test_b32_earth_is_kept_by_default():
    assert Options(launched_aliens="home", lines="open", earth_racer=True, tie_break="shared") == Options()


def test_the_same_seed_gives_the_same_deal_and_another_seed_another():
    one, again, other = (dealt(4, chosen_secret(seed).chance("", []))[0] for seed in ("moon", "moon", "mars"))
    assert one == again
    assert one != other


def test_every_hand_is_dealt_in_card_order_and_no_card_twice():
    events, _ = dealt(4, RandomChance(random.Random(3)))
    places = [[CARDS.index(card) for card in hand.cards] for hand in events[0].hands]
    assert [sorted(hand) for hand in places] == places
    assert 16 == len({card for hand in events[0].hands for card in hand.cards})
    assert Seat(0) == events[0].hands[0].seat
