"""The refill, the end of the hand, points and the end of the game: U24 to U31, U49 and U50."""

import pytest
from msgspec import UNSET

from domain.game import Verdict
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.commands import Discard, DrawCard, SwitchOwn
from domain.games.universal_match.events import BoardRefilled, HandDealt, HandEnded, MatchBanked
from domain.games.universal_match.options import Options
from domain.games.universal_match.state import to_act
from domain.values import Seat
from tests.domain.universal_match.build import dealt, do, drawn, ended, kinds, legal, only, position, run

NEARLY = ["5S 4J GE", "1J 7M GN"]
HANDS = ["3V 7E 7N", "2M 2N 2S"]
MAKE = SwitchOwn(give="3V", take="GE")
"""Makes a match worth 5 of NEARLY with HANDS."""


def ended_with(totals, *, hand_number=1, extra=0, target=100):
    """Let seat 0 draw the last card, so that the hand ends with the totals that stand."""
    boards = ["1E 3J 5M", "1J 3M 5N", "1M 3N 5S"][: len(totals)]
    options = Options(target=target)
    state = position(boards, stock=1, totals=totals, hand_number=hand_number, extra=extra, options=options)
    state = run(state, (0, DrawCard()))
    return do(state, 0, Discard(drawn(state)))


def test_u24_the_board_is_refilled_with_three_cards_after_the_score_is_banked():
    state = position(NEARLY, HANDS, stock="SJ MV 1S 2V")
    events, after = do(state, 0, MAKE)
    assert ["own_switched", "match_made", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    assert BoardRefilled(seat=Seat(0), cards=("SJ", "MV", "1S")) == only(events, BoardRefilled)
    assert "2V" == after.stock[0]
    assert ("5S", "4J", "3V") == after.matches[0][0].cards


def test_u25_too_few_cards_for_a_refill_end_the_hand_at_once_and_the_match_counts():
    """(iv)."""
    events, after = do(position(NEARLY, HANDS, stock=2), 0, MAKE)
    assert ["own_switched", "match_made", "match_banked", "hand_ended", "hand_dealt"] == kinds(events)
    assert HandEnded(reason="stock_short", points=(5, 0), totals=(5, 0)) == only(events, HandEnded)
    assert (5, 0) == after.series.totals


def test_u26_a_refill_with_the_last_three_cards_ends_the_hand_after_this_turn():
    """(v)."""
    events, _ = do(position(NEARLY, HANDS, stock=3), 0, MAKE)
    assert ["own_switched", "match_made", "match_banked", "board_refilled", "hand_ended", "hand_dealt"] == kinds(events)
    assert "stock_empty" == only(events, HandEnded).reason


def test_u26_the_last_card_drawn_ends_the_hand_once_a_card_is_discarded():
    """(vi)."""
    events, state = do(position(NEARLY, HANDS, stock=1), 0, DrawCard())
    assert ["cards_drawn"] == kinds(events)
    events, state = do(state, 0, Discard("7E"))
    assert ["card_discarded", "hand_ended", "hand_dealt"] == kinds(events)
    assert HandEnded(reason="stock_empty", points=(0, 0), totals=(0, 0)) == only(events, HandEnded)


def test_u26_a_match_collected_with_the_last_draw_counts():
    state = run(position(["5S 4J 3V", "1J 7M GN"], stock=1), (0, DrawCard()))
    events, _ = do(state, 0, Discard(drawn(state)))
    assert ["card_discarded", "match_made", "match_banked", "hand_ended", "hand_dealt"] == kinds(events)
    assert HandEnded(reason="stock_empty", points=(5, 0), totals=(5, 0)) == only(events, HandEnded)


def test_u27_matches_left_on_boards_at_the_end_are_lost():
    state = run(position(["1E 3J 5M", "5S 4J 3V"], stock=1), (0, DrawCard()))
    events, _ = do(state, 0, Discard(drawn(state)))
    assert (0, 0) == only(events, HandEnded).points


def test_u29_the_target_is_checked_only_when_the_hand_ends():
    state = position(NEARLY, HANDS, totals=(99, 0))
    events, after = do(state, 0, MAKE)
    assert "turn_began" == kinds(events)[-1]
    assert 5 == GAME.view(after, Seat(1), over=False, shown=False).seats[0].hand_points
    assert 99 == GAME.view(after, Seat(1), over=False, shown=False).seats[0].total
    assert GAME.outcome(after) is None


def test_target_reached_ends_the_game():
    events, state = ended_with((100, 40))
    assert ["card_discarded", "hand_ended"] == kinds(events)
    assert "target_reached" == only(events, HandEnded).game_over
    assert Verdict(scores=(100, 40), ranks=((100,), (40,)), reason="target_reached") == GAME.outcome(state)
    assert () == to_act(state)
    assert () == legal(state, 0) == legal(state, 1)


def test_u30_of_several_at_the_target_the_highest_total_wins():
    """(xiii)."""
    _, state = ended_with((104, 108, 7))
    verdict = ended(state)
    assert (104, 108, 7) == verdict.scores
    assert verdict.ranks[1] > verdict.ranks[0] > verdict.ranks[2]


@pytest.mark.parametrize("extra", [0, 1, 2])
def test_u30_if_the_highest_totals_are_equal_all_play_another_hand(extra):
    events, state = ended_with((108, 108, 101), extra=extra, hand_number=6 + extra)
    assert ["card_discarded", "hand_ended", "hand_dealt"] == kinds(events)
    assert extra + 1 == only(events, HandDealt).extra == state.series.extra
    assert (0, 1, 2) == to_act(state)
    assert GAME.outcome(state) is None


def test_u30_still_equal_after_three_extra_hands_the_win_is_shared():
    events, state = ended_with((108, 108, 101), extra=3, hand_number=9)
    assert "target_reached" == only(events, HandEnded).game_over
    verdict = ended(state)
    assert verdict.ranks[0] == verdict.ranks[1] > verdict.ranks[2]


def test_u30_an_extra_hand_that_breaks_the_tie_ends_the_game():
    events, state = ended_with((108, 113), extra=2, hand_number=8)
    assert "target_reached" == only(events, HandEnded).game_over
    assert ended(state).ranks[1] > ended(state).ranks[0]


def test_u30_equal_totals_below_the_target_are_no_tie():
    events, _ = ended_with((99, 99), hand_number=4)
    assert 0 == only(events, HandDealt).extra


def test_u31_the_target_can_be_fifty():
    _, state = ended_with((50, 49), target=50)
    assert "target_reached" == ended(state).reason
    _, state = ended_with((49, 48), target=50)
    assert GAME.outcome(state) is None


def test_one_hand_ends_after_one_hand_whatever_the_points():
    events, state = do(position(NEARLY, HANDS, stock=2, options=Options(target="one_hand")), 0, MAKE)
    assert "one_hand" == only(events, HandEnded).game_over
    assert Verdict(scores=(5, 0), ranks=((5,), (0,)), reason="one_hand") == GAME.outcome(state)


def test_u31_in_one_hand_a_tie_is_shared_at_once():
    _, state = ended_with((0, 0), target="one_hand")
    verdict = ended(state)
    assert ("one_hand", True) == (verdict.reason, verdict.ranks[0] == verdict.ranks[1])


def test_cap_hands_ends_the_game_after_fifty_hands():
    events, state = ended_with((30, 12, 30), hand_number=50)
    assert "cap_hands" == only(events, HandEnded).game_over
    verdict = ended(state)
    assert "cap_hands" == verdict.reason
    assert verdict.ranks[0] == verdict.ranks[2] > verdict.ranks[1]
    _, state = ended_with((30, 12, 30), hand_number=49)
    assert GAME.outcome(state) is None


def test_cap_hands_ends_the_extra_hands_too():
    _, state = ended_with((108, 108), hand_number=50, extra=1)
    assert "cap_hands" == ended(state).reason


def test_the_target_reached_in_the_fiftieth_hand_is_reached():
    _, state = ended_with((108, 100), hand_number=50)
    assert "target_reached" == ended(state).reason


def test_the_points_of_a_hand_are_added_to_the_totals_and_shown_with_them():
    state = position(NEARLY, HANDS, stock=2, totals=(93, 95))
    events, after = do(state, 0, MAKE)
    assert HandEnded(reason="stock_short", points=(5, 0), totals=(98, 95)) == only(events, HandEnded)
    assert only(events, HandEnded).game_over is UNSET
    assert [98, 95] == [seat.total for seat in GAME.view(after, Seat(0), over=False, shown=False).seats]
    assert [0, 0] == [seat.hand_points for seat in GAME.view(after, Seat(0), over=False, shown=False).seats]


def test_a_game_broken_off_stands_as_its_finished_hands_say():
    _, state = do(position(NEARLY, HANDS, totals=(40, 41)), 0, MAKE)
    verdict = GAME.verdict(state)
    assert (40, 41) == verdict.scores
    assert verdict.ranks[1] > verdict.ranks[0]


def test_u49_two_seats_play_by_the_same_rules():
    assert 2 in GAME.seats
    assert 48 == len(dealt(2).stock)


def test_u50_six_seats_play_by_the_same_rules_with_a_stock_of_24():
    state = dealt(6)
    assert 24 == len(state.stock)
    for seat in range(6):
        _, state = do(state, seat, legal(state, seat)[0])
    (turn,) = to_act(state)
    boards = [board for i, board in enumerate(state.boards) if i != turn]
    assert 1 + 9 + 2 * 9 * len(boards) == len(legal(state, turn))


def test_a_banked_match_says_what_it_is():
    events, after = do(position(NEARLY, HANDS), 0, MAKE)
    expected = MatchBanked(
        seat=Seat(0),
        cards=("5S", "4J", "3V"),
        kind="rainbow_run",
        perfect=False,
        taken_from=None,
        points=5,
        bonus=0,
    )
    assert expected == only(events, MatchBanked)
    (match,) = GAME.view(after, Seat(1), over=False, shown=False).seats[0].matches
    assert ("rainbow_run", False, None, 5, 0) == (
        match.kind,
        match.perfect,
        match.taken_from,
        match.points,
        match.bonus,
    )
