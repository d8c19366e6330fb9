"""Laws of the end: nobody is to act exactly when there is an outcome, and the outcome is a standing of all seats."""

from typing import Any

from domain.game import AnyGame, Verdict
from domain.testing.case import Case, expect
from domain.testing.playing import Played


def check_turns(game: AnyGame, state: Any, seats: int) -> None:
    """`to_act` is ascending, names seats once, and is empty exactly when `outcome` is there."""
    acting = game.to_act(state)
    expect(acting == tuple(sorted(set(acting))), f"to act are {acting}: not ascending, or one twice")
    expect(all(0 <= seat < seats for seat in acting), f"to act are {acting} at a table of {seats}")
    outcome = game.outcome(state)
    expect((outcome is None) == bool(acting), f"to act are {acting}, and the outcome is {outcome}")
    check_verdict(game.verdict(state), seats)
    if outcome is not None:
        check_verdict(outcome, seats)
        expect(outcome.reason, "the outcome has no reason")


def check_verdict(verdict: Verdict, seats: int) -> None:
    """Scores and ranks are there for every seat, ranks of one length."""
    expect(len(verdict.scores) == seats, f"{len(verdict.scores)} scores at a table of {seats}")
    expect(len(verdict.ranks) == seats, f"{len(verdict.ranks)} ranks at a table of {seats}")
    expect(len({len(rank) for rank in verdict.ranks}) == 1, f"ranks are of different lengths: {verdict.ranks}")


def check_end(case: Case, played: Played) -> None:
    """A game ends once: with an outcome in its last state and in none before."""
    expect(case.game.outcome(played.steps[-1].after) is not None, "the last state has no outcome")
    for version, step in enumerate(played.steps[:-1], 1):
        expect(case.game.outcome(step.after) is None, f"the outcome is there after entry {version} already")
