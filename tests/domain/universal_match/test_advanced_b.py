"""Advanced version B, the perfect match and the taking: U34 to U45, U51, U52."""

import pytest

from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.commands import (
    DeclineMatch,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchOwn,
    TakeMatch,
    UniversalMatchCommand,
)
from domain.games.universal_match.events import (
    BoardRefilled,
    HandEnded,
    MatchBanked,
    MatchMade,
    MatchOffered,
    MatchTaken,
    OfferAnswered,
    Taking,
    TurnBegan,
)
from domain.games.universal_match.options import Options
from domain.games.universal_match.state import State, to_act
from domain.games.universal_match.views import OfferView
from domain.values import ALL, PUBLIC, Seat, Viewer
from tests.domain.universal_match.build import card, do, drawn, kinds, legal, only, position, refusal, ruling, run

B = Options(advanced_b=True)
AB = Options(advanced_a=True, advanced_b=True)

SEVENS = ["7E 7J 1M", "1J 3M GN"]
"""Seat 0 lays 7S and makes 7E 7J 7S (3, 2, 2); a 7M or a 7V makes it perfect."""
MAKE = SwitchOwn(give="7S", take="1M")


def sevens(other_hand="7M 2M 2N", options=B, **more):
    return position(SEVENS, ["7S GE SE", other_hand], options=options, **more)


def offered(*hands, boards=(), options=B, **more):
    """Let seat 0 make 7E 7J 7S at a table with these hands of the others."""
    filler = ["1J 3M GN", "2J 4M SN", "3J 5M MN", "4J 6M 6N", "5J MM 5N"]
    others = [boards[i] if i < len(boards) and boards[i] else filler[i] for i in range(len(hands))]
    state = position(["7E 7J 1M", *others], ["7S GE SE", *hands], options=options, **more)
    return do(state, 0, MAKE)


def seen_offer(state: State, viewer: Viewer) -> OfferView:
    offer = GAME.view(state, viewer, over=False, shown=False).offer
    assert offer is not None
    return offer


# The bonus


def test_u34_a_perfect_match_earns_seven_points_at_once_and_is_not_offered():
    state = position(["7E 7J GM", "1J 3M GN"], ["7V GE SE", ""], options=B)
    events, _ = do(state, 0, SwitchOwn(give="7V", take="GM"))
    assert ["own_switched", "match_made", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    assert only(events, MatchMade).perfect
    banked = only(events, MatchBanked)
    assert (True, 6, 7) == (banked.perfect, banked.points, banked.bonus)


def test_u52_the_bonus_comes_on_top_of_the_cards():
    state = position(["7E 7J GM", "1J 3M GN"], ["7V GE SE", ""], options=B)
    _, after = do(state, 0, SwitchOwn(give="7V", take="GM"))
    assert 6 + 7 == GAME.view(after, PUBLIC, over=False, shown=False).seats[0].hand_points


def test_u34_the_bonus_is_counted_with_the_hand_and_wins_nothing_before_its_end():
    state = position(["7E 7J GM", "1J 3M GN"], ["7V GE SE", ""], options=B, totals=(95, 0), stock=2)
    events, after = do(state, 0, SwitchOwn(give="7V", take="GM"))
    assert (13, 0) == only(events, HandEnded).points
    assert (108, 0) == after.series.totals
    state = position(["7E 7J GM", "1J 3M GN"], ["7V GE SE", ""], options=B, totals=(95, 0))
    _, after = do(state, 0, SwitchOwn(give="7V", take="GM"))
    assert GAME.outcome(after) is None


def test_u51_without_b_no_match_is_perfect_and_none_is_offered():
    events, _ = do(sevens(options=Options()), 0, MAKE)
    assert ["own_switched", "match_made", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    state = position(["7E 7J GM", "1J 3M GN"], ["7V GE SE", ""])
    events, _ = do(state, 0, SwitchOwn(give="7V", take="GM"))
    assert (False, False) == (only(events, MatchMade).perfect, only(events, MatchBanked).perfect)
    assert (6, 0) == (only(events, MatchBanked).points, only(events, MatchBanked).bonus)


# The offer


def test_u35_a_match_that_is_not_perfect_is_offered_to_all_opponents_at_once():
    events, state = offered("", "", "")
    assert ["own_switched", "match_made", "match_offered"] == kinds(events)
    assert MatchOffered(seat=Seat(0), cards=("7E", "7J", "7S"), asked=(Seat(1), Seat(2), Seat(3))) == only(
        events, MatchOffered
    )
    assert (1, 2, 3) == to_act(state)
    assert "offer" == state.phase
    assert () == legal(state, 0)
    assert "not_your_turn" == refusal(state, 0, DrawCard()).code


def test_u35_all_answer_in_any_order_and_then_the_first_taker_clockwise_takes_it():
    _, state = offered("7M", "7V", "")
    for seat, command in ((3, DeclineMatch()), (2, TakeMatch(give="7V", take="7J"))):
        events, state = do(state, seat, command)
        assert ["offer_answered"] == kinds(events)
    events, _ = do(state, 1, TakeMatch(give="7M", take="7S"))
    assert ["offer_answered", "match_taken", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    assert 1 == only(events, MatchTaken).seat == only(events, MatchBanked).seat


def test_u35_clockwise_is_counted_from_the_matcher():
    boards = ["1J 3M GN", "2J 4M SN", "7E 7J 1M"]
    state = position(boards, ["7M", "7V", "7S GE SE"], options=B, turn=2)
    state = run(state, (2, MAKE), (1, TakeMatch(give="7V", take="7J")))
    events, _ = do(state, 0, TakeMatch(give="7M", take="7J"))
    assert 0 == only(events, MatchTaken).seat
    assert 0 == only(events, TurnBegan).seat


def test_u35_if_nobody_takes_it_the_matcher_has_it():
    _, state = offered("7M", "")
    events, state = do(state, 1, DeclineMatch())
    events, state = do(state, 2, DeclineMatch())
    assert ["offer_answered", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    banked = only(events, MatchBanked)
    assert (0, False, None, 7, 0) == (banked.seat, banked.perfect, banked.taken_from, banked.points, banked.bonus)
    assert 1 == only(events, TurnBegan).seat


def test_u35_an_answer_stands():
    _, state = offered("7M", "")
    _, state = do(state, 1, DeclineMatch())
    assert "not_your_turn" == refusal(state, 1, TakeMatch(give="7M", take="7J")).code
    assert () == legal(state, 1)


@pytest.mark.parametrize("command", [DrawCard(), Discard("7M"), SwitchOwn(give="7M", take="1J")], ids=str)
def test_u35_an_offer_must_be_answered_before_anything_else(command):
    _, state = offered("7M 2M 2N")
    assert "U35" == ruling(state, 1, command)


def test_u8_and_g8_what_a_seat_answered_is_shown_to_nobody_else():
    _, state = offered("7M 2M 2N", "7V 2E 2S")
    taken, after_taking = do(state, 1, TakeMatch(give="7M", take="7J"))
    declined, after_declining = do(state, 1, DeclineMatch())
    for viewer in (Seat(0), Seat(2), PUBLIC):
        assert OfferAnswered(seat=Seat(1)) == GAME.redact(taken[0], viewer) == GAME.redact(declined[0], viewer)
        shown = GAME.view(after_taking, viewer, over=False, shown=False)
        assert shown == GAME.view(after_declining, viewer, over=False, shown=False)
        assert (1,) == seen_offer(after_taking, viewer).answered
    taking = Taking(give="7M", take="7J")
    assert OfferAnswered(seat=Seat(1), answer=taking) == GAME.redact(taken[0], Seat(1))
    assert taking == seen_offer(after_taking, Seat(1)).own_answer
    assert seen_offer(after_declining, Seat(1)).own_answer is None
    assert taken[0] == GAME.redact(taken[0], ALL)


# The taking


@pytest.mark.parametrize("take", ["7J", "7S"])
def test_u36_a_card_of_the_hand_goes_in_and_the_one_replaced_comes_to_the_hand(take):
    """(vii)."""
    _, state = do(sevens(), 0, MAKE)
    events, after = do(state, 1, TakeMatch(give="7M", take=take))
    taken = MatchTaken(seat=Seat(1), matcher=Seat(0), give="7M", take=take, place="hand")
    assert taken == only(events, MatchTaken)
    banked = only(events, MatchBanked)
    assert {"7E", "7J", "7S", "7M"} - {take} == set(banked.cards)
    assert (1, True, 0, 6, 7) == (banked.seat, banked.perfect, banked.taken_from, banked.points, banked.bonus)
    assert {"2M", "2N", take} == set(after.hands[1])
    assert ("1J", "3M", "GN") == after.boards[1]


def test_u36_a_card_of_the_board_goes_in_and_the_one_replaced_comes_to_the_board():
    """(viii)."""
    boards = ["4S 4M 1M", "4E 3M GN"]
    state = position(boards, ["4V GE SE", "2M 2N 2S"], options=B)
    _, state = do(state, 0, SwitchOwn(give="4V", take="1M"))
    assert {TakeMatch(give="4E", take="4M"), TakeMatch(give="4E", take="4V"), DeclineMatch()} == set(legal(state, 1))
    events, after = do(state, 1, TakeMatch(give="4E", take="4V"))
    assert "board" == only(events, MatchTaken).place
    assert {"3M", "GN", "4V"} == set(after.boards[1])
    assert ("2M", "2N", "2S") == tuple(sorted(after.hands[1]))


def test_u36_a_card_that_the_taker_does_not_hold_is_refused():
    _, state = offered("2M 2N 2S", "7M 2E 2V")
    assert "U36" == ruling(state, 1, TakeMatch(give="7M", take="7J"))
    assert "U36" == ruling(state, 2, TakeMatch(give="7M", take="7N"))


def test_u37_taking_is_optional_and_its_way_is_the_takers_choice():
    _, state = offered("7M 7V 2N")
    ways: set[UniversalMatchCommand] = {
        DeclineMatch(),
        TakeMatch(give="7M", take="7J"),
        TakeMatch(give="7M", take="7S"),
        TakeMatch(give="7V", take="7J"),
        TakeMatch(give="7V", take="7S"),
    }
    assert ways == set(legal(state, 1))
    for way in ways:
        do(state, 1, way)


@pytest.mark.parametrize("rank", "GSM7654321")
def test_u38_all_ten_ranks_are_number_ranks(rank):
    spare = "6" if rank != "6" else "5"
    state = position(
        [f"{rank}E {rank}J {spare}M", f"{spare}J {spare}V {spare}N"],
        [f"{rank}S {spare}E", f"{rank}M"],
        options=B,
    )
    _, state = do(state, 0, SwitchOwn(give=card(f"{rank}S"), take=card(f"{spare}M")))
    assert TakeMatch(give=card(f"{rank}M"), take=card(f"{rank}J")) in legal(state, 1)


def test_u38_a_card_of_another_rank_is_refused():
    _, state = offered("6M 2M 2N")
    assert "U38" == ruling(state, 1, TakeMatch(give="6M", take="7J"))


def test_u34_a_card_that_does_not_make_the_match_perfect_is_refused():
    _, state = offered("7M 7N 2N")
    assert "U34" == ruling(state, 1, TakeMatch(give="7N", take="7J"))
    assert "U34" == ruling(state, 1, TakeMatch(give="7M", take="7E"))


def test_u38_in_a_rainbow_run_the_suits_must_stay_three():
    state = position(["5S 4J 1M", "3M 1J GN"], ["3E GE SE", "4V 5E 2N"], options=B)
    _, state = do(state, 0, SwitchOwn(give="3E", take="1M"))
    assert "U34" == ruling(state, 1, TakeMatch(give="5E", take="5S"))
    assert {TakeMatch(give="4V", take="4J"), DeclineMatch()} == set(legal(state, 1))


def test_u39_the_matchers_own_better_card_is_of_no_use():
    state = position(SEVENS, ["7S 7M SE", "2M 2N 2S"], options=B)
    _, state = do(state, 0, MAKE)
    assert () == legal(state, 0)
    events, _ = do(state, 1, DeclineMatch())
    assert not only(events, MatchBanked).perfect


def test_u40_there_is_one_taking_for_a_match():
    _, state = offered("7M", "7V")
    events, state = do(state, 2, TakeMatch(give="7V", take="7J"))
    events, state = do(state, 1, TakeMatch(give="7M", take="7J"))
    assert 1 == kinds(events).count("match_taken")
    assert "turn_began" == kinds(events)[-1]
    assert "7V" in state.hands[2]


def test_u41_the_matchers_board_is_refilled_and_the_turn_passes_to_his_left():
    _, state = offered("7M", "", "", stock="SJ SV 1S")
    state = run(state, (2, DeclineMatch()), (3, DeclineMatch()))
    events, after = do(state, 1, TakeMatch(give="7M", take="7J"))
    assert BoardRefilled(seat=Seat(0), cards=("SJ", "SV", "1S")) == only(events, BoardRefilled)
    assert 1 == only(events, TurnBegan).seat
    assert 3 == len(after.boards[1])


def test_u41_a_taken_match_ends_the_hand_where_the_stock_is_short():
    _, state = do(sevens(stock=2), 0, MAKE)
    events, _ = do(state, 1, TakeMatch(give="7M", take="7J"))
    assert ["offer_answered", "match_taken", "match_banked", "hand_ended", "hand_dealt"] == kinds(events)
    assert HandEnded(reason="stock_short", points=(0, 13), totals=(0, 13)) == only(events, HandEnded)


def test_u42_a_board_made_a_match_by_a_taking_waits_for_its_owners_turn():
    state = position(["7E 7J 1M", "7M MJ 6J"], ["7S GE SE", "2M 2N 2S"], options=B)
    _, state = do(state, 0, MAKE)
    events, after = do(state, 1, TakeMatch(give="7M", take="7J"))
    assert {"MJ", "7J", "6J"} == set(after.boards[1])
    assert 1 == kinds(events).count("match_made") + kinds(events).count("match_banked")
    after = run(after, (1, DrawCard()))
    events, _ = do(after, 1, Discard(drawn(after)))
    assert "suited_run" == only(events, MatchBanked).kind


def test_u43_under_a_a_card_of_less_value_is_refused():
    """(vii)."""
    state = position(["7E 7N 1M", "1J 3M GN"], ["7V GE SE", "7J 7S 2N"], options=AB)
    events, _ = do(state, 0, SwitchOwn(give="7V", take="1M"))
    assert ["own_switched", "match_made", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    events, _ = do(sevens(options=AB), 0, MAKE)
    assert "match_offered" not in kinds(events)


def test_u43_under_a_two_two_one_is_taken_with_a_three_only():
    state = position(["7J 7S 1M", "1J 3M GN"], ["7V GE SE", "7E 7M 2N"], options=AB)
    _, state = do(state, 0, SwitchOwn(give="7V", take="1M"))
    assert {TakeMatch(give="7E", take="7J"), TakeMatch(give="7E", take="7S"), DeclineMatch()} == set(legal(state, 1))


def test_u43_under_a_one_one_two_is_taken_with_a_three():
    """(viii)."""
    state = position(["4S 4M 1M", "4E 3M GN"], ["4V GE SE", "2M 2N 2S"], options=AB)
    _, state = do(state, 0, SwitchOwn(give="4V", take="1M"))
    assert {TakeMatch(give="4E", take="4M"), TakeMatch(give="4E", take="4V"), DeclineMatch()} == set(legal(state, 1))


def test_u43_the_restraint_is_named_before_the_perfect_match():
    state = position(["7J 7S 1M", "1J 3M GN"], ["7V GE SE", "7E 7M 2N"], options=AB)
    _, state = do(state, 0, SwitchOwn(give="7V", take="1M"))
    assert "U43" == ruling(state, 1, TakeMatch(give="7M", take="7J"))
    assert "U34" == ruling(state, 1, TakeMatch(give="7M", take="7V"))


def test_u44_the_pair_ban_does_not_bind_a_taking():
    state = position(["7E 7M 1M", "7J 3M GN"], ["7S GE SE", "2M 2N 2S"], options=B)
    state = run(state, (0, SwitchBoards(give="7M", take="7J", source=Seat(1))), (1, DrawCard()))
    state = run(state, (1, Discard(drawn(state))), (0, MAKE))
    assert (("7J", "7M"),) == state.banned
    events, _ = do(state, 1, TakeMatch(give="7M", take="7J"))
    assert 1 == only(events, MatchTaken).seat


def test_u45_every_opponent_is_asked_whoever_holds_what():
    _, state = offered("2M 2N 2S", "2E 2V 5V", "3E 3N 3S")
    assert (1, 2, 3) == to_act(state)
    for seat in (1, 2, 3):
        assert (DeclineMatch(),) == legal(state, seat)


def test_u45_an_offer_is_made_even_where_the_cards_that_fit_lie_in_the_open():
    events, _ = do(sevens(other_hand="2M 2N 2S", discard="7V 7M"), 0, MAKE)
    assert "match_offered" in kinds(events)


@pytest.mark.parametrize("options", [B, AB])
def test_u45_a_suited_run_is_not_offered(options):
    """(ix)."""
    state = position(["5E 4E 1M", "1J 3M GN"], ["3E GE SE", "3V 4M 5J"], options=options)
    events, _ = do(state, 0, SwitchOwn(give="3E", take="1M"))
    assert ["own_switched", "match_made", "match_banked", "board_refilled", "turn_began"] == kinds(events)
    banked = only(events, MatchBanked)
    assert ("suited_run", False, 9, 0) == (banked.kind, banked.perfect, banked.points, banked.bonus)


def test_u45_a_match_that_no_card_could_make_perfect_under_a_is_not_offered():
    state = position(["7E 7N 1M", "1J 3M GN"], ["7J GE SE", "7V 7M 2N"], options=AB)
    events, _ = do(state, 0, SwitchOwn(give="7J", take="1M"))
    assert "match_offered" not in kinds(events)
    events, _ = do(position(["7E 7N 1M", "1J 3M GN"], ["7J GE SE", "7V 7M 2N"], options=B), 0, MAKE_SEVEN_J)
    assert "match_offered" in kinds(events)


MAKE_SEVEN_J = SwitchOwn(give="7J", take="1M")


def test_u45_a_match_collected_after_a_draw_is_offered_too():
    state = position(["7E 7J 7S", "1J 3M GN"], ["", "7M 2M 2N"], options=B)
    state = run(state, (0, DrawCard()))
    events, state = do(state, 0, Discard(drawn(state)))
    assert ["card_discarded", "match_made", "match_offered"] == kinds(events)
    events, _ = do(state, 1, DeclineMatch())
    assert 1 == only(events, TurnBegan).seat


def test_u26_the_last_draw_ends_the_hand_once_the_offer_is_settled():
    state = position(["7E 7J 7S", "1J 3M GN"], ["", "7M 2M 2N"], options=B, stock=1)
    state = run(state, (0, DrawCard()))
    events, state = do(state, 0, Discard(drawn(state)))
    assert "match_offered" == kinds(events)[-1]
    events, _ = do(state, 1, TakeMatch(give="7M", take="7J"))
    assert ["offer_answered", "match_taken", "match_banked", "hand_ended", "hand_dealt"] == kinds(events)
    assert HandEnded(reason="stock_empty", points=(0, 13), totals=(0, 13)) == only(events, HandEnded)
