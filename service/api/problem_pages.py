"""The pages behind the `type` of each problem."""

from html import escape
from typing import Final

from service.api.problem_codes import PROBLEMS, ProblemKind

_STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#1b1b1f;"
    "background:#fff}code{background:#f0f0f4;padding:.1em .3em;border-radius:.2em}a{color:#0b57d0}"
    "td,th{text-align:left;padding:.25rem 1rem .25rem 0;vertical-align:top}"
    "@media(prefers-color-scheme:dark){body{color:#e4e4e9;background:#1b1b1f}code{background:#2c2c33}a{color:#a8c7fa}}"
)


def page(kind: ProblemKind) -> str:
    """Give the page of one problem."""
    again = "<p>The same request may be sent again later.</p>" if kind.retryable else ""
    return _html(
        kind.title,
        f"<h1>{_text(kind.title)}</h1>"
        f"<p><code>{kind.code}</code>, HTTP status {kind.status}</p>"
        f"<h2>What it means</h2><p>{_text(kind.meaning)}</p>"
        f"<h2>What to do</h2><p>{_text(kind.remedy)}</p>{again}"
        '<p><a href="/problems">All problems</a> · <a href="/docs">The API</a></p>',
    )


def index() -> str:
    """Give the list of all problems."""
    rows = "".join(
        f'<tr><td>{kind.status}</td><td><a href="/problems/{kind.code}"><code>{kind.code}</code></a></td>'
        f"<td>{_text(kind.title)}</td></tr>"
        for kind in PROBLEMS.values()
    )
    return _html(
        "Problems",
        "<h1>Problems</h1><p>What the API answers when it can't do what was asked: "
        "<code>application/problem+json</code> (RFC 9457) with one of these codes.</p>"
        f"<table><tr><th>Status</th><th>Code</th><th>Meaning</th></tr>{rows}</table>",
    )


def _html(title: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Starledger</title><style>{_STYLE}</style></head><body><main>{body}</main></body></html>\n"
    )


def _text(words: str) -> str:
    """Write a text as HTML; what stands between backticks is code."""
    parts = escape(words).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
