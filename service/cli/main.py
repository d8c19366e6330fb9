"""The commands of `starledger`, and how they end: a clear line and an exit code, never a traceback."""

import contextlib
import json
import os
import random
import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from rich.console import Console

from domain.errors import Refusal
from service.application.ports import Damaged, EventStore, Unavailable
from service.application.replaying import replayer
from service.bootstrap import NotStarted, connect
from service.cli import doctor as doctor_
from service.cli import play as play_
from service.cli import records as records_
from service.cli import run as run_
from service.cli import tournament as tournament_
from service.cli.client import Client, Refused
from service.cli.roles import argv_of, environment_of, module_argv
from service.config import Config, ConfigError, load
from service.store.fsck import check_store

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
            sys.exit(super().main(*args, **{**more, "standalone_mode": False}))
        except click.ClickException as wrong:
            wrong.show()
            sys.exit(wrong.exit_code)
        except ConfigError as wrong:
            _end(str(wrong), 2)
        except Refusal as refusal:
            _end(refusal.message, 1)
        except Refused as refused:
            _end(str(refused), 1)
        except (NotStarted, Unavailable, Damaged) as reason:
            _end(str(reason), 1)
        except (click.Abort, KeyboardInterrupt):
            _end("Stopped.", INTERRUPTED)
        except BrokenPipeError:  # whoever read our output has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)


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
    """Serve everything on this machine: API, workers, relay, sender, and the store unless addresses are set."""
    run_.run(_with(load(), chosen))


@main.command()
def api() -> None:
    """Serve the API alone, on servers named by STARLEDGER_REDIS_URL and STARLEDGER_QUEUE_URL."""
    _become(argv_of("api"), load())


@main.command()
def worker() -> None:
    """Be one worker: play AI turns."""
    _become(argv_of("worker"), load())


@main.command()
def sender() -> None:
    """Be a sender: post notices to webhooks."""
    _become(argv_of("sender"), load())


@main.command()
def relay() -> None:
    """Be the relay: hand out what is due. One is enough; more do no harm."""
    _become(argv_of("relay"), load())


@main.command()
@click.argument("game", required=False)
@click.option("--bots", default="greedy,greedy", show_default=True, help="Levels of the bots in the other seats.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game, as JSON.")
@click.option("--seed", help="Choose the deal.")
@click.option("--table", help="Go on at a table at which you sit.")
@click.option("--name", help="Your name, for a new player.")
@click.option("--server", help="Its address; unset: this machine's, by STARLEDGER_HOST and STARLEDGER_PORT.")
def play(
    game: str | None,
    bots: str,
    options: tuple[str, ...],
    seed: str | None,
    table: str | None,
    name: str | None,
    server: str | None,
) -> None:
    """Play GAME in this terminal against bots, at a server that runs."""
    config = load()
    console = Console(highlight=False)
    with contextlib.closing(Client(server or run_.address(config), config.data)) as client:
        client.sign_in(name)
        try:
            if table is None:
                chosen = game or play_.choose_game(client, console, _ask)
                levels = [bot for bot in bots.split(",") if bot]
                table = play_.open_table(client, chosen, levels, _options(options), seed)
            play_.Session(client, table, console, _ask).play()
        except (play_.Leave, KeyboardInterrupt):
            where = f" --server {server}" if server else ""
            again = f"{_program()} play --table {table}{where}"
            click.echo(f"Your table waits. In this folder, go on with: {again}" if table else "Left.")


main.add_command(records_.verify)
main.add_command(records_.replay)
main.add_command(records_.export)
main.add_command(tournament_.tournament)


@main.command()
def doctor() -> None:
    """Look whether everything is as it should be, and say what to do where it is not."""
    config: Config | ConfigError
    try:
        config = load()
    except ConfigError as wrong:
        config = wrong
    if not doctor_.report(doctor_.examine(config), click.echo):
        sys.exit(1)


@main.group()
def admin() -> None:
    """What only the operator may do."""


@admin.command()
@click.argument("player")
def grant(player: str) -> None:
    """Make a token with all scopes, admin too, for PLAYER (an id); it is shown this once."""
    with contextlib.closing(connect(load())) as services:
        made = services.players.grant_admin(player)
    click.echo(f"Token {made.token.id} of player {player}, with the scopes {', '.join(made.token.scopes)}:")
    click.echo(made.text)


@main.command()
@click.argument("tables", nargs=-1)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only N tables, drawn at random.")
def fsck(tables: tuple[str, ...], sample: int | None) -> None:
    """Check TABLES, or all: entries without a gap, chain, rules, marks. The store may be in use."""
    if tables and sample is not None:
        raise click.UsageError("Name tables, or let --sample draw some; not both.")
    with contextlib.closing(connect(load())) as services:
        unknown = [table for table in tables if not _is_there(services.store, table)]
        wanted: Sequence[str] | None = [table for table in tables if table not in unknown] if tables else None
        if sample is not None:
            known = list(services.store.tables())
            wanted = random.sample(known, min(sample, len(known)))
        for table in unknown:
            click.echo(f"{table}: there is no such table")
        is_well, count = not unknown, 0
        for table, faults in check_store(services.store, wanted, replayer(services.games)):
            count += 1
            for fault in faults:
                is_well = False
                click.echo(f"{table}: version {fault.version}: {fault.reason}")
    click.echo(f"{count} tables checked: " + ("all is as it should be." if is_well else "see above."))
    if not is_well:
        sys.exit(1)


def _is_there(store: EventStore, table: str) -> bool:
    try:
        return store.load(table) is not None
    except Damaged:
        return True  # which the check says


@main.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where the file is not what the code says.")
def openapi(*, check: bool) -> None:
    """Write openapi.yaml anew from the code."""
    _become(module_argv("service.api.openapi", *(["--check"] if check else [])), load())


@main.command()
def version() -> None:
    """Tell the version."""
    try:
        click.echo(f"starledger {version_of('starledger')}")
    except PackageNotFoundError:
        click.echo("starledger, from source that is not installed")


def _program() -> str:
    """Give what to type for this program: its name where the shell finds it, else its path."""
    return "starledger" if shutil.which("starledger") else sys.argv[0]


def _ask(question: str) -> str:
    """Ask for a line; the end of the input, Ctrl-C and q mean to leave."""
    try:
        line = str(click.prompt(question, prompt_suffix=": ")).strip()
    except click.Abort as ended:
        raise play_.Leave from ended
    if line == "q":
        raise play_.Leave
    return line


def _options(given: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for each in given:
        name, _, text = each.partition("=")
        try:
            options[name] = json.loads(text)
        except ValueError:
            options[name] = text
    return options


def _with(config: Config, chosen: dict[str, Any]) -> Config:
    return msgspec.structs.replace(config, **{name: value for name, value in chosen.items() if value is not None})


def _become(argv: list[str], config: Config) -> None:
    """Become another program of ours, so that signals reach it."""
    os.execve(argv[0], argv, environment_of(config))  # noqa: S606 - our own program
