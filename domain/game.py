"""What a game is: one frozen record of plain functions and facts that reads like the back of its box.

A game is a decider (`initial`, `decide`, `evolve`) and what a table, a client and a bot need besides.
It has no base class and registers nothing; `domain/games/__init__.py` lists the games.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from domain.chance import Chance
from domain.luck import Luck
from domain.values import Command, Event, Seat, Value, Viewer

S = TypeVar("S", bound=Value)
O = TypeVar("O", bound=Value)  # noqa: E741 - O as in options
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=Value)


class Verdict(Value, frozen=True):
    """How a game ended: `scores` by seat, `ranks` by seat (greater is better, equal shares), and the reason."""

    scores: tuple[int, ...]
    ranks: tuple[tuple[int, ...], ...]
    reason: str


class CardFacts(Value, frozen=True):
    """One kind of card in the catalogue: its name, how a client shows it, and how many there are.

    `facts` are what the rules use of it (suit, number, level, kind …), all JSON scalars.
    """

    card: str
    title: str
    copies: int
    facts: Mapping[str, str | int]


class Seen(Value, frozen=True):
    """What a bot is given to choose: exactly what a person in its seat has, never the state.

    `log` holds the game's events (no table events) as this seat saw them, in order.
    """

    options: Value
    seats: int
    seat: Seat
    view: Value
    commands: tuple[Command, ...]
    log: tuple[Event, ...]


class Imagined(Protocol):
    """A table that a search plays on at: a state that changes, made for one simulation and thrown away."""

    def play(self, seat: Seat, command: Command) -> None:
        """Carry out a legal command."""
        ...

    def play_on(self, turns: int) -> None:
        """Let the seats that must decide do what looks good, for about so many turns or to the end of the game.

        It stops where a standing can be judged, after as many turns whatever was played before.
        """
        ...

    def values(self) -> Sequence[float]:
        """Judge the standing: by seat, more is better."""
        ...

    def copy(self) -> "Imagined":
        """Give one that stands the same and meets the same chance, and changes by itself."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[S, O, C, E, V]):
    """The rules of one game.

    Laws (`domain/testing.py`): `legal` and `decide` agree both ways; a random game ends; fold equals state;
    `view` and `redact` tell a seat nothing that it may not know; no card is lost or doubled.
    """

    name: str
    """As in the contract: `beam-me-up`."""
    title: str
    rules_version: int
    """Raised when the game's behaviour changes, not when its code does."""
    seats: tuple[int, ...]
    """The numbers of seats it can be played with."""
    options: type[O]
    """A frozen struct; every field has its default and an annotation `Meta` that says its ruling."""
    commands: Any
    """The union of its command types, tagged by `type`."""
    events: Any
    """The union of its event types, tagged by `type`."""
    views: Any
    """The type of its view."""
    check_options: Callable[[O, int], Mapping[str, str]]
    """What is wrong with well-typed options at a table of so many seats: field (dotted, indexed) to reason."""
    check_command: Callable[[O, int, C], Mapping[str, str]]
    """What can't be right about a well-typed command at such a table (a card that the game has not, a seat or
    a cell that is not there): field to reason. Depends on nothing that happens at the table."""
    initial: Callable[[O, int], S]
    """The state before the deal."""
    deal: Callable[[S, Chance], tuple[E, ...]]
    """The events that begin the play."""
    decide: Callable[[S, Seat, C, Chance], tuple[E, ...]]
    """The events that a seat's command causes; raises `Refusal` and then nothing has happened."""
    evolve: Callable[[S, E], S]
    """Apply what happened: no rule, no chance, no refusal."""
    to_act: Callable[[S], tuple[Seat, ...]]
    """The seats that must decide now, ascending; empty exactly when `outcome` is there."""
    legal: Callable[[S, Seat], tuple[C, ...]]
    """All commands of this seat that `decide` accepts now, in an order that shows no hidden thing."""
    outcome: Callable[[S], Verdict | None]
    verdict: Callable[[S], Verdict]
    """The standing as if the game were broken off here (for an end by resignation; its reason is unused)."""
    view: Callable[..., V]
    """`view(state, viewer, *, over, shown)`: what this viewer may see. `over`: the table has ended (also by
    resignation): phase `over`, nobody to act. `shown`: all hands are laid open to every viewer."""
    redact: Callable[[E, Viewer], E]
    """The event as this viewer may see it in the log, for ever."""
    hands: Callable[[S], tuple[tuple[str, ...] | None, ...]]
    """All hands by seat, sorted as in views, for the last entry."""
    summary: Callable[[E], str]
    """A (redacted) event in words: a short sentence without a full stop, `""` where it goes without saying. It
    names a seat as `{seat:N}`, which readers replace by a name."""
    cards: Callable[[O], tuple[CardFacts, ...]]
    """Every kind of card, in card order."""
    default_move: Callable[[S, Seat], C]
    """The move on a clock's expiry; depends only on what the seat may know."""
    resample: Callable[[O, int, Seat, Sequence[E], random.Random], S]
    """A state drawn uniformly from those that agree with all that the seat saw (its own redacted log)."""
    rate: Callable[[Seen], Sequence[float]]
    """The heuristic: how good each of `seen.commands` is, higher is better; the greedy bot takes the best."""
    shrewd: Callable[[Seen], Sequence[float]] | None = None
    """A stronger heuristic than `rate`, where the game has one: the bot `expert` takes its best and searches no more."""
    evaluate: Callable[[S], Sequence[float]] | None = None
    """How good the standing is by seat, more is better, for searches that look a few moves ahead; what hands hold
    may count, since the state is an imagined one. Without it the verdict's scores are taken."""
    veils: Callable[[Seen], bool] = lambda _seen: False
    """Whether it is the seat's secret how much it may choose from now: then no bot takes longer for more of it."""
    imagine: Callable[[S, Luck], Imagined | None] = lambda _state, _luck: None
    """The state as one that changes, for searches: the same rules (`tests/domain/bots`), written for speed. Where it
    gives None searches use `decide` and `evolve`."""


AnyGame = Game[Any, Any, Any, Any, Any]
"""A game where it does not matter which one."""


__all__ = ["AnyGame", "CardFacts", "Game", "Imagined", "Seen", "Verdict", "Viewer"]
