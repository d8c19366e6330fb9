"""Every event in words, as the log tells it."""

import pytest

from domain.games.events import CardsDrawn
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.events import (
    BoardChosen,
    BoardRefilled,
    BoardsRevealed,
    BoardsSwitched,
    CardDiscarded,
    DealtHand,
    DealtStock,
    HandDealt,
    HandEnded,
    HandSwitched,
    MatchBanked,
    MatchMade,
    MatchOffered,
    MatchTaken,
    OfferAnswered,
    OwnSwitched,
    Taking,
    Trio,
    TurnBegan,
)
from domain.values import Seat

ONE, TWO = Seat(0), Seat(1)
RUN: Trio = ("5S", "4J", "3V")


def hand_dealt(extra):
    hands = (DealtHand(seat=ONE, count=6), DealtHand(seat=TWO, count=6))
    return HandDealt(shuffle=6, hand_number=7, dealer=TWO, extra=extra, hands=hands, stock=DealtStock(count=48))


def banked(bonus):
    return MatchBanked(
        seat=ONE, cards=RUN, kind="rainbow_run", perfect=bonus > 0, taken_from=None, points=5, bonus=bonus
    )


@pytest.mark.parametrize(
    ("words", "event"),
    [
        ("{seat:1} dealt hand 7", hand_dealt(0)),
        ("{seat:1} dealt hand 7, extra hand 2 since the lead is shared", hand_dealt(2)),
        ("{seat:0} chose a board", BoardChosen(seat=ONE, count=3)),
        ("{seat:0} chose a board: 5S 4J 3V", BoardChosen(seat=ONE, count=3, cards=RUN)),
        (
            "The boards were turned up: {seat:0} 5S 4J 3V; {seat:1} GE SE 1V",
            BoardsRevealed(boards=(RUN, ("GE", "SE", "1V"))),
        ),
        ("", TurnBegan(seat=ONE, dry_turns=5, forced_draw=False)),
        ("{seat:0} must draw", TurnBegan(seat=ONE, dry_turns=6, forced_draw=True)),
        ("{seat:0} drew a card", CardsDrawn(seat=ONE, count=1)),
        ("{seat:0} drew GE", CardsDrawn(seat=ONE, count=1, cards=("GE",))),
        ("{seat:0} discarded 1V", CardDiscarded(seat=ONE, card="1V")),
        (
            "{seat:0} gave 1V from the board for GE on {seat:1}'s board",
            BoardsSwitched(seat=ONE, give="1V", take="GE", source=TWO),
        ),
        (
            "{seat:0} gave 1V from the hand for GE on the discard pile",
            HandSwitched(seat=ONE, give="1V", take="GE", source="discard"),
        ),
        ("{seat:0} laid 1V on the board and took GE into the hand", OwnSwitched(seat=ONE, give="1V", take="GE")),
        (
            "{seat:0} made a rainbow run, 5S 4J 3V",
            MatchMade(seat=ONE, cards=RUN, kind="rainbow_run", perfect=False),
        ),
        (
            "{seat:0} made three of a kind, 6E 6M 6S, a perfect match",
            MatchMade(seat=ONE, cards=("6E", "6M", "6S"), kind="three_of_a_kind", perfect=True),
        ),
        ("{seat:0}'s match is on offer", MatchOffered(seat=ONE, cards=RUN, asked=(TWO,))),
        ("{seat:1} answered", OfferAnswered(seat=TWO)),
        ("{seat:1} declined", OfferAnswered(seat=TWO, answer=None)),
        ("{seat:1} would put in 4E for 4J", OfferAnswered(seat=TWO, answer=Taking(give="4E", take="4J"))),
        (
            "{seat:1} put in 4E for 4J and took {seat:0}'s match",
            MatchTaken(seat=TWO, matcher=ONE, give="4E", take="4J", place="hand"),
        ),
        ("{seat:0} put 5S 4J 3V aside for 5 points", banked(0)),
        ("{seat:0} put 5S 4J 3V aside for 5 points and 7 more", banked(7)),
        ("{seat:0}'s board was refilled with 5S 4J 3V", BoardRefilled(seat=ONE, cards=RUN)),
        (
            "The hand is over, the stock is empty: {seat:0} +5 = 30, {seat:1} +0 = 12",
            HandEnded(reason="stock_empty", points=(5, 0), totals=(30, 12)),
        ),
        (
            "The hand is over, the stock is empty: {seat:0} +9 = 54; the game is over, the target is reached",
            HandEnded(reason="stock_empty", points=(9,), totals=(54,), game_over="target_reached"),
        ),
        (
            "The hand is over, the stock can't refill a board: {seat:0} +5 = 5, {seat:1} +0 = 0",
            HandEnded(reason="stock_short", points=(5, 0), totals=(5, 0)),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_event_is_told_in_words(words, event):
    assert words == GAME.summary(event)
