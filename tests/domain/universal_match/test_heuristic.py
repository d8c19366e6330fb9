"""The heuristic: it sees what is on the table, beats chance, and does not stall."""

import random

import pytest

from domain.chance import RandomChance
from domain.game import Seen
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.commands import DeclineMatch, SwitchOwn, TakeMatch, UniversalMatchCommand
from domain.games.universal_match.matches import kind_of
from domain.games.universal_match.options import Options
from domain.games.universal_match.state import State
from domain.values import Seat
from tests.domain.universal_match.build import dealt, do, fold, legal, position, run


def best(state: State, seat: int) -> UniversalMatchCommand:
    commands = legal(state, seat)
    view = GAME.view(state, Seat(seat), over=False, shown=False)
    options, seats = state.series.options, state.series.seats
    rates = GAME.rate(Seen(options=options, seats=seats, seat=Seat(seat), view=view, commands=commands, log=()))
    assert len(commands) == len(rates)
    return commands[rates.index(max(rates))]


def play(seats, greedy, options, seed):
    """Play a game in which these seats are greedy and the others random; give the last state and the decisions."""
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = dealt(seats, options, chance)
    decisions = forced = 0
    while to_act := GAME.to_act(state):
        seat = to_act[0]
        command = best(state, seat) if seat in greedy else rng.choice(legal(state, seat))
        state = fold(state, GAME.decide(state, seat, command, chance))
        decisions += 1
        forced += state.forced_draw
    return state, decisions, forced


def test_it_makes_the_match_that_it_can_make():
    state = position(["5S 4J GE", "1J 7M GN"], ["3V 7E 7N", "2M 2N 2S"])
    assert SwitchOwn(give="3V", take="GE") == best(state, 0)


def test_it_makes_the_match_that_earns_more():
    state = position(["5E 4E GE", "1J 7M GN"], ["3E 6E 3V", "2M 2N 2S"], options=Options(advanced_b=True))
    assert best(state, 0) in (SwitchOwn(give="3E", take="GE"), SwitchOwn(give="6E", take="GE"))


def test_it_keeps_a_ready_match_whole_or_makes_a_better_one():
    state = position(["5S 4J 3V", "1J 7M GN"], ["SV 7E 7N", "2M 2N 2S"])
    _, after = do(state, 0, best(state, 0))
    _, after = (None, after) if after.phase != "discard" else do(after, 0, best(after, 0))
    assert 5 <= sum(match.points for match in after.matches[0])


def test_it_takes_a_match_that_it_can_make_perfect():
    state = position(["7E 7J 1M", "1J 3M GN"], ["7S GE SE", "7M 2M 2N"], options=Options(advanced_b=True))
    state = run(state, (0, SwitchOwn(give="7S", take="1M")))
    assert isinstance(best(state, 1), TakeMatch)
    state = position(["7E 7J 1M", "1J 3M GN"], ["7S GE SE", "2E 2M 2N"], options=Options(advanced_b=True))
    state = run(state, (0, SwitchOwn(give="7S", take="1M")))
    assert DeclineMatch() == best(state, 1)


def test_it_breaks_the_match_of_an_opponent_rather_than_do_nothing():
    state = position(["1E 3J 6M", "5S 4J 3V"], ["2E GV 7N", "2M 2N 2S"])
    _, after = do(state, 0, best(state, 0))
    assert kind_of(after.boards[1]) is None


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_a_greedy_player_beats_a_random_one(a, b):
    options = Options(advanced_a=a, advanced_b=b, target=50)
    games, wins = 20, 0
    for seed in range(games):
        state, _, _ = play(2, {seed % 2}, options, seed)
        totals = state.series.totals
        wins += totals[seed % 2] > totals[1 - seed % 2]
    assert wins >= 19


@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_players_do_not_stall(seats):
    decisions = forced = 0
    for seed in range(6):
        state, taken, drawn = play(seats, set(range(seats)), Options(target=50), seed)
        assert state.series.reason == "target_reached"
        decisions += taken
        forced += drawn
    assert forced / decisions < 0.1
