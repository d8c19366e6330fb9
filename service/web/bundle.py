"""Writes the page's scripts from their modules, so that a view needs two files and not twenty: `make page`.

Each module below `source/` becomes a function that is called once, so that their names can't meet; what it exports is
the value of a constant (`lib/api.js` is `lib_api`). A module stands in the first bundle that needs it, and later ones
import its constant from there. Only what these modules use of the language's imports is understood; all else is
refused. The bundles are committed: who runs or installs Starledger builds nothing.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

SOURCE: Final = Path(__file__).parent / "source"
STATIC: Final = Path(__file__).parent / "static"
BUNDLES: Final[Mapping[str, tuple[str, ...]]] = {
    "first.js": ("app.js", "lib/live.js"),
    "table.js": ("pages/table.js", "pages/replay.js"),
    "more.js": ("pages/create.js", "pages/player.js", "pages/tournaments.js", "pages/verify.js"),
}
"""What each is entered by: the frame with the lobby; what draws a table; all other pages."""
HEAD: Final = """\
// Written by `make page` from service/web/source: change it there.
// htm (Apache-2.0) and Preact (MIT) are in first.js; their licences stand in vendor/.
"""

IMPORT: Final = re.compile(r'^import (?:(\w+)|\{([^}]*)\}) from "([^"]+)";\n', re.MULTILINE)
LATER: Final = re.compile(r'\bimport\("([^"]+)"\)')
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|function\*?|class) (\w+))", re.MULTILINE)
DEFAULT_NAMED: Final = re.compile(r"^export default (?=function (\w+))", re.MULTILINE)
DEFAULT_VALUE: Final = re.compile(r"^export default (?=\{)", re.MULTILINE)
EXPORT_LIST: Final = re.compile(r"\bexport\{([^}]*)\};\s*\Z")
COMMENT: Final = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
LEFT: Final = re.compile(r"^\s*(?:export|import)\b(?!\.meta).*", re.MULTILINE)


class NotUnderstood(Exception):
    """A module says something that is not understood here."""


def bundles(source: Path = SOURCE) -> dict[str, str]:
    """Give the text of each bundle by its name."""
    home: dict[str, str] = {}
    order: dict[str, list[str]] = {}
    for bundle, entries in BUNDLES.items():
        order[bundle] = []
        for entry in entries:
            for module in _in_order(source, entry, ()):
                if module not in home:
                    home[module] = bundle
                    order[bundle].append(module)
    return {bundle: _bundle(source, bundle, modules, home) for bundle, modules in order.items()}


def _in_order(source: Path, module: str, above: tuple[str, ...]) -> Iterator[str]:
    """Give what a module needs, then the module."""
    if module in above:
        raise NotUnderstood(f"a circle of imports: {' > '.join((*above, module))}")
    for found in IMPORT.finditer((source / module).read_text("utf-8")):
        yield from _in_order(source, _named(module, found[3]), (*above, module))
    yield module


def _bundle(source: Path, bundle: str, modules: list[str], home: Mapping[str, str]) -> str:
    parts, foreign = [], set()
    for module in modules:
        text, needs = _function(module, (source / module).read_text("utf-8"), home)
        parts.append(text)
        foreign |= {need for need in needs if home[need] != bundle}
    imports = [
        f'import {{ {", ".join(sorted(_constant(each) for each in foreign if home[each] == other))} }} from "./{other}";\n'
        for other in BUNDLES
        if any(home[each] == other for each in foreign)
    ]
    return HEAD + "".join((*imports, *parts))


def _function(module: str, text: str, home: Mapping[str, str]) -> tuple[str, set[str]]:
    """Give a module as a constant, and the modules that it needs at once."""
    exported = [f"{found[1]}" for found in EXPORT.finditer(text)]
    exported += [f"default: {found[1]}" for found in DEFAULT_NAMED.finditer(text)]
    exported += ["default: theDefault"] if DEFAULT_VALUE.search(text) else []
    for found in EXPORT_LIST.finditer(text):
        exported += [": ".join(reversed(each.split(" as "))) for each in found[1].split(",")]
    needs = {_named(module, found[3]) for found in IMPORT.finditer(text)}

    def brought(found: re.Match[str]) -> str:
        names = f"default: {found[1]}" if found[1] else found[2].strip().rstrip(",").replace(" as ", ": ")
        return f"const {{ {' '.join(names.split())} }} = {_constant(_named(module, found[3]))};\n"

    def later(found: re.Match[str]) -> str:
        wanted = _named(module, found[1])
        return f'import("./{home[wanted]}").then((bundle) => bundle.{_constant(wanted)})'

    body = COMMENT.sub("", text)
    body = IMPORT.sub(brought, body)
    body = DEFAULT_VALUE.sub("const theDefault = ", DEFAULT_NAMED.sub("", EXPORT.sub("", EXPORT_LIST.sub("", body))))
    if left := LEFT.search(body):
        raise NotUnderstood(f"{module}: {left[0].strip()}")
    body = LATER.sub(later, body).strip("\n")
    return f"export const {_constant(module)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n", needs


def _named(module: str, path: str) -> str:
    """Give the module that a path means, seen from another."""
    parts: list[str] = []
    for part in (PurePosixPath(module).parent / path).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _constant(module: str) -> str:
    return re.sub(r"\W", "_", module.removesuffix(".js"))


def main() -> None:
    """Write the bundles."""
    for name, text in bundles().items():
        (STATIC / name).write_text(text, "utf-8")
        sys.stdout.write(f"{name:<10}{len(text.encode()):8} bytes\n")


if __name__ == "__main__":
    main()
