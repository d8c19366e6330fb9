"""The page of the game says all that the contract has, and every ruling has its test."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.cards import RACERS
from domain.games.beam_me_up.views import SeatView

HERE = Path(__file__).parent
PAGE = (HERE.parents[2] / "docs" / "games" / "beam-me-up.md").read_text()
TESTED = {
    int(number) for path in HERE.glob("test_*.py") for number in re.findall(r"def test_b(\d+)_", path.read_text())
}
RULINGS = range(1, 41)


def tag(kind):
    return kind.__struct_config__.tag


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_has_a_test_that_bears_its_id(ruling):
    assert ruling in TESTED


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_stands_in_the_page(ruling):
    assert re.search(rf"\| (B\d+, )*B{ruling}(, B\d+)* \|", PAGE)


@pytest.mark.parametrize("field", msgspec.structs.fields(BEAM_ME_UP.options), ids=lambda field: field.name)
def test_every_option_stands_in_the_page_with_its_default_first(field):
    default = msgspec.json.encode(field.default).decode()
    assert f"| `{field.name}` | `{default}`, `" in PAGE


@pytest.mark.parametrize("kind", get_args(BEAM_ME_UP.commands), ids=tag)
def test_every_command_stands_in_the_page_with_its_fields(kind):
    fields = ", ".join(field.name + ("" if field.required else "?") for field in msgspec.structs.fields(kind))
    assert f"| `{tag(kind)} {{{fields}}}` |" in PAGE


@pytest.mark.parametrize("kind", get_args(BEAM_ME_UP.events), ids=tag)
def test_every_event_stands_in_the_page_with_its_fields(kind):
    (row,) = re.findall(rf"^\|[^|]*`{tag(kind)}`[^|]*\|.*$", PAGE[PAGE.index("## Events") :], re.MULTILINE)
    assert [] == [name for name in kind.__struct_fields__ if not re.search(rf"\b{name}\b", row)]


@pytest.mark.parametrize("kind", [BEAM_ME_UP.views, SeatView], ids=lambda kind: kind.__name__)
def test_every_field_of_the_view_stands_in_the_page(kind):
    (shape,) = re.findall(r"```\n(\{game, phase.*?)```", PAGE, re.DOTALL)
    assert [] == [name for name in kind.__struct_fields__ if not re.search(rf"\b{name}\b", shape)]


def test_the_page_names_every_racer_and_the_rules_version():
    assert [] == [racer for racer in RACERS if f"`{racer}` (" not in PAGE]
    assert f"| rules version | {BEAM_ME_UP.rules_version} |" in PAGE


@pytest.mark.parametrize("example", re.findall(r'^\{"type".*\}$', PAGE, re.MULTILINE))
def test_the_commands_shown_are_commands(example):
    assert msgspec.json.decode(example, type=BEAM_ME_UP.commands)
