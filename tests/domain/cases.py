"""What the kit is told of each game: the value `CASE` of `tests/domain/<the game's package>/case.py`."""

from importlib import import_module
from pathlib import Path

from domain.games import GAMES
from domain.testing import Case


def case_of(name: str) -> Case:
    case = import_module(f"tests.domain.{name.replace('-', '_')}.case").CASE
    assert isinstance(case, Case)
    return case


def has_case(name: str) -> bool:
    return (Path(__file__).parent / name.replace("-", "_") / "case.py").is_file()


CASES: dict[str, Case] = {name: case_of(name) for name in GAMES if has_case(name)}
"""Of every game that has one; `test_kit.py` fails where one is missing."""
