"""The page's files, read once, under addresses that change with their content."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
SHELL: Final = "index.html"

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

    `shells` has the document for each of `VIEWS`.
    """

    edition: str
    files: Mapping[str, File]
    shells: Mapping[str, File]


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
    shell = bodies.pop(SHELL).decode()
    return Files(
        edition=edition,
        files={name: _file(name, body) for name, body in bodies.items()},
        shells={
            view: _file(SHELL, shell.replace("{{more}}", "\n".join(more)).replace("{{edition}}", edition).encode())
            for view, more in VIEWS.items()
        },
    )


def _file(name: str, body: bytes) -> File:
    return File(
        body=body,
        packed=gzip.compress(body, 9, mtime=0),
        media=TYPES[PurePosixPath(name).suffix],
        tag=hashlib.sha256(body).hexdigest()[:16],
    )
