"""A move asks the store once: its commit proves the token. What is answered without a commit asks whether it is good."""

import pytest

from service.api.app import create_app
from service.bootstrap import in_memory
from service.config import load
from tests.support.api import Api

GAME = {"game": "beam-me-up", "seats": [{"kind": "me"}, {"kind": "open"}]}


class Watched:
    """A player store that counts what it is asked, and where tokens are revoked behind the back of the process."""

    def __init__(self, store):
        self.store = store
        self.asked = 0

    def __getattr__(self, name):
        return getattr(self.store, name)

    def token(self, token_id):
        self.asked += 1
        return self.store.token(token_id)


@pytest.fixture
def services():
    return in_memory(load({"STARLEDGER_RATE_LIMITS": "off"}))


@pytest.fixture
def watched(services):
    services.players._store = Watched(services.players._store)
    return services.players._store


@pytest.fixture
def two(services, watched):
    """Two players at a table, by who is to act: the one in turn first."""
    public = Api(create_app(services))
    ada, bob = public.register("Ada"), public.register("Bob")
    table = ada.post("/v1/tables", GAME, status=201).json["id"]
    bob.post(f"/v1/tables/{table}/seats", {}, status=201)
    return (ada, bob, table) if first(ada, table) != {"type": "resign"} else (bob, ada, table)


def behind_the_back(api, watched):
    """Revoke a player's token as another process does."""
    watched.store.revoke(api.token.split(".")[1])


def first(api, table):
    return api.get(f"/v1/tables/{table}/commands").json["commands"][0]


def test_a_move_of_a_remembered_token_asks_for_no_token(two, watched):
    actor, _, table = two
    move = first(actor, table)
    watched.asked = 0
    actor.post(f"/v1/tables/{table}/commands", move)
    assert 0 == watched.asked


@pytest.mark.parametrize(
    "body",
    ["move", {"type": "resign"}, {"type": "no_such"}, {"type": 3}, [], {"type": "launch_racer", "racer": "mars"}],
)
def test_a_token_that_another_process_revoked_is_401_whatever_is_sent_and_changes_nothing(two, watched, body):
    actor, other, table = two
    sent = first(actor, table) if body == "move" else body
    version = other.get(f"/v1/tables/{table}").json["version"]
    behind_the_back(actor, watched)
    refused = actor.post(f"/v1/tables/{table}/commands", sent, status=401)
    assert "unauthenticated" == refused.json["code"]
    assert version == other.get(f"/v1/tables/{table}").json["version"]


def test_a_token_that_another_process_revoked_is_401_at_a_table_that_is_not_there(two, watched):
    actor, _, _ = two
    behind_the_back(actor, watched)
    actor.post("/v1/tables/nowhere/commands", {"type": "resign"}, status=401)


def test_a_repeat_with_a_revoked_token_gets_no_answer_again(two, watched):
    actor, _, table = two
    move = first(actor, table)
    actor.post(f"/v1/tables/{table}/commands", move, key="once-and-again")
    behind_the_back(actor, watched)
    actor.post(f"/v1/tables/{table}/commands", move, status=401, key="once-and-again")
