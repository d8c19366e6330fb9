"""The routes of the page: a shell for each of its addresses, and the files below `/web/`."""

from collections.abc import Mapping
from typing import Final

from flask import Blueprint, Response, abort, request

from service.web.files import THEMES, File, Files, load

POLICY: Final = "; ".join(  # noqa: FLY002 - one rule a line
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' '{style_hash}'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""No inline script, nothing foreign, no HTML made from text; of inline style the document's own one."""

ADDRESSES: Final[Mapping[str, str]] = {
    "/": "lobby",
    "/new": "other",
    "/verify": "other",
    "/tables/<id>": "table",
    "/tables/<id>/replay": "table",
    "/players/<id>": "other",
    "/tournaments": "tournament",
    "/tournaments/new": "tournament",
    "/tournaments/<id>": "tournament",
}
"""What the page shows by itself, and which of `files.VIEWS` it is: the shells differ in what they fetch beforehand."""

THEME_COOKIE: Final = "starledger-theme"
"""What the page writes when a person chooses a theme; nothing else reads it."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"


def web_page(files: Files | None = None) -> Blueprint:
    """Give the page as a blueprint; its files are read now."""
    loaded = load() if files is None else files
    policy = POLICY.format(style_hash=loaded.style_hash)
    page = Blueprint("web", __name__)

    def shell(**_parts: str) -> Response:
        view = ADDRESSES[request.url_rule.rule] if request.url_rule else "other"
        if view == "lobby" and request.args:
            view = "part of the lobby"
        theme = request.cookies.get(THEME_COOKIE, "")
        answer = _answer(loaded.shells[view, theme if theme in THEMES else ""], _ASK_AGAIN)
        answer.headers.add("Vary", "Cookie")
        answer.headers["Content-Security-Policy"] = policy
        answer.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return answer

    def file(edition: str, name: str) -> Response:
        """Give a file; a tab opened before an update still gets what it asks for, but may not keep it."""
        if name not in loaded.files:
            abort(404)
        return _answer(loaded.files[name], _FOR_EVER if edition == loaded.edition else _ASK_AGAIN)

    for address in ADDRESSES:
        page.add_url_rule(address, endpoint="shell", view_func=shell, methods=["GET"])
    page.add_url_rule("/web/<edition>/<path:name>", endpoint="file", view_func=file, methods=["GET"])
    return page


def _answer(file: File, caching: str) -> Response:
    is_packed = request.accept_encodings.quality("gzip") > 0
    answer = Response(file.packed if is_packed else file.body, content_type=file.media)
    answer.headers["Cache-Control"] = caching
    if is_packed:
        answer.headers["Content-Encoding"] = "gzip"
    answer.set_etag(f"{file.tag}-{'gz' if is_packed else 'id'}")
    answer.make_conditional(request)
    return answer
