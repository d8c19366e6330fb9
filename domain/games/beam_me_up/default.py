"""The move that is made for a seat whose time is up (B40)."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from domain.games.beam_me_up.cards import ELEMENTAL, NUMBER, ORDER, Card, Racer, matching
from domain.games.beam_me_up.commands import BeamMeUpCommand, CollectCard, DeclineCard, PlayCard
from domain.games.beam_me_up.rules import legal
from domain.games.beam_me_up.state import State
from domain.values import Seat

PAIR: Final = 2
"""A single card is no set that could be extended: the pick must make at least two alike."""


def default_move(state: State, seat: Seat) -> BeamMeUpCommand:
    """Give the lowest card, the pick that completes or else extends a set, or the racer nearest the Sun.

    Cards with the same number go by card order. A set counts while a Space Racer is left for it (B25); of
    picks that make equally many alike the first listed is taken, and no pick where none makes more alike.
    """
    match state.phase:
        case "play":
            return PlayCard(min(state.hands[seat], key=lambda card: (NUMBER[card], ORDER[card])))
        case "pick":
            return _pick(state, seat)
        case "launch":
            return legal(state, seat)[0]


def _pick(state: State, seat: Seat) -> BeamMeUpCommand:
    line, left = state.lines[seat], state.racers_left
    best: BeamMeUpCommand = DeclineCard()
    most = max(most_alike(line, left), PAIR - 1)
    for command in legal(state, seat):
        if isinstance(command, CollectCard):
            alike = most_alike(line_after(line, command), left)
            if alike > most:
                best, most = command, alike
    return best


def line_after(line: Sequence[Card], command: CollectCard) -> tuple[Card, ...]:
    """Give the line as a pick would leave it, in any order."""
    if command.replace is UNSET:
        return (*line, command.card)
    return (*[card for card in line if card != command.replace], command.card)


def most_alike(line: Sequence[Card], left: Sequence[Racer]) -> int:
    """Count the cards of the elemental of which the line has most, among those that a Racer is left for."""
    elementals = [ELEMENTAL[card] for card in line]
    return max((elementals.count(one) for one in set(elementals) if matching(one, left)), default=0)
