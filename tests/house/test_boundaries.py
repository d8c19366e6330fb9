"""What import-linter can't see: who reads the environment, and what the domain may touch."""

import ast
import sys
import tomllib

import pytest

from tests.house.files import ROOT, sources

READERS = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}
BY_OPTION = {"envvar", "auto_envvar_prefix"}  # click's own way to the environment


SYSTEM = {"os", "posix", "nt"}


def reads_environment(tree: ast.Module) -> list[int]:
    """Give the lines that read the environment, whatever the module is called there."""
    names = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
             for alias in node.names if alias.name in SYSTEM}  # fmt: skip
    return [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in READERS and getattr(node.value, "id", "") in names)
        or (isinstance(node, ast.Attribute) and node.attr == "expandvars")
        or (
            isinstance(node, ast.ImportFrom)
            and node.module in SYSTEM
            and {*READERS, "*"} & {a.name for a in node.names}
        )
        or (isinstance(node, ast.Call) and BY_OPTION & {k.arg for k in node.keywords})
        or (isinstance(node, ast.Call) and _by_name(node, names))
    ]


def _by_name(call: ast.Call, names: set[str]) -> bool:
    """Tell whether it is `getattr(os, "environ")`, or `vars(os)`, with which all can be reached."""
    first = getattr(call.args[0], "id", "") if call.args else ""
    return getattr(call.func, "id", "") in {"getattr", "vars"} and first in names


def test_only_the_configuration_reads_the_environment():
    found = {
        path: lines for path, tree in sources("domain", "service", "workers") if (lines := reads_environment(tree))
    }
    assert ["service/config.py"] == list(found)


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.environ['A']",
        "import os\nos.getenv('A')",
        "import os\n{**os.environ, 'A': 'b'}",
        "import os\ndef f():\n    subprocess.run(['a'], env=dict(os.environ))",
        "import os as system\nsystem.environ['A']",
        "import posix\nposix.environ[b'A']",
        "import os\ngetattr(os, 'environ')",
        "import os\nos.path.expandvars('$A')",
        "from os import environ",
        "from os import *",
        "click.option(envvar='A')",
    ],
)
def test_a_reader_of_the_environment_would_be_found(code):
    assert reads_environment(ast.parse(code))


# What does I/O, waits, or asks the machine; the domain takes time and chance as arguments.
WORLDLY = {
    "asyncio", "concurrent", "fcntl", "fileinput", "ftplib", "glob", "http", "io", "logging", "mmap", "multiprocessing",
    "os", "pathlib", "pickle", "platform", "queue", "sched", "secrets", "select", "selectors", "shelve", "shutil",
    "signal", "smtplib", "socket", "socketserver", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading",
    "time", "urllib", "uuid", "webbrowser",
}  # fmt: skip
CALLS = {"open", "print", "input", "exec", "eval", "__import__"}
CLOCKS = {"now", "utcnow", "today"}


def worldly(tree: ast.Module) -> set[str]:
    """Give what a domain module does that it may not."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                found |= {f"import {alias.name}" for alias in node.names if _foreign(alias.name)}
            case ast.ImportFrom():
                found |= {f"import {node.module}"} if node.level or _foreign(node.module or "") else set()
                if node.module == "random":
                    found |= {f"random.{alias.name}" for alias in node.names if alias.name != "Random"}
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                found.add(f"{name}()")
            case ast.Attribute(value=ast.Name(id="random"), attr=attr) if attr != "Random":
                found.add(f"random.{attr}")
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in CLOCKS:
                found.add(f".{attr}()")
            case _:
                pass
    return found


def _foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top in WORLDLY or (top not in sys.stdlib_module_names and top not in {"domain", "msgspec"})


def test_the_domain_imports_the_standard_library_and_msgspec_and_does_no_io():
    assert {} == {path: found for path, tree in sources("domain") if (found := worldly(tree))}


@pytest.mark.parametrize(
    "code",
    [
        "import redis",
        "import os.path",
        "from service.application import ports",
        "from . import values",
        "random.shuffle(cards)",
        "from random import choice",
        "dt.datetime.now(dt.UTC)",
        "open('x')",
    ],
)
def test_a_domain_that_touches_the_world_would_be_found(code):
    assert worldly(ast.parse(code))


def layers() -> set[str]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    listed = next(contract for contract in contracts if contract["id"] == "layers")["layers"]
    return {name.strip(" ()") for layer in listed for name in layer.split("|")}


def test_every_module_of_the_service_has_its_layer():
    modules = {
        f"service.{path.stem}"
        for path in (ROOT / "service").iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").exists()
    }
    assert set() == modules - layers()


def test_packages_are_marked_as_typed():
    assert [] == [name for name in ("domain", "service", "workers") if not (ROOT / name / "py.typed").exists()]
