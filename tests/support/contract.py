"""Answers against `openapi.yaml`: status, media type, headers and body of each must be what the contract says."""

import functools
import gzip
import json
from collections.abc import Mapping
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError
from werkzeug.datastructures import Headers

from service.api import openapi
from service.api.problem_codes import PROBLEMS

EVERYWHERE = {404, 405}
"""Statuses that follow from the address or the method, which no single operation lists."""


class ContractBroken(AssertionError):
    """An answer is not what the contract says."""


def check(method: str, path: str | None, status: int, headers: Headers | Mapping[str, str], body: bytes) -> None:
    """Check one answer; `path` is the route's template (`/v1/tables/{table}`), None for an address without a route."""
    where = f"{method} {path} -> {status}"
    if not headers.get("X-Request-Id"):
        raise ContractBroken(f"{where}: no X-Request-Id")
    media = headers.get("Content-Type", "").split(";")[0]
    if headers.get("Content-Encoding") == "gzip" and body:
        body = gzip.decompress(body)
    operation = None if path is None else openapi.document()["paths"].get(path, {}).get(_method(method))
    if operation is None or str(status) not in operation["responses"]:
        if operation is None and (method == "OPTIONS" or status in EVERYWHERE):
            _check_problem(where, status, media, body)
            return
        raise ContractBroken(f"{where}: the contract has no such answer")
    response = _resolved(operation["responses"][str(status)])
    for name, header in response.get("headers", {}).items():
        if _resolved(header).get("required") and name not in headers:
            raise ContractBroken(f"{where}: no header {name}")
    content = response.get("content")
    if content is None:
        if body:
            raise ContractBroken(f"{where}: a body where none may be")
        return
    if method == "HEAD":
        return
    if "*/*" not in content and media not in content:
        raise ContractBroken(f"{where}: {media} is none of {list(content)}")
    if media in ("application/json", "application/problem+json") and "*/*" not in content:
        validate(where, content[media]["schema"], json.loads(body))
    if media == "application/problem+json":
        _check_problem(where, status, media, body)


def _method(method: str) -> str:
    """HEAD is GET without the body."""
    return "get" if method == "HEAD" else method.lower()


def validate(where: str, schema: Mapping[str, Any], value: Any) -> None:
    """Check a value against a schema of the contract."""
    try:
        _validator(json.dumps(schema, sort_keys=True)).validate(value)
    except ValidationError as wrong:
        raise ContractBroken(f"{where}: {wrong.instance_path}: {wrong.message[:600]}") from wrong


def _check_problem(where: str, status: int, media: str, body: bytes) -> None:
    if status < 400:
        return
    if media != "application/problem+json":
        raise ContractBroken(f"{where}: a failure as {media}")
    problem = json.loads(body)
    validate(where, {"$ref": "#/components/schemas/Problem"}, problem)
    kind = PROBLEMS[problem["code"]]
    if (problem["status"], problem["type"], problem["title"]) != (status, f"/problems/{kind.code}", kind.title):
        raise ContractBroken(f"{where}: the members of the problem don't fit together: {problem}")
    if kind.status != status:
        raise ContractBroken(f"{where}: {kind.code} has status {kind.status}")


def _resolved(node: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = node
    while "$ref" in found:
        target: Any = openapi.document()
        for step in found["$ref"].removeprefix("#/").split("/"):
            target = target[step.replace("~1", "/")]
        found = target
    return dict(found)


@functools.cache
def _validator(schema: str) -> Any:
    return Draft202012Validator({**json.loads(schema), "components": {"schemas": _parts()}})


@functools.cache
def _parts() -> dict[str, Any]:
    parts: dict[str, Any] = json.loads(openapi.as_json())["components"]["schemas"]
    return parts
