"""One running server for all tests that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.support.running import Running


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with one worker; it ends with the session."""
    with Running(tmp_path_factory.mktemp("shared") / "data", WORKERS=1) as server:
        yield server
