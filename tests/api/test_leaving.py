"""What will go says so on every answer, and in the contract, before it goes (RFC 9745, RFC 8594)."""

import dataclasses

import pytest

from service.api import app as app_module
from service.api import openapi
from service.api.app import create_app
from service.api.operation import Leaving
from service.api.routes import ALL
from service.bootstrap import in_memory
from service.config import load
from tests.support.api import Api

LEAVING = Leaving(since_s=1798761600, sunset_s=1814400000)


@pytest.fixture
def leaving(monkeypatch) -> Api:
    """The API as it would be if the list of games were to go."""
    operations = tuple(
        dataclasses.replace(each, leaving=LEAVING) if each.name in ("listGames", "getMe") else each for each in ALL
    )
    monkeypatch.setattr(app_module, "ALL", operations)
    return Api(create_app(in_memory(load({}))))


def test_an_answer_says_since_when_and_until_when(leaving):
    headers = leaving.get("/v1/games").headers

    assert "@1798761600" == headers["Deprecation"]
    assert "Thu, 01 Jul 2027 00:00:00 GMT" == headers["Sunset"]
    assert 'rel="deprecation"' in headers["Link"]


def test_a_failure_says_it_too(leaving):
    assert "@1798761600" == leaving.get("/v1/me", status=401).headers["Deprecation"]


def test_what_stays_says_nothing(leaving):
    assert not {"Deprecation", "Sunset"} & set(leaving.get("/v1/tables").headers.keys())


def test_the_contract_marks_it():
    listed = next(each for each in ALL if each.name == "listGames")
    marked = openapi._operation(dataclasses.replace(listed, leaving=LEAVING), _Any())

    assert marked["deprecated"]
    assert "deprecated" not in openapi._operation(listed, _Any())


class _Any(dict[str, object]):
    """A schema for every kind."""

    def __missing__(self, key):
        return {}
