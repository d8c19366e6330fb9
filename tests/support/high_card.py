"""A game of one card each, for tests that play thousands of tables: dealt hidden, shown in turn, the highest wins."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType, structs

from domain.chance import Chance
from domain.game import Game, Seen, Verdict
from domain.values import Command, Event, Seat, Value, Viewer, may_see

DECK = tuple(f"C{number:02}" for number in range(40))


class Options(Value, frozen=True):
    """None."""


class State(Value, frozen=True):
    """Cards by seat, and how many have been shown."""

    seats: int
    hands: tuple[str, ...] = ()
    shown: int = 0


class Dealt(Event, frozen=True, tag="high_card_dealt"):
    """Everybody has a card; `hands` by seat, None where it is another's."""

    shuffle: int
    hands: tuple[str | None, ...]


class Shown(Event, frozen=True, tag="high_card_shown"):
    """A seat laid its card open."""

    seat: Seat
    card: str


class Show(Command, frozen=True, tag="show"):
    """Lay one's card open."""


class View(Value, frozen=True):
    """Cards by seat, as far as they lie open."""

    cards: tuple[str | None, ...]
    hand: str | UnsetType = UNSET


def _deal(state: State, chance: Chance) -> tuple[Event, ...]:
    return (Dealt(0, chance.shuffle(0, DECK)[: state.seats]),)


def _decide(state: State, seat: Seat, _command: Show, _chance: Chance) -> tuple[Event, ...]:
    return (Shown(seat, state.hands[seat]),)


def _evolve(state: State, event: Any) -> State:
    if isinstance(event, Dealt):
        return structs.replace(state, hands=event.hands)
    return structs.replace(state, shown=state.shown + 1)


def _verdict(state: State) -> Verdict:
    scores = tuple(int(card[1:]) // 4 for card in state.hands)
    return Verdict(scores=scores, ranks=tuple((score,) for score in scores), reason="high_card")


def _view(state: State, viewer: Viewer, *, over: bool, shown: bool) -> View:
    cards = tuple(card if shown or i < state.shown else None for i, card in enumerate(state.hands))
    return View(cards, state.hands[viewer] if isinstance(viewer, int) else UNSET)


def _redact(event: Any, viewer: Viewer) -> Any:
    if isinstance(event, Dealt):
        cards = tuple(card if may_see(viewer, Seat(i)) else None for i, card in enumerate(event.hands))
        return structs.replace(event, hands=cards)
    return event


def _resample(_options: Options, seats: int, _seat: Seat, _log: Sequence[Event], rng: random.Random) -> State:
    return State(seats, tuple(rng.sample(DECK, seats)))


def _rate(seen: Seen) -> Sequence[float]:
    return [0.0] * len(seen.commands)


def _fine(_options: Options, _seats: int, _command: Show | None = None) -> Mapping[str, str]:
    return {}


HIGH_CARD: Game[State, Options, Show, Any, View] = Game(
    name="high-card",
    title="High Card",
    rules_version=1,
    seats=(2, 3, 4, 5, 6),
    options=Options,
    commands=Show,
    events=Dealt | Shown,
    views=View,
    check_options=_fine,
    check_command=_fine,
    initial=lambda _options, seats: State(seats),
    deal=_deal,
    decide=_decide,
    evolve=_evolve,
    to_act=lambda state: () if state.shown == state.seats else (Seat(state.shown),),
    legal=lambda state, seat: (Show(),) if seat == state.shown else (),
    outcome=lambda state: _verdict(state) if state.shown == state.seats else None,
    verdict=_verdict,
    view=_view,
    redact=_redact,
    hands=lambda state: tuple((card,) for card in state.hands),
    summary=lambda event: "A card is shown" if isinstance(event, Shown) else "The cards are dealt",
    cards=lambda _options: (),
    default_move=lambda _state, _seat: Show(),
    resample=_resample,
    rate=_rate,
)
