"""Whatever the contract lets a client send, and much that it doesn't, is answered as the contract says.

All of schemathesis's checks run at every operation. `make fuzz` looks deeper: FUZZ_EXAMPLES random requests for each
operation in the place of a few, from FUZZ_SEED, and every request at the edges in the place of a part of them.
"""

import dataclasses
import os
import re
from collections import Counter
from typing import Any, ClassVar

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection

from service.api.app import create_app
from service.application.places import Places
from service.application.watch import Watch
from service.bootstrap import in_memory
from service.config import load

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
SEED = os.environ.get("FUZZ_SEED")
IS_DEEP = "FUZZ_EXAMPLES" in os.environ
ALL_OF, STEP = 40, 9
"""So many requests of an operation are sent at each run, and of those that follow every so manieth."""

FURTHER = {
    "POST /v1/players": r"name",  # a name must have a character that can be seen
    "POST /v1/tables": r"seats|rated|options(\..*)?|clock\.bot|seats\[\].player",
    "POST /v1/tables/{table}/seats": r"seat|entropy",
    "POST /v1/tables/{table}/commands": r"type|card|cards|cell|opponent|from|replace|give|take|racer",
    "POST /v1/tables/{table}/forks": r"at|seats(\[\]\.player)?",
    "POST /v1/records": r"record",
    "POST /v1/records/verify": r"record",
    "POST /v1/webhooks": r"url",
    "POST /v1/tournaments": r"seats_per_table|rounds|legs|advance|tie_breaks|entrants(\..*)?|entry\.code|no_show\.bot|"
    r"clock\.bot|options(\..*)?|format|swiss|sprt(\..*)?|points(\..*)?|rated|duplicate|name|challenger|byes|seed|"
    r"starts_at",  # in a year of four digits in UTC too
    "POST /v1/tournaments/{tournament}/entries": r"entry(\..*)?|player|bot|code",
    "POST /v1/tournaments/{tournament}/entries/bulk": r"entries(\[\])?(\.(player|bot|code|name))?",
    "POST /v1/tournaments/{tournament}/cancel": r"reason",  # in one line
    "POST /v1/tournaments/{tournament}/tables/{table}/result": r"reason",
    "GET /v1/export": r"tournament",
    "GET /v1/tables/{table}": r"as|at",
    "GET /v1/tables/{table}/events": r"as",
    "GET /v1/tables/{table}/replay": r"as|from|to",
    "GET /v1/tournaments/{tournament}": r"at",
    "GET /v1/tournaments/{tournament}/rounds/{round}": r"at",
    "GET /v1/tournaments/{tournament}/standings": r"at",
    "GET /v1/tournaments/{tournament}/crosstable": r"at",
    "GET /v1/tournaments/{tournament}/tables": r"at",
}
"""What good data may be refused for: what hangs on other fields, on the table or the game, or on what there is.

A JSON Schema can't say it. 422 is right for that (RFC 9110, 15.5.21), so `positive_data_acceptance` must take it; what
this list does not name, the schema has to say.
"""


LINES = (
    "application/vnd.starledger.record+jsonl",
    "application/x-ndjson",
    "application/jsonl",
    "application/octet-stream",
)


@schemathesis.serializer(*LINES[:3])
def lines(_context: Any, value: Any) -> Any:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def good_data_is_refused_only_for_what_no_schema_can_say(_context: Any, response: Any, case: Any) -> None:
    is_good = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    if not is_good or response.status_code != 422:
        return
    problem = response.json()
    if problem["code"] == "idempotency_key_reused":
        return
    known = rf"(?:cursor|{FURTHER.get(case.operation.label, 'cursor')})"
    fields = {re.sub(r"\[\d+\]", "[]", field) for field in problem["errors"]}
    unsaid = {field for field in fields if not re.fullmatch(known, field)}
    assert not unsaid, f"the schema does not say what is wrong with {unsaid}: {problem['detail']}"


def application() -> Any:
    """Give the API in memory with no place to wait in or to stream: a request that is held back would only take time."""
    services = in_memory(load({"STARLEDGER_RATE_LIMITS": "off", "STARLEDGER_WEBHOOKS_PRIVATE": "on"}))
    watch = Watch(services.store, services.desk.forget, Places(0), Places(0))
    return create_app(dataclasses.replace(services, watch=watch))


APP = application()
TOKEN = APP.test_client().post("/v1/players", json={"name": "Fuzz"}).get_json()["token"]
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept-Encoding": "identity"}
CONTRACT: Any = schemathesis.openapi.from_wsgi("/openapi.json", APP)
_CHECKS = CONTRACT.config.checks
# 412 is good data against what is not that version any more.
_CHECKS.positive_data_acceptance.expected_statuses = [
    *_CHECKS.positive_data_acceptance.expected_statuses,
    "412",
    "422",
]
# 503 is an honest answer here: there is no place to wait in.
_CHECKS.not_a_server_error.expected_statuses = [*_CHECKS.not_a_server_error.expected_statuses, "503"]
_sent: Counter[str] = Counter()


def checks_of(case: Any) -> dict[str, Any]:
    return {
        "additional_checks": [good_data_is_refused_only_for_what_no_schema_can_say],
        # A body of lines is bytes whatever it was before it was written: a "number in the place of a string" is one.
        "excluded_checks": [negative_data_rejection] if case.media_type in LINES else [],
    }


@pytest.mark.slow
@CONTRACT.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=SEED is None,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_answers_as_the_contract_says(case: Any) -> None:
    label = case.operation.label
    _sent[label] += 1
    if IS_DEEP or _sent[label] <= ALL_OF or _sent[label] % STEP == 0:
        case.call_and_validate(headers=HEADERS, **checks_of(case))


if SEED is not None:
    test_every_operation_answers_as_the_contract_says = hypothesis.seed(int(SEED))(
        test_every_operation_answers_as_the_contract_says
    )


LINKED: Any = CONTRACT.exclude(operation_id="revokeToken").as_state_machine()  # the machine would void its own token


class Linked(LINKED):  # type: ignore[misc]
    """Walks that follow the contract's links: what one request has made, the next ones ask for, change and end."""

    seen: ClassVar[Counter[int]] = Counter()

    def get_call_kwargs(self, case: Any) -> dict[str, Any]:
        return {"headers": HEADERS}

    def validate_response(self, response: Any, case: Any, **more: Any) -> None:
        self.seen[response.status_code] += 1
        case.validate_response(response, **{**more, **checks_of(case)})


@pytest.mark.slow
def test_what_a_request_has_made_is_there_for_the_next_ones_until_it_is_ended() -> None:
    walks = settings(
        max_examples=4 * EXAMPLES,
        stateful_step_count=8,
        derandomize=SEED is None,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    Linked.run(settings=walks)
    assert any(status < 300 for status in Linked.seen)


@pytest.mark.parametrize(
    "check",
    [
        *("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance"),
        *("response_schema_conformance", "negative_data_rejection", "positive_data_acceptance", "ignored_auth"),
        *("missing_required_header", "unsupported_method", "use_after_free", "ensure_resource_availability"),
    ],
)
def test_no_check_is_off(check: str) -> None:
    assert CONTRACT.config.checks.get_by_name(name=check).enabled
