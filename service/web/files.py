"""The page's files, read once, under addresses that change with their content."""

import base64
import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
SHELL: Final = "index.html"
STYLE: Final = "css/base.css"
"""What every page is drawn with: it stands in the document, so that nothing has to be fetched before the first drawing."""
LOBBY: Final = "lobby.html"
"""What the lobby draws first, with links for buttons: it is seen, and can be used, before any script is there."""

VIEWS: Final[Mapping[str, tuple[str, ...]]] = {
    "lobby": ('<link rel="preload" as="fetch" href="/v1/tables?status=open&limit=20" crossorigin>',),
    "part of the lobby": (),
    "table": (
        '<link rel="stylesheet" href="/web/{{edition}}/css/cards.css">',
        '<link rel="stylesheet" href="/web/{{edition}}/css/table.css">',
        '<link rel="modulepreload" href="/web/{{edition}}/table.js">',
    ),
    "tournament": (
        '<link rel="stylesheet" href="/web/{{edition}}/css/cards.css">',
        '<link rel="stylesheet" href="/web/{{edition}}/css/table.css">',
        '<link rel="modulepreload" href="/web/{{edition}}/more.js">',
    ),
    "other": ('<link rel="modulepreload" href="/web/{{edition}}/more.js">',),
}
"""What the first view of each kind of page needs besides the frame's files: it is fetched beside them, not after them."""

AT_ONCE: Final = '<script type="module" src="/web/{{edition}}/first.js" blocking="render"></script>'
AFTER_DRAWING: Final = """<link rel="expect" href="#app" blocking="render">
<link rel="modulepreload" href="/web/{{edition}}/first.js">"""
"""How the script comes: a page that it draws is not painted before it; one that is drawn is painted whole, before it."""

IN_LOBBY: Final = ("lobby", "part of the lobby")

THEMES: Final = ("", "dark", "light")
"""What a person may choose; the first is the system's own. It stands in the document, so that no other is seen first."""

TYPES: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class File:
    """One file as it is sent: its bytes, the same compressed, its media type, and its tag."""

    body: bytes
    packed: bytes
    media: str
    tag: str


@dataclass(frozen=True, slots=True)
class Files:
    """All files; `edition` names their content: it stands in each address, so that an address never changes.

    `shells` has the document for each of `VIEWS` in each of `THEMES`, `style_hash` the one style in them, for the policy
    (CSP level 3, 'sha256-…').
    """

    edition: str
    files: Mapping[str, File]
    shells: Mapping[tuple[str, str], File]
    style_hash: str


def load(folder: Path = STATIC) -> Files:
    """Read all files below a folder."""
    bodies = {
        str(PurePosixPath(path.relative_to(folder))): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in TYPES
    }
    digest = hashlib.sha256()
    for name, body in bodies.items():
        digest.update(b"%b\0%d\0%b" % (name.encode(), len(body), body))
    edition = digest.hexdigest()[:16]
    shell, lobby, style = (bodies.pop(name).decode() for name in (SHELL, LOBBY, STYLE))
    style = _bare(style)
    # Between the lobby's parts stands nothing: so the script draws them, and can take them over.
    lobby = lobby.replace("\n", "")
    shell = shell.replace("{{style}}", style)
    return Files(
        edition=edition,
        files={name: _file(name, body) for name, body in bodies.items()},
        shells={
            (view, theme): _file(SHELL, _shell(shell, view, theme, lobby, edition).encode())
            for view in VIEWS
            for theme in THEMES
        },
        style_hash=f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}",
    )


def _bare(style: str) -> str:
    """Give a stylesheet without its comments and what only makes it easy to read."""
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))


def _shell(shell: str, view: str, theme: str, lobby: str, edition: str) -> str:
    """Give a document; where nothing is drawn in it yet, nothing is painted before the script has drawn it."""
    is_drawn = view in IN_LOBBY
    parts = {
        "theme": f' data-theme="{theme}"' if theme else "",
        "more": "\n".join(VIEWS[view]),
        "first": AFTER_DRAWING if is_drawn else AT_ONCE,
        "drawn": lobby if is_drawn else '<p class="boot">Starledger is loading.</p>',
        "edition": edition,
    }
    for name, part in parts.items():
        shell = shell.replace(f"{{{{{name}}}}}", part)
    return shell


def _file(name: str, body: bytes) -> File:
    return File(
        body=body,
        packed=gzip.compress(body, 9, mtime=0),
        media=TYPES[PurePosixPath(name).suffix],
        tag=hashlib.sha256(body).hexdigest()[:16],
    )
