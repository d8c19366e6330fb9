"""The API on a real store: two processes' worth of it, side by side and one after the other."""

import threading
from collections.abc import Iterator

import pytest
import redis

from service.api.app import create_app
from service.bootstrap import Services, connect
from service.config import Config, load
from tests.support.api import Api, new_key
from tests.support.servers import events_client, queue_client, servers  # noqa: F401 - fixtures

BMU = "beam-me-up"


@pytest.fixture
def config(servers, events_client, queue_client) -> Config:  # noqa: F811 - fixtures
    """The settings of an installation whose stores are empty."""
    return load(
        {
            "STARLEDGER_REDIS_URL": servers.events_url,
            "STARLEDGER_QUEUE_URL": servers.queue_url,
            "STARLEDGER_SECRET": "a key for tests that signs nothing that lasts",
        }
    )


@pytest.fixture
def processes(config) -> Iterator[tuple[Services, Services]]:
    """What two processes hold, each with a cache of its own."""
    one, two = connect(config), connect(config)
    yield one, two
    one.close()
    two.close()


@pytest.fixture
def apis(processes) -> tuple[Api, Api]:
    return Api(create_app(processes[0])), Api(create_app(processes[1]))


def test_a_repeat_is_answered_by_another_process_byte_for_byte(apis):
    key = new_key()
    made = [api.post("/v1/players", {"name": "Ada", "kind": "human"}, status=201, key=key) for api in apis]
    assert made[0].data == made[1].data
    adas = [Api(api.app, made[0].json["token"], made[0].json) for api in apis]

    body = {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}], "seed": "x"}
    tables = [ada.post("/v1/tables", body, status=201, key="t") for ada in adas]
    assert (tables[0].data, None, "true") == (tables[1].data, *(t.headers.get("Idempotent-Replayed") for t in tables))
    table = tables[0].json["id"]
    bob = apis[1].register("Bob")
    sat = [Api(api.app, bob.token).post(f"/v1/tables/{table}/seats", {}, status=201, key="s").data for api in apis]
    assert sat[0] == sat[1]
    actor = adas if adas[0].get(f"/v1/tables/{table}").json["to_act"] == [0] else [Api(a.app, bob.token) for a in apis]
    command = actor[0].commands(table)[0]
    done = [one.post(f"/v1/tables/{table}/commands", command, key="c") for one in actor]
    assert done[0].data == done[1].data
    tokens = [ada.post("/v1/me/tokens", {"scopes": []}, status=201, key="m").data for ada in adas]
    assert tokens[0] == tokens[1]
    assert (
        "idempotency_key_reused" == adas[1].post("/v1/tables", {**body, "seed": "y"}, status=422, key="t").json["code"]
    )


def test_a_revoked_token_is_bad_at_every_process_at_once(apis):
    ada = apis[0].register("Ada")
    other = Api(apis[1].app, ada.token)
    other.get("/v1/me")
    ada.delete(f"/v1/me/tokens/{ada.get('/v1/me').json['token_id']}")
    other.get("/v1/me", status=401)


def test_processes_see_each_others_moves_and_lists(apis):
    ada, bob = apis[0].register("Ada"), apis[1].register("Bob")
    table = ada.table(BMU, "me", "open")["id"]
    bob.sit(table)
    assert "playing" == ada.get(f"/v1/tables/{table}").json["status"]
    assert [table] == [item["id"] for item in apis[1].get("/v1/tables?status=playing").json["items"]]
    bob.do(table, {"type": "resign"})
    assert "table_finished" == ada.do(table, {"type": "resign"}, status=409)["code"]
    assert [table] == [item["id"] for item in apis[0].get("/v1/tables?status=finished").json["items"]]


def test_moves_that_race_over_two_processes_are_decided_one_after_the_other(apis):
    """Each player sits at another process and sends all he may; nothing is lost, doubled or out of order."""
    ada, bob = apis[0].register("Ada"), apis[1].register("Bob")
    table = ada.table("universal-match", "me", "open", {"kind": "ai", "bot": "random"})["id"]
    bob.sit(table)
    accepted: list[int] = []

    def choose(person: Api) -> None:
        command = next(one for one in person.commands(table) if one["type"] == "choose_board")
        accepted.append(person.do(table, command)["version"])

    threads = [threading.Thread(target=choose, args=(person,)) for person in (ada, bob)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [3, 4] == sorted(accepted)
    assert [1, 2, 3, 4] == [entry["version"] for entry in ada.get(f"/v1/tables/{table}/events").json["items"]]


def test_without_a_worker_the_service_is_not_ready(apis):
    checks = apis[0].get("/readyz", status=503).json["checks"]
    assert ("ok", "ok") == (checks["process"], checks["store"])
    assert "no worker" in checks["workers"]


def test_limits_are_shared_between_processes(config, servers):  # noqa: F811 - a fixture
    from msgspec.structs import replace  # noqa: PLC0415 - beside its use

    from service.config import Rate  # noqa: PLC0415 - beside its use

    assert config.limits
    tight = replace(config, limits=replace(config.limits, creations=Rate(per_second=1, burst=2)))
    with_limits = [connect(tight) for _ in range(2)]
    try:
        apis = [Api(create_app(each)) for each in with_limits]
        statuses = [
            apis[n % 2].post("/v1/players", {"name": "A", "kind": "bot"}, status=None).status_code for n in range(12)
        ]
        assert 429 in statuses
        assert 201 == statuses[0]
    finally:
        for each in with_limits:
            each.close()


def move_of(api: Api, table: str) -> dict[str, object]:
    listed: list[dict[str, object]] = api.get(f"/v1/tables/{table}/commands").json["commands"]
    return listed[0]


@pytest.fixture
def alone(apis) -> tuple[Api, str]:
    """A player of the first process at a table with nobody else to wait for: the others never come to move."""
    ada = apis[0].register("Ada")
    while True:
        table = ada.table(BMU, "me", "open")["id"]
        apis[0].register("Bob").post(f"/v1/tables/{table}/seats", {}, status=201)
        if move_of(ada, table) != {"type": "resign"}:
            return ada, table


def test_a_warm_command_costs_one_round_trip_to_the_store(alone, servers, monkeypatch):  # noqa: F811 - a fixture
    ada, table = alone
    move = move_of(ada, table)
    sent, mine, send = [], threading.get_ident(), redis.connection.AbstractConnection.send_packed_command

    def counted(self, command, *args, **kwargs):
        # What is told behind the answer has threads of its own; what limits requests stands at the queue's server.
        if threading.get_ident() == mine and self.path in servers.events_url:
            sent.append(b"".join(command))
        return send(self, command, *args, **kwargs)

    monkeypatch.setattr(redis.connection.AbstractConnection, "send_packed_command", counted)
    ada.post(f"/v1/tables/{table}/commands", move)
    assert 1 == len(sent)
    assert b"EVALSHA" in sent[0]


def test_a_token_that_another_process_revoked_moves_no_more(alone, apis):
    ada, table = alone
    move, before = move_of(ada, table), ada.get(f"/v1/tables/{table}").json["version"]
    there = Api(apis[1].app, ada.token)
    there.delete(f"/v1/me/tokens/{there.get('/v1/me').json['token_id']}")

    ada.post(f"/v1/tables/{table}/commands", move, status=401)
    assert before == apis[0].get(f"/v1/tables/{table}").json["version"]


def test_a_token_whose_row_has_other_bytes_still_moves(alone, events_client):  # noqa: F811 - a fixture
    """Another edition may have written it; then it is asked for."""
    ada, table = alone
    key = f"token:{ada.token.split('.')[1]}"
    events_client.set(key, events_client.get(key).replace(b'","', b'" ,"'))
    ada.post(f"/v1/tables/{table}/commands", move_of(ada, table))
