"""States drawn uniformly from all that agree with what a seat saw: the worlds that a search looks into."""

import random
from collections.abc import Iterator, Sequence
from typing import cast

from msgspec import UNSET
from msgspec.structs import replace

from domain.games.universal_match.cards import CARDS, Card, Cards, in_order
from domain.games.universal_match.events import Taking, UniversalMatchEvent
from domain.games.universal_match.knowledge import Knowledge, know
from domain.games.universal_match.matches import takings
from domain.games.universal_match.options import Options
from domain.games.universal_match.state import Offer, State
from domain.values import Seat

Answers = tuple[tuple[Seat, Taking | None], ...]


def resample(options: Options, seats: int, seat: Seat, log: Sequence[UniversalMatchEvent], rng: random.Random) -> State:
    """Draw a state, each that agrees with the seat's own redacted log being as likely as any other."""
    return imagine(know(options, seats, seat, log), rng)


def imagine(known: Knowledge, rng: random.Random) -> State:
    """Put the cards that a seat has not seen into the places that it does not know, at random."""
    state = known.state
    unseen = _unseen(state)
    reserved: dict[Card, Seat] = {}
    offer = state.offer
    if offer is not None and any(cast("object", answer) is UNSET for _, answer in offer.answers):
        answers, reserved = _answers(known, offer, unseen, rng)
        offer = replace(offer, answers=answers)
        unseen = [card for card in unseen if card not in reserved]
    hidden = iter(sorted(unseen, key=lambda _: rng.random()))
    hands = tuple(_filled(Seat(i), hand, known.unknown[i], reserved, hidden) for i, hand in enumerate(state.hands))
    chosen = list(state.chosen)
    for other in known.laid:
        chosen[other] = _take(hidden, 3)
    drawn = state.drawn
    if known.blind and state.turn is not None:
        turn = state.turn
        drawn = rng.choice([card for card in hands[turn] if card not in state.hands[turn]])
    return replace(state, hands=hands, chosen=tuple(chosen), stock=_take(hidden, known.stock), offer=offer, drawn=drawn)


def _unseen(state: State) -> list[Card]:
    """List the cards that lie in no place that the seat knows, in card order."""
    seen = {*state.discard}
    seen.update(*state.hands, *state.boards, *state.chosen)
    for matches in state.matches:
        for match in matches:
            seen.update(match.cards)
    return [card for card in CARDS if card not in seen]


def _take(hidden: Iterator[Card], count: int) -> Cards:
    return tuple([next(hidden) for _ in range(count)])


def _filled(seat: Seat, hand: Cards, unknown: int, reserved: dict[Card, Seat], hidden: Iterator[Card]) -> Cards:
    if unknown == 0:
        return hand
    kept = tuple(card for card, owner in reserved.items() if owner == seat)
    return in_order((*hand, *kept, *_take(hidden, unknown - len(kept))))


def _answers(
    known: Knowledge, offer: Offer, unseen: Sequence[Card], rng: random.Random
) -> tuple[Answers, dict[Card, Seat]]:
    """Draw the answers that others have given, and the unseen cards that they rest on, by owner.

    An answer is as likely as it has worlds in which it is legal: to decline, or to put in a card that lies open
    or is known to be held, fits all; to put in a card that nobody has seen fits those in which this seat holds it.
    Seats are drawn apart, and the draw is repeated while two would hold one card; as the chance of a card's being
    in a hand grows a little with each card placed elsewhere, a draw with fewer such cards is repeated a little
    more often.
    """
    options = known.state.series.options
    ways = takings(offer.cards, options.perfect_match, restrained=options.advanced_a)
    count = len(unseen)
    lots = [_lot(known, seat, answer, ways, unseen) for seat, answer in offer.answers]
    most = min(len(lots), len({give for give, _ in ways if give in unseen}))
    while True:
        drawn = [rng.choices(answers, weights)[0] for answers, weights in lots]
        placed = [
            (answer.give, seat)
            for (seat, _), answer in zip(offer.answers, drawn, strict=True)
            if answer is not None and answer.give in unseen
        ]
        reserved = dict(placed)
        if len(reserved) < len(placed):
            continue
        if rng.random() * _growth(count, most) <= _growth(count, len(placed)):
            answers = tuple((seat, answer) for (seat, _), answer in zip(offer.answers, drawn, strict=True))
            return answers, reserved


def _growth(count: int, placed: int) -> float:
    """How much likelier `placed` cards of `count` lie in given hands than if each were placed by itself."""
    growth = 1.0
    for i in range(placed):
        growth *= count / (count - i)
    return growth


def _lot(
    known: Knowledge,
    seat: Seat,
    answer: Taking | None,
    ways: Sequence[tuple[Card, Card]],
    unseen: Sequence[Card],
) -> tuple[list[Taking | None], list[float]]:
    """List what a seat may have answered, with weights; its answer alone where that is known."""
    if cast("object", answer) is not UNSET:
        return [answer], [1.0]
    held = (*known.state.hands[seat], *known.state.boards[seat])
    answers: list[Taking | None] = [None]
    weights = [1.0]
    for give, take in ways:
        weight = 1.0 if give in held else known.unknown[seat] / len(unseen) if give in unseen else 0.0
        if weight:
            answers.append(Taking(give=give, take=take))
            weights.append(weight)
    return answers, weights
