"""Rate limits over HTTP: buckets apart, headers on every answer, 429 with the time to wait."""

import pytest

from service.api.app import create_app
from service.api.routes import ALL
from service.bootstrap import in_memory
from service.config import load
from tests.support.api import Api


def public_with(**limits: str) -> Api:
    return Api(create_app(in_memory(load({f"STARLEDGER_{name}": value for name, value in limits.items()}))))


SMALL = {"LIMIT_COMMANDS": "1/4", "LIMIT_READS": "1/6", "LIMIT_CREATIONS": "1/5"}


def flood(person: Api, path: str) -> list[int]:
    return [person.get(path, status=None).status_code for _ in range(20)]


def test_a_bucket_that_is_empty_is_a_429_with_the_time_to_wait():
    public = public_with(**SMALL)
    statuses = flood(public, "/v1/games")
    refused = public.get("/v1/games", status=429)

    assert [200] * 6 + [429] * 14 == statuses
    assert ("rate_limited", True) == (refused.json["code"], refused.json["retryable"])
    assert "1" == refused.headers["Retry-After"]
    assert '"reads";r=0;t=1' == refused.headers["RateLimit"]


def test_each_answer_tells_what_is_left_refusals_too():
    public = public_with(**SMALL)
    answers = [
        public.get("/v1/games"),
        public.get("/v1/tables/nothing", status=404),
        public.get("/v1/tables?limit=0", status=422),
        public.get("/v1/me", status=401),
        public.get("/v1/games", status=401, Authorization="Bearer wrong"),
    ]

    assert [f'"reads";r={left};t=1' for left in (5, 4, 3, 2, 1)] == [each.headers["RateLimit"] for each in answers]
    assert {'"reads";q=6;w=6'} == {each.headers["RateLimit-Policy"] for each in answers}


def test_a_flood_of_reads_never_refuses_a_move():
    public = public_with(**SMALL)
    ada, bob = public.register("Ada"), public.register("Bob")
    table = ada.table("universal-match", "me", "open")["id"]
    bob.sit(table)
    command = ada.commands(table)[0]

    assert 429 in flood(ada, f"/v1/tables/{table}")
    assert '"commands";r=3;t=1' == ada.post(f"/v1/tables/{table}/commands", command).headers["RateLimit"]


def test_a_flood_of_one_token_takes_nothing_from_another_nor_from_its_address():
    public = public_with(**SMALL)
    ada, bob = public.register("Ada"), public.register("Bob")

    assert 429 in flood(ada, "/v1/games")
    assert 200 == bob.get("/v1/games").status_code
    assert 200 == public.get("/v1/games").status_code


def test_who_guesses_tokens_is_counted_by_his_address():
    public = public_with(**SMALL)
    guesses = [public.get("/v1/me", status=None, Authorization=f"Bearer {n}").status_code for n in range(10)]

    assert [401] * 6 + [429] * 4 == guesses


def test_creations_have_a_bucket_of_their_own():
    public = public_with(**SMALL)
    statuses = [public.post("/v1/players", {"name": "A"}, status=None).status_code for _ in range(8)]

    assert [201] * 5 + [429] * 3 == statuses
    assert 200 == public.get("/v1/games").status_code


def test_me_tells_the_limits_of_the_settings():
    ada = public_with(**SMALL).register("Ada")

    assert {"per_second": 1, "burst": 4} == ada.get("/v1/me").json["limits"]["commands"]


def test_health_and_metrics_are_never_limited():
    public = public_with(**SMALL)

    assert {200} == set(flood(public, "/healthz")) | set(flood(public, "/metrics"))


def test_without_limits_there_are_no_headers():
    public = public_with(RATE_LIMITS="off")

    assert "RateLimit" not in public.get("/v1/games").headers
    assert None is public.register("Ada").get("/v1/me").json["limits"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
    ],
)
def test_an_address_of_ipv6_is_its_network(one, other, same):
    public = public_with(**SMALL)
    client = public.app.test_client()
    for _ in range(6):
        client.get("/v1/games", environ_base={"REMOTE_ADDR": one})

    assert (429 if same else 200) == client.get("/v1/games", environ_base={"REMOTE_ADDR": other}).status_code


def test_every_operation_says_which_bucket_it_is_of():
    """Moves are commands; whatever writes besides is a creation; what reads, a read; only pages that cost nothing
    are none."""
    found = {each.name: each.bucket for each in ALL}

    assert "commands" == found["postCommand"]
    assert {"commands", "creations"} >= {each.bucket for each in ALL if each.method != "GET"} - {"reads"}
    assert not [each.path for each in ALL if each.bucket is None and each.path.startswith("/v1")]
