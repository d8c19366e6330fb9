"""Every type of event and notice stands in the docs with all its fields: a new one can't be forgotten."""

import re
from typing import get_args

import pytest

from domain.games import GAMES
from domain.table_events import TableEvent
from domain.tournament.events import TournamentEvent
from domain.values import Event
from service.application.notices import NOTICE_TYPES, Notice
from tests.support.running import ROOT


def parts(page: str) -> dict[str, str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return dict(part.split("\n", 1) for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:])


PAGE = parts("events.md")
KINDS = [
    *((PAGE["Of every table"], kind) for kind in get_args(TableEvent)),
    *((PAGE["Of tournaments"], kind) for kind in get_args(TournamentEvent)),
    *((parts(f"games/{name}.md")["Events"], kind) for name, game in GAMES.items() for kind in get_args(game.events)),
]


def tag(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


@pytest.mark.parametrize(("section", "kind"), KINDS, ids=[tag(kind) for _, kind in KINDS])
def test_every_event_is_described_with_its_fields(section, kind):
    (row,) = re.findall(rf"^\|[^|]*`{tag(kind)}`[^|]*\|.*$", section, re.MULTILINE)
    assert [] == [name for name in kind.__struct_encode_fields__ if not re.search(rf"\b{name}\b", row)]


def test_every_notice_is_described_and_every_field_of_one():
    rows = re.findall(r"^\| `(\w+)` \|", PAGE["Notices"], re.MULTILINE)
    assert list(NOTICE_TYPES) == rows
    assert [] == [name for name in Notice.__struct_fields__ if f"`{name}`" not in PAGE["Notices"]]


def test_the_page_names_no_event_that_there_is_not():
    known = {tag(kind) for _, kind in KINDS} | set(NOTICE_TYPES)
    cells = [cell for part in PAGE.values() for cell in re.findall(r"^\|([^|]*)\|", part, re.MULTILINE)]
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert set() == named - known
