"""A flood of dear reads: few are worked on at once, and a move finds its place meanwhile."""

import threading

import pytest
from werkzeug.test import Client

from service.api.at_hand import AtHand
from service.api.gateway import GIVE_UP
from service.api.routes import ALL
from service.application.few import AT_ONCE
from tests.application.test_few import until

FLOOD = 30


@pytest.mark.parametrize("path", ["/v1/tables?limit=200", "/v1/export", "/v1/tournaments"])
def test_while_a_flood_of_dear_reads_stands_still_moves_are_answered(app, services, ada, monkeypatch, path):
    table = ada.table("planet-pioneer", "me", {"kind": "ai", "bot": "random"})["id"]
    at_work, go_on = [], threading.Event()

    def stuck(*_args, **_named):
        at_work.append(1)
        go_on.wait(60)
        return ()

    monkeypatch.setattr(services.directory._index, "rows", stuck)
    monkeypatch.setattr(services.tournament_index, "rows", stuck)
    at_hand = AtHand(app, AT_ONCE + 1)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(Client(at_hand).get(path))) for _ in range(FLOOD)]
    for thread in threads:
        thread.start()
    until(lambda: services.few.waiting == FLOOD - AT_ONCE)
    moved = Client(at_hand).post(
        f"/v1/tables/{table}/commands",
        json=ada.commands(table)[0],
        headers={"Authorization": f"Bearer {ada.token}"},
        environ_overrides={GIVE_UP: lambda _why: None},
    )

    assert (200, [], AT_ONCE) == (moved.status_code, answers, len(at_work))
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert [200] * FLOOD == [each.status_code for each in answers]


def test_a_flood_of_one_caller_is_refused_and_another_callers_list_is_not(app, services, ada, monkeypatch):
    monkeypatch.setattr(services.few, "_most_waiting", 2)
    for _ in range(AT_ONCE):
        assert services.few.try_take()
    answers = []

    def ask(**headers):
        thread = threading.Thread(target=lambda: answers.append(Client(app).get("/v1/tables", headers=headers)))
        thread.start()
        return thread

    threads = [ask() for _ in range(5)]
    until(lambda: len(answers) == 3)
    threads.append(ask(Authorization=f"Bearer {ada.token}"))
    until(lambda: len(answers) == 4)
    for _ in range(AT_ONCE):
        services.few.give_back()
    for thread in threads:
        thread.join(60)

    assert [503] * 4 + [200] * 2 == sorted((each.status_code for each in answers), reverse=True)
    assert {"unavailable"} == {(each.json or {})["code"] for each in answers if each.status_code == 503}
    assert {"5"} == {each.headers["Retry-After"] for each in answers if each.status_code == 503}


PAST = [each for each in ALL if each.method == "GET" and each.query and "at" in each.query().fields]


@pytest.mark.parametrize("operation", PAST, ids=lambda each: each.name)
def test_a_look_into_the_past_waits_for_its_turn_as_its_log_is_folded_anew(services, ada, monkeypatch, operation):
    wish = {"name": "Cup", "game": "beam-me-up", "format": "swiss", "seats_per_table": 2, "rounds": 1}
    cup = ada.post("/v1/tournaments", wish, status=201).json["id"]
    bots = {"entries": [{"kind": "ai", "bot": "greedy"}] * 2}
    ada.post(f"/v1/tournaments/{cup}/entries/bulk", bots, status=201)
    ada.post(f"/v1/tournaments/{cup}/start")
    version = ada.get(f"/v1/tournaments/{cup}").json["version"]
    table = ada.table("planet-pioneer", "me", {"kind": "ai", "bot": "random"})["id"]
    path = operation.path.format(table=table, tournament=cup, round=1)
    at = 1 if "{table}" in path or operation.path.startswith("/v1/tables") else version - 1
    ada.get(f"{path}?at={at}")
    monkeypatch.setattr(services.few, "_most_waiting", 0)
    for _ in range(AT_ONCE):
        assert services.few.try_take()
    assert "unavailable" == ada.get(f"{path}?at={at}", 503).json["code"]
    ada.get(path, 503 if operation.is_dear else 200)
    for _ in range(AT_ONCE):
        services.few.give_back()
