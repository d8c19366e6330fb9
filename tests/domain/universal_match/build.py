"""Positions for the tests: a table with just the cards that a ruling is about."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import pytest
from msgspec import UNSET

from domain.chance import Chance, SeededChance
from domain.errors import Refusal
from domain.game import Verdict
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.cards import CARDS, Card, Cards, in_order
from domain.games.universal_match.commands import ChooseBoard, UniversalMatchCommand
from domain.games.universal_match.events import DealtHand, DealtStock, HandDealt, Trio, TurnBegan, UniversalMatchEvent
from domain.games.universal_match.options import Options
from domain.games.universal_match.state import Offer, Series, State
from domain.values import Seat

CHANCE = SeededChance(bytes(32))
E = TypeVar("E")

_CARD: Final[Mapping[str, Card]] = {card: card for card in CARDS}


def card(text: str) -> Card:
    """Give the card of this name."""
    return _CARD[text]


def cards(text: str) -> Cards:
    """Give cards by their names: `5S 4J 3V`."""
    return tuple(card(name) for name in text.split())


def trio(three: Sequence[Card]) -> Trio:
    """Give three cards as a board or a match has them."""
    first, second, third = three
    return first, second, third


class Stacked:
    """Chance that does as it is told: the dealer, and the first cards of every shuffle."""

    def __init__(self, dealer: int = 0, first: str = "") -> None:
        self.dealer = dealer
        self.first = first.split()
        self.asked: list[tuple[int, tuple[Any, ...]]] = []

    def shuffle(self, k: int, cards: Sequence[Any]) -> tuple[Any, ...]:
        self.asked.append((k, tuple(cards)))
        return (*self.first, *(card for card in cards if card not in self.first))

    def pick(self, purpose: str, below: int) -> int:
        assert purpose == "dealer"
        assert self.dealer < below
        return self.dealer


def position(  # noqa: PLR0913 - whatever a ruling is about can be said
    boards: Sequence[str],
    hands: Sequence[str] | None = None,
    *,
    discard: str = "",
    stock: str | int | None = None,
    turn: int = 0,
    dry_turns: int = 0,
    options: Options | None = None,
    totals: Sequence[int] | None = None,
    hand_number: int = 1,
    extra: int = 0,
    dealer: int = 0,
) -> State:
    """Give a state in phase `turn`: boards and hands by seat ("5S 4J 3V"), hands filled up where none are given.

    `stock` names the cards to be drawn next, or says how many there are; the cards that are left go to the stock
    where it is None or names cards, else to the bottom of the discard pile.
    """
    seats = len(boards)
    laid = tuple(cards(board) for board in boards)
    top = cards(discard)
    next_cards = cards(stock) if isinstance(stock, str) else ()
    held = [cards(hand) for hand in hands or ("",) * seats]
    used = {*top, *next_cards}.union(*laid, *held)
    rest = [one for one in reversed(CARDS) if one not in used]
    filled: list[Cards] = []
    for hand in held:
        missing = 3 - len(hand)
        filled.append(in_order((*hand, *rest[:missing])))
        rest = rest[missing:]
    if isinstance(stock, int):
        pile, bottom = tuple(rest[:stock]), tuple(rest[stock:])
    else:
        pile, bottom = (*next_cards, *rest), ()
    state = State(
        series=Series(
            options=options or Options(),
            seats=seats,
            hand_number=hand_number,
            dealer=Seat(dealer),
            extra=extra,
            totals=tuple(totals or (0,) * seats),
        ),
        phase="choose",
        hands=tuple(filled),
        boards=laid,
        chosen=((),) * seats,
        stock=pile,
        discard=(*bottom, *top),
        matches=((),) * seats,
    )
    forced = dry_turns >= 3 * seats
    return GAME.evolve(state, TurnBegan(seat=Seat(turn), dry_turns=dry_turns, forced_draw=forced))


def do(
    state: State, seat: int, command: UniversalMatchCommand, chance: Chance = CHANCE
) -> tuple[tuple[UniversalMatchEvent, ...], State]:
    """Do a command: give its events, and the state behind them."""
    events = GAME.decide(state, Seat(seat), command, chance)
    return events, fold(state, events)


def run(state: State, *moves: tuple[int, UniversalMatchCommand], chance: Chance = CHANCE) -> State:
    """Do several commands."""
    for seat, command in moves:
        _, state = do(state, seat, command, chance)
    return state


def fold(state: State, events: Sequence[UniversalMatchEvent]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def dealt(seats: int, options: Options | None = None, chance: Chance = CHANCE) -> State:
    """Give a table right after the deal."""
    state = GAME.initial(options or Options(), seats)
    return fold(state, GAME.deal(state, chance))


def the_deal(seats: int, options: Options | None = None, chance: Chance = CHANCE) -> HandDealt:
    """Give the event of the first deal."""
    return only(GAME.deal(GAME.initial(options or Options(), seats), chance), HandDealt)


def open_cards(dealt_cards: DealtHand | DealtStock) -> Cards:
    """Give the cards of an event that nobody has redacted."""
    assert dealt_cards.cards is not UNSET
    return dealt_cards.cards


def refusal(state: State, seat: int, command: UniversalMatchCommand) -> Refusal:
    """Give the refusal of a command; fails where it is accepted."""
    with pytest.raises(Refusal) as caught:
        GAME.decide(state, Seat(seat), command, CHANCE)
    return caught.value


def ruling(state: State, seat: int, command: UniversalMatchCommand) -> str | None:
    """Give the id of the ruling that forbids a command."""
    refused = refusal(state, seat, command)
    assert refused.code == "illegal_command"
    return refused.ruling


def only(events: Sequence[UniversalMatchEvent], kind: type[E]) -> E:
    """Give the one event of a kind."""
    (event,) = [event for event in events if isinstance(event, kind)]
    return event


def kinds(events: Sequence[UniversalMatchEvent]) -> list[str]:
    """Give the types of events, as on the wire."""
    return [str(event.__struct_config__.tag) for event in events]


def legal(state: State, seat: int) -> tuple[UniversalMatchCommand, ...]:
    return GAME.legal(state, Seat(seat))


def choices(state: State, seat: int) -> tuple[ChooseBoard, ...]:
    """Give the boards that a seat may choose."""
    return tuple(command for command in legal(state, seat) if isinstance(command, ChooseBoard))


def drawn(state: State) -> Card:
    """Give the card that was just drawn."""
    assert state.drawn is not None
    return state.drawn


def on_offer(state: State) -> Offer:
    """Give the match on offer with its answers."""
    assert state.offer is not None
    return state.offer


def ended(state: State) -> Verdict:
    """Give how the game ended."""
    verdict = GAME.outcome(state)
    assert verdict is not None
    return verdict
