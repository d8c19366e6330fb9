"""Whatever is sent, the answer is one that the contract has, and never a failure of our own."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api import openapi
from service.api.app import create_app
from service.api.operation import Operation
from service.api.routes import ALL
from service.bootstrap import in_memory
from service.config import load
from tests.support.api import Api

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    8.0,
    8.5,
    2**63,
    "",
    " ",
    "\x00",
    "é" * 300,
    [],
    [[]],
    {},
    {"kind": "ai"},
    "A1",
)
HEADERS = ("If-Match", "If-None-Match", "Idempotency-Key", "Accept", "Last-Event-ID", "X-Request-Id", "Accept-Encoding")
VALUES = (
    "",
    "*",
    '"x"',
    "W/",
    '"1-0000000000000000-s0"',
    "a" * 200,
    "\xff",
    ",",
    "q=1",
    "application/json;q=x",
    "0",
    "é",
)


@pytest.fixture(scope="module")
def house():
    """An application with a table that is open and one that is played; kept from example to example."""
    app = create_app(in_memory(load({"STARLEDGER_RATE_LIMITS": "off"})))
    ada = Api(app).register("Ada")
    bob = ada.register("Bob")
    tables = [ada.table("beam-me-up", "me", "open", "open")["id"], ada.table("planet-pioneer", "me", "open")["id"]]
    bob.sit(tables[1])
    return ada, tables


BODIES = [operation for operation in ALL if operation.body is not None and operation.body.examples]


def address(operation: Operation, table: str, rng: random.Random) -> str:
    path = operation.path
    while "{" in path:
        name = path.partition("{")[2].partition("}")[0]
        known = {"table": table, "game": "beam-me-up", "seat": "0", "asset": "start.js", "code": "not_found"}
        odd = ("x", "-1", "%00", "a" * 99, "..", "9" * 40, "%F0%9F%98%80")
        value = known.get(name, "x") if rng.random() < 0.8 else rng.choice(odd)
        path = path.replace("{" + name + "}", value)
    return path


def mutated(value: Any, rng: random.Random) -> Any:
    """Change something somewhere in a JSON value."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        name = rng.choice(list(value))
        changed = {**value, name: mutated(value[name], rng)}
        if rng.random() < 0.1:
            changed["more"] = 1
        if rng.random() < 0.1:
            del changed[name]
        return changed
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        return [*value[:place], mutated(value[place], rng), *value[place + 1 :]]
    return rng.choice(ODD)


def is_ours(status: int) -> bool:
    """Tell whether a status says that we failed; 503 is what a table may say, not a test in memory."""
    return status >= 500


@pytest.mark.parametrize("operation", BODIES, ids=lambda operation: operation.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_changed_examples_are_answered(house, operation, seed):
    ada, tables = house
    rng = random.Random(seed)
    body = rng.choice(list(operation.body.examples.values()))
    if isinstance(body, dict):
        for _ in range(rng.randint(1, 3)):
            body = mutated(body, rng)
    if isinstance(body, bytes | str):
        return
    answer = ada.send(operation.method, address(operation, rng.choice(tables), rng), body, None, {})
    assert not is_ours(answer.status_code)


@pytest.mark.parametrize("operation", BODIES, ids=lambda operation: operation.name)
@given(body=JSON)
@settings(max_examples=15)
def test_any_json_is_answered(house, operation, body):
    ada, tables = house
    path = address(operation, tables[0], random.Random(1))
    assert not is_ours(ada.send(operation.method, path, body, None, {}).status_code)


@given(raw=st.binary(max_size=60))
@settings(max_examples=60)
def test_any_bytes_are_answered(house, raw):
    ada, tables = house
    headers = {"Content_Type": "application/json"}
    answer = ada.send("POST", f"/v1/tables/{tables[0]}/commands", None, None, headers, raw=raw)
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_odd_headers_and_queries_are_answered(house, operation, seed):
    ada, tables = house
    rng = random.Random(seed)
    headers = {name: rng.choice(VALUES) for name in HEADERS if rng.random() < 0.3}
    query = openapi.document()["paths"][operation.path][operation.method.lower()]["parameters"]
    names = [each["name"] for each in query if each.get("in") == "query" and each["name"] != "wait"] + ["nothing"]
    pairs = [f"{name}={rng.choice(['', '0', '1', '-1', 'x', 'all', '%FF', '9' * 30, 'true'])}" for name in names]
    asked = "&".join(rng.sample(pairs, rng.randint(0, len(pairs))))
    if "follow=true" in asked or "event-stream" in headers.get("Accept", ""):
        return  # a live stream: its own tests
    path = f"{address(operation, tables[0], rng)}?{asked}"
    body: Any = {} if operation.method == "POST" else None
    if operation.name in ("abortTable", "leaveSeat"):
        path = path.replace(tables[0], tables[1])  # the tables stay as they are
    answer = ada.send(operation.method, path, body, None, headers)
    assert not is_ours(answer.status_code)
