"""A turn: the four actions, when a match is collected, and the stall rule: U10 to U23."""

import pytest

from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.commands import (
    ChooseBoard,
    DeclineMatch,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
    TakeMatch,
)
from domain.games.universal_match.events import (
    CardDiscarded,
    HandSwitched,
    MatchBanked,
    MatchMade,
    OwnSwitched,
    TurnBegan,
)
from domain.games.universal_match.state import to_act
from domain.values import PUBLIC, Seat
from tests.domain.universal_match.build import card, do, drawn, kinds, legal, only, position, refusal, ruling, run

READY = "5S 4J 3V"
"""A rainbow run worth 2 + 2 + 1."""


# When a match is collected


def test_u10_a_match_broken_before_its_owners_turn_is_not_collected():
    """(i)."""
    state = position(["1E 3J 6M", "1J 7M GN", READY], ["7E 7N 2E", "2M 2N 2S", "6E SJ MV"])
    events, state = do(state, 0, SwitchOwn(give="2E", take="1E"))
    assert ["own_switched", "turn_began"] == kinds(events)
    events, state = do(state, 1, SwitchHand(give="2M", take="4J", source=Seat(2)))
    assert ["hand_switched", "turn_began"] == kinds(events)
    events, state = do(state, 2, DrawCard())
    events, state = do(state, 2, Discard(drawn(state)))
    assert ["card_discarded", "turn_began"] == kinds(events)
    assert ((), (), ()) == state.matches


def test_u10_a_ready_match_is_collected_at_the_end_of_its_owners_turn():
    """(ii)."""
    state = position(["1E 3J 6M", "1J 7M GN", READY], turn=2)
    events, state = do(state, 2, DrawCard())
    assert ["cards_drawn"] == kinds(events)
    events, state = do(state, 2, Discard(drawn(state)))
    assert ["card_discarded", "match_made", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    assert 5 == only(events, MatchBanked).points
    assert 0 == only(events, TurnBegan).seat


def test_u10_a_match_by_refill_waits_and_may_be_broken_by_its_owner():
    """(iii)."""
    state = position(["6M 6N 3J", "1J 7M GN"], ["6S 7E 7N", "2M 2N 2S"], stock="5S 4J 3V")
    events, state = do(state, 0, SwitchOwn(give="6S", take="3J"))
    assert ["own_switched", "match_made", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    assert ("5S", "4J", "3V") == state.boards[0]
    _, state = do(state, 1, SwitchOwn(give="2M", take="1J"))
    events, state = do(state, 0, SwitchOwn(give="7E", take="4J"))
    assert ["own_switched", "turn_began"] == kinds(events)
    assert 1 == len(state.matches[0])


def test_u10_a_match_by_refill_is_collected_at_the_end_of_the_next_turn():
    state = position(["6M 6N 3J", "1J 7M GN"], ["6S 7E 7N", "2M 2N 2S"], stock="5S 4J 3V")
    state = run(state, (0, SwitchOwn(give="6S", take="3J")), (1, SwitchOwn(give="2M", take="1J")), (0, DrawCard()))
    events, _ = do(state, 0, Discard(drawn(state)))
    assert ("5S", "4J", "3V") == only(events, MatchBanked).cards


def test_u10_a_match_made_on_anothers_board_is_not_collected_now():
    state = position(["1E 3J 6M", "5S 4J 7M"], ["3V 7E 7N", "2M 2N 2S"])
    events, state = do(state, 0, SwitchHand(give="3V", take="7M", source=Seat(1)))
    assert ["hand_switched", "turn_began"] == kinds(events)
    _, state = do(state, 1, DrawCard())
    events, _ = do(state, 1, Discard(drawn(state)))
    assert 1 == only(events, MatchBanked).seat


def test_u11_the_owner_of_a_ready_match_may_draw_and_keep_it_whole():
    state = run(position([READY, "1J 7M GN"]), (0, DrawCard()))
    events, _ = do(state, 0, Discard(drawn(state)))
    assert set(READY.split()) == set(only(events, MatchBanked).cards)


def test_u11_the_owner_of_a_ready_match_may_switch_a_hand_card_with_the_discard_pile():
    state = position([READY, "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"], discard="GE")
    events, _ = do(state, 0, SwitchHand(give="2E", take="GE", source="discard"))
    assert set(READY.split()) == set(only(events, MatchBanked).cards)


def test_u12_a_match_is_collected_without_being_asked_for():
    state = position(["5S 4J GE", "1J 7M GN"], ["3V 7E 7N", "2M 2N 2S"])
    events, _ = do(state, 0, SwitchOwn(give="3V", take="GE"))
    assert MatchMade(seat=Seat(0), cards=("5S", "4J", "3V"), kind="rainbow_run", perfect=False) == only(
        events, MatchMade
    )
    banked = only(events, MatchBanked)
    assert ("rainbow_run", False, None, 5, 0) == (
        banked.kind,
        banked.perfect,
        banked.taken_from,
        banked.points,
        banked.bonus,
    )


def test_u13_of_two_boards_that_become_matches_the_others_waits_for_its_owner():
    state = position(["5S 4J 6M", "6E 6V 3V"], ["7S 7E 7N", "2M 2N 2S"])
    events, state = do(state, 0, SwitchBoards(give="6M", take="3V", source=Seat(1)))
    assert 0 == only(events, MatchBanked).seat
    assert {"6E", "6V", "6M"} == set(state.boards[1])
    _, state = do(state, 1, DrawCard())
    events, _ = do(state, 1, Discard(drawn(state)))
    assert 1 == only(events, MatchBanked).seat


# The four actions


def test_u14_there_is_exactly_one_action_in_a_turn():
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    events, state = do(state, 0, SwitchOwn(give="2E", take="1E"))
    assert TurnBegan(seat=Seat(1), dry_turns=1, forced_draw=False) == events[-1]
    assert (1,) == to_act(state)
    assert "not_your_turn" == refusal(state, 0, DrawCard()).code


@pytest.mark.parametrize(
    "command",
    [
        DrawCard(),
        SwitchOwn(give="2E", take="1E"),
        SwitchHand(give="2E", take="1J", source=Seat(1)),
        SwitchBoards(give="1E", take="1J", source=Seat(1)),
        ChooseBoard(("2E", "7E", "7N")),
        TakeMatch(give="2E", take="2J"),
        DeclineMatch(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_u14_after_a_draw_only_a_discard_is_left(command):
    state = run(position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"]), (0, DrawCard()))
    assert "U14" == ruling(state, 0, command)
    assert [Discard(card) for card in state.hands[0]] == list(legal(state, 0))


def test_u14_a_discard_without_a_draw_is_no_action():
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    assert "U14" == ruling(state, 0, Discard("2E"))


def test_u14_there_is_no_pass_and_drawing_is_always_possible():
    state = position(["1E 3J 6M", "1J 7M GN"], stock=1)
    assert DrawCard() in legal(state, 0)


def test_u15_any_of_the_four_cards_may_be_discarded_the_one_just_drawn_too():
    state = run(position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"], stock="GE"), (0, DrawCard()))
    assert {"2E", "7E", "7N", "GE"} == {command.card for command in legal(state, 0) if isinstance(command, Discard)}
    events, after = do(state, 0, Discard("GE"))
    assert CardDiscarded(seat=Seat(0), card="GE") == events[0]
    assert ("GE",) == after.discard
    _, after = do(state, 0, Discard("2E"))
    assert ("GE", "7E", "7N") == after.hands[0]


def test_u15_a_card_that_is_not_in_hand_is_not_discarded():
    state = run(position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"]), (0, DrawCard()))
    assert "U47" == ruling(state, 0, Discard("1E"))


def test_u16_cards_are_drawn_from_the_stock_only():
    state = position(["1E 3J 6M", "1J 7M GN"], discard="GE", stock="SJ MV")
    _, after = do(state, 0, DrawCard())
    assert "SJ" == drawn(after)
    assert ("GE",) == after.discard
    assert 1 == sum(isinstance(command, DrawCard) for command in legal(state, 0))


@pytest.mark.parametrize("kind", [SwitchBoards, SwitchHand])
def test_u17_nothing_is_switched_with_an_empty_discard_pile(kind):
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    give = "1E" if kind is SwitchBoards else "2E"
    assert "U17" == ruling(state, 0, kind(give=give, take="GE", source="discard"))
    assert not [command for command in legal(state, 0) if getattr(command, "source", None) == "discard"]


def test_u18_nobody_is_asked_whether_he_wants_the_switch():
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    events, after = do(state, 0, SwitchHand(give="2E", take="GN", source=Seat(1)))
    assert HandSwitched(seat=Seat(0), give="2E", take="GN", source=Seat(1)) == events[0]
    assert "GN" in after.hands[0]
    assert {"1J", "7M", "2E"} == set(after.boards[1])


@pytest.mark.parametrize("kind", [SwitchBoards, SwitchHand])
def test_u19_the_card_given_is_the_new_top_of_the_discard_pile(kind):
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"], discard="SJ GE")
    give = "1E" if kind is SwitchBoards else "2E"
    _, after = do(state, 0, kind(give=give, take="GE", source="discard"))
    assert ("SJ", give) == after.discard


def test_u20_only_the_boards_of_others_are_switched_with_never_their_hands():
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    assert "U20" == ruling(state, 0, SwitchHand(give="2E", take="2M", source=Seat(1)))
    assert "U20" == ruling(state, 0, SwitchBoards(give="1E", take="2M", source=Seat(1)))
    own = {*state.boards[0], *state.hands[0]}
    opened = {*state.boards[1]}
    switches = [command for command in legal(state, 0) if isinstance(command, SwitchHand | SwitchBoards)]
    assert 18 == len(switches)
    assert own == {command.give for command in switches}
    assert opened == {command.take for command in switches}


@pytest.mark.parametrize(
    "command",
    [
        SwitchBoards(give="2E", take="1J", source=Seat(1)),
        SwitchBoards(give="1E", take="1J", source=Seat(2)),
        SwitchBoards(give="1E", take="SJ", source="discard"),
        SwitchHand(give="1E", take="1J", source=Seat(1)),
        SwitchHand(give="2E", take="GE", source=Seat(1)),
        SwitchHand(give="2E", take="1E", source=Seat(0)),
        SwitchBoards(give="1E", take="3J", source=Seat(0)),
        SwitchBoards(give="1E", take="1E", source=Seat(0)),
    ],
    ids=str,
)
def test_u20_the_cards_must_lie_where_the_command_says(command):
    state = position(["1E 3J 6M", "1J 7M GN", "5S 5V SE"], ["2E 7E 7N", "2M 2N 2S", ""], discard="SJ GE")
    assert "U20" == ruling(state, 0, command)


def test_u21_two_boards_of_others_are_not_switched_with_each_other():
    state = position(["1E 3J 6M", "1J 7M GN", "5S 5V SE"])
    assert "U20" == ruling(state, 0, SwitchBoards(give="1J", take="5S", source=Seat(2)))


@pytest.mark.parametrize(("give", "take"), [("1E", "3J"), ("2E", "7E"), ("2E", "1J")])
def test_u47_option_3_takes_a_card_of_the_hand_and_one_of_the_own_board(give, take):
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    assert "U47" == ruling(state, 0, SwitchOwn(give=card(give), take=card(take)))


def test_option_3_switches_hand_and_own_board():
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    events, after = do(state, 0, SwitchOwn(give="2E", take="3J"))
    assert OwnSwitched(seat=Seat(0), give="2E", take="3J") == events[0]
    assert ("1E", "6M", "2E") == after.boards[0]
    assert ("7E", "7N", "3J") == after.hands[0]


# The pair ban


BOARDS = ["1E 3J 6M", "1J 7M GN", "5S 5V SE", "2V 4V 7S"]


def test_u22_a_pair_switched_between_two_boards_is_not_switched_back():
    _, state = do(position(BOARDS), 0, SwitchBoards(give="1E", take="GN", source=Seat(1)))
    assert "U22" == ruling(state, 1, SwitchBoards(give="1E", take="GN", source=Seat(0)))
    assert SwitchBoards(give="1E", take="GN", source=Seat(0)) not in legal(state, 1)
    assert (("GN", "1E"),) == GAME.view(state, PUBLIC, over=False, shown=False).banned_pairs


def test_u22_the_ban_holds_for_everybody_and_for_the_whole_hand():
    """(x)."""
    state = run(
        position(BOARDS),
        (0, SwitchBoards(give="1E", take="GN", source=Seat(1))),
        (1, SwitchBoards(give="1E", take="5S", source=Seat(2))),
        (2, SwitchBoards(give="1E", take="4V", source=Seat(3))),
    )
    assert "1E" in state.boards[3]
    assert "GN" in state.boards[0]
    assert "U22" == ruling(state, 3, SwitchBoards(give="1E", take="GN", source=Seat(0)))


def test_u22_other_options_may_switch_the_pair():
    """(x)."""
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"])
    state = run(
        state,
        (0, SwitchBoards(give="1E", take="GN", source=Seat(1))),
        (1, SwitchOwn(give="2M", take="1E")),
    )
    assert "1E" in state.hands[1]
    state = run(state, (0, DrawCard()))
    state = run(state, (0, Discard(drawn(state))))
    assert SwitchHand(give="1E", take="GN", source=Seat(0)) in legal(state, 1)
    _, after = do(state, 1, SwitchHand(give="1E", take="GN", source=Seat(0)))
    assert "1E" in after.boards[0]


def test_u22_a_switch_with_the_discard_pile_bans_nothing_and_is_not_banned():
    state = position(["1E 3J 6M", "1J 7M 2N"], ["2E 7E 7N", "2M GN 2S"], discard="GE")
    _, after = do(state, 0, SwitchBoards(give="1E", take="GE", source="discard"))
    assert () == after.banned
    state = run(
        position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"]),
        (0, SwitchBoards(give="1E", take="GN", source=Seat(1))),
        (1, DrawCard()),
    )
    state = run(state, (1, Discard(drawn(state))), (0, SwitchOwn(give="2E", take="GN")))
    state = run(state, (1, DrawCard()))
    state = run(state, (1, Discard(drawn(state))), (0, SwitchHand(give="GN", take=drawn(state), source="discard")))
    assert "GN" == state.discard[-1]
    assert SwitchBoards(give="1E", take="GN", source="discard") in legal(state, 1)
    _, after = do(state, 1, SwitchBoards(give="1E", take="GN", source="discard"))
    assert "GN" in after.boards[1]


def test_u22_the_ban_ends_with_the_hand():
    state = position(["1E 3J 6M", "1J 7M GN"], stock=1, turn=1)
    state = run(state, (1, SwitchBoards(give="GN", take="1E", source=Seat(0))), (0, DrawCard()))
    assert 1 == len(state.banned)
    _, state = do(state, 0, Discard(drawn(state)))
    assert ("choose", ()) == (state.phase, state.banned)


# The stall rule


def test_u23_three_rounds_without_a_card_from_the_stock_force_a_draw():
    """(xii)."""
    state = position(["1E 3J 6M", "1J 7M GN", "5S 5V SE"], ["2E 7E 7N", "2M 2N 2S", "4S 6V SM"])
    toggles = [("2E", "1E"), ("2M", "1J"), ("4S", "5S")]
    events: tuple[object, ...] = ()
    for turn in range(9):
        give, take = toggles[turn % 3] if turn // 3 % 2 == 0 else toggles[turn % 3][::-1]
        assert not state.forced_draw
        events, state = do(state, turn % 3, SwitchOwn(give=card(give), take=card(take)))
    assert TurnBegan(seat=Seat(0), dry_turns=9, forced_draw=True) == events[-1]
    assert (DrawCard(),) == legal(state, 0)


@pytest.mark.parametrize(
    "command",
    [
        SwitchOwn(give="2E", take="1E"),
        SwitchHand(give="2E", take="1J", source=Seat(1)),
        SwitchBoards(give="1E", take="1J", source=Seat(1)),
    ],
    ids=lambda command: type(command).__name__,
)
def test_u23_where_a_draw_is_forced_nothing_else_is_allowed(command):
    state = position(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", "2M 2N 2S"], dry_turns=6)
    assert "U23" == ruling(state, 0, command)
    assert "U23" == ruling(state, 0, SwitchHand(give="2E", take="GE", source="discard"))


def test_u23_a_draw_ends_the_dry_spell():
    state = run(position(["1E 3J 6M", "1J 7M GN"], dry_turns=6), (0, DrawCard()))
    shown = GAME.view(state, PUBLIC, over=False, shown=False)
    assert (0, False) == (shown.dry_turns, shown.forced_draw)
    events, _ = do(state, 0, Discard(drawn(state)))
    assert TurnBegan(seat=Seat(1), dry_turns=0, forced_draw=False) == events[-1]


def test_u23_a_refill_ends_the_dry_spell():
    state = position(["5S 4J GE", "1J 7M GN"], ["3V 7E 7N", "2M 2N 2S"], dry_turns=5)
    events, _ = do(state, 0, SwitchOwn(give="3V", take="GE"))
    assert TurnBegan(seat=Seat(1), dry_turns=0, forced_draw=False) == events[-1]


def test_a_turn_that_is_another_seats_is_no_matter_of_rulings():
    state = position(["1E 3J 6M", "1J 7M GN"])
    assert "not_your_turn" == refusal(state, 1, DrawCard()).code
    assert () == legal(state, 1)


def test_u35_outside_an_offer_there_is_nothing_to_answer():
    state = position(["1E 3J 6M", "1J 7M GN"])
    assert "U35" == ruling(state, 0, DeclineMatch())
    assert "U35" == ruling(state, 0, TakeMatch(give="1E", take="1J"))
