"""Record golden logs for option sets that have fewer than three, and never touch one that is there.

    python -m tests.golden.record [game …]

Three a set of options, at as many different numbers of seats as the game has. What is recorded is kept for ever:
look at it before it is committed.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from domain.game import AnyGame
from domain.options import options_dict
from domain.testing import Case, record_golden
from domain.testing.shapes import shape
from domain.values import Value
from tests.domain.cases import CASES

HERE = Path(__file__).parent
A_SET = 3


def logs(name: str) -> list[Path]:
    return sorted((HERE / name).glob("*.json"))


def recorded(name: str) -> list[dict[str, object]]:
    """Give the options of every golden log of a game."""
    return [msgspec.json.decode(path.read_bytes())["options"] for path in logs(name)]


def title(game: AnyGame, options: Value) -> str:
    """Name an option set after what differs from the defaults."""
    default = options_dict(game.options())
    changed = [name for name, value in options_dict(options).items() if value != default[name]]
    return "+".join(changed) or "default"


def seats_of(game: AnyGame) -> Sequence[int]:
    return [game.seats[number % len(game.seats)] for number in range(A_SET)]


def record(name: str, case: Case) -> None:
    game = case.game
    (HERE / name).mkdir(exist_ok=True)
    for options in case.options:
        there = recorded(name).count(shape(options))
        for number, seats in enumerate(seats_of(game)[there:], there + 1):
            seed = f"{title(game, options)}-{seats}-{number}"
            path = HERE / name / f"{title(game, options)}-{seats}.json"
            if path.exists():
                path = path.with_stem(f"{path.stem}-{number}")
            path.write_bytes(record_golden(case, options, seats, seed[-64:]))
            print(path.relative_to(HERE))  # noqa: T201 - a script prints


if __name__ == "__main__":
    for asked in sys.argv[1:] or sorted(CASES):
        record(asked, CASES[asked])
