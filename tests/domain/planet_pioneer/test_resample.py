"""Other worlds: they agree with what the seat saw, and each is as likely as the shuffles make it."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

import pytest

from domain.chance import RandomChance
from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer import PLANET_PIONEER, paths
from domain.games.planet_pioneer.cards import DeckCard
from domain.games.planet_pioneer.deck import deck_of
from domain.games.planet_pioneer.events import (
    CardBuilt,
    CardDiscarded,
    CardsDealt,
    DealtHand,
    DealtPile,
    PlanetPioneerEvent,
    RoundBegan,
    TurnBegan,
)
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.resample import resample, worlds
from domain.games.planet_pioneer.state import State
from domain.testing import check_cards
from domain.values import Seat
from tests.domain.planet_pioneer.case import CASE
from tests.domain.planet_pioneer.scenes import A, B, C

SMALL = Options(
    deck=(
        DeckCard("oxygen", "structure", 1, 2),
        DeckCard("water", "structure", 2, 2),
        DeckCard("school", "structure", 4, 2),
        DeckCard("visit", "visit", 0, 1),
        DeckCard("raid", "attack", 0, 0),
        DeckCard("comet", "strike", 0, 0),
        DeckCard("lid", "cap", 1, 0),
    )
)
"""Too small to be played with, small enough to count all its arrangements: seven cards."""

Log = Sequence[PlanetPioneerEvent]
Hidden = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]
"""What a seat does not see: the other hands and the draw pile."""


def played(seats: int, options: Options, seed: int, decisions: int) -> tuple[State, list[list[PlanetPioneerEvent]]]:
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = PLANET_PIONEER.initial(options, seats)
    logs: list[list[PlanetPioneerEvent]] = [[] for _ in range(seats)]
    events = PLANET_PIONEER.deal(state, chance)
    for _ in range(decisions + 1):
        for event in events:
            state = PLANET_PIONEER.evolve(state, event)
            for seat, log in enumerate(logs):
                log.append(PLANET_PIONEER.redact(event, Seat(seat)))
        if state.turn is None:
            break
        events = PLANET_PIONEER.decide(state, state.turn, rng.choice(PLANET_PIONEER.legal(state, state.turn)), chance)
    return state, logs


def hidden(state: State, seat: Seat) -> Hidden:
    others = tuple(hand for owner, hand in enumerate(state.hands) if owner != seat)
    return others, state.stock.pile[state.stock.drawn :]


@pytest.mark.parametrize("options", CASE.options)
@pytest.mark.parametrize("seats", PLANET_PIONEER.seats)
def test_every_world_agrees_with_all_that_the_seat_saw(options, seats):
    for seed in range(6):
        state, logs = played(seats, options, seed, decisions=seed * 20)
        for number, log in enumerate(logs):
            seat = Seat(number)
            for chance in range(3):
                other = resample(options, seats, seat, log, random.Random(chance))
                check_cards(CASE, options, other)
                assert state.hands[seat] == other.hands[seat]
                assert (state.colonies, state.flow, state.turn) == (other.colonies, other.flow, other.turn)
                assert state.stock.discard == other.stock.discard
                assert state.stock.shuffles == other.stock.shuffles
                for viewer in (seat,):
                    assert PLANET_PIONEER.view(state, viewer) == PLANET_PIONEER.view(other, viewer)


def test_the_true_world_is_among_those_that_can_be_drawn():
    """Of a seat that is dealt two hands of few kinds, every arrangement comes up, the true one too."""
    found = Counter(hidden(resample(SMALL, 2, A, LOG_DEALT, random.Random(seed)), A) for seed in range(3000))

    assert set(all_worlds(LOG_DEALT)) == set(found)


def dealt(own: tuple[str, ...], other_count: int, pile_count: int) -> tuple[PlanetPioneerEvent, ...]:
    return (
        CardsDealt(0, A, (DealtHand(A, len(own), own), DealtHand(B, other_count)), DealtPile(pile_count)),
        RoundBegan(1, 1),
    )


LOG_DEALT = dealt(("oxygen",), 3, 3)
LOG_BOUND = (
    *LOG_DEALT,
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
    CardDiscarded(B, "school"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
)
"""B discarded in the first round, so the three cards that he kept are none that could be laid; the new one may be."""
LOG_BOUND_AND_LAID = (
    *LOG_BOUND,
    RoundBegan(2, 1),
    CardDiscarded(B, "water"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
)
LOG_RESHUFFLED = (
    *dealt(("oxygen", "water"), 3, 2),
    RoundBegan(6, 1),
    TurnBegan(A, extra=False, final=False),
    CardsDrawn(A, 1, ("school",)),
    CardDiscarded(A, "school"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
    CardDiscarded(B, "water"),
    TurnBegan(A, extra=False, final=False),
    PileReshuffled(1, 2),
    CardsDrawn(A, 1, ("school",)),
    CardDiscarded(A, "oxygen"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
)
"""Two cards went round: B now holds the water that he discarded himself, which A knows, since A drew the school."""
LOG_AMBIGUOUS = (
    *dealt(("oxygen",), 3, 3),
    RoundBegan(6, 1),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
    CardDiscarded(B, "school"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
    CardDiscarded(B, "water"),
    TurnBegan(A, extra=False, final=False),
    CardsDrawn(A, 1, ("visit",)),
    CardDiscarded(A, "oxygen"),
    TurnBegan(B, extra=False, final=False),
    PileReshuffled(1, 3),
    CardsDrawn(B, 1),
    CardDiscarded(B, "school"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
)
"""The school that B discards last may be the one that went round, or one that he held all the while."""
LOG_THREE = (
    CardsDealt(0, A, (DealtHand(A, 1, ("visit",)), DealtHand(B, 2), DealtHand(C, 1)), DealtPile(3)),
    RoundBegan(6, 1),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
    CardBuilt(B, "oxygen", (0, 1)),
    TurnBegan(C, extra=False, final=False),
    CardsDrawn(C, 1),
    CardDiscarded(C, "oxygen"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
    CardDiscarded(B, "school"),
    TurnBegan(C, extra=False, final=False),
    PileReshuffled(1, 2),
    CardsDrawn(C, 1),
    CardDiscarded(C, "school"),
    TurnBegan(B, extra=False, final=False),
    CardsDrawn(B, 1),
)


def all_worlds(log: Log, seat: Seat = A) -> Counter[Hidden]:
    """Count by brute force: every order of the deck and of each reshuffle, each card told from its copies.

    An arrangement counts once for each copy that the others could have meant by the names that they laid.
    """
    found: Counter[Hidden] = Counter()
    for order in permutations(deck_of(SMALL).cards):
        for hands, pile, weight in _follow(log, seat, order):
            others = tuple(tuple(sorted(hands[owner])) for owner in sorted(hands) if owner != seat)
            found[others, pile] += weight
    return found


def _follow(
    log: Log, seat: Seat, order: tuple[str, ...]
) -> Iterator[tuple[dict[Seat, list[str]], tuple[str, ...], int]]:
    ways: list[tuple[dict[Seat, list[str]], tuple[str, ...], int]] = [({}, order, 1)]
    discard: list[str] = []
    early = {"oxygen", "visit"}
    first_round = True
    for event in log:
        after = []
        for hands, pile, weight in ways:
            match event:
                case CardsDealt(hands=all_hands):
                    dealt_to, rest = {}, pile
                    for hand in all_hands:
                        dealt_to[hand.seat], rest = list(rest[: hand.count]), rest[hand.count :]
                    if sorted(dealt_to[seat]) == sorted(all_hands[seat].cards or ()):
                        after.append((dealt_to, rest, weight))
                case CardsDrawn(seat=owner, cards=cards):
                    if owner != seat or pile[:1] == cards:
                        after.append(({**hands, owner: [*hands[owner], *pile[:1]]}, pile[1:], weight))
                case CardBuilt(seat=owner, card=card) | CardDiscarded(seat=owner, card=card):
                    copies = hands[owner].count(card)
                    left = list(hands[owner])
                    if copies:
                        left.remove(card)
                    bound = owner != seat and first_round and isinstance(event, CardDiscarded)
                    if copies and not (bound and early.intersection(left)):
                        after.append(({**hands, owner: left}, pile, weight * (copies if owner != seat else 1)))
                case PileReshuffled():
                    after += [(hands, again, weight) for again in permutations(discard)]
                case _:
                    after.append((hands, pile, weight))
        if isinstance(event, RoundBegan):
            first_round = event.round == 1
        if isinstance(event, CardDiscarded):
            discard.append(event.card)
        if isinstance(event, PileReshuffled):
            discard = []
        ways = after
    yield from ways


@pytest.mark.parametrize(
    ("log", "seats"),
    [
        pytest.param(LOG_DEALT, 2, id="dealt"),
        pytest.param(LOG_BOUND, 2, id="bound"),
        pytest.param(LOG_BOUND_AND_LAID, 2, id="bound-and-laid"),
        pytest.param(LOG_RESHUFFLED, 2, id="reshuffled"),
        pytest.param(LOG_AMBIGUOUS, 2, id="ambiguous"),
        pytest.param(LOG_THREE, 3, id="three-seats"),
    ],
)
def test_each_world_is_as_likely_as_the_shuffles_make_it(log, seats):
    expected = all_worlds(log)
    total = expected.total()
    drawn_from = worlds(SMALL, seats, A, log)
    draws = 12_000
    rng = random.Random(1)
    found = Counter(hidden(drawn_from.draw(rng), A) for _ in range(draws))

    assert set(found) <= set(expected)
    chi2 = sum((found[one] - draws * ways / total) ** 2 / (draws * ways / total) for one, ways in expected.items())
    freedom = len(expected) - 1
    assert freedom + 5 * (2 * freedom) ** 0.5 + 5 > chi2


def test_p56_who_discards_in_the_first_round_holds_nothing_that_could_be_laid():
    for seed in range(300):
        other = resample(SMALL, 2, A, LOG_BOUND, random.Random(seed))
        assert 1 >= len([card for card in other.hands[B] if card in {"oxygen", "visit"}])


def test_what_went_round_and_was_not_drawn_by_oneself_is_known_to_be_with_the_other():
    for seed in range(50):
        assert "water" in resample(SMALL, 2, A, LOG_RESHUFFLED, random.Random(seed)).hands[B]


def test_the_same_log_and_chance_give_the_same_world_whether_asked_for_once_or_again():
    _, logs = played(3, Options(), 3, 40)
    log = tuple(logs[1])

    once = resample(Options(), 3, B, log, random.Random(5))
    assert once == resample(Options(), 3, B, log, random.Random(5))
    assert once == resample(Options(), 3, B, list(log), random.Random(5))


def test_a_log_that_no_deal_agrees_with_is_refused():
    impossible = (*LOG_DEALT, CardDiscarded(B, "oxygen"), CardDiscarded(B, "oxygen"))

    with pytest.raises(ValueError, match="No deal agrees"):
        resample(SMALL, 2, A, impossible, random.Random(1))


def test_of_very_many_ways_the_lightest_are_left_out(monkeypatch):
    possible = all_worlds(LOG_AMBIGUOUS)
    monkeypatch.setattr(paths, "MAX_PATHS", 1)
    for seed in range(20):
        other = resample(SMALL, 2, A, list(LOG_AMBIGUOUS), random.Random(seed))
        assert hidden(other, A) in possible


def test_a_redacted_event_can_not_be_applied():
    state = PLANET_PIONEER.initial(Options(), 2)

    with pytest.raises(TypeError, match="redacted"):
        PLANET_PIONEER.evolve(state, LOG_DEALT[0])
