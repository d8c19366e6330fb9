"""The lock: exact versions of everything, no address, the same for every Python and platform that we name."""

import re
import tomllib

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.files import ROOT

LINES = [line for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines() if line]
PINS = [Requirement(line) for line in LINES]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = [Requirement(text) for text in [*PROJECT["dependencies"], *(r for extra in EXTRAS.values() for r in extra)]]


def pinned(name: str, python: str, platform: str) -> list[Requirement]:
    environment = default_environment() | {
        "python_full_version": f"{python}.9",
        "python_version": python,
        "sys_platform": platform.lower(),
        "platform_system": platform,
    }
    return [
        pin
        for pin in PINS
        if canonicalize_name(pin.name) == canonicalize_name(name)
        and (pin.marker is None or pin.marker.evaluate({k: str(v) for k, v in environment.items()}))
    ]


def test_the_lock_has_no_address_and_no_hash():
    assert [] == [line for line in LINES if re.search(r"://|https?:|@|--", line)]


def test_every_line_of_the_lock_is_one_exact_version():
    assert [] == [str(pin) for pin in PINS if not re.fullmatch(r"==[^*,]+", str(pin.specifier))]


def test_every_dependency_is_pinned_once_to_a_version_that_fits_on_every_python_and_platform_named():
    pythons = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    assert pythons == ["3.11", "3.12", "3.13"]
    for wanted in WANTED:
        for python in pythons:
            for platform in ("Linux", "Darwin"):
                (pin,) = pinned(wanted.name, python, platform)
                assert wanted.specifier.contains(str(pin.specifier).removeprefix("==")), f"{wanted} against {pin}"
