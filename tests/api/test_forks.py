"""Forks and rematches over HTTP."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.api import Api, new_key
from tests.support.finished import resigned

ME, OPEN, BOT = {"kind": "me"}, {"kind": "open"}, {"kind": "ai", "bot": "random"}


# ---- forks


def test_a_fork_stands_as_the_table_stood(ada, bob, public):
    table = resigned(ada, bob)
    fork = ada.post(f"/v1/tables/{table}/forks", {"at": 4, "seats": [ME, OPEN]}, status=201)
    made = fork.json

    assert f"/v1/tables/{made['id']}" == fork.headers["Location"]
    assert ("open", None, {"table": table, "version": 4}, False) == (
        made["status"],
        made["view"],
        made["origin"],
        made["rated"],
    )
    assert "chosen_seed" not in made["fairness"]
    started = bob.sit(made["id"])
    then = public.get(f"/v1/tables/{table}?at=4&as=1").json
    assert (then["view"], then["to_act"]) == (started["view"], started["to_act"])
    assert made["fairness"]["commitment"] != then["fairness"]["commitment"]


def test_a_fork_is_played_to_its_end_by_bots(ada, bob, public):
    table = resigned(ada, bob)
    made = ada.post(f"/v1/tables/{table}/forks", {"at": 5, "seats": [BOT, BOT]}, status=201).json

    assert "finished" == public.get(f"/v1/tables/{made['id']}").json["status"]
    record = public.get(f"/v1/tables/{made['id']}/record").data
    assert public.record("/v1/records/verify", record, status=200).json["valid"]


def test_a_seat_that_waits_is_told_no_other_seat_s_cards(ada, bob, public):
    made = ada.post(f"/v1/tables/{resigned(ada, bob)}/forks", {"at": 4, "seats": [ME, OPEN]}, status=201).json["id"]
    copied = {
        person: next(
            event["events"]
            for entry in person.get(f"/v1/tables/{made}/events").json["items"]
            for event in entry["events"]
            if event["type"] == "position_copied"
        )
        for person in (ada, bob, public)
    }
    hands = {
        person: next(event for event in events if event["type"] == "cards_dealt")["hands"]
        for person, events in copied.items()
    }

    assert [True, False] == ["cards" in hand for hand in hands[ada]]
    assert [False, False] == ["cards" in hand for hand in hands[bob]] == ["cards" in hand for hand in hands[public]]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"at": 4}, "seats"),
        ({"seats": [ME, OPEN]}, "at"),
        ({"at": 0, "seats": [ME, OPEN]}, "at"),
        ({"at": 1, "seats": [ME, OPEN]}, "at"),
        ({"at": 99, "seats": [ME, OPEN]}, "at"),
        ({"at": "4", "seats": [ME, OPEN]}, "at"),
        ({"at": 4, "seats": [ME]}, "seats"),
        ({"at": 4, "seats": [ME, ME]}, "seats"),
        ({"at": 4, "seats": [ME, {"kind": "ai", "bot": "hal"}]}, "seats[1].bot"),
        ({"at": 4, "seats": [ME, {"kind": "player", "player": "nobody"}]}, "seats[1].player"),
        ({"at": 4, "seats": [ME, OPEN], "seed": "x"}, "seed"),
    ],
)
def test_what_is_wrong_with_a_fork_is_said_by_field(ada, bob, body, field):
    assert field in ada.post(f"/v1/tables/{resigned(ada, bob)}/forks", body, status=422).json["errors"]


def test_a_table_that_is_played_is_not_forked(ada, bob):
    table = ada.table("beam-me-up", "me", "open")["id"]
    bob.sit(table)
    problem = ada.post(f"/v1/tables/{table}/forks", {"at": 1, "seats": [ME, OPEN]}, status=409).json

    assert "table_not_finished" == problem["code"]


def test_a_fork_under_a_key_is_made_once(ada, bob):
    table, key = resigned(ada, bob), new_key()
    body = {"at": 4, "seats": [ME, OPEN]}
    first = ada.post(f"/v1/tables/{table}/forks", body, status=201, key=key)
    again = ada.post(f"/v1/tables/{table}/forks", body, status=201, key=key)

    assert (first.data, "true") == (again.data, again.headers["Idempotent-Replayed"])
    other = ada.post(f"/v1/tables/{table}/forks", {**body, "at": 5}, status=422, key=key)
    assert "idempotency_key_reused" == other.json["code"]
    assert first.json["id"] != ada.post(f"/v1/tables/{table}/forks", body, status=201).json["id"]


# ---- rematch


def again(person: Api, table: str, status: int = 201, **more) -> dict[str, Any]:
    made: dict[str, Any] = person.post(f"/v1/tables/{table}/rematch", {}, status=status, **more).json
    return made


def test_b1_a_rematch_moves_the_seats_round_and_waits_for_the_others(ada, bob):
    table = resigned(ada, bob)
    made = again(ada, table)

    assert ("open", {"seat": 1}) == (made["status"], made["you"])
    assert [bob.id, ada.id] == [seat["player"]["id"] for seat in made["seats"]]
    assert [True, None] == [seat.get("reserved") for seat in made["seats"]]
    assert table == made["origin"]["table"]
    joined = again(bob, table)
    assert (made["id"], "playing", {"seat": 0}) == (joined["id"], joined["status"], joined["you"])


def test_a_rematch_asked_for_again_is_the_same_table(ada, bob):
    table = resigned(ada, bob)
    made = again(ada, table)

    assert made == again(ada, table)
    again(bob, table)
    assert made["id"] == again(ada, table)["id"] == again(bob, table)["id"]


def test_a_rematch_needs_no_body(ada, bob):
    answer = ada.send("POST", f"/v1/tables/{resigned(ada, bob)}/rematch", None, 201, {})
    assert answer.json["status"] == "open"


def test_a_rematch_asked_for_by_all_at_once_is_one_table(app, ada, bob):
    table = resigned(ada, bob)
    persons = [Api(app, token) for token in [ada.token, bob.token] * 3]
    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda person: again(person, table), persons))

    assert 1 == len({each["id"] for each in made})
    now = ada.get(f"/v1/tables/{made[0]['id']}").json
    assert "playing" == now["status"]
    assert [bob.id, ada.id] == [seat["player"]["id"] for seat in now["seats"]]


def test_a_repeat_under_a_key_is_answered_by_the_same_bytes_whatever_came_between(ada, bob):
    table, keys = resigned(ada, bob), (new_key(), new_key())
    path = f"/v1/tables/{table}/rematch"
    first = [person.post(path, {}, status=201, key=key) for person, key in zip((ada, bob), keys, strict=True)]
    bob.do(first[0].json["id"], {"type": "resign"})
    for person, key, before in zip((ada, bob), keys, first, strict=True):
        repeat = person.post(path, {}, status=201, key=key)
        assert (before.data, "true") == (repeat.data, repeat.headers["Idempotent-Replayed"])


def test_a_rematch_that_was_aborted_makes_room_for_another(ada, bob):
    table, key = resigned(ada, bob), new_key()
    made = again(ada, table, key=key)
    ada.delete(f"/v1/tables/{made['id']}")
    other = again(bob, table)

    assert made["id"] != other["id"]
    assert made == again(ada, table, key=key)
    assert other["id"] == again(ada, table)["id"]


def test_strangers_and_players_of_a_table_that_is_played_get_no_rematch(ada, bob, public):
    table = resigned(ada, bob)
    carl = ada.register("Carl")
    assert "not_seated" == again(carl, table, status=403)["code"]
    again(ada, table)
    assert "not_seated" == again(carl, table, status=403)["code"]
    again(public, table, status=401)
    running = ada.table("beam-me-up", "me", "open")["id"]
    assert "table_not_finished" == again(ada, running, status=409)["code"]
