"""Any game's state as one that a search plays on with: by the game's own rules, where it has nothing faster."""

from collections.abc import Sequence
from typing import Any

from domain.game import AnyGame, Imagined, Seen
from domain.luck import Luck
from domain.values import Command, Seat, Value


def imagine(game: AnyGame, options: Value, seats: int, state: Any, luck: Luck) -> Imagined:
    """Begin a simulation in this state; all chance in it comes from `luck`."""
    return game.imagine(state, luck) or ByTheRules(game, options, seats, state, luck)


class ByTheRules:
    """A state that changes by `decide` and `evolve`; right for every game, slower than one made for searches."""

    def __init__(self, game: AnyGame, options: Value, seats: int, state: Any, luck: Luck) -> None:
        self.state = state
        self._game, self._options, self._seats = game, options, seats
        self._luck = luck
        self._last = -1

    def copy(self) -> "ByTheRules":
        """Give one that stands the same."""
        other = ByTheRules(self._game, self._options, self._seats, self.state, self._luck.copy())
        other._last = self._last
        return other

    def play(self, seat: Seat, command: Command) -> None:
        """Carry out a legal command."""
        game, self._last = self._game, seat
        for event in game.decide(self.state, seat, command, self._luck):
            self.state = game.evolve(self.state, event)

    def play_on(self, turns: int) -> None:
        """Let the seats do what the heuristic likes best; what one seat decides in a row counts as one turn.

        They have a view and no log: there is none of what may be.
        """
        while to_act := self._game.to_act(self.state):
            seat = to_act[0]
            turns -= seat != self._last
            if turns < 0:
                return
            self.step(seat)

    def step(self, seat: Seat) -> None:
        """Let a seat decide once."""
        game = self._game
        view = game.view(self.state, seat, over=False, shown=False)
        commands = game.legal(self.state, seat)
        seen = Seen(options=self._options, seats=self._seats, seat=seat, view=view, commands=commands, log=())
        rates = game.rate(seen)
        self.play(seat, commands[max(range(len(rates)), key=rates.__getitem__)])

    def values(self) -> Sequence[float]:
        """Judge the standing as the game does, or by its scores."""
        game = self._game
        return game.verdict(self.state).scores if game.evaluate is None else game.evaluate(self.state)
