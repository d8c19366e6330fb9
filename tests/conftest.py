"""What every test has: no settings from the developer's own environment, and no test that fails by the clock."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("house"), print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "house")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in list(os.environ):
        if name.startswith("STARLEDGER_"):
            monkeypatch.delenv(name)
