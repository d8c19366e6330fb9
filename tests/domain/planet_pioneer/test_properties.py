"""Laws over any play: commands of every kind in any order, legal or not."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.chance import RandomChance, chosen_secret
from domain.errors import Refusal
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.commands import (
    Attack,
    Build,
    Cap,
    Discard,
    PlanetPioneerCommand,
    Strike,
    Visit,
)
from domain.games.planet_pioneer.events import CardsDealt, PlanetPioneerEvent
from domain.games.planet_pioneer.grid import CELLS, Cell
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.state import State
from domain.testing import check_cards
from domain.values import PUBLIC, Seat
from tests.domain.planet_pioneer.case import CASE

OPTIONS = [options for options in CASE.options if isinstance(options, Options)]
CHANCE = chosen_secret("trial").chance("", [])
RULINGS = {f"P{number}" for number in range(1, 58)}

seats = st.sampled_from(PLANET_PIONEER.seats)
cells = st.sampled_from(CELLS)


wishes = st.tuples(
    st.sampled_from(["listed", "listed", "build", "visit", "attack", "strike", "cap", "discard"]),
    st.integers(0, 10**4),
    cells,
)


def command_of(state: State, wish: tuple[str, int, Cell]) -> PlanetPioneerCommand:
    """Give a command that the table's schema accepts, legal or not; some are listed."""
    kind, number, cell = wish
    listed = PLANET_PIONEER.legal(state, state.turn) if state.turn is not None else ()
    names = [*state.hands[state.turn or 0], *state.setup.deck.level]
    card, opponent = names[number % len(names)], Seat(number % state.setup.seats)
    match kind:
        case "build":
            return Build(card, cell)
        case "visit":
            return Visit(cell)
        case "attack":
            return Attack(opponent, cell)
        case "strike":
            return Strike(opponent, cell)
        case "cap":
            return Cap(cell)
        case "discard":
            return Discard(card)
        case _:
            return listed[number % len(listed)]


def folded(state: State, events: tuple[PlanetPioneerEvent, ...]) -> State:
    for event in events:
        state = PLANET_PIONEER.evolve(state, event)
    return state


def answered(state: State, seat: Seat, command: PlanetPioneerCommand) -> tuple[PlanetPioneerEvent, ...] | Refusal:
    try:
        return PLANET_PIONEER.decide(state, seat, command, CHANCE)
    except Refusal as refusal:
        return refusal


def played(options: Options, count: int, seed: int, decisions: int) -> State:
    """Give the state after so many decisions by chance, or that before the last one."""
    rng = random.Random(seed)
    state = PLANET_PIONEER.initial(options, count)
    state = folded(state, PLANET_PIONEER.deal(state, RandomChance(rng)))
    for _ in range(decisions):
        assert state.turn is not None
        command = rng.choice(PLANET_PIONEER.legal(state, state.turn))
        after = folded(state, PLANET_PIONEER.decide(state, state.turn, command, RandomChance(rng)))
        if after.turn is None:
            break
        state = after
    return state


@settings(max_examples=200, deadline=None)
@given(
    seats,
    st.sampled_from(OPTIONS),
    st.integers(0, 10**6),
    st.integers(0, 100),
    st.lists(st.tuples(st.integers(0, 3), wishes), min_size=1, max_size=12),
)
def test_a_refused_command_changes_nothing_and_names_its_ruling(count, options, seed, decisions, wished):
    state = played(options, count, seed, decisions)
    for number, wish in wished:
        if state.turn is None:
            break
        seat = state.turn if number == 3 else Seat(number % count)
        command = command_of(state, wish)
        assert {} == PLANET_PIONEER.check_command(options, count, command)
        listed = command in PLANET_PIONEER.legal(state, seat)
        before = repr(state)
        answer = answered(state, seat, command)
        assert before == repr(state)
        if isinstance(answer, Refusal):
            assert not listed
            assert answer.message
            if seat == state.turn:
                assert "illegal_command" == answer.code
                assert answer.ruling in RULINGS
            else:
                assert "not_your_turn" == answer.code
        else:
            assert listed
            state = folded(state, answer)
            check_cards(CASE, options, state)


@settings(max_examples=40, deadline=None)
@given(seats, st.sampled_from(OPTIONS), st.integers(0, 10**6), st.sampled_from(["any", "discard", "draw_heavy"]))
def test_every_play_ends_and_keeps_its_cards_and_counts(count, options, seed, policy):
    rng, chance = random.Random(seed), RandomChance(random.Random(seed))
    state = PLANET_PIONEER.initial(options, count)
    state = folded(state, PLANET_PIONEER.deal(state, chance))
    total = len(state.setup.deck.cards)
    covered = [1] * count
    while (turn := state.turn) is not None:
        commands = PLANET_PIONEER.legal(state, turn)
        if policy == "discard":
            commands = tuple(command for command in commands if isinstance(command, Discard)) or commands
        elif policy == "draw_heavy" and rng.random() < 0.8:
            commands = tuple(one for one in commands if isinstance(one, Visit | Discard)) or commands
        state = folded(state, PLANET_PIONEER.decide(state, turn, rng.choice(commands), chance))
        view = PLANET_PIONEER.view(state, PUBLIC, over=False, shown=False)
        laid = sum(len(cell.cards) for seat in view.seats for cell in seat.colony) - count
        assert total == sum(seat.hand_count for seat in view.seats) + laid + view.draw_count + view.discard_count
        assert all(seat.colony_level == sum(cell.level for cell in seat.colony) for seat in view.seats)
        assert all(seat.covered == len(seat.colony) for seat in view.seats)
        assert all(now.covered >= before for now, before in zip(view.seats, covered, strict=True))
        covered = [seat.covered for seat in view.seats]
        assert 60 >= view.round
        assert 13 >= view.lap
        assert view.lap == 1 or view.round == 1
    verdict = PLANET_PIONEER.outcome(state)
    assert verdict is not None
    assert verdict.reason in {"grid_full", "cap_stall", "cap_rounds"}
    assert (verdict.reason == "grid_full") == (20 in covered)


@settings(max_examples=30, deadline=None)
@given(seats, st.text(min_size=1, max_size=64))
def test_the_same_seed_gives_the_same_deal(count, seed):
    state = PLANET_PIONEER.initial(Options(), count)
    one, other = (PLANET_PIONEER.deal(state, chosen_secret(seed).chance("", [])) for _ in range(2))

    assert one == other
    assert isinstance(one[0], CardsDealt)
