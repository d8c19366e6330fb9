"""Scenes for the tests: a deal of one's own choice, and play from there."""

import random
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from domain.chance import Chance, RandomChance
from domain.errors import Refusal
from domain.game import Verdict
from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.cards import CARDS, Card, in_order
from domain.games.beam_me_up.commands import BeamMeUpCommand, CollectCard, DeclineCard, LaunchRacer, PlayCard
from domain.games.beam_me_up.events import CardsDealt, DealtHand, DealtPile, TurnBegan
from domain.games.beam_me_up.options import Options
from domain.games.beam_me_up.state import State
from domain.games.events import CardsDrawn
from domain.values import Seat

T = TypeVar("T")


class NoShuffle:
    """Chance that leaves the cards as they are and picks 0; it remembers what it was asked."""

    def __init__(self) -> None:
        self.shuffled: list[tuple[int, tuple[object, ...]]] = []

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:
        self.shuffled.append((k, tuple(cards)))
        return tuple(cards)

    def pick(self, purpose: str, below: int) -> int:
        return 0


def ended(state: State) -> Verdict:
    verdict = BEAM_ME_UP.outcome(state)
    assert verdict is not None
    return verdict


def cards(names: str) -> tuple[Card, ...]:
    return msgspec.convert(names.split(), tuple[Card, ...])


def deal(hands: Sequence[str], pile: str = "", options: Options = Options()) -> State:  # noqa: B008 - frozen
    """Deal these hands of four; seat 0 leads, and the pile begins with these cards."""
    held = [cards(hand) for hand in hands]
    top = cards(pile)
    rest = [card for card in CARDS if card not in {*top, *(card for hand in held for card in hand)}]
    drawn = (*top, *rest)
    dealt = CardsDealt(
        shuffle=0,
        dealer=Seat(len(hands) - 1),
        leader=Seat(0),
        hands=tuple(DealtHand(Seat(seat), len(hand), in_order(hand)) for seat, hand in enumerate(held)),
        pile=DealtPile(len(drawn), drawn),
    )
    events = (dealt, TurnBegan(Seat(0), 1, 1), CardsDrawn(Seat(0), 1, drawn[:1]))
    return fold(BEAM_ME_UP.initial(options, len(hands)), events)


def fold(state: State, events: Sequence[Any]) -> State:
    for event in events:
        state = BEAM_ME_UP.evolve(state, event)
    return state


class Scene:
    """A game in the middle: `do` plays a command of the seat whose turn it is and gives the events."""

    def __init__(self, state: State, chance: Chance | None = None) -> None:
        self.state = state
        self.chance = chance or NoShuffle()
        self.log: list[Any] = []

    @property
    def seat(self) -> Seat:
        (seat,) = BEAM_ME_UP.to_act(self.state)
        return seat

    def do(self, command: BeamMeUpCommand) -> Any:
        events = BEAM_ME_UP.decide(self.state, self.seat, command, self.chance)
        self.state = fold(self.state, events)
        self.log += events
        return events

    def lay(self, names: str) -> Any:
        """Lay these cards, each by the seat whose turn it is; gives the events of the last."""
        events: Any = ()
        for card in cards(names):
            events = self.do(PlayCard(card))
        return events

    def take(self, card: str, replace: str | None = None) -> Any:
        (taken,) = cards(card)
        return self.do(CollectCard(taken) if replace is None else CollectCard(taken, cards(replace)[0]))

    def decline(self) -> Any:
        return self.do(DeclineCard())

    def launch(self, racer: str) -> Any:
        return self.do(msgspec.convert({"type": "launch_racer", "racer": racer}, LaunchRacer))

    def refused(self, command: BeamMeUpCommand, seat: int | None = None) -> tuple[str, str | None]:
        """Give code and ruling of the refusal; fails where the command is accepted."""
        try:
            BEAM_ME_UP.decide(self.state, self.seat if seat is None else Seat(seat), command, self.chance)
        except Refusal as refusal:
            return refusal.code, refusal.ruling
        raise AssertionError(f"{command} was accepted")


def with_lines(state: State, *lines: str, racers_left: str | None = None) -> State:
    """Put these cards into the lines (out of the draw pile) and leave these Space Racers; seat 0 has the rest."""
    standing = tuple(in_order(cards(line)) for line in lines)
    used = {card for line in standing for card in line}
    assert used <= set(state.draw), f"{used - set(state.draw)} are no cards of the draw pile"
    state = replace(state, lines=standing, draw=tuple(card for card in state.draw if card not in used))
    if racers_left is None:
        return state
    left = tuple(racer for racer in state.racers_left if racer in racers_left.split())
    gone = tuple(racer for racer in state.racers_left if racer not in left)
    return replace(state, racers_left=left, racers=(gone, *state.racers[1:]))


def played_out(state: State, rng: random.Random) -> tuple[State, list[Any]]:
    """Play by chance to the end."""
    log: list[Any] = []
    chance = RandomChance(rng)
    while acting := BEAM_ME_UP.to_act(state):
        events = BEAM_ME_UP.decide(state, acting[0], rng.choice(BEAM_ME_UP.legal(state, acting[0])), chance)
        state = fold(state, events)
        log += events
    return state, log
