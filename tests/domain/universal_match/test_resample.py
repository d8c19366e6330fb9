"""Imagined worlds agree with all that a seat saw, and each is as likely as any other."""

import math
import random
from collections import Counter
from itertools import combinations
from typing import cast

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import RandomChance
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.cards import CARDS, in_order
from domain.games.universal_match.commands import Discard, DrawCard, SwitchBoards, SwitchHand, SwitchOwn, TakeMatch
from domain.games.universal_match.events import OfferAnswered, Taking
from domain.games.universal_match.knowledge import Knowledge
from domain.games.universal_match.matches import takings
from domain.games.universal_match.options import Options
from domain.games.universal_match.resample import imagine
from domain.games.universal_match.state import Offer
from domain.values import Seat
from tests.domain.universal_match.build import Stacked, cards, fold, on_offer, position

B = Options(advanced_b=True)
UNKNOWN = cast("Taking | None", UNSET)
"""An answer that the seat may not know; no state of the rules has one, only the knowledge of a seat."""
DEAL = "1E 1J 3M 2J 5S 4M 7V 6E 2V MJ SM GN"
"""For two seats, dealer 0: seat 1 gets 1E 3M 5S 7V 2V SM, seat 0 gets 1J 2J 4M 6E MJ GN."""


class Story:
    """A table with the log as one seat saw it."""

    def __init__(self, seats, seat, options=None, chance=None):
        self.options = options or Options()
        self.seats, self.seat = seats, Seat(seat)
        self.chance = chance or Stacked(first=DEAL)
        self.state = GAME.initial(self.options, seats)
        self.log = []
        self.happened(GAME.deal(self.state, self.chance))

    def happened(self, events):
        self.state = fold(self.state, events)
        self.log += [GAME.redact(event, self.seat) for event in events]

    def do(self, seat, command):
        self.happened(GAME.decide(self.state, Seat(seat), command, self.chance))

    def start(self):
        for seat in range(self.seats):
            self.do(seat, GAME.default_move(self.state, Seat(seat)))
        return self

    def worlds(self, count, seed=1):
        rng = random.Random(seed)
        log = tuple(self.log)
        return [GAME.resample(self.options, self.seats, self.seat, log, rng) for _ in range(count)]


def is_even(counts, worlds, draws):
    """Tell whether draws fall evenly on worlds: chi squared within five standard deviations of what it should be."""
    expected = draws / worlds
    chi = sum((n - expected) ** 2 / expected for n in counts.values()) + (worlds - len(counts)) * expected
    return abs(chi - (worlds - 1)) < 5 * math.sqrt(2 * (worlds - 1))


def test_before_anything_has_happened_the_world_is_the_first_state():
    assert GAME.initial(B, 3) == GAME.resample(B, 3, Seat(1), (), random.Random(1))


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("options", [Options(), Options(advanced_a=True, advanced_b=True)], ids=["basic", "a and b"])
def test_what_a_seat_sees_is_the_same_in_every_world(seats, options):
    rng = random.Random(seats)
    story = Story(seats, seats - 1, options, RandomChance(rng))
    for _ in range(250):
        to_act = GAME.to_act(story.state)
        if not to_act:
            break
        seat = rng.choice(to_act)
        story.do(seat, rng.choice(GAME.legal(story.state, seat)))
        if rng.random() < 0.8:
            continue
        seen = GAME.view(story.state, story.seat, over=False, shown=False)
        for world in story.worlds(3, seed=len(story.log)):
            assert seen == GAME.view(world, story.seat, over=False, shown=False)
            assert GAME.legal(story.state, story.seat) == GAME.legal(world, story.seat)
            assert GAME.to_act(story.state) == GAME.to_act(world)
            zones = [*world.hands, *world.boards, *world.chosen, world.stock, world.discard]
            zones += [match.cards for matches in world.matches for match in matches]
            assert sorted(CARDS) == sorted(card for zone in zones for card in zone)
            assert story.state.series == world.series
            for other in GAME.to_act(world):
                assert GAME.default_move(world, other) in GAME.legal(world, other)


def test_u48_a_card_taken_from_a_board_into_a_hand_is_known_to_be_there():
    story = Story(2, 0).start()
    story.do(1, SwitchHand(give="1E", take=story.state.boards[0][0], source=Seat(0)))
    taken = "GN"
    assert taken in story.state.hands[1]
    assert all(taken in world.hands[1] for world in story.worlds(50))


def test_u48_a_card_taken_from_the_discard_pile_into_a_hand_is_known_to_be_there():
    story = Story(2, 0).start()
    story.do(1, DrawCard())
    story.do(1, Discard(story.state.drawn))
    top = story.state.discard[-1]
    story.do(0, DrawCard())
    story.do(0, GAME.default_move(story.state, Seat(0)))
    second = story.state.discard[-1]
    story.do(1, SwitchHand(give="1E", take=second, source="discard"))
    assert all(second in world.hands[1] and top in world.discard for world in story.worlds(50))


def test_u48_a_card_returned_to_the_hand_by_option_3_is_known_to_be_there():
    story = Story(2, 0).start()
    story.do(1, SwitchOwn(give="1E", take="SM"))
    assert all("SM" in world.hands[1] for world in story.worlds(50))


def test_u48_a_known_card_is_forgotten_when_it_leaves_the_hand():
    story = Story(2, 0).start()
    story.do(1, SwitchOwn(give="1E", take="SM"))
    story.do(0, DrawCard())
    story.do(0, GAME.default_move(story.state, Seat(0)))
    story.do(1, SwitchOwn(give="SM", take="1E"))
    assert ("SM" in story.state.boards[1], "1E" in story.state.hands[1]) == (True, True)
    assert all("1E" in world.hands[1] and "SM" in world.boards[1] for world in story.worlds(50))


def test_a_known_card_is_not_the_one_just_drawn():
    story = Story(2, 0).start()
    story.do(1, SwitchOwn(give="1E", take="SM"))
    story.do(0, DrawCard())
    story.do(0, GAME.default_move(story.state, Seat(0)))
    story.do(1, DrawCard())
    worlds = story.worlds(300)
    assert all(world.drawn in world.hands[1] and world.drawn != "SM" for world in worlds)
    places = Counter([card for card in world.hands[1] if card != "SM"].index(world.drawn) for world in worlds)
    assert is_even(places, 3, 300)


def test_cards_of_boards_switched_stay_where_everybody_saw_them():
    story = Story(2, 0).start()
    give, take = story.state.boards[1][0], story.state.boards[0][0]
    story.do(1, SwitchBoards(give=give, take=take, source=Seat(0)))
    assert all(story.state.boards == world.boards and story.state.banned == world.banned for world in story.worlds(20))


def test_a_choice_that_lies_face_down_is_imagined():
    story = Story(2, 0)
    story.do(1, GAME.default_move(story.state, Seat(1)))
    worlds = story.worlds(200)
    assert all((3, 3) == (len(world.chosen[1]), len(world.hands[1])) for world in worlds)
    assert 150 < len({world.chosen[1] for world in worlds})
    assert all((0,) == GAME.to_act(world) for world in worlds)


def test_ones_own_hidden_choice_is_known():
    story = Story(2, 1)
    story.do(1, GAME.default_move(story.state, Seat(1)))
    assert {story.state.chosen[1]} == {world.chosen[1] for world in story.worlds(20)}


def knowledge(boards, hands, unseen, unknown, stock, options=None, offer=None):
    """Give what seat 0 knows where all cards but `unseen` lie open."""
    state = position(boards, options=options)
    hands = tuple(in_order(hand.split()) for hand in hands)
    shown = {card for zone in (*state.boards, *hands, unseen.split()) for card in zone}
    discard = tuple(card for card in CARDS if card not in shown)
    state = replace(state, hands=hands, stock=(), discard=discard, offer=offer)
    if offer is not None:
        state = replace(state, phase="offer")
    return Knowledge(state=state, unknown=unknown, stock=stock)


def test_every_world_is_as_likely_as_any_other():
    """Five cards unseen, three of them in a hand: 10 hands and 2 orders of the stock."""
    known = knowledge(["1E 3J 6M", "1J 7M GN"], ["2E 7E 7N", ""], "GE SE ME 7J 6E", (0, 3), 2)
    rng = random.Random(4)
    draws = 4000
    counts = Counter((world.hands[1], world.stock) for world in (imagine(known, rng) for _ in range(draws)))
    assert 20 == len(counts)
    assert is_even(counts, 20, draws)


def legal_answers(cards, held):
    ways = takings(cards, "one_of_each_value", restrained=False)
    return [None, *(Taking(give, take) for give, take in ways if give in held)]


def test_an_answer_that_others_have_given_is_imagined_among_what_they_could_answer():
    """Every world with every pair of answers that is legal in it is as likely as any other."""
    boards = ["7E 7J 7S", "1J 3M GN", "1M 3N GV", "1N 3V GS"]
    hands = ["2E 5E 6N", "", "", "5M 5S 5V"]
    unseen = "7M 7V 1V 2V 2S 4V 4S"
    asked = (Seat(1), Seat(2), Seat(3))
    answers = ((Seat(2), UNKNOWN), (Seat(1), UNKNOWN))
    offer = Offer(seat=Seat(0), cards=("7E", "7J", "7S"), asked=asked, answers=answers)
    known = knowledge(boards, hands, unseen, (0, 3, 3, 0), 1, B, offer)
    worlds = set()
    for first in combinations(in_order(cards(unseen)), 3):
        rest = [card for card in in_order(cards(unseen)) if card not in first]
        for second in combinations(rest, 3):
            for one in legal_answers(offer.cards, first):
                for two in legal_answers(offer.cards, second):
                    worlds.add((first, second, two, one))
    rng = random.Random(9)
    draws = 20 * len(worlds)
    counts: Counter[object] = Counter()
    for _ in range(draws):
        world = imagine(known, rng)
        (two, one) = (answer for _, answer in on_offer(world).answers)
        counts[world.hands[1], world.hands[2], two, one] += 1
    assert worlds == set(counts)
    assert is_even(counts, len(worlds), draws)


def test_an_answer_with_a_card_that_lies_open_needs_no_hidden_card():
    boards = ["7E 7J 7S", "7M 3M GN", "1M 3N GV"]
    offer = Offer(seat=Seat(0), cards=("7E", "7J", "7S"), asked=(Seat(1), Seat(2)), answers=((Seat(1), UNKNOWN),))
    known = knowledge(boards, ["2E 5E 6N", "", ""], "1V 2V 2S 4V 4S 6V 6S", (0, 3, 3), 1, B, offer)
    rng = random.Random(2)
    counts = Counter(on_offer(imagine(known, rng)).answers[0][1] for _ in range(3000))
    assert {None, Taking("7M", "7J"), Taking("7M", "7S")} == set(counts)
    assert is_even(counts, 3, 3000)


def test_ones_own_answer_is_known():
    chance = Stacked(first="")
    story = Story(3, 1, B, chance)
    state = position(["7E 7J 1M", "1J 3M GN", "1N 3E GV"], ["7S GE SE", "7M 2N 2S", "7V 2E 2V"], options=B)
    offer = GAME.decide(state, Seat(0), SwitchOwn(give="7S", take="1M"), chance)
    story.state = fold(state, offer)
    answered = GAME.decide(story.state, Seat(1), TakeMatch(give="7M", take="7J"), chance)
    assert OfferAnswered(seat=Seat(1), answer=Taking("7M", "7J")) == GAME.redact(answered[0], Seat(1))
    known = Knowledge(state=fold(replace(story.state, stock=()), answered), unknown=(0, 0, 0), stock=0)
    known = replace(known, state=replace(known.state, hands=((), known.state.hands[1], ())), unknown=(3, 0, 3))
    known = replace(known, state=replace(known.state, discard=tuple(story.state.stock)))
    for seed in range(20):
        assert ((Seat(1), Taking("7M", "7J")),) == on_offer(imagine(known, random.Random(seed))).answers


def test_the_same_log_and_the_same_chance_give_the_same_world():
    story = Story(2, 0).start()
    assert story.worlds(5, seed=3) == story.worlds(5, seed=3)
    log = list(story.log)
    rng = random.Random(3)
    assert story.worlds(5, seed=3) == [GAME.resample(story.options, 2, story.seat, log, rng) for _ in range(5)]
