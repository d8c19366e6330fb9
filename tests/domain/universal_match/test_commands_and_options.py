"""The door: which commands and options are well formed, and the default move (U53)."""

import msgspec
import pytest

from domain.errors import Refusal
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.commands import (
    ChooseBoard,
    DeclineMatch,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
)
from domain.games.universal_match.options import Options
from domain.options import options_dict, parse_options
from domain.values import Seat
from tests.domain.universal_match.build import dealt, do, position, run, trio


@pytest.mark.parametrize("card", ["8E", "GX", "E6", "6e", "", "6E ", "6E\n", "10E", 6])
def test_a_card_that_the_game_has_not_is_refused_at_the_door(card):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "discard", "card": card}, GAME.commands)


@pytest.mark.parametrize("source", [6, -1, "pile", None, True, 1.5])
def test_a_place_that_is_no_seat_and_not_the_discard_pile_is_refused_at_the_door(source):
    raw = {"type": "switch_hand", "give": "6E", "take": "6J", "from": source}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, GAME.commands)


@pytest.mark.parametrize("kind", [SwitchHand, SwitchBoards])
def test_a_seat_that_is_not_at_this_table_is_named_by_field(kind):
    assert {"from": "This table has seats 0 to 2."} == GAME.check_command(Options(), 3, kind("6E", "6J", Seat(3)))
    assert {} == GAME.check_command(Options(), 4, kind("6E", "6J", Seat(3)))
    assert {} == GAME.check_command(Options(), 2, kind("6E", "6J", "discard"))


def test_a_board_of_less_than_three_different_cards_is_named_by_field():
    assert {"cards"} == set(GAME.check_command(Options(), 2, ChooseBoard(("6E", "6J", "6E"))))
    assert {} == GAME.check_command(Options(), 2, ChooseBoard(("6E", "6J", "6M")))


@pytest.mark.parametrize("cards", [["6E", "6J"], ["6E", "6J", "6M", "6N"]])
def test_a_board_has_three_cards(cards):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "choose_board", "cards": cards}, GAME.commands)


def test_u51_the_options_and_their_defaults():
    expected = {"advanced_a": False, "advanced_b": False, "perfect_match": "one_of_each_value", "target": 100}
    assert expected == options_dict(parse_options(Options, {}))


@pytest.mark.parametrize("target", [100, 50, "one_hand"])
def test_u31_the_targets(target):
    assert target == parse_options(Options, {"target": target}).target


@pytest.mark.parametrize("raw", [{"target": 75}, {"target": "100"}, {"advanced_a": 1}, {"perfect_match": "rocky"}])
def test_a_value_that_an_option_has_not_is_named_by_field(raw):
    with pytest.raises(Refusal) as caught:
        parse_options(Options, raw)
    assert {f"options.{name}" for name in raw} == set(caught.value.errors)


def test_u34_another_perfect_match_is_refused_without_b():
    options = Options(perfect_match="neighbouring_suits")
    assert {"perfect_match"} == set(GAME.check_options(options, 2))
    assert {} == GAME.check_options(Options(perfect_match="neighbouring_suits", advanced_b=True), 2)
    assert {} == GAME.check_options(Options(perfect_match="one_of_each_value"), 2)


def test_u53_the_default_board_is_the_first_three_cards_in_card_order():
    state = dealt(2)
    assert ChooseBoard(trio(state.hands[1][:3])) == GAME.default_move(state, Seat(1))


@pytest.mark.parametrize("dry_turns", [0, 6])
def test_u53_the_default_action_is_to_draw(dry_turns):
    state = position(["1E 3J 6M", "1J 7M GN"], dry_turns=dry_turns)
    assert DrawCard() == GAME.default_move(state, Seat(0))


@pytest.mark.parametrize("card", ["GE", "4S", "1V"])
def test_u53_the_default_discard_is_the_card_just_drawn(card):
    state = run(position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", ""], stock=card), (0, DrawCard()))
    assert Discard(card) == GAME.default_move(state, Seat(0))
    _, after = do(state, 0, Discard(card))
    assert state.hands[0] != after.hands[0]
    assert {"2E", "7E", "7N"} == set(after.hands[0])


def test_u53_the_default_answer_is_to_decline():
    state = position(["7E 7J 1M", "1J 3M GN"], ["7S GE SE", "7M 7V 2N"], options=Options(advanced_b=True))
    state = run(state, (0, SwitchOwn(give="7S", take="1M")))
    assert DeclineMatch() == GAME.default_move(state, Seat(1))
