"""Commands: listed, sent, refused, repeated."""

import os
import random
import threading
from typing import Any

import pytest

from domain.games import GAMES
from domain.table_rules import AskPause
from domain.values import Seat
from service.application.handle import Attempt, Desk
from tests.support.api import SHORT, Api, play

BMU = "beam-me-up"


@pytest.fixture
def table(ada, bob):
    """A table of two with a fixed deal; Ada sits in seat 0."""
    made = ada.table(BMU, "me", "open", seed="a fixed deal")["id"]
    bob.sit(made)
    return made


def in_turn(table: str, *persons: Api) -> tuple[Api, Api]:
    """Give who must act, and the other."""
    to_act = persons[0].get(f"/v1/tables/{table}").json["to_act"]
    return (persons[0], persons[1]) if to_act == [0] else (persons[1], persons[0])


def refusal(person: Api, table: str, command: Any, status: int, **headers: str) -> Any:
    return person.post(f"/v1/tables/{table}/commands", command, status=status, **headers).json


def test_listed_commands_are_ready_to_send(table, ada, bob):
    actor, other = in_turn(table, ada, bob)
    listed = actor.get(f"/v1/tables/{table}/commands").json

    assert 2 == listed["version"]
    assert listed["seat"] == actor.get(f"/v1/tables/{table}").json["you"]["seat"]
    assert {"type": "resign"} == listed["commands"][-1]
    assert [{"type": "resign"}] == other.commands(table)
    done = actor.do(table, listed["commands"][0])
    assert 3 == done["version"]


def test_a_caller_without_a_seat_has_no_commands(table, ada, public):
    for caller in (public, ada.register("Eve")):
        listed = caller.get(f"/v1/tables/{table}/commands").json
        assert {"version": 2, "seat": None, "commands": []} == listed


def test_the_answer_is_the_callers_own_view_right_after_his_entry(table, ada, bob):
    actor, _ = in_turn(table, ada, bob)
    answer = actor.post(f"/v1/tables/{table}/commands", actor.commands(table)[0])
    done = answer.json

    assert [done["version"]] == [entry["version"] for entry in done["entries"]]
    shown = actor.get(f"/v1/tables/{table}")
    assert done["view"] == shown.json["view"]
    assert done["to_act"] == shown.json["to_act"]
    assert done["commands"] == actor.commands(table)
    assert answer.headers["ETag"] == shown.headers["ETag"]
    assert "outcome" not in done
    logged = actor.get(f"/v1/tables/{table}/events?after=2").json["items"]
    assert done["entries"] == logged


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_played_over_http(ada, game):
    rng = random.Random(game)
    persons = [ada, *(ada.register(name) for name in "BCD")][: min(GAMES[game].seats)]
    table = ada.table(game, "me", *["open"] * (len(persons) - 1), options=SHORT[game])["id"]
    for person in persons[1:]:
        person.sit(table)
    shown = play(table, persons, rng)

    assert "finished" == shown["status"]
    assert "over" == shown["view"]["phase"]
    assert shown["outcome"]["winners"]
    assert 64 == len(shown["fairness"]["secret"])
    assert "table_finished" == refusal(ada, table, {"type": "resign"}, 409)["code"]
    assert [] == ada.commands(table)


# ---- refusals, in their order


def test_the_rules_refuse_with_their_ruling(table, ada, bob):
    actor, _ = in_turn(table, ada, bob)
    hand = actor.get(f"/v1/tables/{table}").json["view"]["seats"]
    own = next(seat["hand"] for seat in hand if "hand" in seat)
    foreign = next(card for card in ("A1", "A2", "A3", "A4", "A5", "A6") if card not in own)

    refused = refusal(actor, table, {"type": "play_card", "card": foreign}, 409)

    assert ("illegal_command", "B37", 2) == (refused["code"], refused["ruling"], refused["version"])
    assert 2 == actor.get(f"/v1/tables/{table}").json["version"]


def test_it_may_be_anothers_turn(table, ada, bob):
    _, other = in_turn(table, ada, bob)
    refused = refusal(other, table, {"type": "play_card", "card": "A1"}, 409)
    assert ("not_your_turn", 2) == (refused["code"], refused["version"])


def test_commands_need_a_seat_a_start_and_no_end(ada, bob):
    table = ada.table(BMU, "me", "open")["id"]
    command = {"type": "play_card", "card": "A1"}

    assert "not_seated" == refusal(bob, table, command, 403)["code"]
    assert "table_not_started" == refusal(ada, table, command, 409)["code"]
    bob.sit(table)
    ada.do(table, {"type": "resign"})
    assert "table_finished" == refusal(bob, table, command, 409)["code"]
    assert "not_seated" == refusal(ada.register("Eve"), table, command, 403)["code"]


def test_a_seat_that_resigned_is_played_on_by_a_bot(ada, bob):
    eve = ada.register("Eve")
    table = ada.table(BMU, "me", "open", "open")["id"]
    for person in (bob, eve):
        person.sit(table)
    done = ada.do(table, {"type": "resign"})

    assert [] == done["commands"] == ada.commands(table)
    seat = ada.get(f"/v1/tables/{table}").json["seats"][0]
    assert (True, "greedy") == (seat["resigned"], seat["played_by"])
    assert "seat_resigned" == refusal(ada, table, {"type": "resign"}, 409)["code"]


def test_the_last_but_one_to_resign_ends_the_table(ada, bob):
    table = ada.table(BMU, "me", "open")["id"]
    bob.sit(table)
    outcome = ada.do(table, {"type": "resign"})["outcome"]
    assert ([1], [0], "resignation") == (outcome["winners"], outcome["resigned"], outcome["reason"])


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "validation_failed", "type"),
        ({"type": 7}, "validation_failed", "type"),
        ({"type": None}, "validation_failed", "type"),
        ({"type": "pass"}, "unknown_command", None),
        ({"type": "build", "card": "A1", "cell": [0, 0]}, "unknown_command", None),
        ({"type": "x" * 5000}, "unknown_command", None),
        ({"type": "play_card"}, "validation_failed", "card"),
        ({"type": "play_card", "card": "A15"}, "validation_failed", "card"),
        ({"type": "play_card", "card": 1}, "validation_failed", "card"),
        ({"type": "play_card", "card": None}, "validation_failed", "card"),
        ({"type": "play_card", "card": ["A1"]}, "validation_failed", "card"),
        ({"type": "play_card", "card": "A1", "seat": 0}, "validation_failed", "seat"),
        ({"type": "resign", "now": True}, "validation_failed", "now"),
        ({"type": "collect_card", "card": "A1", "replace": None}, "validation_failed", "replace"),
    ],
)
def test_a_command_is_checked_against_its_schema(table, ada, bob, body, code, field):
    for person in (ada, bob):  # whoever's turn it is
        refused = refusal(person, table, body, 422)
        assert code == refused["code"]
        assert field is None or field in refused["errors"]


def test_cells_and_seats_are_whole_numbers(ada, bob):
    table = ada.table("planet-pioneer", "me", "open")["id"]
    bob.sit(table)
    for cell, field in (
        ([0], "cell"),
        ([0, 0, 0], "cell"),
        ("00", "cell"),
        ([0, 9], "cell[1]"),
        ([0.5, 0], "cell[0]"),
        (["0", 0], "cell[0]"),
        ([True, 0], "cell[0]"),
        ([-1, 0], "cell[0]"),
    ):
        assert field in refusal(ada, table, {"type": "visit", "cell": cell}, 422)["errors"]
    attack = {"type": "attack", "opponent": 2, "cell": [0, 0]}
    assert "opponent" in refusal(ada, table, attack, 422)["errors"]
    assert refusal(ada, table, {"type": "visit", "cell": [0.0, 0.0]}, 409)["code"] in (
        "illegal_command",
        "not_your_turn",
    )


def test_a_list_of_commands_is_refused(table, ada):
    refused = refusal(ada, table, [{"type": "resign"}], 422)
    assert {"body": "Must be a JSON object."} == refused["errors"]


def test_each_check_goes_before_the_next(table, ada, bob, public, app):
    """Token, form, table, seat, phase, If-Match, turn, ruling: the first that fails answers."""
    actor, other = in_turn(table, ada, bob)
    eve = ada.register("Eve")
    finished = ada.table(BMU, "me", {"kind": "ai", "bot": "random"})["id"]
    ada.do(finished, {"type": "resign"})
    bad, good, illegal = {"type": "x"}, {"type": "resign"}, {"type": "launch_racer", "racer": "mars"}
    stale = '"1-0000000000000000-s0"'

    assert "unauthenticated" == refusal(public, table, bad, 401)["code"]
    assert "not_found" == refusal(eve, "nowhere", good, 404)["code"]
    assert "unknown_command" == refusal(eve, table, bad, 422)["code"]
    assert "not_seated" == refusal(eve, finished, good, 403, If_Match=stale)["code"]
    assert "table_finished" == refusal(ada, finished, good, 409, If_Match=stale)["code"]
    assert "stale_version" == refusal(other, table, illegal, 412, If_Match=stale)["code"]
    assert "not_your_turn" == refusal(other, table, illegal, 409)["code"]
    last = refusal(actor, table, illegal, 409)
    assert ("illegal_command", "B24") == (last["code"], last["ruling"])


# ---- If-Match


def test_a_command_bound_to_a_version_counts_only_there(table, ada, bob):
    actor, other = in_turn(table, ada, bob)
    tag = actor.get(f"/v1/tables/{table}").headers["ETag"]
    stale = other.get(f"/v1/tables/{table}").headers["ETag"]
    done = actor.do(table, actor.commands(table)[0], If_Match=tag)

    refused = other.post(f"/v1/tables/{table}/commands", {"type": "resign"}, status=412, If_Match=stale)
    assert ("stale_version", 3) == (refused.json["code"], refused.json["version"])
    assert [3] == [entry["version"] for entry in refused.json["entries"]]
    assert other.get(f"/v1/tables/{table}/events?after=2").json["items"] == refused.json["entries"]
    assert refused.headers["ETag"] == other.get(f"/v1/tables/{table}").headers["ETag"]
    assert 3 == done["version"]


def test_who_loses_a_race_three_times_is_told_what_came_meanwhile(ada, bob, services, monkeypatch):
    persons = [ada, bob, ada.register("Cyd"), ada.register("Dan")]
    clock = {"kind": "turn", "seconds": 600}
    table = ada.table(BMU, "me", "open", "open", "open", clock=clock)["id"]
    for person in persons[1:]:
        person.sit(table)
    version = ada.get(f"/v1/tables/{table}").json["version"]
    rival = Desk(services.store, services.queue, services.games, os.urandom)
    commit, faster = services.store.commit, [Seat(1), Seat(2), Seat(3)]

    def late(*args, **more):
        if faster:
            seat = faster.pop(0)
            rival.handle(table, lambda _: (AskPause(seat, go_on=False), seat), Attempt(f"pause {seat}"))
        return commit(*args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(services.desk, "_store", Store(services.store, late))
        lost = ada.post(f"/v1/tables/{table}/commands", {"type": "resign"}, status=409, key="race")

    assert ("version_conflict", True, version + 3) == tuple(
        lost.json[name] for name in ("code", "retryable", "version")
    )
    assert ada.get(f"/v1/tables/{table}/events?after={version}").json["items"] == lost.json["entries"]
    assert ada.get(f"/v1/tables/{table}").headers["ETag"] == lost.headers["ETag"]
    ada.post(f"/v1/tables/{table}/commands", {"type": "resign"}, key="race")


class Store:
    """A store with another way to commit."""

    def __init__(self, store: Any, commit: Any) -> None:
        self.commit = commit
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_tags_of_other_viewers_weak_ones_lists_and_the_star(table, ada, bob, public):
    path = f"/v1/tables/{table}/commands"
    tag = public.get(f"/v1/tables/{table}").headers["ETag"]
    for header, status in (
        ('"0-x"', 412),
        ('"2-0000000000000000-s0"', 412),
        ("W/" + tag.replace("2-", "1-"), 412),
        ("2", 400),
        (tag.strip('"'), 400),
        (f"{tag} {tag}", 400),
        ("", 400),
    ):
        ada.post(path, {"type": "resign"}, status=status, If_Match=header)
    actor, _ = in_turn(table, ada, bob)
    for header in (f"W/{tag}", f'"1-0000000000000000-s0", {tag}', "*"):
        shown = actor.get(f"/v1/tables/{table}")
        if shown.headers["ETag"].strip('"')[0] != "2" and header != "*":
            continue
        actor, other = in_turn(table, ada, bob)
        moves = [command for command in actor.commands(table) if command["type"] != "resign"]
        actor.post(path, moves[0], If_Match=header)
        actor = other


# ---- repeats


def test_a_repeat_gets_the_first_answer_byte_for_byte(table, ada, bob):
    actor, other = in_turn(table, ada, bob)
    path, command = f"/v1/tables/{table}/commands", actor.commands(table)[0]
    first = actor.post(path, command, key="k")
    for _ in range(2):
        mover, _ = in_turn(table, ada, bob)
        mover.do(table, mover.commands(table)[0])
    again = actor.post(path, command, key="k")

    assert (first.data, first.headers["ETag"]) == (again.data, again.headers["ETag"])
    assert "true" == again.headers["Idempotent-Replayed"]
    assert 5 == actor.get(f"/v1/tables/{table}").json["version"]
    refused = actor.post(path, {"type": "resign"}, status=422, key="k").json
    assert "idempotency_key_reused" == refused["code"]
    other.post(path, {"type": "resign"}, key="k")  # another player's key is another key
    assert first.data == actor.post(path, command, key="k").data  # also after the end


def test_a_repeat_is_answered_before_anything_that_has_changed_since(table, ada, bob):
    actor, _ = in_turn(table, ada, bob)
    path, tag = f"/v1/tables/{table}/commands", actor.get(f"/v1/tables/{table}").headers["ETag"]
    command = actor.commands(table)[0]
    first = actor.post(path, command, key="k", If_Match=tag)
    assert first.data == actor.post(path, command, key="k", If_Match=tag).data


def test_a_refused_command_does_not_use_its_key_up(table, ada, bob):
    actor, other = in_turn(table, ada, bob)
    path = f"/v1/tables/{table}/commands"
    other.post(path, {"type": "play_card", "card": "A1"}, status=409, key="k")
    other.post(path, {"type": "resign"}, key="k")
    assert "finished" == actor.get(f"/v1/tables/{table}").json["status"]


def test_a_lost_answer_is_found_again(table, ada, bob, services, monkeypatch):
    """The entry is committed, and the process dies before it answers."""
    actor, _ = in_turn(table, ada, bob)
    path, command = f"/v1/tables/{table}/commands", actor.commands(table)[0]
    hint = Desk._hint

    def dies(self, *rest):
        raise RuntimeError("the process died here")

    monkeypatch.setattr(Desk, "_hint", dies)
    actor.post(path, command, status=500, key="k")
    monkeypatch.setattr(Desk, "_hint", hint)
    again = actor.post(path, command, key="k")
    assert "true" == again.headers["Idempotent-Replayed"]
    assert [3] == [entry["version"] for entry in again.json["entries"]]


def test_a_race_has_one_winner_and_loses_nothing(table, ada, bob, app):
    """Ten threads send the same command under one key, ten under keys of their own: it counts once."""
    actor, _ = in_turn(table, ada, bob)
    command, statuses = actor.commands(table)[0], []

    def send(key: str) -> None:
        one = Api(app, actor.token, actor.me)
        statuses.append((key, one.post(f"/v1/tables/{table}/commands", command, status=None, key=key).status_code))

    threads = [threading.Thread(target=send, args=("same" if n % 2 else f"own-{n}",)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 3 == actor.get(f"/v1/tables/{table}").json["version"]
    accepted = [key for key, status in statuses if status == 200]
    assert 1 == len(set(accepted))
    assert {200, 409} >= {status for _, status in statuses}


def test_two_at_once_never_get_the_same_seat(ada, app):
    table = ada.table(BMU, "me", "open", "open")["id"]
    persons, seats = [ada.register(f"P{n}") for n in range(8)], []

    def sit(person: Api) -> None:
        answer = person.post(f"/v1/tables/{table}/seats", {}, status=None)
        if answer.status_code == 201:
            seats.append(answer.json["you"]["seat"])

    threads = [threading.Thread(target=sit, args=(person,)) for person in persons]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [1, 2] == sorted(seats)


# ---- clocks


def test_clocks_are_shown_as_absolute_times_and_can_be_paused(ada, bob):
    table = ada.table(BMU, "me", "open", clock={"kind": "bank", "seconds": 60, "increment": 2})["id"]
    bob.sit(table)
    clock = ada.get(f"/v1/tables/{table}").json["clock"]
    assert ("bank", 60, 2, "default_move", False) == tuple(
        clock[name] for name in ("kind", "seconds", "increment", "on_expiry", "paused")
    )
    assert [60, 60] == clock["banks"]
    assert 1 == len(clock["deadlines"])
    for person in (ada, bob):
        assert {"type": "pause_clock"} in person.commands(table)
        person.do(table, {"type": "pause_clock"})
    assert ada.get(f"/v1/tables/{table}").json["clock"]["paused"]
    assert {"type": "resume_clock"} in ada.commands(table)
    assert "illegal_command" == refusal(ada, table, {"type": "pause_clock"}, 409)["code"]


@pytest.mark.parametrize(
    ("clock", "banks"),
    [({"kind": "turn", "seconds": 60}, []), ({"kind": "bank", "seconds": 60, "increment": 2}, [60, 60])],
)
def test_a_clock_always_shows_deadlines_banks_and_whether_it_is_paused(ada, bob, clock, banks):
    shown = ada.table(BMU, "me", "open", clock=clock)
    assert clock | {"on_expiry": "default_move", "deadlines": [], "banks": banks, "paused": False} == shown["clock"]
    assert banks == bob.sit(shown["id"])["clock"]["banks"]


def test_a_table_without_a_clock_has_none_to_pause(table, ada):
    refused = refusal(ada, table, {"type": "pause_clock"}, 409)
    assert ("illegal_command", "G7") == (refused["code"], refused["ruling"])
