"""Whatever the contract lets a client send, and much that it doesn't, is answered as the contract says.

FUZZ_EXAMPLES=200 looks deeper: so many examples for each operation in the place of a few.
"""

import dataclasses
import os
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from service.api.app import create_app
from service.application.places import Places
from service.application.watch import Watch
from service.bootstrap import in_memory
from service.config import load

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))


def no_failure_of_our_own(_context, response, _case) -> None:
    """503 is an honest answer here: there is no place to wait in."""
    assert response.status_code != 500


CHECKS = [
    no_failure_of_our_own,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]


def application():
    """Give the API in memory with no place to wait in or to stream: a request that is held back would only take time."""
    services = in_memory(load({"STARLEDGER_RATE_LIMITS": "off", "STARLEDGER_WEBHOOKS_PRIVATE": "on"}))
    watch = Watch(services.store, services.desk.forget, Places(0), Places(0))
    return create_app(dataclasses.replace(services, watch=watch))


APP = application()
TOKEN = APP.test_client().post("/v1/players", json={"name": "Fuzz"}).get_json()["token"]
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept-Encoding": "identity"}
CONTRACT: Any = schemathesis.openapi.from_wsgi("/openapi.json", APP)
OPERATIONS = [each.ok() for each in CONTRACT.get_all_operations()]


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS, ids=[each.label for each in OPERATIONS])
def test_every_operation_answers_as_the_contract_says(operation):
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def look(case):
        case.call_and_validate(headers=HEADERS, checks=CHECKS)

    look()
