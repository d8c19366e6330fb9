"""Every POST under an `Idempotency-Key`: its first answer again, byte for byte, whatever has happened since."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from service.api.app import create_app
from service.api.dispatch import KEY_HEADER
from service.api.routes import ALL
from service.bootstrap import in_memory
from service.config import load
from tests.api.test_webhooks import deliver
from tests.support.api import Api, new_key, play

TWO_BOTS = {"game": "universal-match", "seats": [{"kind": "me"}, {"kind": "ai", "bot": "random"}]}
OPEN = {"game": "universal-match", "seats": [{"kind": "me"}, {"kind": "open"}]}
CUP = {"name": "Cup", "game": "universal-match", "format": "round_robin", "seats_per_table": 2}
RECORD = "application/vnd.starledger.record+jsonl"


@pytest.fixture(scope="module")
def services():
    return in_memory(load({"STARLEDGER_RATE_LIMITS": "off", "STARLEDGER_WEBHOOKS_PRIVATE": "on"}))


@pytest.fixture(scope="module")
def app(services):
    return create_app(services)


class World:
    """What a POST needs, and what happens behind it: `later` changes whatever its first answer showed."""

    def __init__(self, services: Any, ada: Api, bob: Api) -> None:
        self.services, self.ada, self.bob = services, ada, bob
        self.parameters: dict[str, str] = {}
        self.later: Callable[[], object] = lambda: None

    def table(self, body: dict[str, Any]) -> str:
        table: str = self.ada.post("/v1/tables", body, status=201).json["id"]
        self.parameters["table"] = table
        self.later = lambda: self.ada.post(f"/v1/tables/{table}/commands", {"type": "resign"}, status=None)
        return table

    def finished(self) -> str:
        table = self.table(TWO_BOTS)
        self.later()
        return table

    def cup(self, *people: Api) -> str:
        cup: str = self.ada.post("/v1/tournaments", CUP, status=201).json["id"]
        self.parameters["tournament"] = cup
        for person in people:
            person.post(f"/v1/tournaments/{cup}/entries", {"entry": {"kind": "me"}}, status=201)
        self.later = lambda: self.ada.post(f"/v1/tournaments/{cup}/cancel", {})
        return cup

    def running(self) -> str:
        cup = self.cup(self.ada, self.bob)
        self.ada.post(f"/v1/tournaments/{cup}/start")
        return cup

    def hook(self) -> None:
        made = self.ada.post("/v1/webhooks", {"url": "http://127.0.0.1:1/x"}, status=201).json
        self.parameters["webhook"] = hook = made["id"]
        self.table(TWO_BOTS)
        deliver(self.services)
        deliveries = self.ada.get(f"/v1/webhooks/{hook}/deliveries").json["items"]
        self.parameters["delivery"] = deliveries[0]["id"]
        self.later = lambda: deliver(self.services)

    def record(self) -> bytes:
        data: bytes = self.ada.get(f"/v1/tables/{self.finished()}/record").data
        return data


def _of(world: World, name: str) -> Any:
    """Prepare a world for an operation, and give the body to send; a tuple's second part is who sends it."""
    match name:
        case "createPlayer":
            return {"name": "Eve"}
        case "createToken":
            return {"scopes": ["play"]}
        case "createTable":
            return TWO_BOTS
        case "sitDown":
            world.table(OPEN)
            return {}, world.bob
        case "postCommand":
            table = world.table(OPEN)
            world.bob.sit(table)
            world.later = lambda: play(table, [world.ada, world.bob], random.Random(1), most=5)
            return world.ada.commands(table)[0]
        case "importRecord" | "verifyRecord":
            return world.record()
        case "forkTable":
            world.finished()
            return {"at": 2, "seats": TWO_BOTS["seats"]}
        case "rematchTable":
            table = world.finished()
            made = world.ada.post(f"/v1/tables/{table}/rematch", status=201).json["id"]  # so nothing is left to do
            world.later = lambda: world.ada.post(f"/v1/tables/{made}/commands", {"type": "resign"})
            return {}
        case "createTournament":
            return CUP
        case "enterTournament":
            world.cup()
            return {"entry": {"kind": "me"}}
        case "enterMany":
            world.cup()
            return {"entries": [{"kind": "ai", "bot": "easy"}], "dry_run": True}
        case "checkIn":
            world.cup(world.ada)
            world.parameters["entry"] = "e1"
            return None
        case "startTournament" | "resumeTournament":
            world.running()
            return None
        case "pauseTournament":
            cup = world.running()
            world.ada.post(f"/v1/tournaments/{cup}/pause")
            return None
        case "cancelTournament":
            cup = world.cup()
            world.later()
            return {}
        case "previewPairings":
            world.cup(world.ada, world.bob)
            return None
        case "judgeTable":
            cup = world.running()
            world.parameters["table"] = world.ada.get(f"/v1/tournaments/{cup}/tables").json["items"][0]["table"]
            told = {"places": [1, 2], "scores": [3, 2], "forfeits": [], "reason": "agreed"}
            table = world.parameters["table"]
            world.later = lambda: world.ada.post(
                f"/v1/tournaments/{cup}/tables/{table}/result", {**told, "scores": [4, 2]}
            )
            return told
        case "createWebhook":
            return {"url": "http://127.0.0.1:1/x"}
        case "redeliver":
            world.hook()
            return None
        case _:
            raise LookupError(f"say how {name} is repeated")


@pytest.mark.parametrize("name", [each.name for each in ALL if each.method == "POST"])
def test_a_repeat_of_every_post_is_the_first_answer_byte_for_byte_whatever_came_after(services, ada, bob, public, name):
    operation = next(each for each in ALL if each.name == name)
    world = World(services, ada, bob)
    wanted = _of(world, name)
    body, who = wanted if isinstance(wanted, tuple) else (wanted, public if operation.auth == "none" else ada)
    path = operation.path.format_map(world.parameters)
    key = new_key()

    def send(value: Any) -> Any:
        if isinstance(value, bytes):
            return who.record(path, value, status=None, Idempotency_Key=key)
        return who.post(path, value, status=None, key=key)

    first = send(body)
    world.later()
    again = send(body)

    assert first.status_code in (200, 201, 202), first.data
    assert (None, "true") == tuple(each.headers.get("Idempotent-Replayed") for each in (first, again))
    assert (first.status_code, first.data) == (again.status_code, again.data)
    for header in ("Location", "ETag", "Content-Type", "Cache-Control"):
        assert first.headers.get(header) == again.headers.get(header)


def test_without_a_token_a_key_is_long_and_holds_for_its_body(services, ada, bob, public):
    record = World(services, ada, bob).record()
    weak = public.record("/v1/records/verify", record, status=422, Idempotency_Key="k")
    key = new_key()
    first, again = (public.record("/v1/records/verify", record, status=200, Idempotency_Key=key) for _ in range(2))
    other = public.record("/v1/records/verify", b"x", status=422, Idempotency_Key=key)

    assert ("idempotency_key_weak", "idempotency_key_reused") == (weak.json["code"], other.json["code"])
    assert (first.data, "true") == (again.data, again.headers["Idempotent-Replayed"])


@pytest.mark.parametrize(
    ("key", "is_good"),
    [
        ("k", True),
        ("k" * 128, True),
        ("!~ -_.;=", True),
        ('"8e03978e-40d5-43dd-bc93-6894a57f9324"', True),
        ('"a,b"', True),
        ("make it once, please", True),
        ("k" * 129, False),
        ("one,other", False),
        ('"one","other"', False),
        ("", False),
    ],
)
def test_a_key_has_1_to_128_characters_and_two_keys_are_none(ada, key, is_good):
    answer = ada.send("POST", "/v1/tables", OPEN, None, {KEY_HEADER: key})
    assert (201 if is_good else 400) == answer.status_code
    assert is_good or "must stand once" in answer.json["detail"]
