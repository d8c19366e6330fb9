"""Games that were played once fold to the same views for ever."""

from pathlib import Path

import pytest

from domain.games.planet_pioneer import PLANET_PIONEER
from domain.testing import check_golden

LOGS = sorted((Path(__file__).parents[2] / "golden" / PLANET_PIONEER.name).glob("*.json"))


def test_there_are_golden_logs():
    assert len(LOGS) >= 18


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_golden_log_still_folds_to_its_views(log):
    check_golden(PLANET_PIONEER, log.read_bytes())
