"""Recorded games fold to the same views for ever; three for each option set of each game."""

import pytest

from domain.games import GAMES
from domain.testing import check_golden
from domain.testing.shapes import shape
from tests.domain.cases import CASES
from tests.golden.record import A_SET, HERE, logs, recorded

LOGS = [path for name in GAMES for path in logs(name)]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: str(path.relative_to(HERE)))
def test_a_golden_log_still_folds_to_its_views(path):
    check_golden(GAMES[path.parent.name], path.read_bytes())


@pytest.mark.parametrize("name", sorted(CASES))
def test_each_option_set_of_each_game_has_its_golden_logs(name):
    there = recorded(name)
    for options in CASES[name].options:
        assert there.count(shape(options)) >= A_SET, f"record some: python -m tests.golden.record {name}"
