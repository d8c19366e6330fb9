"""`starledger tournament run FILE.toml`: a whole event from a file, on a server of its own or on one that runs."""

import contextlib
import hashlib
import json
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import click
import httpx
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from service.bootstrap import NotStarted
from service.cli.client import Client, Json, Refused, all_items
from service.cli.roles import environment_of, module_argv
from service.cli.tournament_event import BadFile, Event, read_event
from service.cli.tournament_files import standings_table, write_all
from service.config import load
from service.settings import PREFIX

STATE: Final = "event.json"
SERVER: Final = "server.json"
_LOOK_S: Final = 0.25
_READY_S: Final = 90.0
_STOP_S: Final = 20.0
_AWAY_S: Final = 3600.0
"""So long a run waits for a server that is not its own, or that asks to wait: its programs play on when it is back."""
_PAUSE_S: Final = 2.0
_ENDINGS: Final = (signal.SIGTERM, signal.SIGHUP)


@click.group()
def tournament() -> None:
    """Tournaments of bots, from a file."""


@tournament.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--url", help="A server that runs; unset: one of its own, for this event.")
@click.option("--out", type=click.Path(path_type=Path), help="Where results go [FILE without .toml].")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Of a server of its own.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def run(file: Path, url: str | None, out: Path | None, workers: int, *, quiet: bool) -> None:
    """Play the event that FILE describes; after a stop or a kill, the same command goes on where it was.

    Entrants are built-in bots (`bot = "greedy"`) or programs (`command = ["python", "my_bot.py"]`), which get
    STARLEDGER_URL, STARLEDGER_TOKEN and STARLEDGER_TOURNAMENT and play over the API. Writes standings, results,
    crosstable and ratings as JSON and CSV, and all records, and shows the standings.
    """
    event = read_event(file)
    folder = out or file.with_suffix("" if file.suffix else ".event")
    _same_event(folder, file)
    folder.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True, highlight=False)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_ended_in_order())
        base = url or stack.enter_context(_own_server(folder, workers))
        client = stack.enter_context(contextlib.closing(Client(base, folder, patience_s=_AWAY_S)))
        kept = _sign_in(client, folder, event, url)
        made = _prepare(client, event, kept, _digest(file))
        _keep(folder / STATE, {**kept, "file": _digest(file)})
        stack.enter_context(_programs(event, kept, base, made["id"], folder))
        client.be(kept["token"])
        _follow(client, made["id"], console, quiet=quiet, patience_s=_READY_S if url is None else _AWAY_S)
        results = write_all(client, made["id"], folder)
    Console(highlight=False).print(standings_table(results))
    click.echo(f"All is in {folder}.")


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _same_event(folder: Path, file: Path) -> None:
    """Refuse to mix two events in a folder; raises `BadFile`."""
    begun = _kept(folder / STATE).get("file")
    if begun not in (None, _digest(file)):
        raise BadFile(
            f"{file} was changed since the event in {folder} was begun. Choose another folder by --out for what it "
            "says now, or put it back to go on.\nNothing was written."
        )


@contextlib.contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let the signals that a system sends at its end do what Ctrl-C does: the event's server and programs end too."""

    def heard(_signal: int, _frame: FrameType | None) -> None:
        for each in _ENDINGS:
            signal.signal(each, signal.SIG_IGN)  # the ending is on its way
        raise KeyboardInterrupt

    before = [signal.signal(each, heard) for each in _ENDINGS]
    try:
        yield
    except KeyboardInterrupt:
        click.echo("The same command goes on where it was.", err=True)
        raise
    finally:
        for each, handler in zip(_ENDINGS, before, strict=True):
            signal.signal(each, handler)


def _sign_in(client: Client, folder: Path, event: Event, url: str | None) -> Json:
    """Give the accounts of this event: the organiser's token, and one for each program; made once and kept."""
    path = folder / STATE
    kept = _kept(path) or {"key": secrets.token_urlsafe(24)}
    where = url or "own"
    if kept.get("where", where) != where:
        raise BadFile(f"The event in {folder} was begun on {kept['where']}; go on there, or choose another --out.")
    kept["where"] = where
    _keep(path, kept)
    kept["token"] = _account(client, f"{event.name[:30]} organiser", f"{kept['key']}-organiser")
    kept["programs"] = [
        _account(client, each.name or f"program {number}", f"{kept['key']}-program-{number}")
        for number, each in enumerate(event.programs, start=1)
    ]
    _keep(path, kept)
    client.be(kept["token"])
    return kept


def _account(client: Client, name: str, key: str) -> str:
    """Register, or be the one who was registered under this key."""
    made = client.post("/v1/players", {"name": name, "kind": "bot"}, key=hashlib.sha256(key.encode()).hexdigest())
    return str(made["token"])


def _prepare(client: Client, event: Event, kept: Json, digest: str) -> Json:
    """Make the tournament with its entries and start it; all of it may have been done before."""
    key = f"{kept['key']}-{digest}"
    made = client.post("/v1/tournaments", event.wish, key=f"{key}-create")
    path = f"/v1/tournaments/{made['id']}"
    entries: list[Json] = []
    tokens = iter(kept["programs"])
    for each in event.entrants:
        if each.command is not None:
            client.be(next(tokens))
            player = client.get("/v1/me")["id"]
            client.be(kept["token"])
            entries.append({"kind": "player", "player": player})
        else:
            named = {} if each.name is None else {"name": each.name}
            entries.append({"kind": "ai", "bot": each.bot, **named})
    for start in range(0, len(entries), 500):
        client.post(f"{path}/entries/bulk", {"entries": entries[start : start + 500]}, key=f"{key}-enter-{start}")
    with contextlib.suppress(_AlreadyOver):
        _start(client, path, key)
    return made


class _AlreadyOver(Exception):
    """The event has ended in an earlier run."""


def _start(client: Client, path: str, key: str) -> None:
    try:
        client.post(f"{path}/start", None, key=f"{key}-start")
    except Refused as refused:
        if refused.code == "tournament_over":
            raise _AlreadyOver from refused
        raise


@contextlib.contextmanager
def _programs(event: Event, kept: Json, base: str, tournament_id: str, folder: Path) -> Iterator[None]:
    """Run the programs of entrants from outside; one that ends is not started again, its seats forfeit by rule.

    What they print goes to `program-1.log` and so on.
    """
    running: list[subprocess.Popen[bytes]] = []
    inherited = {name: value for name, value in environment_of(load()).items() if not name.startswith(PREFIX)}
    try:
        for number, (each, token) in enumerate(zip(event.programs, kept["programs"], strict=True), start=1):
            environment = {
                **inherited,
                f"{PREFIX}URL": base,
                f"{PREFIX}TOKEN": token,
                f"{PREFIX}TOURNAMENT": tournament_id,
            }
            words = [each.command] if isinstance(each.command, str) else list(each.command or ())
            try:
                with (folder / f"program-{number}.log").open("ab") as log:
                    running.append(
                        subprocess.Popen(words, env=environment, stdout=log, stderr=log)  # noqa: S603 - the file's wish
                    )
            except OSError as failed:
                click.echo(f"{words[0]} can't be started ({failed.strerror}); its games are forfeited.", err=True)
        yield
    finally:
        _end(running)


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _follow(client: Client, tournament_id: str, console: Console, *, quiet: bool, patience_s: float) -> None:
    """Show how far it is until it is over; a server that is away is waited for so long."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=quiet, transient=True) as progress:
        rounds = progress.add_task("rounds", total=None)
        tables = progress.add_task("tables of this round", total=None)
        until = time.monotonic() + patience_s
        while True:
            began = time.monotonic()
            try:
                shown = client.get(f"/v1/tournaments/{tournament_id}")
                items = all_items(client, f"/v1/tournaments/{tournament_id}/tables")
            except (NotStarted, Refused) as away:
                is_passing = isinstance(away, NotStarted) or away.code == "unavailable"
                if not is_passing or time.monotonic() > until:
                    raise
                time.sleep(_PAUSE_S)
                continue
            until = time.monotonic() + patience_s
            done = sum(item["over"] for item in items)
            closed = shown["round"] - (0 if done == len(items) else 1)
            progress.update(rounds, completed=max(0, closed), total=shown["rounds"])
            progress.update(tables, completed=done, total=len(items) or None)
            if shown["status"] in ("finished", "cancelled") and shown["secret"] is not None:
                return
            time.sleep(max(_LOOK_S, 9 * (time.monotonic() - began)))  # looking takes a tenth of the time at most


@contextlib.contextmanager
def _own_server(folder: Path, workers: int) -> Iterator[str]:
    """Serve on a free port with its data in the event's folder; ends with the event.

    A server that an earlier run left behind, being killed, serves on.
    """
    left = _left_behind(folder)
    if left is not None:
        base, pid = left
        yield base
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + _STOP_S
        while _is_alive(pid) and time.monotonic() < until:
            time.sleep(_LOOK_S)
        (folder / SERVER).unlink(missing_ok=True)
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    inherited = environment_of(load())
    environment = {
        **{name: value for name, value in inherited.items() if not name.endswith(("_REDIS_URL", "_QUEUE_URL"))},
        f"{PREFIX}RATE_LIMITS": "off",
    }
    arguments = ["run", "--host", "127.0.0.1", "--port", str(port), "--data", str(folder / "data")]
    with (folder / "server.log").open("ab") as log:
        server = subprocess.Popen(  # noqa: S603 - our own program
            module_argv("service.cli", *arguments, "--workers", str(workers)),
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C ends this program, which then ends the server in order
        )
        try:
            (folder / SERVER).write_text(json.dumps({"base": base, "pid": server.pid}), encoding="utf-8")
            _await(base, server, folder)
            yield base
        finally:
            _end([server])
            (folder / SERVER).unlink(missing_ok=True)


def _left_behind(folder: Path) -> tuple[str, int] | None:
    """Give address and process of a server that an earlier run left behind; one that is still starting is waited for."""
    try:
        left = json.loads((folder / SERVER).read_bytes())
        base, pid = str(left["base"]), int(left["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    until = time.monotonic() + _READY_S
    while not (answers := _answers(base)) and _is_alive(pid) and time.monotonic() < until:
        time.sleep(_LOOK_S)
    return (base, pid) if answers else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _answers(base: str) -> bool:
    try:
        return httpx.get(f"{base}/healthz", timeout=1.0, trust_env=False).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def _await(base: str, server: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + _READY_S
    while time.monotonic() < until and server.poll() is None:
        if _answers(base):
            return
        time.sleep(_LOOK_S)
    raise NotStarted(f"The event's own server does not come up; the end of {folder / 'server.log'} says why.")


def _kept(path: Path) -> Json:
    """Give what is known of an event that was begun; nothing where there is none, or where the file is damaged."""
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) and isinstance(kept.get("key"), str) else {}


def _keep(path: Path, kept: Json) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump({name: kept[name] for name in ("key", "where", "file") if name in kept}, file)


__all__ = ["tournament"]
