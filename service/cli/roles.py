"""The programs that the command line starts: each role as Python runs it, whatever the current folder holds."""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Final, Literal

import service
from service.config import Config, child_environment

Role = Literal["api", "worker", "sender", "relay"]

_MODULES: Final[dict[Role, tuple[str, ...]]] = {
    "api": ("service.api.server",),
    "worker": ("workers", "worker"),
    "sender": ("workers", "sender"),
    "relay": ("workers", "relay"),
}
_ROOT: Final = str(Path(service.__path__[0]).parent)


def argv_of(role: Role) -> list[str]:
    """Give the program and arguments of a role; `-P`: the current folder is not searched for modules."""
    return module_argv(*_MODULES[role])


def module_argv(module: str, *arguments: str) -> list[str]:
    """Give the program and arguments that run one of our modules."""
    return [sys.executable, "-P", "-m", module, *arguments]


def environment_of(config: Config) -> dict[str, str]:
    """Give the environment for such a program: this configuration, and our code where it is not installed."""
    environment = child_environment(config)
    if _ROOT not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        others = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = os.pathsep.join([_ROOT, *([others] if others else [])])
    return environment
