"""`starledger tournament run FILE.toml`: a whole event from a file, on a server of its own or on one that runs."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Final

import click
import httpx
from rich.console import Console

from service.bootstrap import NotStarted
from service.cli.client import Away, Client, Json, Refused
from service.cli.supervise import handled
from service.cli.tournament_course import Course
from service.cli.tournament_event import BadFile, Event, read_event
from service.cli.tournament_files import RESULTS, standings_table, write_all
from service.cli.tournament_programs import programs
from service.cli.tournament_server import LOG, READY_S, own_server
from service.cli.tournament_telling import Quiet, telling

STATE: Final = "event.json"
_LOCK: Final = "lock"
_ENDINGS: Final = (signal.SIGTERM, signal.SIGHUP)
_LOOK_S: Final = 0.25
_WAIT_S: Final = 2
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WATCH_S: Final = 30.0
_LEAST_BYTES: Final = 64 << 20
_AWAY_S: Final = 3600.0
"""So long a run waits for a server that is not its own, or that asks to wait: its programs play on when it is back."""


def _address(_context: click.Context, _parameter: click.Parameter, url: str | None) -> str | None:
    """Refuse what is no address of a server; raises `BadParameter`."""
    if url is not None:
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            parsed = httpx.URL("")
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise click.BadParameter("Must be an address such as http://127.0.0.1:8000.")
    return url


@click.group()
def tournament() -> None:
    """Tournaments of bots, from a file."""


@tournament.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--url", callback=_address, help="A server that runs; unset: one of its own, for this event.")
@click.option("--out", type=click.Path(path_type=Path), help="Where results go [FILE without .toml].")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Of a server of its own.")
@click.option("--quiet", is_flag=True, help="Say nothing on the way but what is amiss.")
def run(file: Path, url: str | None, out: Path | None, workers: int, *, quiet: bool) -> None:
    """Play the event that FILE describes; after a stop or a kill, the same command goes on where it was.

    Entrants are built-in bots (`bot = "greedy"`) or programs (`command = ["python", "my_bot.py"]`), which get
    STARLEDGER_URL, STARLEDGER_TOKEN and STARLEDGER_TOURNAMENT and play over the API. Writes standings, results,
    crosstable and ratings as JSON and CSV, and all records, and shows the standings.
    """
    event = read_event(file)
    folder = out or file.with_suffix("" if file.suffix else ".event")
    with contextlib.ExitStack() as stack:
        stack.enter_context(_ended_in_order())
        stack.enter_context(_written(folder))
        is_begun = _same_event(folder, file)
        folder.mkdir(parents=True, exist_ok=True)
        stack.enter_context(_alone(folder))
        tell = stack.enter_context(telling(quiet=quiet))
        tell.say(f"{event.words} Results go to {folder}.")
        stack.enter_context(_server_named(folder, url))
        base = url or stack.enter_context(own_server(folder, workers))
        tell.say(f"It is played on {base}" + ("." if url else f", a server of its own; its log is {folder / LOG}."))
        patience_s = READY_S if url is None else _AWAY_S
        client = stack.enter_context(contextlib.closing(Client(base, folder, patience_s, tell.wait)))
        kept = _sign_in(client, folder, event, url)
        made = _prepare(client, event, kept, _digest(file))
        _keep(folder / STATE, {**kept, "file": _digest(file)})
        settings = {"URL": base, "TOURNAMENT": made["id"]}
        client.be(kept["token"])
        with programs(event, kept["programs"], settings, folder, tell) as look:
            _follow(client, made["id"], tell, (look, _Watch(client, folder, tell)), is_begun=is_begun)
        results = write_all(client, made["id"], folder)
    Console(highlight=False).print(standings_table(results))
    click.echo(f"All is in {folder}.")


@contextlib.contextmanager
def _written(folder: Path) -> Iterator[None]:
    """Say it in a line where something can't be written, or read."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as failed:
        what = failed.filename or folder
        raise NotStarted(
            f"{what} can't be written: {failed.strerror or failed}. Once it can, the same command goes on where it was; "
            "--out chooses another folder."
        ) from failed


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one run at a time have the folder, for as long as it lives."""
    with (folder / _LOCK).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotStarted(
                f"Another run plays the event in {folder}. Wait for its end, or choose another folder by --out."
            ) from None
        yield


@contextlib.contextmanager
def _server_named(folder: Path, url: str | None) -> Iterator[None]:
    """Say which server is away, and what to do."""
    try:
        yield
    except Away as away:
        then = f"the end of {folder / LOG} may say why" if url is None else "start it, or name another by --url"
        raise NotStarted(f"{away.reason} The same command goes on where it was; {then}.") from away


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _same_event(folder: Path, file: Path) -> bool:
    """Tell whether the event was begun before; raises `BadFile` where the folder is another's."""
    begun = _kept(folder / STATE).get("file")
    if not (folder / STATE).exists() and (theirs := [name for name in RESULTS if (folder / name).exists()]):
        raise BadFile(
            f"{folder} has {', '.join(theirs)}, which are not of this event. Choose another folder by --out, or move "
            "them away.\nNothing was started, nothing was written."
        )
    if begun not in (None, _digest(file)):
        raise BadFile(
            f"{file} was changed since the event in {folder} was begun. Choose another folder by --out for what it "
            "says now, or put it back to go on.\nNothing was started, nothing was written."
        )
    return begun is not None


@contextlib.contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let the signals that a system sends at its end do what Ctrl-C does: the event's server and programs end too."""

    def heard(_signal: int, _frame: FrameType | None) -> None:
        for each in _ENDINGS:
            signal.signal(each, signal.SIG_IGN)  # the ending is on its way
        raise KeyboardInterrupt

    with handled(_ENDINGS, heard):
        try:
            yield
        except KeyboardInterrupt:
            click.echo("The same command goes on where it was.", err=True)
            raise


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
    return client.word(made, "token")


def _prepare(client: Client, event: Event, kept: Json, digest: str) -> Json:
    """Make the tournament with its entries and start it; all of it may have been done before."""
    key = f"{kept['key']}-{digest}"
    made = client.post("/v1/tournaments", event.wish, key=f"{key}-create")
    path = f"/v1/tournaments/{client.word(made, 'id')}"
    entries: list[Json] = []
    tokens = iter(kept["programs"])
    for each in event.entrants:
        if each.command is not None:
            client.be(next(tokens))
            player = client.word(client.get("/v1/me"), "id")
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


class _Watch:
    """Tells twice a minute why nothing can go on: what the server says of itself, and a disk that is full."""

    def __init__(self, client: Client, folder: Path, tell: Quiet) -> None:
        self._client = client
        self._folder = folder
        self._tell = tell
        self._next = 0.0

    def __call__(self) -> None:
        """Look, if it is time."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _WATCH_S
        if hindrance := self._client.hindrance():
            self._tell.wait(f"{self._client.base}: {hindrance}")
        if shutil.disk_usage(self._folder).free < _LEAST_BYTES:
            self._tell.wait(f"The disk that {self._folder} is on has less than {_LEAST_BYTES >> 20} MiB left.")


def _follow(
    client: Client, tournament_id: str, tell: Quiet, looks: Sequence[Callable[[], None]], *, is_begun: bool
) -> None:
    """Tell how far it is until it is over, by the event's log; of one that was begun before only how far it was.

    `looks` are done after each look at the log while the event is played.
    """
    path = f"/v1/tournaments/{tournament_id}"

    def ask(what: str, version: int) -> Json:
        return client.get(f"{path}{what}", {"at": version})

    course, is_caught_up = Course(), not is_begun
    while True:
        began = time.monotonic()
        page = client.get(f"{path}/events", {"after": course.version, "wait": _WAIT_S if is_caught_up else 0})
        for entry in page["items"]:
            course.take(entry)
            if is_caught_up:
                tell.heard(course, entry, ask)
        if not is_caught_up and course.version >= page["version"]:
            is_caught_up = True
            how_far = f" {course.round}: {course.count}." if course.number else ""
            tell.say(f"It was over already.{how_far}" if course.is_over else f"It goes on.{how_far}")
        tell.looked(course, lambda: client.get(path))
        if course.is_over and course.is_revealed:
            return
        if not course.is_over:
            for look in looks:
                look()
        if course.version >= page["version"]:
            time.sleep(max(_LOOK_S - (time.monotonic() - began), 0.0))


def _kept(path: Path) -> Json:
    """Give what is known of an event that was begun; nothing where there is none, or where the file is damaged."""
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) and isinstance(kept.get("key"), str) and _KEY.fullmatch(kept["key"]) else {}


def _keep(path: Path, kept: Json) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump({name: kept[name] for name in ("key", "where", "file") if name in kept}, file)


__all__ = ["tournament"]
