"""`openapi.yaml`: the operations, schemas and domain types seen from outside, the same bytes at every run."""

import difflib
import functools
import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from service.api.contract_links import links, links_of
from service.api.contract_parts import schemas
from service.api.contract_words import (
    ALWAYS_THERE,
    INTRODUCTION,
    PATH_PARAMETERS,
    REQUEST_HEADERS,
    RESPONSE_HEADERS,
    STRONG_KEY_HEADER,
    TAGS,
)
from service.api.json_schemas import ref
from service.api.operation import Answer, Body, Operation
from service.api.problem_codes import PROBLEMS, ProblemKind
from service.api.problems import MEDIA_TYPE
from service.api.request_schemas import parameters

VERSION: Final = "1.0.0"
FILE: Final = Path("openapi.yaml")
"""Where the contract is kept, from the project's root."""
_SHOWN_LINES: Final = 60
_REFERENCE: Final = ("*/*", "text/html")


def generate() -> str:
    """Give the whole of `openapi.yaml`."""
    return as_yaml()


@functools.cache
def as_yaml() -> str:
    """Give the contract as YAML."""
    return yaml.dump(document(), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


@functools.cache
def as_json() -> str:
    """Give the contract as JSON."""
    return json.dumps(document(), ensure_ascii=False)


@functools.cache
def document() -> Mapping[str, Any]:
    """Give the contract as an OpenAPI 3.1 document."""
    from service.api.routes import ALL  # noqa: PLC0415 - the routes serve this document

    parts, by_kind = schemas(ALL)
    paths: dict[str, dict[str, Any]] = {}
    for operation in ALL:
        described = _operation(operation, by_kind)
        for status in operation.answers:
            described["responses"][str(status)] |= links_of(operation, ALL)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Starledger",
            "version": VERSION,
            "summary": "Card games over HTTP: tables, seats, commands, events.",
            "description": INTRODUCTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "Where this document comes from."}],
        "tags": [{"name": name, "description": text} for name, text in TAGS],
        "paths": paths,
        "components": {
            "schemas": parts,
            "parameters": {_parameter_name(name): each for name, each in REQUEST_HEADERS.items()},
            "headers": {name: _header(name) for name in RESPONSE_HEADERS},
            "links": links(ALL),
            "responses": {code: _response([code], limited=False) for code in PROBLEMS},
            "examples": {code: {"summary": kind.title, "value": _example(kind)} for code, kind in PROBLEMS.items()},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of a player: `POST /v1/players` shows his first one.",
                }
            },
        },
    }


def _header(name: str) -> dict[str, Any]:
    text, example = RESPONSE_HEADERS[name]
    always = {"required": True} if name in ALWAYS_THERE else {}
    return {"description": text, **always, "schema": {"type": "string"}, "example": example}


def codes_of(operation: Operation) -> dict[int, list[str]]:
    """Give the codes of the problems that an operation can answer with, by status."""
    codes = set(operation.problems) | {"internal_error"}
    limited = operation.bucket is not None
    if operation.auth != "none":
        codes |= {"unauthenticated"}
    if operation.scope is not None:
        codes |= {"scope_missing"}
    if limited:
        codes |= {"rate_limited", "unavailable", "not_acceptable", "validation_failed"}
    if operation.path == "/readyz":
        codes |= {"unavailable"}
    if operation.body is not None:
        codes |= {"malformed_json", "body_too_slow", "body_too_large", "unsupported_media_type", "validation_failed"}
    if operation.keyed is not None:
        codes |= {"malformed_request", "idempotency_key_reused"}
        codes |= {"idempotency_key_weak"} if operation.auth != "required" else set()
    if operation.request_headers:
        codes |= {"malformed_request"}
    by_status: dict[int, list[str]] = {}
    for code, kind in PROBLEMS.items():
        if code in codes:
            by_status.setdefault(kind.status, []).append(code)
    return by_status


def _operation(operation: Operation, by_kind: Mapping[Any, Any]) -> dict[str, Any]:
    security: list[dict[str, list[str]]] = []
    if operation.auth != "none":
        scopes: list[str] = [operation.scope] if operation.scope else []
        security = [{"token": scopes}] if operation.auth == "required" else [{}, {"token": scopes}]
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        **({"deprecated": True} if operation.leaving else {}),
        "summary": operation.summary,
        "description": operation.text,
        "parameters": _parameters(operation),
    }
    if operation.body is not None:
        described["requestBody"] = _body(operation.body)
    answers = {str(status): _answer(operation, answer, by_kind) for status, answer in operation.answers.items()}
    problems = {str(status): _problems(operation, codes) for status, codes in codes_of(operation).items()}
    described["responses"] = {**answers, **problems}
    described["security"] = security
    return described


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, **PATH_PARAMETERS[name]} for name in names
    ]
    if operation.query is not None:
        found += parameters(operation.query)
    is_weak = operation.keyed is not None and operation.auth == "none"
    if is_weak:
        found.append(STRONG_KEY_HEADER)
    keyed = operation.keyed is not None and not is_weak
    headers = [*(["Idempotency-Key"] if keyed else []), *operation.request_headers, "X-Request-Id"]
    return found + [{"$ref": f"#/components/parameters/{_parameter_name(name)}"} for name in headers]


def _body(body: Body) -> dict[str, Any]:
    if body.raw:
        content = {media: {"schema": {"type": "string"}} for media in body.raw}
        content[body.raw[0]] |= {"examples": _examples(body.examples)}
        return {"required": True, "content": content}
    name = "Command" if body.schema is None else body.schema.__name__.removesuffix("Schema")
    return {
        "required": not body.optional,
        "content": {
            "application/json": {
                "schema": ref(name),
                "examples": _examples(body.examples),
            }
        },
    }


def _examples(examples: Mapping[str, Any]) -> dict[str, Any]:
    return {_key(title): {"summary": title, "value": value} for title, value in examples.items()}


def _answer(operation: Operation, answer: Answer, by_kind: Mapping[Any, Any]) -> dict[str, Any]:
    headers = ["X-Request-Id", *answer.headers]
    if operation.keyed is not None:
        headers.append("Idempotent-Replayed")
    described: dict[str, Any] = {
        "description": answer.meaning,
        "headers": _headers(headers, limited=operation.bucket is not None),
    }
    if answer.kind is not None:
        content: dict[str, Any] = {}
        for media in answer.media:
            schema = by_kind[answer.kind] if media == "application/json" else {"type": "string"}
            content[media] = {"schema": {} if operation.path in ("/openapi.json", "/openapi.yaml") else schema}
        if answer.examples:
            content[answer.media[0]]["examples"] = _examples(answer.examples)
        described["content"] = content
    return described


def _problems(operation: Operation, codes: list[str]) -> dict[str, Any]:
    if len(codes) == 1:
        return {"$ref": f"#/components/responses/{codes[0]}"}
    return _response(codes, limited=operation.bucket is not None)


def _response(codes: list[str], *, limited: bool) -> dict[str, Any]:
    """Give the answer that tells one of these problems, all of the same status."""
    kinds = [PROBLEMS[code] for code in codes]
    headers = ["X-Request-Id"]
    if any(kind.retryable for kind in kinds):
        headers.append("Retry-After")
    if "unauthenticated" in codes:
        headers.append("WWW-Authenticate")
    if "stale_version" in codes:
        headers.append("ETag")
    return {
        "description": " ".join(f"`{kind.code}`: {kind.title}." for kind in kinds),
        "headers": _headers(headers, limited=limited),
        "content": {
            MEDIA_TYPE: {
                "schema": {"allOf": [ref("Problem"), {"properties": {"code": {"enum": codes}}}]},
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
            }
        },
    }


def _headers(names: list[str], *, limited: bool) -> dict[str, Any]:
    names = [*names, *(["RateLimit", "RateLimit-Policy"] if limited else [])]
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _example(kind: ProblemKind) -> dict[str, Any]:
    more: dict[str, Any] = {}
    match kind.code:
        case "illegal_command":
            more = {"detail": "You don't hold F7.", "ruling": "B37", "version": 12}
        case "validation_failed":
            more = {"detail": "name: Missing data for required field.", "errors": {"name": "Missing data."}}
        case "scope_missing":
            more = {"scope": "play"}
        case "stale_version" | "version_conflict":
            more = {"version": 12, "entries": []}
        case "internal_error" | "unavailable":
            more = {"request_id": "4f1d2c3b5a69788f"}
        case _:
            pass
    value = {
        "type": f"/problems/{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": kind.meaning,
        "code": kind.code,
        **more,
    }
    return {**value, "retryable": True} if kind.retryable else value


def _parameter_name(header: str) -> str:
    return header.replace("-", "")


def _key(title: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in title)


class _Dumper(yaml.SafeDumper):
    """Writes no anchors, and texts of several lines as they are."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - yaml's signature
        """Write what occurs twice twice."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


def _list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    short = all(isinstance(item, str | int | float | None) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)


def main(arguments: Sequence[str]) -> int:
    """Write the contract to its file in the current folder; with `--check` only tell whether it is the same."""
    code = generate()
    if "--check" not in arguments:
        FILE.write_text(code, encoding="utf-8")
        return 0
    kept = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    if kept == code:
        return 0
    changes = difflib.unified_diff(kept.splitlines(), code.splitlines(), "openapi.yaml", "the code", lineterm="", n=1)
    sys.stderr.write("openapi.yaml is not what the code says. Look at the change as an interface, then: make openapi\n")
    sys.stderr.writelines(f"{line}\n" for line in itertools.islice(changes, _SHOWN_LINES))
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
