"""Other worlds for a bot: what it knows is kept, and what it can't know is drawn evenly."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from domain.chance import RandomChance
from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.cards import CARDS
from domain.games.beam_me_up.events import (
    CardsDealt,
    DealtHand,
    DealtPile,
    RacerLaunched,
    TrickCleared,
    TurnBegan,
)
from domain.games.beam_me_up.options import Options
from domain.games.events import CardsDrawn, PileReshuffled
from domain.values import Seat
from tests.domain.beam_me_up.scene import cards, deal, fold


def game(seats, seed, decisions, options=Options()):  # noqa: B008 - frozen
    """Play so many random decisions; gives the state and the whole log."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = BEAM_ME_UP.initial(options, seats)
    log = list(BEAM_ME_UP.deal(state, chance))
    state = fold(state, log)
    for _ in range(decisions):
        acting = BEAM_ME_UP.to_act(state)
        if not acting:
            break
        events = BEAM_ME_UP.decide(state, acting[0], rng.choice(BEAM_ME_UP.legal(state, acting[0])), chance)
        state = fold(state, events)
        log += events
    return state, log


def as_seen(log, seat):
    return tuple(BEAM_ME_UP.redact(event, Seat(seat)) for event in log)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_world_differs_from_the_true_one_in_hidden_cards_only(seats):
    differ = 0
    for seed in range(6):
        state, log = game(seats, seed, 40 * (1 + seed))
        for seat in range(seats):
            world = BEAM_ME_UP.resample(Options(), seats, Seat(seat), as_seen(log, seat), random.Random(seed))
            assert state == replace(world, hands=state.hands, draw=state.draw)
            assert state.hands[seat] == world.hands[seat]
            assert [len(hand) for hand in state.hands] == [len(hand) for hand in world.hands]
            hidden = [card for hand in world.hands for card in hand] + list(world.draw)
            assert sorted([card for hand in state.hands for card in hand] + list(state.draw)) == sorted(hidden)
            differ += state != world
    assert differ > 0


def test_what_a_seat_drew_from_a_reshuffled_pile_is_known_and_what_others_kept_from_before_is_not_in_it():
    """A hand that was not touched since a reshuffle can hold none of the cards that the reshuffle took in."""
    _, log = game(2, 5, 120)
    shuffles = [place for place, event in enumerate(log) if isinstance(event, PileReshuffled)]
    assert shuffles
    place = shuffles[0]
    before = fold(BEAM_ME_UP.initial(Options(), 2), log[: place + 1])
    taken_in = set(before.draw)
    for number in range(50):
        world = BEAM_ME_UP.resample(Options(), 2, Seat(0), as_seen(log[: place + 1], 0), random.Random(number))
        assert taken_in == set(world.draw)
        assert not taken_in & set(world.hands[1])


def few_hidden(*, reshuffled):
    """Seat 0 knows where all cards are but A1 and E1, in the hand of seat 1, and F1, F2, F3, that were shuffled.

    Seat 1 drew one of these three: from the dealt pile, or from the discards once that pile was empty.
    """
    own, three = cards("W1 W2 W3 W4"), cards("F1 F2 F3")
    open_cards = tuple(card for card in CARDS if card not in {*own, *three, *cards("A1 E1")})
    dealt = CardsDealt(
        shuffle=0,
        dealer=Seat(1),
        leader=Seat(0),
        hands=(DealtHand(Seat(0), 4, own), DealtHand(Seat(1), 2)),
        pile=DealtPile(0 if reshuffled else 3),
    )
    away = RacerLaunched(Seat(0), "mars", open_cards, "home")
    back = (TrickCleared(three, Seat(0)), PileReshuffled(1, 3)) if reshuffled else ()
    return (dealt, away, *back, CardsDrawn(Seat(1), 1))


def test_every_consistent_world_comes_equally_often():
    """Two seats, a real deal: 4 of the 51 cards that seat 0 has not seen are in the other hand."""
    state = deal(("A1 F7 F3 F5", "A2 W7 W9 W5"), pile="A11")
    events = (
        CardsDealt(
            shuffle=0,
            dealer=Seat(1),
            leader=Seat(0),
            hands=(DealtHand(Seat(0), 4, cards("A1 F3 F5 F7")), DealtHand(Seat(1), 4)),
            pile=DealtPile(48),
        ),
        TurnBegan(Seat(0), 1, 1),
        CardsDrawn(Seat(0), 1, ("A11",)),
    )
    rng = random.Random(7)
    worlds = 20_000
    in_hand = Counter[str]()
    next_card = Counter[str]()
    for _ in range(worlds):
        world = BEAM_ME_UP.resample(Options(), 2, Seat(0), events, rng)
        in_hand.update(world.hands[1])
        next_card[world.draw[0]] += 1
    unseen = [card for card in CARDS if card not in state.hands[0]]
    assert set(unseen) == set(in_hand) == set(next_card)
    assert chi_square([in_hand[card] for card in unseen]) < 100  # 50 degrees of freedom: 1 in 30,000 above 100
    assert chi_square([next_card[card] for card in unseen]) < 100


def worlds_of(log, number):
    rng = random.Random(3)
    counts = Counter[tuple[tuple[str, ...], tuple[str, ...]]]()
    for _ in range(number):
        world = BEAM_ME_UP.resample(Options(), 2, Seat(0), log, rng)
        counts[world.hands[1], world.draw] += 1
    return counts


def test_each_of_all_worlds_comes_equally_often():
    """Five unseen cards of one deal, three in the other hand: ten hands by two orders of the pile."""
    counts = worlds_of(few_hidden(reshuffled=False), 10_000)
    assert 20 == len(counts)
    assert chi_square(list(counts.values())) < 50  # 19 degrees of freedom: 1 in 7,000 above 50


def test_each_of_all_worlds_comes_equally_often_after_a_reshuffle():
    """The two cards from before the reshuffle are known to be in the hand: three cards drawn by two orders."""
    counts = worlds_of(few_hidden(reshuffled=True), 6_000)
    assert 6 == len(counts)
    assert all(set(cards("A1 E1")) < set(hand) for hand, _ in counts)
    assert chi_square(list(counts.values())) < 25  # 5 degrees of freedom: 1 in 7,000 above 25


def test_the_same_log_given_again_is_not_read_again_and_another_one_is():
    state, log = game(3, 1, 60)
    seen = as_seen(log, 0)
    one = BEAM_ME_UP.resample(Options(), 3, Seat(0), seen, random.Random(1))
    assert one == BEAM_ME_UP.resample(Options(), 3, Seat(0), seen, random.Random(1))
    assert one == BEAM_ME_UP.resample(Options(), 3, Seat(0), list(seen), random.Random(1))
    further = BEAM_ME_UP.decide(
        state, state.turn, BEAM_ME_UP.legal(state, state.turn)[0], RandomChance(random.Random(2))
    )
    later = BEAM_ME_UP.resample(Options(), 3, Seat(0), seen + as_seen(further, 0), random.Random(1))
    assert fold(state, further).trick == later.trick


def chi_square(counts):
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts)
