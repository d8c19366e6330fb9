"""The commands about records: verify, replay, export."""

import contextlib
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from domain.errors import Refusal
from domain.games import GAMES
from service.application.export import Selected
from service.bootstrap import connect
from service.cli import bulk
from service.cli.bulk_writers import JsonLines, Parquet
from service.cli.client import Client
from service.cli.record_files import FileWrong
from service.cli.reel import Reel, as_text, from_file, from_server
from service.cli.run import address
from service.cli.verifying import FileReport, as_json, in_words, verify_files
from service.cli.watching import Picture, terminal_keys, watch
from service.config import load

SPEED: Final = 1.0
_MOMENT: Final = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S%z"])


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "is_json", is_flag=True, help="A report on each record as a line of JSON.")
def verify(files: tuple[str, ...], *, is_json: bool) -> None:
    """Check records: form, hashes, rules, shuffles against the revealed seed, outcome. No server is needed.

    A FILE holds one record, an export of many, or a whole event (record.jsonl), whose results, deals and standings are
    checked too; plain or packed (.zst, .gz); a folder stands for all such files in it, - for standard input. The first
    line that is wrong is named; then the exit code is 1.
    """

    def say(found: FileReport) -> None:
        click.echo(as_json(found) if is_json else in_words(found))

    if not verify_files(files, GAMES, say):
        sys.exit(1)


@click.command()
@click.argument("what", metavar="FILE|TABLE")
@click.option("--as", "eyes", metavar="EYES", help="Whose eyes: a seat, public, or all. [a file: all]")
@click.option("--at", type=click.IntRange(1), help="Show this version; with --watch begin there.")
@click.option("--watch", "is_watch", is_flag=True, help="Step (n, p), play (space) and jump (g) in the terminal.")
@click.option("--speed", type=click.FloatRange(0.05, 60), default=SPEED, show_default=True, help="Seconds a version.")
@click.option("--json", "is_json", is_flag=True, help="Frames as JSON Lines.")
@click.option("--format", "form", type=click.Choice(["text", "frames"]), help="text: a line a turn, in words.")
@click.option("--server", help="Where the TABLE is; unset: this machine's, by STARLEDGER_HOST and STARLEDGER_PORT.")
def replay(
    what: str,
    eyes: str | None,
    at: int | None,
    speed: float,
    form: str | None,
    server: str | None,
    *,
    is_watch: bool,
    is_json: bool,
) -> None:
    """Replay a table, from a record in a FILE (it is checked first) or from a server by its id."""
    reel = _reel(what, eyes, server)
    if is_watch:
        if not sys.stdin.isatty():
            raise click.UsageError("--watch needs a terminal; --format text or --json need none.")
        with terminal_keys() as keys:
            watch(reel, at or reel.frames[0]["version"], speed, Console(highlight=False), keys)
        return
    wanted = reel.frames if at is None else (reel.frame(at),)
    if is_json:
        for frame in wanted:
            click.echo(msgspec.json.encode(frame))
    elif form == "text" or (form is None and at is None):
        for line in as_text(msgspec.structs.replace(reel, frames=wanted)):
            click.echo(line)
    else:
        console, picture = Console(highlight=False), Picture(reel)
        for frame in wanted:
            console.print(picture.of(frame))


@click.command()
@click.option("--format", "form", type=click.Choice(["jsonl", "parquet"]), default="jsonl", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="The folder to write to.")
@click.option("--game", type=click.Choice(list(GAMES)), help="Only tables of this game.")
@click.option("--player", help="Only tables where this player (an id) sat.")
@click.option("--tournament", help="Only tables of this tournament (an id).")
@click.option("--from", "begin", type=_MOMENT, help="Only tables created at this time or later (UTC).")
@click.option("--to", "end", type=_MOMENT, help="Only tables created before this time. [now]")
@click.option("--part", type=click.IntRange(1), default=bulk.PART_TABLES, show_default=True, help="Tables a file.")
def export(
    form: bulk.Format,
    out: Path,
    game: str | None,
    player: str | None,
    tournament: str | None,
    begin: datetime | None,
    end: datetime | None,
    part: int,
) -> None:
    """Write the records of all finished public tables to a folder, newest first; what was stopped goes on.

    jsonl: one table a line, packed by zstd. parquet: `tables` and `entries`, for DuckDB, polars and the like; needs
    DuckDB: pip install duckdb. At the end trailer.json tells the counts and the files' digests.
    """
    with contextlib.closing(connect(load())) as services:
        writer = JsonLines() if form == "jsonl" else Parquet(services.players.names)
        selected = Selected(
            game=game,
            player=player,
            from_ms=_ms(begin),
            to_ms=_ms(end) or time.time_ns() // 1_000_000,
            tables=None if tournament is None else tuple(services.export.tables_of(tournament)),
        )
        state = bulk.begin(out, form, selected, has_end=end is not None)
        if not state.complete:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            with Progress(*columns, console=Console(stderr=True)) as progress:
                left = services.export.count(state.selected, state.cursor)
                task = progress.add_task("tables", total=state.tables + left, completed=state.tables)
                state = bulk.export(
                    services.export, writer, out, state, lambda more: progress.advance(task, more), part
                )
    click.echo(f"{state.tables} tables, {state.entries} entries in {len(state.parts)} files: {out / bulk.TRAILER}")


def _reel(what: str, eyes: str | None, server: str | None) -> Reel:
    if what == "-" or Path(what).is_file():
        try:
            return from_file(what, eyes, GAMES)
        except FileWrong as wrong:
            raise Refusal("validation_failed", f"{what}: {wrong}") from wrong
    if "/" in what or what.endswith((".jsonl", ".zst", ".gz")):
        raise Refusal("not_found", f"There is no file {what}.")
    config = load()
    with contextlib.closing(Client(server or address(config), config.data)) as client:
        client.recall()
        return from_server(client, what, eyes)


def _ms(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
