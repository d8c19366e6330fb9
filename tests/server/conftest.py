"""The real embedded servers, for tests of the API as a process of its own."""

from tests.support.servers import servers  # noqa: F401
