"""Tables: create, look at, sit down, leave, abort."""

from typing import Any

import pytest

from domain.games import GAMES
from service.api.recent_keys import RecentKeys
from service.application.repeats import KEPT_S
from tests.support.api import Api, new_key, play

BMU = "beam-me-up"


def test_a_table_of_open_seats_waits(ada):
    made = ada.post("/v1/tables", {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}]}, status=201)
    table = made.json

    assert f"/v1/tables/{table['id']}" == made.headers["Location"]
    assert ("open", 1, None, {"seat": 0}, []) == tuple(
        table[name] for name in ("status", "version", "view", "you", "to_act")
    )
    assert [("player", False), ("open", False)] == [(seat["kind"], seat["to_act"]) for seat in table["seats"]]
    assert {"id": ada.id, "name": "Ada", "kind": "human"} == table["seats"][0]["player"]
    assert ada.id == table["creator"]
    assert 64 == len(table["fairness"]["commitment"])
    assert "secret" not in table["fairness"]


@pytest.mark.parametrize("game", GAMES)
def test_a_table_starts_when_the_last_seat_is_taken(ada, bob, game):
    seats = ["me", *["open"] * (min(GAMES[game].seats) - 1)]
    table = ada.table(game, *seats)["id"]
    sat = {}
    for person in (bob, *(ada.register(name) for name in "CDE"))[: len(seats) - 1]:
        sat = person.sit(table)

    assert "playing" == sat["status"]
    assert game == sat["view"]["game"]
    own = sat["you"]["seat"]
    assert all(("hand" in seat) == (seat["seat"] == own) for seat in sat["view"]["seats"])


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_built_in_bots_plays_by_itself(ada, game):
    seats = [{"kind": "ai", "bot": "random"}] * min(GAMES[game].seats)
    table = ada.table(game, *seats)["id"]

    shown = ada.get(f"/v1/tables/{table}").json
    assert ("finished", None) == (shown["status"], shown["you"])
    assert shown["outcome"]["winners"]


def test_defaults_are_recorded_with_the_table(ada):
    table = ada.table(BMU, "me", "open", options={"lines": "hidden"})

    assert {"launched_aliens": "home", "lines": "hidden", "earth_racer": True, "tie_break": "shared"} == table[
        "options"
    ]
    assert ("public", False, None) == (table["visibility"], table["rated"], table["clock"])


def test_a_chosen_seed_gives_the_same_deal_and_is_public(ada):
    one, two = (ada.table(BMU, "me", {"kind": "ai", "bot": "random"}, seed="a fixed deal") for _ in range(2))

    assert one["view"]["seats"][0]["hand"] == two["view"]["seats"][0]["hand"]
    assert "a fixed deal" == one["fairness"]["chosen_seed"]
    assert one["fairness"]["commitment"] == two["fairness"]["commitment"]
    assert one["id"] != two["id"]


def errors_of(person: Api, body: dict[str, Any]) -> Any:
    return person.post("/v1/tables", body, status=422).json["errors"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"game": None}, "game"),
        ({"seats": []}, "seats"),
        ({"seats": [{"kind": "me"}]}, "seats"),
        ({"seats": [{"kind": "me"}] * 2}, "seats"),
        ({"seats": [{"kind": "me"}] * 99}, "seats"),
        ({"seats": "me"}, "seats"),
        ({"seats": [{"kind": "me"}, "open"]}, "seats[1]"),
        ({"seats": [{"kind": "me"}, {"kind": "stool"}]}, "seats[1].kind"),
        ({"seats": [{"kind": "me"}, {}]}, "seats[1].kind"),
        ({"seats": [{"kind": "me"}, {"kind": "ai"}]}, "seats[1].bot"),
        ({"seats": [{"kind": "me"}, {"kind": "ai", "bot": "hal"}]}, "seats[1].bot"),
        ({"seats": [{"kind": "me", "bot": "easy"}, {"kind": "open"}]}, "seats[0].bot"),
        ({"seats": [{"kind": "me"}, {"kind": "player"}]}, "seats[1].player"),
        ({"seats": [{"kind": "me"}, {"kind": "player", "player": "nobody"}]}, "seats[1].player"),
        ({"options": {"lines": "closed"}}, "options.lines"),
        ({"options": {"lines": None}}, "options.lines"),
        ({"options": {"lnies": "open"}}, "options.lnies"),
        ({"options": {"earth_racer": 1}}, "options.earth_racer"),
        ({"options": []}, "options"),
        ({"visibility": "secret"}, "visibility"),
        ({"rated": "yes"}, "rated"),
        ({"rated": True, "seed": "x"}, "rated"),
        ({"rated": True, "seats": [{"kind": "me"}, {"kind": "ai", "bot": "easy"}]}, "rated"),
        ({"seed": ""}, "seed"),
        ({"seed": "x" * 65}, "seed"),
        ({"seed": 7}, "seed"),
        ({"clock": {"kind": "turn"}}, "clock.seconds"),
        ({"clock": {"kind": "turn", "seconds": 0}}, "clock.seconds"),
        ({"clock": {"kind": "turn", "seconds": 8.5}}, "clock.seconds"),
        ({"clock": {"kind": "turn", "seconds": "8"}}, "clock.seconds"),
        ({"clock": {"kind": "turn", "seconds": True}}, "clock.seconds"),
        ({"clock": {"kind": "sand", "seconds": 8}}, "clock.kind"),
        ({"clock": {"kind": "turn", "seconds": 8, "increment": 1}}, "clock.increment"),
        ({"clock": {"kind": "bank", "seconds": 8}}, "clock.increment"),
        ({"clock": {"kind": "turn", "seconds": 8, "on_expiry": "cry"}}, "clock.on_expiry"),
        ({"clock": {"kind": "turn", "seconds": 8, "on_expiry": "bot"}}, "clock.bot"),
        ({"clock": {"kind": "turn", "seconds": 8, "on_expiry": "bot", "bot": "hal"}}, "clock.bot"),
        ({"clock": {"kind": "turn", "seconds": 8, "bot": "easy"}}, "clock.bot"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_by_field(ada, change, field):
    body = {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}], **change}
    assert field in errors_of(ada, body)


def test_a_whole_number_may_be_written_as_8_0(ada):
    table = ada.table(BMU, "me", "open", clock={"kind": "turn", "seconds": 8.0})
    assert 8 == table["clock"]["seconds"]


def test_options_of_every_kind_are_checked_by_the_game_itself(ada):
    own = [{"name": "hut", "kind": "structure", "level": 1, "copies": 2}]
    seats = [{"kind": "me"}, {"kind": "open"}]
    pioneer = {"game": "planet-pioneer", "seats": seats}

    assert "options.deck" in errors_of(ada, {**pioneer, "options": {"deck": own}})
    assert "options.deck[0].level" in errors_of(ada, {**pioneer, "options": {"deck": [{**own[0], "level": "1"}]}})
    assert "options.deck" in errors_of(ada, {**pioneer, "options": {"deck": "mine"}})
    assert "options.first_seat" in errors_of(ada, {**pioneer, "options": {"first_seat": 3}})
    universal = {"game": "universal-match", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]}
    assert "options.target" in errors_of(ada, {**universal, "options": {"target": 60}})
    assert "options.perfect_match" in errors_of(ada, {**universal, "options": {"perfect_match": "neighbouring_suits"}})


def test_several_wrong_fields_are_said_at_once(ada):
    wrong = errors_of(ada, {"game": BMU, "seats": [{"kind": "stool"}], "rated": 1, "seed": "", "x": 1})
    assert {"seats[0].kind", "rated", "seed", "x"} == set(wrong)


# ---- who may sit where


def test_a_reserved_seat_waits_for_its_player(ada, bob):
    eve = ada.register("Eve")
    table = ada.table(BMU, "me", {"kind": "player", "player": bob.id}, "open")["id"]

    shown = eve.get(f"/v1/tables/{table}").json["seats"][1]
    assert ("player", True, bob.id) == (shown["kind"], shown["reserved"], shown["player"]["id"])
    assert "seat_reserved" == eve.sit(table, status=403, seat=1)["code"]
    assert 2 == eve.sit(table)["you"]["seat"]
    sat = bob.sit(table)
    assert 1 == sat["you"]["seat"]
    assert "reserved" not in sat["seats"][1]


def test_seats_are_refused_with_their_reasons(ada, bob):
    table = ada.table(BMU, "me", "open", "open")["id"]

    assert "already_seated" == ada.sit(table, status=409)["code"]
    assert "seat_taken" == bob.sit(table, status=409, seat=0)["code"]
    assert "seat" in bob.sit(table, status=422, seat=7)["errors"]
    assert "seat" in bob.sit(table, status=422, seat="1")["errors"]
    assert "entropy" in bob.sit(table, status=422, entropy="not base64url!")["errors"]
    assert "not_found" == bob.sit("nowhere", status=404)["code"]
    assert 2 == bob.sit(table, seat=2)["you"]["seat"]


def test_entropy_is_public_in_the_seat_event(ada, bob):
    table = ada.table(BMU, "me", "open")["id"]
    sat = bob.sit(table, entropy="q83vEjRWeJCrze8SNFZ4kA")
    assert [None, "q83vEjRWeJCrze8SNFZ4kA"] == sat["fairness"]["entropy"]


def test_one_may_sit_down_without_a_body(ada, bob):
    table = ada.table(BMU, "me", "open")["id"]
    assert 1 == bob.post(f"/v1/tables/{table}/seats", status=201).json["you"]["seat"]


def test_who_sits_down_causes_the_entry(ada, bob):
    table = ada.table(BMU, "me", "open")["id"]
    bob.sit(table)
    assert [0, 1] == [entry["seat"] for entry in ada.get(f"/v1/tables/{table}/events").json["items"]]


def test_a_seat_is_left_by_its_player_or_emptied_by_the_creator(ada, bob):
    eve = ada.register("Eve")
    table = ada.table(BMU, "me", "open", "open")["id"]
    bob.sit(table)

    assert "forbidden" == eve.delete(f"/v1/tables/{table}/seats/1", status=403).json["code"]
    bob.delete(f"/v1/tables/{table}/seats/1")
    assert "open" == ada.get(f"/v1/tables/{table}").json["seats"][1]["kind"]
    bob.sit(table)
    ada.delete(f"/v1/tables/{table}/seats/1")
    for seat in ("1", "7", "x", "-1", "1.0"):
        ada.delete(f"/v1/tables/{table}/seats/{seat}", status=404)
    ada.delete(f"/v1/tables/{table}/seats/0")


def test_seats_and_aborting_can_be_bound_to_a_version(ada, bob):
    table = ada.table(BMU, "me", "open", "open")["id"]
    tag = ada.get(f"/v1/tables/{table}").headers["ETag"]
    bob.post(f"/v1/tables/{table}/seats", {}, status=201, If_Match=tag)
    eve = ada.register("Eve")
    for person, method, path, body in (
        (eve, "POST", "/seats", {}),
        (bob, "DELETE", "/seats/1", None),
        (ada, "DELETE", "", None),
    ):
        late = person.send(method, f"/v1/tables/{table}{path}", body, 412, {"If_Match": tag}).json
        assert ("stale_version", 2, [2]) == (
            late["code"],
            late["version"],
            [entry["version"] for entry in late["entries"]],
        )
    assert 2 == ada.sit(table, status=409)["version"]
    now = ada.get(f"/v1/tables/{table}").headers["ETag"]
    ada.delete(f"/v1/tables/{table}", If_Match=now)


def test_seats_of_a_started_table_stay(ada, bob):
    eve = ada.register("Eve")
    table = ada.table(BMU, "me", "open")["id"]
    bob.sit(table)

    assert "table_started" == eve.sit(table, status=409)["code"]
    assert "table_started" == bob.delete(f"/v1/tables/{table}/seats/1", status=409).json["code"]
    assert "forbidden" == eve.delete(f"/v1/tables/{table}/seats/1", status=403).json["code"]
    assert "table_started" == ada.delete(f"/v1/tables/{table}", status=409).json["code"]


def test_a_table_is_aborted_by_its_creator_before_the_start(ada, bob):
    table = ada.table(BMU, "me", "open")["id"]

    assert "forbidden" == bob.delete(f"/v1/tables/{table}", status=403).json["code"]
    ada.delete(f"/v1/tables/{table}")
    assert "aborted" == ada.get(f"/v1/tables/{table}").json["status"]
    assert "table_finished" == ada.delete(f"/v1/tables/{table}", status=409).json["code"]
    assert "table_finished" == bob.sit(table, status=409)["code"]
    assert "perspective_not_allowed" == ada.get(f"/v1/tables/{table}?as=all", status=403).json["code"]


# ---- looking


def test_perspectives(ada, bob, public):
    table = ada.table(BMU, "me", "open")["id"]
    bob.sit(table)

    def hands(person: Api, query: str = "", status: int = 200) -> list[Any]:
        shown = person.get(f"/v1/tables/{table}{query}", status=status).json
        return ["hand" in seat for seat in shown["view"]["seats"]] if status == 200 else [shown["code"]]

    assert [True, False] == hands(ada) == hands(ada, "?as=0")
    assert [False, True] == hands(bob) == hands(bob, "?as=1")
    assert [False, False] == hands(public) == hands(public, "?as=public") == hands(ada, "?as=public")
    for person, eyes in ((ada, "1"), (ada, "all"), (public, "0"), (public, "all")):
        assert ["perspective_not_allowed"] == hands(person, f"?as={eyes}", 403)
    for eyes in ("2", "-1", "none", "", "0.0", "%30%00"):
        assert ["validation_failed"] == hands(ada, f"?as={eyes}", 422)


def test_once_finished_anyone_may_see_all(ada, bob, public, app):
    import random  # noqa: PLC0415 - beside its use

    table = ada.table(BMU, "me", "open", seed="s")["id"]
    bob.sit(table)
    before = ada.get(f"/v1/tables/{table}").json
    play(table, [ada, bob], random.Random(1))

    for eyes in ("0", "1", "all", "public"):
        assert "finished" == public.get(f"/v1/tables/{table}?as={eyes}").json["status"]
    assert all("hand" in seat for seat in public.get(f"/v1/tables/{table}").json["view"]["seats"])
    then = public.get(f"/v1/tables/{table}?at=2&as=0").json
    assert {**before, "you": None} == then
    assert before == ada.get(f"/v1/tables/{table}?at=2").json
    assert ["draw" in public.get(f"/v1/tables/{table}?at=2&as={eyes}").json["view"] for eyes in ("public", "all")] == [
        False,
        True,
    ]


def test_versions_that_there_are_not_are_refused(ada):
    table = ada.table(BMU, "me", "open")["id"]
    assert 1 == ada.get(f"/v1/tables/{table}?at=1").json["version"]
    for wrong in ("0", "2", "-1", "x", "1.0", "99999999999999999999", ""):
        assert "at" in ada.get(f"/v1/tables/{table}?at={wrong}", status=422).json["errors"]


def test_unknown_and_doubled_parameters_are_refused_by_name(ada):
    table = ada.table(BMU, "me", "open")["id"]
    assert {"ta"} == set(ada.get(f"/v1/tables/{table}?ta=1", status=422).json["errors"])
    assert {"at"} == set(ada.get(f"/v1/tables/{table}?at=1&at=1", status=422).json["errors"])
    assert {"x"} == set(ada.get("/v1/me?x=1", status=422).json["errors"])


@pytest.mark.parametrize("table", ["x", "X" * 26, "a" * 500, "%00", "%ff%fe", "a.b", "..", "*"])
def test_an_unknown_table_is_404(ada, table):
    ada.get(f"/v1/tables/{table}", status=404)
    ada.do(table, {"type": "resign"}, status=404)


def test_an_unlisted_table_is_read_by_whoever_has_its_id(ada, public):
    table = ada.table(BMU, "me", "open", visibility="unlisted")["id"]
    assert "unlisted" == public.get(f"/v1/tables/{table}").json["visibility"]


# ---- entity tags


def test_an_unchanged_table_is_304(ada, bob, public):
    table = ada.table(BMU, "me", "open")["id"]
    path = f"/v1/tables/{table}"
    tag = ada.get(path).headers["ETag"]

    same = ada.get(path, status=304, If_None_Match=tag)
    assert (b"", tag) == (same.data, same.headers["ETag"])
    for header in (f"W/{tag}", f'"x", {tag}', "*"):
        ada.get(path, status=304, If_None_Match=header)
    assert tag != public.get(path, If_None_Match=tag).headers["ETag"]
    bob.sit(table)
    assert tag != ada.get(path, If_None_Match=tag).headers["ETag"]
    assert tag == ada.get(f"{path}?at=1").headers["ETag"]
    assert "malformed_request" == ada.get(path, status=400, If_None_Match="12").json["code"]


def test_a_tag_names_version_hash_and_viewer(ada, public):
    table = ada.table(BMU, "me", "open")["id"]
    tags = [person.get(f"/v1/tables/{table}").headers["ETag"] for person in (ada, public)]
    assert [f'"1-{tags[0][3:19]}-s0"', f'"1-{tags[0][3:19]}-public"'] == tags
    assert tags[1] != ada.get(f"/v1/tables/{table}?as=public").headers["ETag"]  # `you` is there


def test_the_answer_to_a_creation_and_the_table_have_the_same_tag_and_bytes(ada):
    made = ada.post("/v1/tables", {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}]}, status=201)
    read = ada.get(made.headers["Location"])
    assert (made.headers["ETag"], made.data) == (read.headers["ETag"], read.data)


# ---- repeats


def test_a_table_made_under_a_key_is_made_once(ada):
    body = {"game": BMU, "seats": [{"kind": "me"}, {"kind": "ai", "bot": "random"}], "options": {}}
    first = ada.post("/v1/tables", body, status=201, key="k")
    ada.do(first.json["id"], ada.commands(first.json["id"])[0])
    again = ada.post("/v1/tables", body, status=201, key="k")

    assert first.data == again.data
    assert "true" == again.headers["Idempotent-Replayed"]
    assert first.headers["ETag"] == again.headers["ETag"]
    refused = ada.post("/v1/tables", {**body, "rated": False}, status=422, key="k").json
    assert "idempotency_key_reused" == refused["code"]
    assert 1 == len(ada.get("/v1/tables").json["items"])


def test_each_player_has_keys_of_his_own(ada, bob):
    body = {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}]}
    one, two = (person.post("/v1/tables", body, status=201, key="same").json["id"] for person in (ada, bob))
    assert one != two


def test_one_space_of_keys_for_all_addresses(ada):
    body = {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}]}
    ada.post("/v1/tables", body, status=201, key="k")
    refused = ada.post("/v1/me/tokens", {"scopes": []}, status=422, key="k").json
    assert "idempotency_key_reused" == refused["code"]


def test_a_key_of_one_table_is_not_taken_at_another(ada, bob):
    one, two = (ada.table(BMU, "me", "open")["id"] for _ in range(2))
    bob.post(f"/v1/tables/{one}/seats", {}, status=201, key="k")
    for path, body in (
        (f"/v1/tables/{two}/seats", {}),
        (f"/v1/tables/{one}/commands", {"type": "resign"}),
        ("/v1/tables", {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}]}),
    ):
        assert "idempotency_key_reused" == bob.post(path, body, status=422, key="k").json["code"]
    assert (
        "idempotency_key_reused"
        == bob.delete(f"/v1/tables/{two}/seats/0", status=422, Idempotency_Key="k").json["code"]
    )
    assert "true" == bob.post(f"/v1/tables/{one}/seats", {}, status=201, key="k").headers["Idempotent-Replayed"]


def test_keys_are_remembered_for_a_day_and_not_without_end():
    now = [0.0]
    recent = RecentKeys(clock=lambda: now[0], most=2)
    recent.keep("ada", "k", 1)
    assert recent.is_other("ada", "k", 2)
    assert not recent.is_other("ada", "k", 1)
    assert not recent.is_other("bob", "k", 2)
    now[0] += KEPT_S
    assert not recent.is_other("ada", "k", 2)
    now[0] = 0
    recent.keep("ada", "l", 1)
    recent.keep("ada", "m", 1)
    assert not recent.is_other("ada", "k", 2)


def test_a_refused_key_may_be_used_again(ada):
    ada.post("/v1/tables", {"game": "chess", "seats": []}, status=422, key="k")
    ada.post("/v1/tables", {"game": BMU, "seats": [{"kind": "me"}]}, status=422, key="k")
    ada.post("/v1/tables", {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}]}, status=201, key="k")


def test_sitting_down_and_leaving_may_be_repeated(ada, bob):
    table = ada.table(BMU, "me", "open", "open")["id"]
    first = bob.post(f"/v1/tables/{table}/seats", {}, status=201, key="s")
    again = bob.post(f"/v1/tables/{table}/seats", {}, status=201, key="s")
    assert first.data == again.data
    bob.delete(f"/v1/tables/{table}/seats/1", Idempotency_Key="l")
    assert "true" == bob.delete(f"/v1/tables/{table}/seats/1", Idempotency_Key="l").headers["Idempotent-Replayed"]
    assert first.data == bob.post(f"/v1/tables/{table}/seats", {}, status=201, key="s").data
    assert "open" == ada.get(f"/v1/tables/{table}").json["seats"][1]["kind"]
    assert (
        "idempotency_key_reused" == bob.post(f"/v1/tables/{table}/seats", {"seat": 2}, status=422, key="s").json["code"]
    )


def test_aborting_may_be_repeated(ada):
    table = ada.table(BMU, "me", "open")["id"]
    ada.delete(f"/v1/tables/{table}", Idempotency_Key="a")
    assert "true" == ada.delete(f"/v1/tables/{table}", Idempotency_Key="a").headers["Idempotent-Replayed"]


@pytest.mark.parametrize("key", ["x" * 129, "ключ".encode().decode("latin-1"), " ", "a\tb"])
def test_a_malformed_key_is_refused(ada, key):
    refused = ada.post("/v1/tables", {"game": BMU, "seats": [{"kind": "me"}, {"kind": "open"}]}, status=400, key=key)
    assert "malformed_request" == refused.json["code"]


def test_keys_from_1_to_128_characters_are_taken(ada):
    for key in ("x", "y" * 128, '"quoted"', new_key()):
        ada.post("/v1/me/tokens", {"scopes": []}, status=201, key=key)
