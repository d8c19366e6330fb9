"""One running service for the tests of the client."""

import pytest

from tests.support.running import Running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("client") / "data", WORKERS=1) as running:
        yield running
