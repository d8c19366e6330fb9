"""The contract and what explains it: `openapi.yaml`, the reference page, a page for each problem."""

import functools
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import flask_swagger_ui
from flask import Response

from domain.errors import Refusal
from service.api import openapi, problem_pages
from service.api.operation import Answer, Call, Operation
from service.api.problem_codes import PROBLEMS

_CACHED: Final = {"Cache-Control": "public, max-age=60"}
_HTML: Final = "text/html; charset=utf-8"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The page loads from here only; swagger-ui writes styles of its own into the page, scripts it does not."""

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Starledger: the HTTP API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png" sizes="32x32">
</head>
<body>
<main id="reference"><noscript>This page needs JavaScript; <a href="/openapi.yaml">openapi.yaml</a> says the
same.</noscript></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_START: Final = """SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
"""


def get_openapi_yaml(call: Call) -> Response:  # noqa: ARG001 - every view has this shape
    """`GET /openapi.yaml`."""
    return Response(openapi.as_yaml(), 200, _CACHED, content_type="application/yaml")


def get_openapi_json(call: Call) -> Response:  # noqa: ARG001 - every view has this shape
    """`GET /openapi.json`."""
    return Response(openapi.as_json(), 200, _CACHED, content_type="application/json")


def get_docs(call: Call) -> Response:  # noqa: ARG001 - every view has this shape
    """`GET /docs`."""
    return Response(_PAGE, 200, {**_CACHED, "Content-Security-Policy": _POLICY}, content_type=_HTML)


def get_docs_asset(call: Call) -> Response:
    """`GET /docs/{asset}`."""
    asset = call.path["asset"]
    if asset == "start.js":
        return Response(_START, 200, _CACHED, content_type="text/javascript; charset=utf-8")
    found = _assets().get(asset)
    if found is None:
        raise Refusal("not_found", "The reference page has no such file.")
    media, content = found
    return Response(content, 200, {"Cache-Control": "public, max-age=3600"}, content_type=media)


@functools.cache
def _assets() -> Mapping[str, tuple[str, bytes]]:
    folder = Path(flask_swagger_ui.__file__).parent / "dist"
    return {
        path.name: (mimetypes.guess_type(path.name)[0] or "text/plain", path.read_bytes())
        for path in sorted(folder.iterdir())
    }


def list_problems(call: Call) -> Response:  # noqa: ARG001 - every view has this shape
    """`GET /problems`."""
    return _page(problem_pages.index())


def get_problem(call: Call) -> Response:
    """`GET /problems/{code}`."""
    kind = PROBLEMS.get(call.path["code"])
    if kind is None:
        raise Refusal("not_found", "There is no such problem; /problems lists all.")
    return _page(problem_pages.page(kind))


def _page(html: str) -> Response:
    policy = "default-src 'none'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
    return Response(html, 200, {**_CACHED, "Content-Security-Policy": policy}, content_type=_HTML)


def _operation(name: str, path: str, summary: str, text: str, view: object, media: str, **more: object) -> Operation:
    return Operation(
        method="GET",
        path=path,
        name=name,
        tag="Reference",
        summary=summary,
        text=text,
        view=view,  # type: ignore[arg-type]  # a view
        auth="none",
        answers={200: Answer(meaning=summary + ".", kind=str, media=(media,))},
        bucket=None,
        **more,  # type: ignore[arg-type]  # further members
    )


OPERATIONS: Final = (
    _operation(
        "getOpenapiYaml",
        "/openapi.yaml",
        "This contract, as YAML",
        "The document that you are reading.",
        get_openapi_yaml,
        "application/yaml",
    ),
    _operation(
        "getOpenapiJson",
        "/openapi.json",
        "This contract, as JSON",
        "The document that you are reading, in JSON.",
        get_openapi_json,
        "application/json",
    ),
    _operation(
        "getDocs",
        "/docs",
        "The reference page",
        "This contract as a page with a console, to read and to try. It needs nothing from the internet.",
        get_docs,
        "text/html",
    ),
    _operation(
        "getDocsAsset",
        "/docs/{asset}",
        "A file of the reference page",
        "Scripts and styles of the reference page.",
        get_docs_asset,
        "*/*",
        problems=("not_found",),
    ),
    _operation(
        "listProblems",
        "/problems",
        "All problems",
        "Every problem that the API answers with, with its status and a link to its page.",
        list_problems,
        "text/html",
    ),
    _operation(
        "getProblem",
        "/problems/{code}",
        "What a problem means and what to do",
        "The page behind the `type` of a problem.",
        get_problem,
        "text/html",
        problems=("not_found",),
    ),
)
