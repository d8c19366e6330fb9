"""The deal and the choice of the board: U1 to U9."""

import random
from itertools import permutations

import pytest

from domain.chance import RandomChance, SeededChance
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.cards import CARDS
from domain.games.universal_match.commands import ChooseBoard, DrawCard
from domain.games.universal_match.events import BoardChosen, BoardsRevealed, HandDealt, TurnBegan, UniversalMatchEvent
from domain.games.universal_match.state import to_act
from domain.values import ALL, PUBLIC, Seat
from tests.domain.universal_match.build import (
    Stacked,
    choices,
    dealt,
    do,
    fold,
    kinds,
    legal,
    only,
    open_cards,
    position,
    refusal,
    ruling,
    the_deal,
    trio,
)


def chosen_by_all(seats, chance):
    state = dealt(seats, chance=chance)
    events: tuple[UniversalMatchEvent, ...] = ()
    for seat in range(seats):
        events, state = do(state, seat, legal(state, seat)[0])
    return events, state


def test_u1_the_first_dealer_is_drawn_by_lot_from_the_seed():
    dealers = {dealt(3, chance=SeededChance(bytes([i] * 32))).series.dealer for i in range(30)}
    assert {0, 1, 2} == dealers
    assert dealt(3, chance=SeededChance(bytes([7] * 32))) == dealt(3, chance=SeededChance(bytes([7] * 32)))


def test_u2_the_deal_moves_one_seat_clockwise_with_each_hand():
    state = position(["1E 3J 5M", "1J 3M 5N", "1M 3N 5S"], stock=1, dealer=2)
    _, state = do(state, 0, DrawCard())
    events, _ = do(state, 0, legal(state, 0)[0])
    assert 0 == only(events, HandDealt).dealer


def test_u2_the_seat_left_of_the_dealer_begins():
    events, _ = chosen_by_all(4, Stacked(dealer=3))
    assert 0 == only(events, TurnBegan).seat


def test_u3_the_cards_are_dealt_as_shuffled_one_at_a_time_from_the_dealers_left_without_a_cut():
    order = "1E 2E 3E 4E 5E 6E 7E ME SE GE 1V 2V"
    event = the_deal(2, chance=Stacked(dealer=0, first=order))
    hands = {hand.seat: open_cards(hand) for hand in event.hands}
    assert {"1E", "3E", "5E", "7E", "SE", "1V"} == set(hands[Seat(1)])
    assert {"2E", "4E", "6E", "ME", "GE", "2V"} == set(hands[Seat(0)])
    assert tuple(card for card in CARDS if card not in order.split()) == event.stock.cards


@pytest.mark.parametrize("seats", GAME.seats)
def test_each_seat_gets_six_cards_and_the_rest_is_the_stock(seats):
    event = the_deal(seats)
    hands, stock = [open_cards(hand) for hand in event.hands], open_cards(event.stock)
    assert [6] * seats == [hand.count for hand in event.hands] == [len(hand) for hand in hands]
    assert 60 - 6 * seats == event.stock.count == len(stock)
    assert set(CARDS) == set(stock).union(*hands)


def test_u4_all_sixty_cards_are_shuffled_anew_for_each_hand_from_card_order():
    chance = Stacked()
    state = position(["1E 3J 5M", "1J 3M 5N"], stock=1, hand_number=3)
    _, state = do(state, 0, DrawCard(), chance)
    events, _ = do(state, 0, legal(state, 0)[0], chance)
    assert [(3, CARDS)] == chance.asked
    assert (3, 4) == (only(events, HandDealt).shuffle, only(events, HandDealt).hand_number)


def test_u8_all_choose_at_the_same_time_in_any_order_of_the_seats():
    state = dealt(3)
    assert (0, 1, 2) == to_act(state)
    for seat, left in ((2, (0, 1)), (0, (1,))):
        events, state = do(state, seat, legal(state, seat)[5])
        assert ["board_chosen"] == kinds(events)
        assert left == to_act(state)
    events, state = do(state, 1, legal(state, 1)[5])
    assert ["board_chosen", "boards_revealed", "turn_began"] == kinds(events)


def test_u8_a_choice_is_hidden_from_everybody_else_until_all_have_chosen():
    before = dealt(2)
    command = choices(before, 0)[7]
    events, state = do(before, 0, command)
    assert BoardChosen(seat=Seat(0), count=3, cards=command.cards) == GAME.redact(events[0], Seat(0))
    assert BoardChosen(seat=Seat(0), count=3) == GAME.redact(events[0], Seat(1)) == GAME.redact(events[0], PUBLIC)
    other, _ = do(before, 0, legal(before, 0)[11])
    for viewer in (Seat(1), PUBLIC):
        assert GAME.redact(events[0], viewer) == GAME.redact(other[0], viewer)
        shown = GAME.view(state, viewer, over=False, shown=False)
        assert shown == GAME.view(fold(before, other), viewer, over=False, shown=False)
        assert [3, 0] == [seat.chosen_count for seat in shown.seats]
        assert [(), ()] == [seat.board for seat in shown.seats]


def test_u8_the_boards_are_turned_up_together():
    before = dealt(2)
    _, state = do(before, 1, legal(before, 1)[0])
    events, state = do(state, 0, legal(before, 0)[3])
    boards = (choices(before, 0)[3].cards, choices(before, 1)[0].cards)
    assert BoardsRevealed(boards=boards) == only(events, BoardsRevealed)
    assert boards == state.boards
    assert [3, 3] == [len(hand) for hand in state.hands]


def test_u8_a_choice_stands():
    state = dealt(2)
    _, state = do(state, 0, legal(state, 0)[0])
    assert "U8" == ruling(state, 0, ChooseBoard(trio(state.hands[0])))
    assert () == legal(state, 0)


def test_u8_nothing_else_may_be_done_before_the_boards_are_chosen():
    assert "U8" == ruling(dealt(2), 1, DrawCard())


def test_u8_a_board_is_not_chosen_twice_in_a_hand():
    _, state = chosen_by_all(2, Stacked(dealer=1))
    assert "U8" == ruling(state, 0, ChooseBoard(trio(state.hands[0])))
    assert "not_your_turn" == refusal(state, 1, ChooseBoard(trio(state.hands[1]))).code


def test_u8_the_three_cards_may_be_named_in_any_order_and_lie_as_named():
    before = dealt(2)
    for order in permutations(choices(before, 0)[9].cards):
        _, state = do(before, 0, ChooseBoard(trio(order)))
        assert order == GAME.view(state, Seat(0), over=False, shown=False).seats[0].chosen


def test_u9_a_board_may_start_as_a_match():
    state = dealt(2, chance=Stacked(dealer=0, first="6E 1J 6M 2J 6S 3J 1E 1M 2V 4J 3N 5J"))
    events, _ = do(state, 1, ChooseBoard(("6E", "6M", "6S")))
    assert ["board_chosen"] == kinds(events)


def test_u47_only_cards_of_ones_hand_can_be_chosen():
    state = dealt(2)
    assert "U47" == ruling(state, 0, ChooseBoard(trio((*state.hands[0][:2], state.hands[1][0]))))


def test_there_are_twenty_boards_to_choose_from():
    state = dealt(2)
    listed = {command.cards for command in choices(state, 0)}
    assert 20 == len(listed)
    assert {(*board,) for board in listed} == {tuple(c for c in state.hands[0] if c in board) for board in listed}


def test_a_first_hand_of_four_seats_can_be_dealt_by_any_chance():
    assert 36 == len(dealt(4, chance=RandomChance(random.Random(3))).stock)


def test_with_as_all_the_deal_is_laid_open():
    event = the_deal(2)
    assert event == GAME.redact(event, ALL)
