"""The contract itself: valid, whole, the same at every run, and the one that is committed."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate

from domain.games import GAMES
from domain.table_events import TableEvent
from service.api import openapi
from service.api.contract_links import MAKES
from service.api.contract_parts import prefix_of
from service.api.problem_codes import PROBLEMS
from service.api.routes import ALL
from tests.support.contract import ContractBroken, check
from tests.support.contract import validate as validate_value

BOUNDS = {"maximum", "exclusiveMaximum", "enum", "const"}
ROOT = Path(__file__).parents[2]
DOCUMENT: Any = openapi.document()
OPERATIONS = [(path, method, each) for path, item in DOCUMENT["paths"].items() for method, each in item.items()]


def test_the_contract_is_valid_openapi_3_1():
    validate(yaml.safe_load(openapi.generate()))
    assert DOCUMENT["openapi"].startswith("3.1")


def test_the_committed_contract_is_what_the_code_says():
    """When this fails, look at the change as an interface, then run `make openapi`."""
    assert openapi.generate() == (ROOT / "openapi.yaml").read_text(encoding="utf-8")


def test_it_is_the_same_bytes_in_another_process():
    code = "import sys; from service.api import openapi; sys.stdout.write(openapi.generate())"
    other = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "7"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert openapi.generate() == other.stdout


def test_yaml_and_json_say_the_same(public):
    assert yaml.safe_load(public.get("/openapi.yaml").text) == public.get("/openapi.json").json
    assert "application/yaml" == public.get("/openapi.yaml").mimetype


def test_every_route_of_the_application_is_in_the_contract(app):
    routes = {
        (re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method.upper()) for path, method, _ in OPERATIONS}


@pytest.mark.parametrize(
    ("path", "method", "operation"), OPERATIONS, ids=lambda each: each if isinstance(each, str) else ""
)
def test_every_operation_is_described_with_care(path, method, operation):
    assert operation["summary"]
    assert not operation["summary"].endswith(".")
    assert len(operation["description"]) > 20
    assert operation["tags"][0] in {tag["name"] for tag in DOCUMENT["tags"]}
    for parameter in operation["parameters"]:
        assert parameter.get("description") or parameter["$ref"]
    for status, response in operation["responses"].items():
        resolved = (
            DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]] if "$ref" in response else response
        )
        assert resolved["description"]
        assert "X-Request-Id" in resolved["headers"]
        json_content = resolved.get("content", {}).get("application/json")
        if json_content is not None and path != "/openapi.json":
            assert json_content["examples"], (path, status)
    if "requestBody" in operation:
        assert next(iter(operation["requestBody"]["content"].values()))["examples"]


def test_operations_have_names_of_their_own():
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("path", "method", "operation"), OPERATIONS, ids=lambda each: each if isinstance(each, str) else ""
)
def test_every_example_is_what_its_schema_says(path, method, operation):
    contents = [operation["requestBody"]["content"]] if "requestBody" in operation else []
    contents += [response.get("content", {}) for response in operation["responses"].values()]
    for content in contents:
        for media, described in content.items():
            if media == "application/json":
                for name, example in described.get("examples", {}).items():
                    validate_value(f"{method} {path} {name}", described["schema"], example["value"])


def test_every_problem_has_an_example_that_is_what_the_schema_says():
    examples = DOCUMENT["components"]["examples"]
    assert list(PROBLEMS) == list(examples)
    for code, example in examples.items():
        validate_value(code, {"$ref": "#/components/schemas/Problem"}, example["value"])
        assert code == example["value"]["code"]


def test_every_post_takes_an_idempotency_key():
    assert [] == [operation.name for operation in ALL if operation.method == "POST" and operation.keyed is None]


def test_every_type_of_event_view_and_command_is_told_apart():
    schemas = DOCUMENT["components"]["schemas"]
    for name, tag in (("TableEvent", "type"), ("TableCommand", "type"), ("View", "game")):
        assert tag == schemas[name]["discriminator"]["propertyName"]
        assert len(schemas[name]["oneOf"]) == len(schemas[name]["discriminator"]["mapping"])
    assert set(GAMES) == set(schemas["View"]["discriminator"]["mapping"])
    assert {event.__struct_config__.tag for event in TableEvent.__args__} == set(
        schemas["TableEvent"]["discriminator"]["mapping"]
    )
    for game in GAMES.values():
        for kind in ("Event", "Command"):
            assert "discriminator" in schemas[f"{prefix_of(game)}{kind}"]


def test_requests_are_closed_and_answers_are_open():
    schemas = DOCUMENT["components"]["schemas"]
    for name in ("NewPlayer", "NewToken", "NewTable", "SitDown", "BeamMeUpOptions", "BeamMeUpPlayCard", "TurnClock"):
        assert schemas[name]["additionalProperties"] is False, name
    for name in ("Table", "Entry", "Player", "Problem", "BeamMeUpView", "BeamMeUpCardPlayed"):
        assert "additionalProperties" not in schemas[name], name


def test_nothing_in_the_contract_is_named_and_unused():
    text = json.dumps(DOCUMENT)
    for section, named in DOCUMENT["components"].items():
        for name in named:
            reference = f"#/components/{section}/{name}"
            assert f'"{reference}"' in text or section in (
                "securitySchemes",
                "examples",
                "responses",
            ), name


def test_an_answer_against_the_contract_would_be_found():
    """The guard of all other tests guards."""
    good = {"X-Request-Id": "r", "Content-Type": "application/json"}
    body = b'{"status": "alive"}'
    check("GET", "/healthz", 200, good, body)
    for method, path, status, headers, text in (
        ("GET", "/healthz", 200, good, b"{}"),
        ("GET", "/healthz", 201, good, body),
        ("GET", "/healthz", 200, {"Content-Type": "application/json"}, body),
        ("GET", "/healthz", 200, {**good, "Content-Type": "text/plain"}, body),
        ("GET", "/v1/tables/{table}", 304, good, b""),
        ("POST", "/healthz", 200, good, body),
        ("GET", None, 404, good, body),
    ):
        with pytest.raises(ContractBroken):
            check(method, path, status, headers, text)


def test_the_check_shows_what_has_changed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert 1 == openapi.main(["--check"])
    assert 0 == openapi.main([])
    assert 0 == openapi.main(["--check"])
    file = tmp_path / "openapi.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("Starledger", "Moonledger", 1), encoding="utf-8")
    capsys.readouterr()
    assert 1 == openapi.main(["--check"])
    assert "-  title: Moonledger" in capsys.readouterr().err


def test_allow_names_the_methods_of_the_nearest_address_only(public):
    for path, methods in (("entries/bulk", {"OPTIONS", "POST"}), ("entries/e1", {"DELETE", "OPTIONS"})):
        answer = public.send("PUT", f"/v1/tournaments/cup_none/{path}", None, 405, {})
        assert methods == set(answer.headers["Allow"].split(", "))


def test_what_is_made_has_links_to_all_that_can_be_asked_of_it():
    known = DOCUMENT["components"]["links"]
    paths = {each["operationId"]: path for path, _, each in OPERATIONS}
    for link in known.values():
        assert list(link["parameters"]) == re.findall(r"{(\w+)}", paths[link["operationId"]])
    linked = {
        each["operationId"]: answer["links"]
        for _, _, each in OPERATIONS
        for answer in each["responses"].values()
        if "links" in answer
    }
    made = {each.name for each in ALL for answer in each.answers.values() if "Location" in answer.headers}
    assert made - {"sitDown"} <= linked.keys() == MAKES.keys()
    for maker, links in linked.items():
        for name, link in links.items():
            assert {"$ref": f"#/components/links/{name}"} == link
            assert {MAKES[maker]: "$response.body#/id"} == known[name]["parameters"]
    assert {"getTable", "sitDown", "postCommand"} <= linked["createTable"].keys()


def test_every_number_of_a_request_has_an_upper_bound():
    """What has more than 20 digits is no JSON here, so a number without a bound would promise too much."""

    def unbounded(schema: Any, where: str, seen: frozenset[str] = frozenset()) -> list[str]:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            part = DOCUMENT["components"]["schemas"][name]
            return [] if name in seen else unbounded(part, f"{where}/{name}", seen | {name})
        found = [where] if schema.get("type") in ("integer", "number") and not schema.keys() & BOUNDS else []
        inner = [*schema.get("properties", {}).items()]
        inner += [
            (name, schema[name]) for name in ("items", "additionalProperties") if isinstance(schema.get(name), dict)
        ]
        inner += [(kind, each) for kind in ("anyOf", "oneOf", "allOf", "prefixItems") for each in schema.get(kind, ())]
        return found + [each for name, part in inner for each in unbounded(part, f"{where}.{name}", seen)]

    found = []
    for path, method, each in OPERATIONS:
        for parameter in each["parameters"]:
            if parameter.get("in") == "query":  # in a path any other number is the address of nothing
                found += unbounded(parameter["schema"], f"{method} {path} {parameter['name']}")
        for content in each.get("requestBody", {}).get("content", {}).values():
            found += unbounded(content["schema"], f"{method} {path}")
    assert [] == found


def test_null_is_taken_in_a_body_exactly_where_the_contract_says_so():
    for operation in ALL:
        if operation.body is None or operation.body.schema is None:
            continue
        told = DOCUMENT["components"]["schemas"][operation.body.schema.__name__.removesuffix("Schema")]["properties"]
        for name, field in operation.body.schema().fields.items():
            schema = told[field.data_key or name]
            takes_null = "null" in schema.get("type", "") or {"type": "null"} in schema.get("anyOf", ())
            assert bool(field.allow_none) == takes_null, (operation.name, name)
