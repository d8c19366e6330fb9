"""The API on services in memory, with clients whose every answer is checked against the contract."""

import pytest

from service.api.app import create_app
from service.bootstrap import Services, in_memory
from service.config import load
from tests.support.api import Api


@pytest.fixture
def services() -> Services:
    return in_memory(load({"STARLEDGER_RATE_LIMITS": "off"}))


@pytest.fixture
def app(services):
    return create_app(services)


@pytest.fixture
def public(app) -> Api:
    """A caller without a token."""
    return Api(app)


@pytest.fixture
def ada(public: Api) -> Api:
    return public.register("Ada")


@pytest.fixture
def bob(public: Api) -> Api:
    return public.register("Bob")
