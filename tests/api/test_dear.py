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


@pytest.fixture
def past(ada):
    """Give the path of each of these operations at a version before the last, of a tournament or a table."""
    wish = {"name": "Cup", "game": "beam-me-up", "format": "swiss", "seats_per_table": 2, "rounds": 1}
    cup = ada.post("/v1/tournaments", wish, status=201).json["id"]
    bots = {"entries": [{"kind": "ai", "bot": "greedy"}] * 2}
    ada.post(f"/v1/tournaments/{cup}/entries/bulk", bots, status=201)
    ada.post(f"/v1/tournaments/{cup}/start")
    table = ada.table("planet-pioneer", "me", {"kind": "ai", "bot": "random"}, options={"first_seat": 0})["id"]
    ada.post(f"/v1/tables/{table}/commands", ada.commands(table)[0])
    at = {
        "/v1/tables": ada.get(f"/v1/tables/{table}").json["version"] - 1,
        "/v1/tournaments": ada.get(f"/v1/tournaments/{cup}").json["version"] - 1,
    }

    def path(operation):
        (before,) = (version for prefix, version in at.items() if operation.path.startswith(prefix))
        return f"{operation.path.format(table=table, tournament=cup, round=1)}?at={before}"

    return path


@pytest.mark.parametrize("operation", PAST, ids=lambda each: each.name)
def test_a_look_into_the_past_waits_for_its_turn_as_its_log_is_folded_anew(services, ada, monkeypatch, operation, past):
    path = past(operation)
    ada.get(path)
    monkeypatch.setattr(services.few, "_most_waiting", 0)
    for _ in range(AT_ONCE):
        assert services.few.try_take()
    assert "unavailable" == ada.get(path, 503).json["code"]
    ada.get(path.partition("?")[0], 503 if operation.is_dear else 200)
    for _ in range(AT_ONCE):
        services.few.give_back()


@pytest.mark.parametrize("operation", PAST, ids=lambda each: each.name)
def test_nobody_waits_for_a_turn_that_is_his_already(app, services, monkeypatch, operation, past):
    path, asked, answers = past(operation), threading.Barrier(FLOOD), []
    monkeypatch.setattr(services.few, "_most_waiting", FLOOD)

    def ask():
        asked.wait(60)
        answers.append(Client(app).get(path).status_code)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(FLOOD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [200] * FLOOD == answers
