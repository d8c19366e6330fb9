"""The part of the client without I/O, and that the sync client is the async one."""

import subprocess
import sys

import httpx
import pytest
from starledger_client.core import RETRIES, pause_before, read, write
from starledger_client.errors import Conflict, problem

from tests.support.running import ROOT


def test_the_sync_client_is_made_from_the_async_one():
    made = subprocess.run([sys.executable, str(ROOT / "client" / "make_sync.py"), "--check"], check=False)

    assert 0 == made.returncode, "run: python client/make_sync.py"


def test_every_post_has_a_key_and_every_try_is_the_same_request():
    with httpx.Client(base_url="http://x") as http:
        call = write("/v1/tables", dict, {"game": "g"}, None)
        first, second = call.request(http, "t"), call.request(http, "t")

    assert len(first.headers["idempotency-key"]) >= 32
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert first.content == second.content
    assert "Bearer t" == first.headers["authorization"]


def test_a_parameter_that_is_none_is_not_sent():
    with httpx.Client(base_url="http://x") as http:
        assert "http://x/v1/tables?game=g" == str(
            read("/v1/tables", dict, game="g", status=None).request(http, None).url
        )


@pytest.mark.parametrize(("given", "sent"), [(2.0, "2"), (0.5, "0.5"), (1.98765, "1.988"), (1e-7, "0"), (30, "30")])
def test_seconds_are_written_without_an_exponent(given, sent):
    with httpx.Client(base_url="http://x") as http:
        assert f"http://x/v1/me/stream?wait={sent}" == str(
            read("/v1/me/stream", dict, wait=given).request(http, None).url
        )


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_may_pass_is_tried_again_as_the_service_says(status):
    pause = pause_before(0, httpx.Response(status, headers={"retry-after": "2"}))

    assert pause is not None
    assert 2 <= pause < 2.2


@pytest.mark.parametrize("status", [200, 400, 404, 409, 412, 422, 500])
def test_an_answer_is_not_asked_for_again(status):
    assert None is pause_before(0, httpx.Response(status))


def test_it_gives_up_in_the_end():
    assert None is pause_before(RETRIES, None)
    assert None is pause_before(RETRIES, httpx.Response(503))


def test_a_problem_tells_code_ruling_and_fields():
    error = problem(409, {"code": "illegal_command", "detail": "F7 is not in your hand.", "ruling": "B37"}, "r1")

    assert isinstance(error, Conflict)
    assert ("illegal_command", "B37", "r1") == (error.code, error.ruling, error.request_id)
    assert "F7 is not in your hand" in str(error)
