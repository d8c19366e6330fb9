"""Laws of commands: what is listed is accepted, what is not listed is refused, and a refusal changes nothing."""

import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET

from domain.chance import RandomChance
from domain.errors import ILLEGAL, Refusal
from domain.game import AnyGame
from domain.testing.case import Case, expect
from domain.testing.playing import Played
from domain.testing.shapes import shape, strings
from domain.values import Command, Seat, Value

_RULING: Final = re.compile(r"[A-Z][0-9]+")
_LARGE: Final = 120
"""Up to so many commands of a type are all tried; of more, so many by chance."""


class Vocabulary:
    """Values for the fields of commands: those that the type names, the catalogue's cards, seats, and what was used.

    With it any well-formed command can be made, whether or not it was ever listed.
    """

    def __init__(self, game: AnyGame, options: Value, seats: int, used: Sequence[Command]) -> None:
        self._game, self._options, self._seats = game, options, seats
        self._cards = [facts.card for facts in game.cards(options)]
        self._used: dict[str, dict[Any, None]] = {}
        for command in used:
            for name in command.__struct_fields__:
                self._used.setdefault(name, {})[getattr(command, name)] = None
        kinds: Sequence[type[Command]] = get_args(game.commands) or (game.commands,)
        self._kinds = [(kind, [self._pool(field) for field in msgspec.structs.fields(kind)]) for kind in kinds]
        self._well_formed: dict[str, bool] = {}

    def commands(self, near: Sequence[str], rng: random.Random) -> list[Command]:
        """Give well-formed commands of every type; half of the large types' use the words of `near` only."""
        made: list[Command] = []
        for kind, pools in self._kinds:
            if math.prod(map(len, pools)) <= _LARGE:
                made += _product(kind, pools)
            else:
                close = [[one for one in pool if not isinstance(one, str) or one in near] for pool in pools]
                made += _by_chance(kind, pools, close, rng)
        return [command for command in made if self._is_well_formed(command)]

    def _pool(self, field: msgspec.structs.FieldInfo) -> list[Any]:
        values = dict(self._used.get(field.name, ()))
        values.update(dict.fromkeys(self._of_type(field.type)))
        if not field.required:
            values[UNSET] = None
        return list(values)

    def _of_type(self, kind: Any) -> list[Any]:
        origin = get_origin(kind)
        if origin is Literal:
            return list(get_args(kind))
        if hasattr(kind, "__supertype__"):
            return self._of_type(kind.__supertype__)
        if kind is str:
            return list(self._cards)
        if kind is int:
            return list(range(self._seats))
        if kind is bool:
            return [False, True]
        return [value for part in get_args(kind) for value in self._of_type(part)] if origin is not tuple else []

    def _is_well_formed(self, command: Command) -> bool:
        key = repr(command)
        if key not in self._well_formed:
            self._well_formed[key] = self._can_be_right(command)
        return self._well_formed[key]

    def _can_be_right(self, command: Command) -> bool:
        try:
            again = msgspec.convert(msgspec.to_builtins(command), self._game.commands)
        except msgspec.ValidationError:
            return False
        return not self._game.check_command(self._options, self._seats, again)


def _product(kind: type[Command], pools: list[list[Any]]) -> Iterator[Command]:
    if not pools:
        yield kind()
        return
    chosen: list[list[Any]] = [[]]
    for pool in pools:
        chosen = [[*before, one] for before in chosen for one in pool]
    for values in chosen:
        yield kind(*values)


def _by_chance(
    kind: type[Command], pools: list[list[Any]], close: list[list[Any]], rng: random.Random
) -> Iterator[Command]:
    for count in range(_LARGE):
        chosen = close if count % 2 and all(close) else pools
        yield kind(*[_varied(rng.choice(pool), pool, rng) for pool in chosen])


def _varied(value: Any, pool: list[Any], rng: random.Random) -> Any:
    """Mix a list of cards with another one that was used."""
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return tuple(rng.choice((one, *rng.choice(pool))) for one in value)
    return value


class Answer(Value, frozen=True):
    """How `decide` answered: accepted, or refused with a code, a ruling and words."""

    code: str | None = None
    ruling: str | None = None
    message: str = ""
    errors: Mapping[str, str] | None = None


_CHANCE: Final = RandomChance(random.Random(0))  # noqa: S311 - for trials: nothing is dealt


def answer(game: AnyGame, state: Any, seat: Seat, command: Command) -> Answer:
    """Ask `decide` without playing on."""
    try:
        game.decide(state, seat, command, _CHANCE)
    except Refusal as refusal:
        return Answer(refusal.code, refusal.ruling, refusal.message, refusal.errors)
    return Answer()


def probes(game: AnyGame, state: Any, seats: int, words: Vocabulary, rng: random.Random) -> list[list[Command]]:
    """Give for each seat commands to try in this state."""
    views = [game.view(state, Seat(seat), over=False, shown=False) for seat in range(seats)]
    return [words.commands(list(strings(shape(view))), rng) for view in views]


def check_commands(case: Case, state: Any, tried: Sequence[Sequence[Command]]) -> None:
    """`legal` and `decide` agree both ways, for every seat; a refused command names its reason and changes nothing.

    `tried` are by seat the commands that are asked for besides those listed.
    """
    game = case.game
    before = repr(state)
    acting = game.to_act(state)
    for number, commands in enumerate(tried):
        seat = Seat(number)
        listed = game.legal(state, seat)
        shapes = {repr(case.same(command)) for command in listed}
        expect(len(shapes) == len(listed), f"a command is listed twice for seat {seat}: {listed}")
        expect(bool(listed) == (seat in acting), f"seat {seat} has {len(listed)} commands, and to act are {acting}")
        for command in listed:
            said = answer(game, state, seat, command)
            expect(said.code is None, f"{command} is listed for seat {seat} and was refused: {said.message}")
        for command in commands:
            said = answer(game, state, seat, command)
            if said.code is not None:
                _check_refusal(command, seat, said, acts=seat in acting)
            is_listed = repr(case.same(command)) in shapes
            expect(
                (said.code is None) == is_listed,
                f"{command} of seat {seat} is {'' if is_listed else 'not '}listed and was "
                f"{'accepted' if said.code is None else 'refused: ' + said.message}",
            )
    expect(repr(state) == before, "asking `decide` changed the state")


def _check_refusal(command: Command, seat: Seat, said: Answer, *, acts: bool) -> None:
    expect(said.message.strip(), f"{command} of seat {seat} was refused without a word")
    if said.code == ILLEGAL:
        expect(_RULING.fullmatch(said.ruling or ""), f"{command} was refused by no ruling: {said.message}")
    else:
        expect(not acts, f"{command} of seat {seat}, which is to act, was refused with {said.code}")
        expect(said.code == "not_your_turn", f"{command} of seat {seat} was refused with {said.code}")


def check_moves(case: Case, state: Any) -> None:
    """The default move of each seat to act is one of its commands."""
    game = case.game
    for seat in game.to_act(state):
        move = case.same(game.default_move(state, seat))
        listed = [case.same(command) for command in game.legal(state, seat)]
        expect(move in listed, f"the default move of seat {seat} is not listed: {move}")


def used_commands(case: Case, played: Played) -> list[Command]:
    """Give all commands that a game lists from beginning to end."""
    seen: dict[str, Command] = {}
    for step in played.steps:
        for seat in case.game.to_act(step.before) if step.seat is not None else ():
            for command in case.game.legal(step.before, seat):
                seen.setdefault(repr(command), command)
    return list(seen.values())
