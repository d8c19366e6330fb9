"""The command line against services in memory."""

from tests.api.conftest import ada, app, bob, public, services  # noqa: F401 - fixtures
