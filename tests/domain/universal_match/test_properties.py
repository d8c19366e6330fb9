"""Laws of the game over drawn sequences of commands, illegal ones among them."""

import random
from itertools import permutations

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.chance import RandomChance
from domain.errors import Refusal
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.cards import CARDS
from domain.games.universal_match.commands import (
    ChooseBoard,
    DeclineMatch,
    Discard,
    DrawCard,
    SwitchBoards,
    SwitchHand,
    SwitchOwn,
    TakeMatch,
)
from domain.games.universal_match.options import Options
from domain.values import ALL, PUBLIC, Seat
from tests.domain.universal_match.build import ended, fold, trio

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LEGAL = 5
"""Of six steps five or so are legal moves, so that the games get somewhere."""

cards = st.sampled_from(CARDS)
sources = st.one_of(st.integers(0, 5).map(Seat), st.just("discard"))
commands = st.one_of(
    st.just(DrawCard()),
    st.just(DeclineMatch()),
    st.builds(Discard, cards),
    st.builds(SwitchOwn, cards, cards),
    st.builds(SwitchBoards, cards, cards, sources),
    st.builds(SwitchHand, cards, cards, sources),
    st.builds(TakeMatch, cards, cards),
    st.lists(cards, min_size=3, max_size=3, unique=True).map(lambda three: ChooseBoard(trio(three))),
)
option_sets = st.builds(
    Options,
    advanced_a=st.booleans(),
    advanced_b=st.booleans(),
    perfect_match=st.just("one_of_each_value"),
    target=st.sampled_from([100, 50, "one_hand"]),
)


def all_cards(state):
    zones = [*state.hands, *state.boards, *state.chosen, state.stock, state.discard]
    zones += [match.cards for matches in state.matches for match in matches]
    return sorted(card for zone in zones for card in zone)


def is_listed(command, listed):
    """Tell whether a command is listed; a board may be named in any order of its cards."""
    if isinstance(command, ChooseBoard):
        return any(ChooseBoard(trio(order)) in listed for order in permutations(command.cards))
    return command in listed


def attempt(state, seat, command, chance):
    try:
        return GAME.decide(state, seat, command, chance), None
    except Refusal as refused:
        return (), refused


RULINGS = ("U8", "U14", "U17", "U20", "U22", "U23", "U32", "U34", "U35", "U36", "U38", "U43", "U47")


@QUICK
@given(st.integers(2, 6), option_sets, st.integers(0, 2**32), st.data())
def test_whatever_is_tried_the_table_stays_sound(seats, options, seed, data):
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = GAME.initial(options, seats)
    state = fold(state, GAME.deal(state, chance))
    for _ in range(40):
        to_act = GAME.to_act(state)
        if not to_act:
            break
        if rng.randrange(LEGAL + 1):
            seat = rng.choice(to_act)
            command = rng.choice(GAME.legal(state, seat))
        else:
            seat = Seat(rng.randrange(seats))
            command = data.draw(commands)
        if GAME.check_command(options, seats, command):
            continue
        listed = GAME.legal(state, seat)
        before = state
        events, refused = attempt(state, seat, command, chance)
        if refused is not None:
            assert not is_listed(command, listed)
            assert before == state
            assert (refused.code == "illegal_command") == (refused.ruling is not None)
            assert (refused.code == "not_your_turn") <= (seat not in to_act)
            assert refused.ruling is None or refused.ruling in RULINGS
            continue
        assert is_listed(command, listed)
        assert events
        state = fold(state, events)
        assert sorted(CARDS) == all_cards(state)
        assert is_listed(GAME.default_move(before, seat), listed)


@QUICK
@given(st.integers(2, 6), option_sets, st.integers(0, 2**32))
def test_what_is_listed_shows_no_hidden_thing(seats, options, seed):
    """Two tables that look alike to a seat list the same commands for it, in the same order."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = GAME.initial(options, seats)
    me = Seat(rng.randrange(seats))
    log = []
    events = GAME.deal(state, chance)
    for _ in range(rng.randrange(1, 80)):
        state = fold(state, events)
        log += [GAME.redact(event, me) for event in events]
        to_act = GAME.to_act(state)
        if not to_act:
            return
        seat = rng.choice(to_act)
        events = GAME.decide(state, seat, rng.choice(GAME.legal(state, seat)), chance)
    other = GAME.resample(options, seats, me, tuple(log), rng)
    assert GAME.legal(state, me) == GAME.legal(other, me)
    assert GAME.to_act(state) == GAME.to_act(other)
    assert GAME.view(state, me, over=False, shown=False) == GAME.view(other, me, over=False, shown=False)
    assert GAME.view(state, PUBLIC, over=False, shown=False) == GAME.view(other, PUBLIC, over=False, shown=False)
    assert sorted(CARDS) == all_cards(other)


@settings(QUICK, max_examples=15)
@given(st.integers(2, 6), option_sets, st.integers(0, 2**32))
def test_players_who_only_draw_empty_the_stock_and_the_game_ends(seats, options, seed):
    """The deck's end with nobody switching: 60 - 6n draws a hand, ready matches collected on the way."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = GAME.initial(options, seats)
    state = fold(state, GAME.deal(state, chance))
    decisions = 0
    while to_act := GAME.to_act(state):
        events = GAME.decide(state, to_act[0], GAME.default_move(state, to_act[0]), chance)
        state = fold(state, events)
        assert sorted(CARDS) == all_cards(state)
        decisions += 1
    assert decisions <= 50 * (seats + 2 * (60 - 6 * seats) + seats * 20)
    assert ended(state).reason in ("one_hand", "target_reached", "cap_hands")


@settings(QUICK, max_examples=25)
@given(st.integers(2, 6), option_sets, st.integers(0, 2**32))
def test_players_who_never_draw_by_choice_come_to_an_end_too(seats, options, seed):
    """U23: however they toggle, a hand ends after at most 3n + 1 turns for each card of the stock."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = GAME.initial(Options(**{**_fields(options), "target": "one_hand"}), seats)
    state = fold(state, GAME.deal(state, chance))
    turns = 0
    while to_act := GAME.to_act(state):
        listed = GAME.legal(state, to_act[0])
        stay = [command for command in listed if isinstance(command, SwitchOwn)] or listed
        turns += state.phase == "turn"
        state = fold(state, GAME.decide(state, to_act[0], stay[0], chance))
    assert turns <= (3 * seats + 1) * (60 - 6 * seats)


def _fields(options):
    return {name: getattr(options, name) for name in options.__struct_fields__}


@QUICK
@given(st.integers(2, 6), option_sets, st.integers(0, 2**32))
def test_the_log_as_all_see_it_folds_to_the_state_and_survives_json(seats, options, seed):
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = GAME.initial(options, seats)
    log = list(GAME.deal(state, chance))
    state = fold(state, log)
    for _ in range(60):
        to_act = GAME.to_act(state)
        if not to_act:
            break
        seat = rng.choice(to_act)
        events = GAME.decide(state, seat, rng.choice(GAME.legal(state, seat)), chance)
        state = fold(state, events)
        log += events
    told = [GAME.redact(event, ALL) for event in log]
    again = msgspec.json.decode(msgspec.json.encode(told), type=list.__class_getitem__(GAME.events))
    assert log == again
    assert state == fold(GAME.initial(options, seats), again)
