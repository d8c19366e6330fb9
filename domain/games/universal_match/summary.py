"""Events in words: short sentences in which `{seat:N}` stands for a player's name."""

from collections.abc import Sequence
from typing import Final, assert_never

from msgspec import UNSET

from domain.games.events import CardsDrawn
from domain.games.universal_match.commands import Source
from domain.games.universal_match.events import (
    BoardChosen,
    BoardRefilled,
    BoardsRevealed,
    BoardsSwitched,
    CardDiscarded,
    HandDealt,
    HandEnded,
    HandSwitched,
    MatchBanked,
    MatchMade,
    MatchOffered,
    MatchTaken,
    OfferAnswered,
    OwnSwitched,
    TurnBegan,
    UniversalMatchEvent,
)
from domain.values import Seat

KINDS: Final = {
    "three_of_a_kind": "three of a kind",
    "suited_run": "a suited run",
    "rainbow_run": "a rainbow run",
}
ENDS: Final = {
    "target_reached": "the target is reached",
    "one_hand": "it was the only one",
    "cap_hands": "no more hands are played",
}


def summary(event: UniversalMatchEvent) -> str:
    """Say what a (redacted) event says, and no more; `""` where it goes without saying."""
    match event:
        case HandDealt():
            extra = "" if event.extra == 0 else f", extra hand {event.extra} since the lead is shared"
            return f"{_who(event.dealer)} dealt hand {event.hand_number}{extra}"
        case BoardChosen():
            laid = "" if event.cards is UNSET else f": {_cards(event.cards)}"
            return f"{_who(event.seat)} chose a board{laid}"
        case BoardsRevealed():
            boards = "; ".join(f"{_who(i)} {_cards(board)}" for i, board in enumerate(event.boards))
            return f"The boards were turned up: {boards}"
        case TurnBegan():
            return f"{_who(event.seat)} must draw" if event.forced_draw else ""
        case CardsDrawn():
            what = "a card" if event.cards is UNSET else _cards(event.cards)
            return f"{_who(event.seat)} drew {what}"
        case CardDiscarded():
            return f"{_who(event.seat)} discarded {event.card}"
        case BoardsSwitched():
            return f"{_who(event.seat)} gave {event.give} from the board for {event.take} {_where(event.source)}"
        case HandSwitched():
            return f"{_who(event.seat)} gave {event.give} from the hand for {event.take} {_where(event.source)}"
        case OwnSwitched():
            return f"{_who(event.seat)} laid {event.give} on the board and took {event.take} into the hand"
        case MatchMade():
            perfect = ", a perfect match" if event.perfect else ""
            return f"{_who(event.seat)} made {KINDS[event.kind]}, {_cards(event.cards)}{perfect}"
        case MatchOffered():
            return f"{_whose(event.seat)} match is on offer"
        case OfferAnswered():
            return f"{_who(event.seat)} {_answer(event)}"
        case MatchTaken():
            return f"{_who(event.seat)} put in {event.give} for {event.take} and took {_whose(event.matcher)} match"
        case MatchBanked():
            bonus = f" and {event.bonus} more" if event.bonus else ""
            return f"{_who(event.seat)} put {_cards(event.cards)} aside for {event.points} points{bonus}"
        case BoardRefilled():
            return f"{_whose(event.seat)} board was refilled with {_cards(event.cards)}"
        case HandEnded():
            return _ended(event)
        case _:
            assert_never(event)


def _who(seat: int) -> str:
    return f"{{seat:{seat}}}"


def _whose(seat: int) -> str:
    return f"{_who(seat)}'s"


def _cards(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _where(source: Source) -> str:
    return "on the discard pile" if isinstance(source, str) else f"on {_whose(Seat(source))} board"


def _answer(event: OfferAnswered) -> str:
    if event.answer is UNSET:
        return "answered"
    if event.answer is None:
        return "declined"
    return f"would put in {event.answer.give} for {event.answer.take}"


def _ended(event: HandEnded) -> str:
    why = "the stock is empty" if event.reason == "stock_empty" else "the stock can't refill a board"
    scores = enumerate(zip(event.points, event.totals, strict=True))
    points = ", ".join(f"{_who(i)} +{new} = {total}" for i, (new, total) in scores)
    last = "" if event.game_over is UNSET else f"; the game is over, {ENDS[event.game_over]}"
    return f"The hand is over, {why}: {points}{last}"
