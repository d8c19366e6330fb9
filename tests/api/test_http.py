"""What holds for every address: problems, bodies, headers, methods, formats."""

import gzip
import json
import logging
from io import BytesIO
from typing import Any

import pytest

from domain.record import MAX_RECORD_BYTES
from service.api.app import create_app
from service.api.body import MOST_BYTES
from service.api.problem_codes import PROBLEMS
from service.application.live import Frozen
from service.application.ports import Damaged, Unavailable
from service.bootstrap import in_memory
from service.config import load
from service.logs import JsonLines
from tests.support.api import Api

BODY = {"name": "Ada", "kind": "human"}


def post_raw(person: Api, raw: bytes, status: int, path: str = "/v1/players", **headers: str) -> Any:
    return person.send("POST", path, None, status, {"Content_Type": "application/json", **headers}, raw=raw).json


# ---- bodies


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"name": "Ada",}',
        b"{'name': 'Ada'}",
        b'{"name": "Ada"} {}',
        b'{"name": "Ada", "name": "Eve"}',
        b'{"name": "\xff"}',
        b'\xef\xbb\xbf{"name": "Ada"}',
        b'{"name": "\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"name": ["\\ud800"]}',
        b'{"name": NaN}',
        b'{"name": -Infinity}',
        b'{"name": 1e999}',
        b'{"name": ' + b"1" * 30 + b"}",
        b'{"name": ' + b"1" * 5000 + b"}",
        b"[" * 10_000,
        b"[" * 40 + b"]" * 40,
        b'{"a":' * 40 + b"1" + b"}" * 40,
        b'{"name": "A\x00da"}',
        b'{"name": "A\nda"}',
    ],
)
def test_what_is_not_json_is_400(public, raw):
    assert "malformed_json" == post_raw(public, raw, 400)["code"]


def test_a_nested_body_of_ordinary_depth_is_read(public):
    assert "name" in post_raw(public, b'{"name": ' + b"[" * 20 + b"]" * 20 + b', "kind": "human"}', 422)["errors"]


@pytest.mark.parametrize("raw", [b"[]", b"7", b"null", b'"x"', b"true"])
def test_a_body_that_is_no_object_is_422(public, raw):
    assert {"body": "Must be a JSON object."} == post_raw(public, raw, 422)["errors"]


def test_a_whole_surrogate_pair_is_one_character(public):
    assert "😀" == post_raw(public, b'{"name": "\\ud83d\\ude00", "kind": "human"}', 201)["name"]


def test_a_body_has_64_kib_at_most(public):
    fits = b'{"name": "Ada", "kind": "human"' + b" " * (MOST_BYTES - 32) + b"}"
    assert MOST_BYTES == len(fits)
    post_raw(public, fits, 201)
    assert "body_too_large" == post_raw(public, fits + b" ", 413)["code"]


@pytest.mark.parametrize(
    ("path", "media", "most"),
    [
        ("/v1/players", "application/json", MOST_BYTES),
        ("/v1/records/verify", "application/x-ndjson", MAX_RECORD_BYTES),
    ],
)
def test_a_body_that_does_not_say_how_long_it_is_is_never_cut_to_what_fits(app, path, media, most):
    def send(size: int) -> Any:
        body = BytesIO(b'{"name": "Ada"}'.ljust(size))
        unsaid = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
        return app.test_client().post(path, input_stream=body, content_type=media, environ_overrides=unsaid)

    assert send(most).status_code in (200, 201)
    assert (413, "body_too_large") == ((refused := send(most + 1)).status_code, refused.get_json()["code"])


@pytest.mark.parametrize(
    "media", ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "json"]
)
def test_a_body_says_that_it_is_json(public, media):
    refused = post_raw(public, json.dumps(BODY).encode(), 415, Content_Type=media)
    assert "unsupported_media_type" == refused["code"]


@pytest.mark.parametrize("media", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_json_may_be_said_in_its_usual_ways(public, media):
    post_raw(public, json.dumps(BODY).encode(), 201, Content_Type=media)


def test_a_body_of_json_comes_unpacked(public):
    raw = json.dumps(BODY).encode()
    assert "gzip" in post_raw(public, gzip.compress(raw), 415, Content_Encoding="gzip")["detail"]
    post_raw(public, raw, 201, Content_Encoding="identity")


# ---- headers


# What the server hands on of a header with bytes outside ASCII is an empty one.
@pytest.mark.parametrize("value", ["", "\xff"], ids=["empty", "bytes"])
@pytest.mark.parametrize(
    ("method", "name", "status"),
    [
        ("POST", "Idempotency-Key", 400),
        ("POST", "If-Match", 400),
        ("GET", "If-None-Match", 400),
        ("GET", "Authorization", 401),
    ],
)
def test_a_header_that_cannot_be_read_is_said_to_be_so(ada, method, name, status, value):
    table = ada.table("beam-me-up", "me", "open")["id"]
    path = {"POST": "commands", "GET": "events"}[method]
    address = f"/v1/tables/{table}/{path}" if name != "If-None-Match" else f"/v1/tables/{table}"
    body = {"type": "resign"} if method == "POST" else None
    refused = ada.send(method, address, body, status, {name: value})
    assert name in refused.json["detail"]


# ---- addresses and methods


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/v1",
            "/v1/",
            "/v2/games",
            "/v1/games/",
            "/v1/tables/x/nothing",
            "/%00",
            "/v1/gam%C3",
            "/V1/games",
            "/tables",
        ),
        *(
            "//",
            "/%2Fv1/games",
            "/v1//games",
            "/v1/games//",
            "/healthz/",
            "/docs/",
            "/%2Fhealthz",
            "/v1/tables//events",
        ),
        *("/v1/./games", "/v1/../v1/games", "/%2e%2e/etc/passwd", "/v1/games;x=1", "/v1/games%00", "/" + "a" * 50_000),
    ],
)
def test_an_unknown_address_is_a_problem_too(public, path):
    assert "not_found" == public.get(path, status=404).json["code"]


def test_an_address_that_is_none_is_named_with_the_one_that_may_be_meant(app, public):
    assert (
        "There is nothing at /v1/table; did you mean /v1/tables? All addresses stand at /docs."
        == (public.get("/v1/table", status=404).json["detail"])
    )
    for asked in ("//v1/tables", "/v1//tables", "/v1/tables/"):
        wrong = app.test_client().get("/", environ_overrides={"PATH_INFO": asked}).json["detail"]
        assert wrong.startswith(f"There is nothing at {asked}; did you mean /v1/tables?")
    assert "did you mean" not in public.get("/v1/" + "tables/" * 20, status=404).json["detail"]
    assert 200 > len(public.get("/" + "x" * 5000, status=404).json["detail"])


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/v1/games", {"GET", "HEAD", "OPTIONS"}),
        ("PUT", "/v1/tables", {"GET", "HEAD", "OPTIONS", "POST"}),
        ("PATCH", "/v1/me", {"GET", "HEAD", "OPTIONS"}),
        ("DELETE", "/v1/players", {"OPTIONS", "POST"}),
        ("TRACE", "/healthz", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_another_method_is_405_with_those_allowed(public, method, path, allowed):
    refused = public.send(method, path, None, 405, {})
    assert "method_not_allowed" == refused.json["code"]
    assert allowed == set(refused.headers["Allow"].split(", "))


def test_head_is_get_without_the_body(ada):
    table = ada.table("beam-me-up", "me", "open")["id"]
    for path in ("/v1/games", "/v1/tables", f"/v1/tables/{table}", "/v1/me", "/healthz", "/openapi.json"):
        got, head = ada.get(path), ada.send("HEAD", path, None, 200, {})
        assert b"" == head.data
        assert [got.headers.get(name) for name in ("ETag", "Content-Type", "Content-Length")] == [
            head.headers.get(name) for name in ("ETag", "Content-Type", "Content-Length")
        ]


def test_options_lists_the_methods(public):
    answer = public.send("OPTIONS", "/v1/tables", None, 204, {})
    assert {"GET", "HEAD", "OPTIONS", "POST"} == set(answer.headers["Allow"].split(", "))


# ---- formats


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "application/json;q=0", "image/*"])
def test_a_format_that_there_is_not_is_406(public, accept):
    assert "not_acceptable" == public.get("/v1/games", status=406, Accept=accept).json["code"]


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "application/*",
        "application/json",
        "text/html, */*;q=0.1",
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "",
    ],
)
def test_json_is_given_to_whoever_takes_it(public, accept):
    assert "application/json" == public.get("/v1/games", Accept=accept).mimetype


def test_large_answers_are_compressed_for_those_who_ask(public):
    plain = public.get("/v1/games/beam-me-up")
    packed = public._client.get("/v1/games/beam-me-up", headers={"Accept-Encoding": "br, gzip"})

    assert ("gzip", str(len(packed.data))) == (packed.headers["Content-Encoding"], packed.headers["Content-Length"])
    assert plain.data == gzip.decompress(packed.data)
    assert len(packed.data) * 3 < len(plain.data)
    assert "Content-Encoding" not in public.get("/v1/games/beam-me-up", Accept_Encoding="gzip;q=0").headers


def test_what_has_a_tag_or_a_secret_is_not_compressed(ada):
    table = ada.table("beam-me-up", "me", "open")["id"]
    for path in (f"/v1/tables/{table}", "/v1/me/tokens"):
        assert "Content-Encoding" not in ada.get(path, Accept_Encoding="gzip").headers


# ---- headers


def test_every_answer_varies_and_is_safe_to_show(public, ada):
    answers = [
        public.get("/v1/games"),
        public.get("/v1/nothing", status=404),
        ada.get("/v1/me"),
        public.post("/v1/players", {}, status=422),
        public.get("/docs"),
        public.get("/problems/not_found"),
    ]
    for answer in answers:
        assert "Authorization, Accept, Accept-Encoding" == answer.headers["Vary"]
        assert "nosniff" == answer.headers["X-Content-Type-Options"]
        assert "no-referrer" == answer.headers["Referrer-Policy"]
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"]


def test_the_requests_id_is_taken_or_made_and_echoed(public):
    assert "my-id.7:a/b+c=@" == public.get("/healthz", X_Request_Id="my-id.7:a/b+c=@").headers["X-Request-Id"]
    made = {
        public.get("/healthz", X_Request_Id=bad).headers["X-Request-Id"] for bad in ("", "a b", 'x"y', "x" * 129, "é")
    }
    assert 5 == len(made)
    assert all(each.isalnum() for each in made)


def test_the_requests_id_stands_in_every_log_line_of_the_request(services, public, caplog, monkeypatch):
    caplog.set_level(logging.INFO)
    lines: list[dict[str, Any]] = []
    writer = JsonLines("api")
    monkeypatch.setattr(caplog.handler, "emit", lambda record: lines.append(json.loads(writer.format(record))))
    monkeypatch.setattr(services.desk, "table", lambda _: 1 / 0)
    public.get("/v1/tables/abc", status=500, X_Request_Id="seen-by-both")

    assert {"starledger.api", "starledger.access"} == {line["logger"] for line in lines}
    assert {"seen-by-both"} == {line["request"] for line in lines}
    assert "ZeroDivisionError" in lines[0]["trace"]
    assert ("GET", "/v1/tables/abc", 500) == tuple(lines[1][name] for name in ("method", "path", "status"))


def test_no_log_line_holds_a_token_or_a_key(caplog, ada):
    caplog.set_level(logging.DEBUG)
    made = ada.post("/v1/me/tokens", {"scopes": []}, status=201, key="a-secret-key").json
    logged = "\n".join(JsonLines("api").format(record) for record in caplog.records)

    assert "/v1/me/tokens" in logged
    assert not [secret for secret in (ada.token, made["token"], "a-secret-key") if secret in logged]


# ---- failures of our own


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (Unavailable("the store is down"), 503, "unavailable"),
        (Frozen("abc", 3, "entry 3 is not that of its content"), 503, "unavailable"),
        (Damaged("a key of another type"), 500, "internal_error"),
        (ZeroDivisionError("secret words"), 500, "internal_error"),
        (MemoryError(), 500, "internal_error"),
    ],
)
def test_failures_of_our_own_are_problems_without_a_trace(services, public, monkeypatch, failure, status, code):
    def fails(_):
        raise failure

    monkeypatch.setattr(services.desk, "table", fails)
    answer = public.get("/v1/tables/abc", status=status, X_Request_Id="r-1")

    assert (code, "r-1") == (answer.json["code"], answer.json["request_id"])
    assert b"secret words" not in answer.data
    assert b"Traceback" not in answer.data
    if status == 503:
        assert (True, "1") == (answer.json["retryable"], answer.headers["Retry-After"])


def test_a_table_written_by_a_newer_program_rests(services, ada, monkeypatch):
    from domain.log import UnknownEvent  # noqa: PLC0415 - beside its use

    def fails(_):
        raise UnknownEvent("card_eaten")

    monkeypatch.setattr(services.desk, "table", fails)
    answer = ada.get("/v1/tables/abc", status=503)
    assert ("unavailable", True) == (answer.json["code"], answer.json["retryable"])


def test_the_service_is_not_ready_where_its_store_or_its_workers_are_missing(services, public, monkeypatch):
    assert {"process": "ok", "store": "ok", "workers": "ok"} == public.get("/readyz").json["checks"]

    def down(*_):
        raise Unavailable("the store can't be reached")

    monkeypatch.setattr(services.outbox, "lease", down)
    checks = public.get("/readyz", status=503).json["checks"]
    assert ("the store can't be reached", "ok") == (checks["store"], checks["workers"])
    assert "alive" == public.get("/healthz").json["status"]


def test_no_worker_is_not_ready(app, services):
    from dataclasses import replace  # noqa: PLC0415 - beside its use

    lonely = Api(create_app(replace(services, workers_seen=lambda: 0)))
    assert "no worker" in lonely.get("/readyz", status=503).json["checks"]["workers"]


# ---- other origins


def test_other_origins_may_call_only_where_they_are_named():
    named = Api(create_app(in_memory(load({"STARLEDGER_CORS": "https://play.example.org"}))))
    anybody = Api(create_app(in_memory(load({"STARLEDGER_CORS": "*"}))))
    nobody = Api(create_app(in_memory(load({}))))

    def allowed(api: Api, origin: str) -> Any:
        return api.get("/v1/games", Origin=origin).headers.get("Access-Control-Allow-Origin")

    assert "https://play.example.org" == allowed(named, "https://play.example.org")
    assert allowed(named, "https://evil.example.org") is None
    assert "*" == allowed(anybody, "https://evil.example.org")
    assert allowed(nobody, "https://play.example.org") is None
    assert "Origin" in named.get("/v1/games").headers["Vary"]


def test_a_preflight_is_answered():
    api = Api(create_app(in_memory(load({"STARLEDGER_CORS": "*"}))))
    answer = api.send(
        "OPTIONS",
        "/v1/tables",
        None,
        204,
        {"Origin": "https://a.example.org", "Access_Control_Request_Method": "POST"},
    )
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    for header in ("Authorization", "Content-Type", "Idempotency-Key", "If-Match"):
        assert header in answer.headers["Access-Control-Allow-Headers"]
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]


# ---- pages


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_problem_has_a_page_that_says_what_to_do(public, code):
    page = public.get(f"/problems/{code}")
    assert "text/html" == page.mimetype
    assert all(word in page.text for word in (code, str(PROBLEMS[code].status), "What to do"))
    assert f"/problems/{code}" in public.get("/problems").text


def test_an_unknown_problem_has_none(public):
    public.get("/problems/nonsense", status=404)


def test_the_reference_page_loads_only_from_here(public):
    page = public.get("/docs").text
    assert "http" not in page.replace("http-equiv", "")
    for asset in ("swagger-ui.css", "swagger-ui-bundle.js", "start.js", "favicon-32x32.png"):
        assert f"/docs/{asset}" in page
        assert public.get(f"/docs/{asset}").content_length
    for outside in ("nothing.js", "..%2f__init__.py", "%2e%2e"):
        public.get(f"/docs/{outside}", status=404)
    assert "<script>" not in page


def test_counters_tell_routes_and_codes_and_no_ids(public, ada):
    table = ada.table("beam-me-up", "me", "open")["id"]
    ada.get(f"/v1/tables/{table}")
    public.get("/v1/me", status=401)
    text = public.get("/metrics").text

    assert 'starledger_requests_total{method="GET",route="/v1/tables/<table>",status="200"} 1.0' in text
    assert 'starledger_problems_total{code="unauthenticated"} 1.0' in text
    assert not [word for word in (table, ada.id, ada.token) if word in text]
