"""Webhooks over HTTP: made, listed, delivered to a real address, delivered again, deleted."""

import base64
import hmac
import json
import socket
import threading

import pytest

from service.api.app import create_app
from service.application.webhooks import MOST
from service.bootstrap import in_memory
from service.config import load
from tests.support.api import Api, new_key

URL = "https://example.com/hook"


class Receiver:
    """An address on this machine that keeps what it is sent."""

    def __init__(self) -> None:
        self.status = b"200 OK"
        self.got: list[tuple[dict[str, str], bytes]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/hook"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                lines.readline()
                headers = {}
                while (line := lines.readline().decode().strip()) != "":
                    name, _, value = line.partition(": ")
                    headers[name.lower()] = value
                self.got.append((headers, lines.read(int(headers["content-length"]))))
                connection.sendall(b"HTTP/1.1 %b\r\nContent-Length: 0\r\n\r\n" % self.status)


@pytest.fixture
def services():
    return in_memory(load({"STARLEDGER_RATE_LIMITS": "off", "STARLEDGER_WEBHOOKS_PRIVATE": "on"}))


@pytest.fixture
def receiver():
    opened = Receiver()
    yield opened
    opened.close()


def deliver(services) -> None:
    for due in services.deliverer.store.due(100):
        services.deliverer.send(due.webhook)


def test_a_webhook_is_made_listed_and_deleted(ada, bob):
    made = ada.post("/v1/webhooks", {"url": URL, "events": ["table_finished", "your_turn"]}, status=201)
    hook = made.json
    shown = {name: value for name, value in hook.items() if name != "secret"}

    assert f"/v1/webhooks/{hook['id']}" == made.headers["Location"]
    assert (["your_turn", "table_finished"], "active", URL) == (hook["events"], hook["status"], hook["url"])
    assert hook["secret"].startswith("whsec_")
    assert 32 == len(base64.b64decode(hook["secret"].removeprefix("whsec_")))
    assert [shown] == ada.get("/v1/webhooks").json["items"]
    assert shown == ada.get(made.headers["Location"]).json
    assert [] == bob.get("/v1/webhooks").json["items"]
    bob.get(made.headers["Location"], status=404)
    bob.delete(made.headers["Location"], status=404)
    ada.delete(made.headers["Location"])
    ada.get(made.headers["Location"], status=404)


def test_a_repeat_does_not_bring_back_what_was_deleted(ada):
    key = new_key()
    first = ada.post("/v1/webhooks", {"url": URL}, status=201, key=key)
    ada.delete(first.headers["Location"])
    again = ada.post("/v1/webhooks", {"url": URL}, status=201, key=key)

    assert "true" == again.headers["Idempotent-Replayed"]
    assert first.json == again.json
    ada.get(first.headers["Location"], status=404)
    assert [] == ada.get("/v1/webhooks").json["items"]


def test_without_a_choice_all_notices_are_sent(ada):
    assert "table_invited" in ada.post("/v1/webhooks", {"url": URL}, status=201).json["events"]


def test_a_repeat_gets_the_same_webhook_and_the_same_secret(ada):
    key = new_key()
    first = ada.post("/v1/webhooks", {"url": URL}, status=201, key=key)
    again = ada.post("/v1/webhooks", {"url": URL}, status=201, key=key)

    assert first.data == again.data
    assert "true" == again.headers["Idempotent-Replayed"]
    assert 1 == len(ada.get("/v1/webhooks").json["items"])
    other = ada.post("/v1/webhooks", {"url": URL + "2"}, status=422, key=key)
    assert "idempotency_key_reused" == other.json["code"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": "ftp://example.com"}, "url"),
        ({"url": "https://a@example.com"}, "url"),
        ({"url": URL, "events": []}, "events"),
        ({"url": URL, "events": ["nothing"]}, "events[0]"),
        ({"url": URL, "secret": "mine"}, "secret"),
    ],
)
def test_what_is_wrong_is_said_by_field(ada, body, field):
    assert field in ada.post("/v1/webhooks", body, status=422).json["errors"]


def test_it_needs_the_scope(ada):
    limited = Api(ada.app, ada.post("/v1/me/tokens", {"scopes": ["play"]}, status=201).json["token"])
    for answer in (
        limited.get("/v1/webhooks", status=403),
        limited.post("/v1/webhooks", {"url": URL}, status=403),
        limited.get("/v1/webhooks/x/deliveries", status=403),
        limited.post("/v1/webhooks/x/deliveries/1/redeliver", status=403),
        limited.delete("/v1/webhooks/x", status=403),
    ):
        assert ("scope_missing", "webhooks") == (answer.json["code"], answer.json["scope"])


def test_private_addresses_are_refused_unless_a_setting_allows_them():
    ada = Api(create_app(in_memory(load({})))).register("Ada")
    for url in ("http://127.0.0.1/", "http://localhost:8000/", "http://169.254.169.254/", "http://[::1]/"):
        assert "private" in ada.post("/v1/webhooks", {"url": url}, status=422).json["errors"]["url"]


def test_a_player_has_no_more_than_so_many(ada):
    for n in range(MOST):
        ada.post("/v1/webhooks", {"url": f"{URL}/{n}"}, status=201)
    assert "url" in ada.post("/v1/webhooks", {"url": URL}, status=422).json["errors"]


def test_a_players_turn_reaches_his_address_signed(services, ada, bob, receiver):
    hook = bob.post("/v1/webhooks", {"url": receiver.url}, status=201).json
    table = ada.table("universal-match", "me", {"kind": "player", "player": bob.id})["id"]
    bob.sit(table)
    deliver(services)

    headers = {head["webhook-id"]: (head, body) for head, body in receiver.got}
    head, body = headers[f"msg_{hook['id']}_3"]
    assert "application/json" == head["content-type"]
    message = json.loads(body)
    assert ("your_turn", table, 1) == (message["type"], message["data"]["table"], message["data"]["seat"])
    secret = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    signed = f"{head['webhook-id']}.{head['webhook-timestamp']}.".encode() + body
    assert f"v1,{base64.b64encode(hmac.digest(secret, signed, 'sha256')).decode()}" == head["webhook-signature"]
    feed = bob.get("/v1/me/stream").json["items"]
    assert feed == sorted((json.loads(body)["data"] for _, body in receiver.got), key=lambda notice: notice["id"])


def test_the_log_shows_each_attempt_and_a_redelivery_sends_the_same_message_again(services, ada, bob, receiver):
    hook = bob.post("/v1/webhooks", {"url": receiver.url}, status=201).json
    receiver.status = b"503 Busy"
    ada.table("universal-match", "me", {"kind": "player", "player": bob.id})
    deliver(services)
    log = f"/v1/webhooks/{hook['id']}/deliveries"
    (waiting,) = bob.get(log).json["items"]
    assert ("pending", [503]) == (waiting["status"], [each["status"] for each in waiting["attempts"]])
    assert waiting["next_attempt_at"] > waiting["attempts"][0]["at"]

    receiver.status = b"204 No Content"
    again = bob.post(f"{log}/{waiting['id']}/redeliver", status=202, key=new_key()).json
    assert "pending" == again["status"]
    deliver(services)
    (taken,) = bob.get(log).json["items"]
    assert ("delivered", [503, 204]) == (taken["status"], [each["status"] for each in taken["attempts"]])
    assert 1 == len({(head["webhook-id"], body) for head, body in receiver.got})
    assert 2 == len(receiver.got)


def test_a_delivery_that_there_is_not_is_404(ada, bob):
    hook = ada.post("/v1/webhooks", {"url": URL}, status=201).json
    for person, delivery in ((ada, "1"), (ada, "x"), (ada, "9" * 30), (ada, "²"), (bob, "1")):
        person.post(f"/v1/webhooks/{hook['id']}/deliveries/{delivery}/redeliver", status=404)


def test_the_log_is_read_in_pages(services, ada, bob, receiver):
    hook = bob.post("/v1/webhooks", {"url": receiver.url}, status=201).json
    for _ in range(5):
        ada.table("universal-match", "me", {"kind": "player", "player": bob.id})
    deliver(services)
    seen, path = [], f"/v1/webhooks/{hook['id']}/deliveries?limit=2"
    while path:
        answer = bob.get(path)
        seen += [each["id"] for each in answer.json["items"]]
        link = answer.headers.get("Link", "")
        path = link.partition(">")[0].removeprefix("<")
    assert ["5", "4", "3", "2", "1"] == seen
