"""Documentation that can rot is tested: the table of settings, the changelog, and what no file may name."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.cli.main import run
from service.settings import SETTINGS
from tests.house.files import ROOT, tracked

OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_table_of_settings_is_the_one_in_the_code():
    rows = [
        f"| `{setting.name}` | {f'`{setting.default}`' if setting.default else '–'} | {setting.takes} | "
        f"{setting.meaning} |"
        for setting in SETTINGS
    ]
    assert rows == [line for line in OPERATIONS.splitlines() if line.startswith("| `STARLEDGER_")]


def test_the_documents_name_no_setting_that_there_is_not():
    known = {setting.name for setting in SETTINGS} | {"STARLEDGER_URL", "STARLEDGER_TOKEN"}  # the client's own
    named = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in tracked()
        if path.suffix == ".md"
        for name in re.findall(r"STARLEDGER_[A-Z_]*[A-Z]", path.read_text(encoding="utf-8"))
        if name not in known
    }
    assert set() == named


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
def test_the_readme_says_how_to_take_another_port_and_folder_as_make_understands_it():
    (words,) = re.findall(r'`make run ARGS="([^"`]+)"`', (ROOT / "README.md").read_text(encoding="utf-8"))
    asked = ["make", "--no-print-directory", "-n", "run", f"ARGS={words}"]
    bare = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }  # by `make test`
    made = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=ROOT, timeout=60, env=bare)
    assert made.stdout.rstrip().endswith(f"starledger run {words}")
    assert {"port": 8001, "data": Path("elsewhere")}.items() <= run.make_context("run", words.split()).params.items()


def test_each_release_in_the_changelog_has_only_the_four_headings_in_their_order():
    order = ["Rules", "Events", "API", "Operations"]
    releases = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]
    assert releases
    for release in releases:
        found = re.findall(r"^### (.+)$", release, flags=re.MULTILINE)
        assert [heading for heading in order if heading in found] == found


def test_the_changelog_is_ahead_of_the_last_version_or_names_it():
    assert re.search(r"^## \[(Unreleased|\d+\.\d+\.\d+\])", CHANGELOG, flags=re.MULTILINE)


LINK = re.compile(r"\[[^\]]*\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize(
    "document", [p for p in tracked() if p.suffix == ".md"], ids=lambda p: str(p.relative_to(ROOT))
)
def test_links_between_documents_lead_somewhere(document):
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    assert [] == [target for target in targets if not (document.parent / target).exists()]


# Written in two halves, so that this file does not name them itself.
UNWELCOME = [
    "/wo" + "rk/",
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "registry" + ".npmjs",
    ".libr" + "ary/",
    "far" + "m-",
]


def test_no_file_names_a_place_of_one_machine_or_a_registry():
    texts = {}
    for path in tracked():
        try:
            texts[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
    assert [] == [f"{name}: {word}" for name, text in texts.items() for word in UNWELCOME if word in text]


def test_what_git_ignores_is_not_in_the_project():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "" == listed
