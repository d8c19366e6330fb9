"""Advanced version A, the restraint: U32, U33, U51."""

import pytest

from domain.games.universal_match.cards import VALUE
from domain.games.universal_match.commands import DrawCard, SwitchBoards, SwitchHand, SwitchOwn
from domain.games.universal_match.options import Options
from domain.values import Seat
from tests.domain.universal_match.build import do, kinds, legal, position, ruling

A = Options(advanced_a=True)
BOARDS = ["1E 3J 6M", "GN 7S 1V"]
HANDS = ["2N 5J 7V", "2M 4N 2S"]


@pytest.mark.parametrize(
    ("give", "take", "allowed"),
    [
        ("1E", "GN", True),
        ("1E", "7S", True),
        ("3J", "GN", False),
        ("3J", "7S", True),
        ("3J", "1V", True),
        ("6M", "GN", False),
        ("6M", "7S", False),
        ("6M", "1V", True),
    ],
)
@pytest.mark.parametrize("kind", [SwitchBoards, SwitchHand])
@pytest.mark.parametrize("source", [Seat(1), "discard"])
def test_u32_the_card_given_must_be_worth_at_least_as_much_as_the_one_taken(kind, source, give, take, allowed):
    if kind is SwitchHand:
        give = {"1E": "2N", "3J": "5J", "6M": "7V"}[give]
    if source == "discard":
        state = position([BOARDS[0], "2E 2J 2V"], HANDS, discard=take, options=A)
    else:
        state = position(BOARDS, HANDS, discard="SE", options=A)
    command = kind(give=give, take=take, source=source)
    assert allowed == (command in legal(state, 0))
    if allowed:
        events, _ = do(state, 0, command)
        assert 2 <= len(kinds(events))
    else:
        assert "U32" == ruling(state, 0, command)


def test_u32_without_a_every_switch_is_free():
    state = position(BOARDS, HANDS)
    assert SwitchBoards(give="6M", take="GN", source=Seat(1)) in legal(state, 0)


def test_u33_where_no_switch_is_allowed_options_1_and_3_remain():
    state = position(["1M 3V 6M", "GN 7E 1E"], ["2M 5V 7V", "2E 4N 2S"], discard="SN", options=A)
    commands = legal(state, 0)
    assert DrawCard() in commands
    assert 9 == sum(isinstance(command, SwitchOwn) for command in commands)
    assert 10 == len(commands)


def test_u32_the_restraint_does_not_bind_option_3():
    state = position(BOARDS, HANDS, options=A)
    command = SwitchOwn(give="7V", take="1E")
    assert VALUE["7V"] < VALUE["1E"]
    assert command in legal(state, 0)
    do(state, 0, command)


def test_u51_a_and_b_are_off_unless_asked_for_and_separate():
    assert (False, False) == (Options().advanced_a, Options().advanced_b)
    assert A != Options(advanced_b=True)
