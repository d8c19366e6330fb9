"""The commands of `starledger`, and how they end: a clear line and an exit code, never a traceback."""

import os
import sys
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from service.application.ports import Damaged, Unavailable
from service.bootstrap import NotStarted
from service.cli import run as run_
from service.cli.roles import Role, argv_of, environment_of
from service.config import Config, ConfigError, load

INTERRUPTED: Final = 130

PORTS = click.IntRange(1, 65535)


class _Commands(click.Group):
    """Commands in the order in which they are written here; known failures end in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Give the names in order."""
        return list(self.commands)

    def main(self, *args: Any, **more: Any) -> Any:
        """Run, and translate what is known to go wrong."""
        try:
            return super().main(*args, **more)
        except ConfigError as wrong:
            _end(str(wrong), 2)
        except (NotStarted, Unavailable, Damaged) as reason:
            _end(str(reason), 1)
        except KeyboardInterrupt:
            _end("Stopped.", INTERRUPTED)


def _end(message: str, code: int) -> None:
    click.echo(message, err=True)
    sys.exit(code)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """Starledger: card games over HTTP. Settings are STARLEDGER_… variables (docs/operations.md)."""


@main.command()
@click.option("--host", help="Where the API listens (STARLEDGER_HOST).")
@click.option("--port", type=PORTS, help="Its port (STARLEDGER_PORT).")
@click.option("--data", type=click.Path(path_type=Path), help="The data folder (STARLEDGER_DATA).")
@click.option("--workers", type=click.IntRange(0, 256), help="Worker processes (STARLEDGER_WORKERS).")
def run(**chosen: Any) -> None:
    """Serve everything on this machine: API, workers, relay, and the store unless addresses are set."""
    run_.run(_with(load(), chosen))


@main.command()
def api() -> None:
    """Serve the API alone, on servers named by STARLEDGER_REDIS_URL and STARLEDGER_QUEUE_URL."""
    _become("api")


@main.command()
def worker() -> None:
    """Be one worker: play AI turns."""
    _become("worker")


@main.command()
def relay() -> None:
    """Be the relay: hand out what is due. One is enough; more do no harm."""
    _become("relay")


@main.command()
def version() -> None:
    """Tell the version."""
    try:
        click.echo(f"starledger {version_of('starledger')}")
    except PackageNotFoundError:
        click.echo("starledger, from source that is not installed")


def _with(config: Config, chosen: dict[str, Any]) -> Config:
    return msgspec.structs.replace(config, **{name: value for name, value in chosen.items() if value is not None})


def _become(role: Role) -> None:
    """Become the program of a role, so that signals reach it."""
    argv = argv_of(role)
    os.execve(argv[0], argv, environment_of(load()))  # noqa: S606 - our own program
