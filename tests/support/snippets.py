"""The code blocks of a document, made into one shell script that runs them in their order."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.running import environment

_BLOCK = re.compile(
    r"(<!-- not run: [^\n]*-->\n)?^```(sh|python|js)(?: file=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
_RUNS = {"python": ("python3 -", "PYTHON"), "js": ("node --input-type=module -", "JAVASCRIPT")}


class Snippet(NamedTuple):
    """A code block; with a `file` it is written to that file, else it is run."""

    language: str
    code: str
    file: str | None = None


def snippets(document: Path, part: str = "") -> list[Snippet]:
    """Give the blocks of a document, or of its part below a heading; not those behind `<!-- not run: REASON -->`."""
    text = document.read_text(encoding="utf-8")
    if part:
        text = text.split(f"\n## {part}\n", 1)[1].split("\n## ", 1)[0]
    return [Snippet(language, code, file or None) for skip, language, file, code in _BLOCK.findall(text) if not skip]


def script(blocks: list[Snippet]) -> str:
    """Give all blocks as one script for bash that ends at the first failure."""
    return "set -eu -o pipefail\n" + "\n".join(map(_lines, blocks))


def _lines(block: Snippet) -> str:
    if block.file is not None:
        return f"cat > {block.file} <<'FILE'\n{block.code}FILE\n"
    if block.language == "sh":
        return block.code
    program, mark = _RUNS[block.language]
    return f"{program} <<'{mark}'\n{block.code}{mark}\n"


def run(code: str, folder: Path, limit_s: float, data: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script in `folder`/work, where `starledger` and `python3` are ours, with more variables."""
    bin_, work = folder / "bin", folder / "work"
    for each in (bin_, work):
        each.mkdir()
    for name, runs in (("starledger", f"{sys.executable} -m service.cli"), ("python3", sys.executable)):
        (bin_ / name).write_text(f'#!/bin/sh\nexec {runs} "$@"\n')
        (bin_ / name).chmod(0o755)
    ours = environment(data)
    env: Mapping[str, str] = {
        **ours,
        "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([ours["PYTHONPATH"], str(Path(ours["PYTHONPATH"]) / "client/src")]),
        **settings,
    }
    return subprocess.run(
        ["bash", "-c", code], cwd=work, env=env, capture_output=True, text=True, check=False, timeout=limit_s
    )
