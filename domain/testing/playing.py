"""Games played for the kit: every entry with what was decided, so that the laws can be asked at any moment."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from domain.chance import Chance
from domain.errors import Refusal
from domain.game import AnyGame, Seen
from domain.testing.case import Case, expect
from domain.values import Command, Event, Seat, Value, Viewer

T = TypeVar("T")

MANY: Final = 50_000
"""A game that has not ended after so many decisions does not end."""


class Step(Value, frozen=True):
    """One entry of a game: who wished what (nobody: the deal), what happened, the state before and after."""

    seat: Seat | None
    command: Command | None
    events: tuple[Event, ...]
    before: Any
    after: Any


class Played(Value, frozen=True):
    """A game from its deal to its end."""

    options: Value
    seats: int
    steps: tuple[Step, ...]

    def log(self, version: int, game: AnyGame, viewer: Viewer) -> tuple[Event, ...]:
        """Give the events of the first `version` entries as a viewer saw them."""
        return tuple(game.redact(event, viewer) for step in self.steps[:version] for event in step.events)


class CheckedChance:
    """A chance that minds its users' manners: shuffles in turn, cards in card order, each pick once."""

    def __init__(self, inner: Chance, order: dict[str, int], shuffles: int = 0) -> None:
        self._inner, self._order, self._next = inner, order, shuffles
        self._picked: set[str] = set()

    def shuffle(self, k: int, cards: Sequence[T]) -> tuple[T, ...]:
        """Shuffle, provided that it is shuffle number `k` of this table's turn and the cards are in card order."""
        expect(k == self._next, f"shuffle {k} was asked for where shuffle {self._next} is next")
        self._next += 1
        places = [self._order.get(str(card), -1) for card in cards]
        expect(places == sorted(places), f"shuffle {k} was given cards that are not in card order: {list(cards)}")
        return self._inner.shuffle(k, cards)

    def pick(self, purpose: str, below: int) -> int:
        """Pick, provided that nothing was picked for this purpose before."""
        expect(purpose not in self._picked, f"chance picks {purpose!r} a second time at one table")
        self._picked.add(purpose)
        return self._inner.pick(purpose, below)


Policy = Callable[[AnyGame, Seen, random.Random], Command]


def at_random(game: AnyGame, seen: Seen, rng: random.Random) -> Command:  # noqa: ARG001 - every policy has this shape
    """Choose any command."""
    return rng.choice(seen.commands)


def by_rate(game: AnyGame, seen: Seen, rng: random.Random) -> Command:  # noqa: ARG001 - every policy has this shape
    """Choose the command that the game's heuristic rates highest."""
    rates = game.rate(seen)
    return seen.commands[max(range(len(rates)), key=rates.__getitem__)]


def seen_by(game: AnyGame, state: Any, options: Value, seats: int, seat: Seat, log: Sequence[Event]) -> Seen:
    """Give what a bot in this seat would be given; `log` as the seat saw it."""
    view = game.view(state, seat, over=False, shown=False)
    return Seen(options=options, seats=seats, seat=seat, view=view, commands=game.legal(state, seat), log=tuple(log))


def card_order(game: AnyGame, options: Value) -> dict[str, int]:
    """Give the place of each card in card order."""
    return {facts.card: place for place, facts in enumerate(game.cards(options))}


def play(
    case: Case,
    options: Value,
    seats: int,
    chance: Chance,
    policies: Sequence[Policy],
    rng: random.Random,
    *,
    watch: Callable[[Any], None] = lambda _state: None,
) -> Played:
    """Play one game to its end; raises `AssertionError` where it doesn't end or misbehaves on the way.

    `watch` is given each state that an entry leads to, to raise at once where a law is broken.
    """
    game = case.game
    checked = CheckedChance(chance, card_order(game, options))
    state: Any = game.initial(options, seats)
    logs: list[list[Event]] = [[] for _ in range(seats)]
    steps: list[Step] = []

    def happened(seat: Seat | None, command: Command | None, events: tuple[Event, ...]) -> None:
        nonlocal state
        expect(
            isinstance(events, tuple), f"{command or 'the deal'} gave {type(events).__name__}, not a tuple of events"
        )
        expect(events, f"{command or 'the deal'} caused nothing: an accepted command has at least one event")
        before = state
        for event in events:
            state = game.evolve(state, event)
            for viewer, log in enumerate(logs):
                log.append(game.redact(event, Seat(viewer)))
        steps.append(Step(seat=seat, command=command, events=events, before=before, after=state))
        watch(state)

    happened(None, None, game.deal(state, checked))
    while to_act := game.to_act(state):
        expect(len(steps) < MANY, f"the game has not ended after {MANY} decisions")
        seat = rng.choice(to_act)
        seen = seen_by(game, state, options, seats, seat, logs[seat] if policies[seat] is not at_random else ())
        expect(seen.commands, f"seat {seat} must act and has no command")
        command = policies[seat](game, seen, rng)
        try:
            events = game.decide(state, seat, command, checked)
        except Refusal as refusal:
            raise AssertionError(f"{command} is listed for seat {seat} and was refused: {refusal.message}") from refusal
        happened(seat, command, events)
    return Played(options=options, seats=seats, steps=tuple(steps))
