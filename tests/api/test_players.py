"""Accounts and tokens."""

import pytest

from service.application.players import Players
from tests.support.api import Api, new_key


def test_a_new_player_gets_a_token_that_acts_for_him(public):
    made = public.post("/v1/players", {"name": "Ada", "kind": "human"}, status=201)

    assert {"id", "name", "kind", "token"} == set(made.json)
    assert ("Ada", "human") == (made.json["name"], made.json["kind"])
    assert f"/v1/players/{made.json['id']}" == made.headers["Location"]
    assert "no-store" == made.headers["Cache-Control"]
    me = Api(public.app, made.json["token"]).get("/v1/me").json
    assert made.json["id"] == me["id"]
    assert ["play", "tournaments", "webhooks"] == me["scopes"]


def test_a_token_that_is_shown_is_stored_only_as_a_digest(services, public):
    made = public.post("/v1/players", {"name": "Ada", "kind": "bot"}, status=201).json
    token = services.players.tokens(made["id"])[0]

    assert token.id in made["token"]
    assert made["token"].rpartition(".")[2] not in str(token)
    assert 64 == len(token.digest)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "1 to 40"),
        ("   ", "1 to 40"),
        ("x" * 41, "1 to 40"),
        ("A\nda", "one line"),
        ("A\x00da", "one line"),
        ("\u202eadA", "one line"),
        ("\u200b", "can be seen"),
        (7, "string"),
        (None, "null"),
    ],
)
def test_a_name_has_1_to_40_visible_characters_in_one_line(public, name, reason):
    refused = public.post("/v1/players", {"name": name, "kind": "human"}, status=422).json

    assert "validation_failed" == refused["code"]
    assert reason in refused["errors"]["name"]


@pytest.mark.parametrize("name", ["A", "x" * 40, "Ада", "愛", "👩‍🚀 Ada", "  Ada  "])
def test_a_name_may_be_in_any_script_and_is_trimmed(public, name):
    assert name.strip() == public.post("/v1/players", {"name": name, "kind": "human"}, status=201).json["name"]


def test_two_players_may_have_the_same_name(public):
    assert public.register("Ada").id != public.register("Ada").id


def test_unknown_fields_are_refused_by_name(public):
    refused = public.post("/v1/players", {"name": "Ada", "kind": "human", "nmae": "x"}, status=422).json

    assert {"nmae": "Unknown field."} == refused["errors"]


def test_everybody_may_look_a_player_up(public, ada):
    shown = public.get(f"/v1/players/{ada.id}").json

    assert {"id", "name", "kind", "created_at", "ratings"} == set(shown)
    assert "not_found" == public.get("/v1/players/nobody", status=404).json["code"]


# ---- tokens


def test_a_player_lists_and_revokes_tokens_by_id(ada):
    more = ada.post("/v1/me/tokens", {"scopes": ["play"]}, status=201).json
    listed = ada.get("/v1/me/tokens").json["items"]
    assert [["play", "tournaments", "webhooks"], ["play"]] == [token["scopes"] for token in listed]
    assert all({"id", "scopes", "created_at"} == set(token) for token in listed)
    other = Api(ada.app, more["token"])
    assert ["play"] == other.get("/v1/me").json["scopes"]

    ada.delete(f"/v1/me/tokens/{more['id']}")

    assert "unauthenticated" == other.get("/v1/me", status=401).json["code"]
    assert 1 == len(ada.get("/v1/me/tokens").json["items"])
    ada.delete(f"/v1/me/tokens/{more['id']}", status=404)


def test_a_token_may_revoke_itself(ada):
    own = ada.get("/v1/me").json["token_id"]
    ada.delete(f"/v1/me/tokens/{own}")
    ada.get("/v1/me", status=401)


def test_a_token_gives_no_more_than_it_has(ada):
    limited = Api(ada.app, ada.post("/v1/me/tokens", {"scopes": ["play"]}, status=201).json["token"])
    main = ada.get("/v1/me").json["token_id"]

    assert "scope_missing" == limited.post("/v1/me/tokens", {"scopes": ["webhooks"]}, status=403).json["code"]
    assert "scope_missing" == ada.post("/v1/me/tokens", {"scopes": ["admin"]}, status=403).json["code"]
    assert "scope_missing" == limited.delete(f"/v1/me/tokens/{main}", status=403).json["code"]
    assert ["play"] == limited.post("/v1/me/tokens", status=201).json["scopes"]
    ada.post("/v1/me/tokens", {"scopes": ["play", "fly"]}, status=422)


def test_a_token_without_the_scope_play_may_only_read(ada):
    reader = Api(ada.app, ada.post("/v1/me/tokens", {"scopes": []}, status=201).json["token"])
    table = ada.table("beam-me-up", "me", "open")["id"]

    assert {"seat": 0} == reader.get(f"/v1/tables/{table}").json["you"]
    for method, path, body in (
        ("POST", "/v1/tables", {"game": "beam-me-up", "seats": []}),
        ("POST", f"/v1/tables/{table}/seats", {}),
        ("POST", f"/v1/tables/{table}/commands", {"type": "resign"}),
        ("DELETE", f"/v1/tables/{table}", None),
        ("DELETE", f"/v1/tables/{table}/seats/0", None),
    ):
        refused = reader.send(method, path, body, 403, {}).json
        assert ("scope_missing", "play") == (refused["code"], refused["scope"])


def test_nobody_revokes_another_players_token(ada, bob):
    token = ada.get("/v1/me").json["token_id"]
    assert "not_found" == bob.delete(f"/v1/me/tokens/{token}", status=404).json["code"]
    ada.get("/v1/me")


def test_admin_is_given_by_the_application_only(services, ada):
    made = services.players.grant_admin(ada.id)

    assert "admin" in Api(ada.app, made.text).get("/v1/me").json["scopes"]
    assert "admin" not in ada.get("/v1/me").json["scopes"]


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic QWRhOng=",
        "slt.aaaaaaaaaaaaaaaaaaaaaaaaaa.bbb",
        "Bearer slt.aaaaaaaaaaaaaaaaaaaaaaaaaa.0000000000000000000000000000000000000000000",
    ],
)
def test_a_bad_token_is_401_also_where_none_is_needed(public, header):
    for path in ("/v1/games", "/v1/tables", "/v1/me", "/v1/nowhere-at-all")[:3]:
        refused = public.get(path, status=401, Authorization=header)
        assert "unauthenticated" == refused.json["code"]
        assert 'Bearer realm="starledger"' in refused.headers["WWW-Authenticate"]


def test_a_token_with_another_secret_is_bad(ada):
    forged = ada.token[:-1] + ("A" if ada.token[-1] != "A" else "B")
    Api(ada.app, forged).get("/v1/me", status=401)


def test_a_missing_token_is_told_from_a_bad_one(public):
    assert "error" not in public.get("/v1/me", status=401).headers["WWW-Authenticate"]
    assert "invalid_token" in public.get("/v1/me", status=401, Authorization="Bearer x").headers["WWW-Authenticate"]


# ---- repeats


def test_a_repeat_with_a_strong_key_gives_the_same_player_and_token(services, public):
    key = new_key()
    first = public.post("/v1/players", {"name": "Ada", "kind": "human"}, status=201, key=key)
    again = public.post("/v1/players", {"kind": "human", "name": "Ada"}, status=201, key=key)

    assert first.data == again.data
    assert "Idempotent-Replayed" not in first.headers
    assert "true" == again.headers["Idempotent-Replayed"]
    assert 1 == len(services.players.tokens(first.json["id"]))


def test_a_revoked_token_does_not_come_back_by_a_repeat(public):
    key = new_key()
    made = public.post("/v1/players", {"name": "Ada", "kind": "human"}, status=201, key=key)
    ada = Api(public.app, made.json["token"])
    ada.delete(f"/v1/me/tokens/{ada.get('/v1/me').json['token_id']}")

    assert made.data == public.post("/v1/players", {"name": "Ada", "kind": "human"}, status=201, key=key).data
    ada.get("/v1/me", status=401)


def test_a_key_holds_for_its_body(public):
    key = new_key()
    public.post("/v1/players", {"name": "Ada", "kind": "human"}, status=201, key=key)
    refused = public.post("/v1/players", {"name": "Eve", "kind": "human"}, status=422, key=key).json
    assert "idempotency_key_reused" == refused["code"]


def test_a_weak_key_is_refused_where_no_token_protects_it(public):
    refused = public.post("/v1/players", {"name": "Ada", "kind": "human"}, status=422, key="x" * 31).json
    assert "idempotency_key_weak" == refused["code"]
    public.post("/v1/players", {"name": "Ada", "kind": "human"}, status=201, key="y" * 32)


def test_a_token_made_under_a_key_is_made_once(ada):
    first = ada.post("/v1/me/tokens", {"scopes": ["play"]}, status=201, key="t")
    again = ada.post("/v1/me/tokens", {"scopes": ["play"]}, status=201, key="t")

    assert first.data == again.data
    assert "true" == again.headers["Idempotent-Replayed"]
    assert 2 == len(ada.get("/v1/me/tokens").json["items"])
    refused = ada.post("/v1/me/tokens", {"scopes": []}, status=422, key="t").json
    assert "idempotency_key_reused" == refused["code"]


def test_a_secret_is_not_stored_to_be_repeated(services, ada):
    made = ada.post("/v1/me/tokens", {"scopes": ["play"]}, status=201, key="t").json
    kept = services.repeats.get(ada.id, "t")

    assert kept.body is None
    assert made["token"].rpartition(".")[2] not in repr(vars(services.repeats))


def test_a_revocation_may_be_repeated_under_its_key(ada):
    made = ada.post("/v1/me/tokens", {"scopes": []}, status=201).json
    ada.delete(f"/v1/me/tokens/{made['id']}", Idempotency_Key="r")
    again = ada.delete(f"/v1/me/tokens/{made['id']}", Idempotency_Key="r")
    assert "true" == again.headers["Idempotent-Replayed"]


def test_a_key_that_died_between_making_and_answering_makes_nothing_twice(services, public, monkeypatch):
    """The first try stores the player and dies before it stores the token."""
    key, body = new_key(), {"name": "Ada", "kind": "human"}
    kept = services.players._store.add

    def dies(player, token):
        services.players._store._players.setdefault(player.id, player)
        raise RuntimeError("the process died here")

    monkeypatch.setattr(services.players._store, "add", dies)
    public.post("/v1/players", body, status=500, key=key)
    monkeypatch.setattr(services.players._store, "add", kept)

    again = public.post("/v1/players", body, status=201, key=key)
    assert "true" == again.headers["Idempotent-Replayed"]
    assert again.json["id"] == Api(public.app, again.json["token"]).get("/v1/me").json["id"]


def test_ids_and_secrets_follow_from_the_key_and_the_server_key(services):
    one = Players(services.players._store, b"one" * 20, bytes)
    other = Players(services.players._store, b"two" * 20, bytes)
    from service.application.players import Key  # noqa: PLC0415 - beside its use

    key = Key(key="k" * 32, mark="m")
    assert one.register("A", "human", key).token == one.register("A", "human", key).token
    assert one.register("A", "human", key).token != other.register("A", "human", key).token


def test_a_profile_has_the_ratings_of_each_game(ada, bob, public):
    assert [] == public.get(f"/v1/players/{ada.id}").json["ratings"] == ada.get("/v1/me").json["ratings"]
    table = ada.table("beam-me-up", "me", "open", rated=True)["id"]
    bob.sit(table)
    bob.do(table, {"type": "resign"})

    (rating,) = public.get(f"/v1/players/{ada.id}").json["ratings"]
    (history,) = public.get(f"/v1/players/{ada.id}/ratings").json["items"]
    assert ("beam-me-up", 1, history["games"][-1]["rating"]) == (rating["game"], rating["games"], rating["rating"])
    assert [rating] == ada.get("/v1/me").json["ratings"]
