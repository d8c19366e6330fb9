"""Clients generated from openapi.yaml, in Python and in TypeScript, each play a whole game.

The generators are pinned and installed below the test's own folder. Without a registry to be reached the tests are
skipped, but not in CI: there that is a failure.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.running import ROOT

HERE = ROOT / "tests/client/generated"
PYTHON_GENERATOR = "openapi-python-client==0.29.1"
CI = "CI_RUN_MARK" in os.environ or os.environ.get("CI") == "true"

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(900)]


def run(*argv: str, cwd: Path, limit_s: float = 180, **env: str) -> str:
    done = subprocess.run(
        argv, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False, timeout=limit_s
    )
    assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def install(*argv: str, cwd: Path) -> None:
    """Install, or skip the test where that can't be done and this is not CI."""
    try:
        run(*argv, cwd=cwd, limit_s=400)
    except (AssertionError, OSError, subprocess.TimeoutExpired) as failed:
        if CI:
            raise
        pytest.skip(f"{argv[0]} can't install the generator here: {str(failed)[-200:]}")


def check_played(said: str) -> None:
    played: dict[str, Any] = json.loads(said.splitlines()[-1])
    assert played["posted"] >= 5
    assert 2 == len(played["outcome"]["scores"])
    assert played["outcome"]["winners"]


def test_a_client_generated_in_python_plays_a_whole_game(server, tmp_path):
    library = tmp_path / "library"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    install(*pip, "--target", str(library), PYTHON_GENERATOR, cwd=tmp_path)
    run(
        sys.executable,
        *("-m", "openapi_python_client", "generate", "--path", str(ROOT / "openapi.yaml")),
        *("--config", str(HERE / "openapi-python-client.yaml")),
        *("--meta", "none", "--output-path", "starledger_generated"),
        cwd=tmp_path,
        PYTHONPATH=str(library),
    )
    shutil.copy(HERE / "play.py.txt", tmp_path / "play.py")
    check_played(run(sys.executable, "play.py", server.base, "planet-pioneer", cwd=tmp_path, PYTHONPATH=str(library)))


@pytest.mark.skipif(
    not all(map(shutil.which, ("node", "npm"))), reason="needs node 20 or newer and npm for the client in TypeScript"
)
def test_a_client_generated_in_typescript_plays_a_whole_game(server, tmp_path):
    for name in ("package.json", "tsconfig.json", "play.ts"):
        shutil.copy(HERE / name, tmp_path)
    quiet = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
    install("npm", "install", *quiet, cwd=tmp_path)
    tools = tmp_path / "node_modules/.bin"
    contract = str(ROOT / "openapi.yaml")
    run(str(tools / "openapi-typescript"), contract, "--default-non-nullable", "false", "-o", "schema.ts", cwd=tmp_path)
    run(str(tools / "tsc"), "--strict", "-p", ".", cwd=tmp_path)
    check_played(run("node", "play.js", server.base, "planet-pioneer", cwd=tmp_path))
