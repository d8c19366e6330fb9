"""What a seat's command causes: the rulebook. Each refusal names the ruling that forbids the command."""

from typing import NoReturn, assert_never

from domain.chance import Chance
from domain.errors import illegal, not_your_turn
from domain.games.events import CardsDrawn
from domain.games.universal_match.cards import VALUE, Card, Cards
from domain.games.universal_match.commands import (
    ChooseBoard,
    DeclineMatch,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
    TakeMatch,
    UniversalMatchCommand,
)
from domain.games.universal_match.events import (
    BoardChosen,
    BoardsRevealed,
    BoardsSwitched,
    CardDiscarded,
    HandSwitched,
    OwnSwitched,
)
from domain.games.universal_match.flow import Events, begin_turn, close_turn, left_of
from domain.games.universal_match.matches import replaced
from domain.games.universal_match.offers import answer_offer
from domain.games.universal_match.state import State, is_banned, to_act
from domain.values import Seat


def decide(state: State, seat: Seat, command: UniversalMatchCommand, chance: Chance) -> Events:
    """Give the events that a command causes; raises `Refusal` and then nothing has happened."""
    if seat not in to_act(state):
        _refuse_out_of_turn(state, seat, command)
    match state.phase:
        case "choose":
            if not isinstance(command, ChooseBoard):
                raise illegal("U8", "First choose three cards of your hand for your board, with choose_board.")
            return _choose(state, seat, command)
        case "turn":
            return _act(state, seat, command, chance)
        case "discard":
            if not isinstance(command, Discard):
                raise illegal("U14", "You have drawn a card: end your turn with discard, the one action is done.")
            return _discard(state, seat, command, chance)
        case "offer":
            if not isinstance(command, TakeMatch | DeclineMatch):
                raise illegal("U35", "A match is on offer: answer it with take_match or decline_match.")
            return answer_offer(state, seat, command, chance)
        case "over":
            raise not_your_turn("The game is over.")
        case _:
            assert_never(state.phase)


def _refuse_out_of_turn(state: State, seat: Seat, command: UniversalMatchCommand) -> NoReturn:
    if state.phase == "choose" and isinstance(command, ChooseBoard):
        raise illegal("U8", "You have chosen your board, and the choice stands; wait until all have chosen.")
    if state.phase == "offer" and state.offer is not None and seat != state.offer.seat:
        raise not_your_turn("You have answered the offer; wait until all have answered.")
    raise not_your_turn()


def _choose(state: State, seat: Seat, command: ChooseBoard) -> Events:
    """Lay the board face down; when it was the last one, all are turned up and the play begins (U8)."""
    for card in command.cards:
        if card not in state.hands[seat]:
            raise illegal("U47", f"{card} is not in your hand.")
    chosen = BoardChosen(seat=seat, count=len(command.cards), cards=command.cards)
    if any(not cards for i, cards in enumerate(state.chosen) if i != seat):
        return (chosen,)
    boards = list(state.chosen)
    boards[seat] = command.cards
    revealed = BoardsRevealed(boards=tuple((a, b, c) for a, b, c in boards))
    return (chosen, revealed, begin_turn(state, left_of(state.series.dealer, state.series.seats), 0))


def _act(state: State, seat: Seat, command: UniversalMatchCommand, chance: Chance) -> Events:
    """Do the one action of a turn (U14)."""
    match command:
        case SwitchBoards(give=give, take=take, source=source):
            _check_free(state)
            _check_pile(state, source)
            board = state.boards[seat]
            _check_lies(give, board, "U20", "on your board")
            _check_source(state, seat, take, source)
            if source != "discard" and is_banned(state, give, take):
                raise illegal("U22", f"{give} and {take} were switched between boards in this hand already.")
            _check_restraint(state, give, take)
            boards = BoardsSwitched(seat=seat, give=give, take=take, source=source)
            return close_turn(state, seat, boards, replaced(board, give, take), chance)
        case SwitchHand(give=give, take=take, source=source):
            _check_free(state)
            _check_pile(state, source)
            _check_lies(give, state.hands[seat], "U20", "in your hand")
            _check_source(state, seat, take, source)
            _check_restraint(state, give, take)
            hand = HandSwitched(seat=seat, give=give, take=take, source=source)
            return close_turn(state, seat, hand, state.boards[seat], chance)
        case SwitchOwn(give=give, take=take):
            _check_free(state)
            board = state.boards[seat]
            _check_lies(give, state.hands[seat], "U47", "in your hand")
            _check_lies(take, board, "U47", "on your board")
            own = OwnSwitched(seat=seat, give=give, take=take)
            return close_turn(state, seat, own, replaced(board, take, give), chance)
        case DrawCard():
            return (CardsDrawn(seat=seat, count=1, cards=state.stock[:1]),)
        case Discard():
            raise illegal("U14", "You have not drawn: a discard ends a draw and is no action of its own.")
        case ChooseBoard():
            raise illegal("U8", "The boards of this hand are chosen, and the choice stands.")
        case TakeMatch() | DeclineMatch():
            raise illegal("U35", "No match is on offer.")
        case _:
            assert_never(command)


def _discard(state: State, seat: Seat, command: Discard, chance: Chance) -> Events:
    if command.card not in state.hands[seat]:
        raise illegal("U47", f"{command.card} is not in your hand.")
    return close_turn(state, seat, CardDiscarded(seat=seat, card=command.card), state.boards[seat], chance)


def _check_free(state: State) -> None:
    if state.forced_draw:
        raise illegal("U23", "No card has left the stock for three rounds: you must draw, with draw_card.")


def _check_lies(card: Card, zone: Cards, ruling: str, where: str) -> None:
    if card not in zone:
        raise illegal(ruling, f"{card} is not {where}.")


def _check_pile(state: State, source: Seat | str) -> None:
    if isinstance(source, str) and not state.discard:
        raise illegal("U17", "The discard pile is empty.")


def _check_source(state: State, seat: Seat, take: Card, source: Seat | str) -> None:
    if isinstance(source, str):
        if take != state.discard[-1]:
            raise illegal("U20", f"{take} is not the top of the discard pile; {state.discard[-1]} is.")
        return
    if source == seat:
        raise illegal("U20", "Name an opponent's seat; for a card of your own board there is switch_own.")
    _check_lies(take, state.boards[source], "U20", f"on the board of seat {source}")


def _check_restraint(state: State, give: Card, take: Card) -> None:
    if state.series.options.advanced_a and VALUE[give] < VALUE[take]:
        raise illegal(
            "U32",
            f"{give} is worth {VALUE[give]} and {take} {VALUE[take]}: give a card that is worth at least as much.",
        )
