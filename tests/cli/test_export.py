"""`starledger export`: everything once, in parts, whatever kills it."""

import contextlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard
from click.testing import CliRunner

from service.application.export import Selected
from service.cli import bulk, main
from service.cli import records as records_
from service.cli.bulk_writers import ENTRIES, TABLES, JsonLines, Parquet
from tests.support.finished import resigned


@pytest.fixture
def tables(ada, bob) -> list[str]:
    """Five finished tables."""
    games = ("beam-me-up", "universal-match", "beam-me-up", "universal-match", "beam-me-up")
    return [resigned(ada, bob, game, moves=1) for game in games]


@pytest.fixture
def export(services, monkeypatch):
    monkeypatch.setattr(records_, "connect", lambda _: services)

    def run(folder: Path, *options: str, code: int = 0) -> str:
        result = CliRunner().invoke(main, ["export", "--out", str(folder), *options])
        assert code == result.exit_code, (result.output, result.exception)
        return result.stdout if code == 0 else result.output

    return run


def lines(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for path in sorted(folder.glob("records-*.jsonl.zst"))
        for line in zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read().splitlines()
    ]


def test_all_tables_in_parts_with_a_trailer(export, tables, tmp_path):
    said = export(tmp_path / "out", "--part", "2")
    trailer = json.loads((tmp_path / "out" / "trailer.json").read_bytes())

    assert sorted(tables) == sorted(line["table"] for line in lines(tmp_path / "out"))
    assert [2, 2, 1] == [part["tables"] for part in trailer["parts"]]
    assert (True, 5) == (trailer["complete"], trailer["tables"])
    assert f"5 tables, {trailer['entries']} entries in 3 files" in said
    assert {"trailer.json", *(part["file"] for part in trailer["parts"])} == {
        path.name for path in (tmp_path / "out").iterdir()
    }


def test_what_was_exported_verifies(export, tables, tmp_path):
    export(tmp_path, "--part", "3")
    result = CliRunner().invoke(main, ["verify", *map(str, sorted(tmp_path.glob("*.zst")))])

    assert (0, 5) == (result.exit_code, result.output.count("right"))


def test_filters(export, tables, tmp_path):
    export(tmp_path, "--game", "universal-match")
    assert {"universal-match"} == {line["game"] for line in lines(tmp_path)}
    export(tmp_path / "none", "--from", "2100-01-01")
    assert [] == lines(tmp_path / "none")
    export(tmp_path / "unknown", "--tournament", "x", code=1)


def test_a_second_run_adds_nothing_and_another_question_is_refused(export, tables, tmp_path):
    first = export(tmp_path)
    assert first == export(tmp_path)
    assert "something else" in export(tmp_path, "--game", "beam-me-up", code=1)
    assert "something else" in export(tmp_path, "--to", "2026-01-01", code=1)


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("writer", ["jsonl", "parquet"])
@pytest.mark.parametrize("at", range(1, 16))
def test_whatever_is_killed_each_table_is_in_exactly_one_part(services, tables, tmp_path, monkeypatch, writer, at):
    """At every table read and at every file moved to its place."""
    made = JsonLines() if writer == "jsonl" else Parquet(services.players.names)
    left = at

    def step(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed

    replace = Path.replace

    def replacing(path: Path, target: Path) -> Path:
        step()
        moved = replace(path, target)
        step()
        return moved

    with monkeypatch.context() as patch, contextlib.suppress(Killed):
        patch.setattr(Path, "replace", replacing)
        state = bulk.begin(tmp_path, writer, Selected(), has_end=False)
        bulk.export(services.export, made, tmp_path, state, step, part_tables=2)
    state = bulk.begin(tmp_path, writer, Selected(), has_end=False)
    if not state.complete:
        state = bulk.export(services.export, made, tmp_path, state, lambda _: None, part_tables=2)

    assert (True, 5) == (state.complete, state.tables)
    files = {part.file for part in state.parts}
    assert files <= {path.name for path in tmp_path.iterdir()}
    if writer == "jsonl":
        assert sorted(tables) == sorted(line["table"] for line in lines(tmp_path))
    else:
        assert sorted(tables) == sorted(row[0] for row in rows(tmp_path, "tables", '"table"'))
    assert not [path for path in tmp_path.iterdir() if path.name not in files | {"trailer.json"}]


def rows(folder: Path, kind: str, columns: str = "*") -> list[tuple[Any, ...]]:
    with duckdb.connect(":memory:") as connection:
        found: list[tuple[Any, ...]] = connection.execute(
            f"FROM '{folder}/{kind}-*.parquet' SELECT {columns}"
        ).fetchall()
    return found


def test_parquet_has_a_row_for_each_table_and_each_entry(export, services, tables, tmp_path):
    export(tmp_path, "--format", "parquet", "--part", "2")

    assert 5 == len(rows(tmp_path, "tables"))
    for table, version, game, players, names, scores, outcome in rows(
        tmp_path, "tables", '"table", entries, game, players, names, scores, reason'
    ):
        live = services.desk.table(table)
        assert (live.version, live.game.name) == (version, game)
        assert [seat.player for seat in live.table.seats] == players
        assert ["Ada", "Bob"] == names
        assert (list(live.table.outcome.scores), "resignation") == (scores, outcome)
    for table, version, events, seat in rows(tmp_path, "entries", '"table", version, events, seat'):
        entry = services.desk.table(table).entries[version - 1]
        assert (json.loads(entry.events), entry.seat) == (json.loads(events), seat)
    assert list(TABLES) == [row[0] for row in described(tmp_path, "tables")]
    assert list(ENTRIES) == [row[0] for row in described(tmp_path, "entries")]


def described(folder: Path, kind: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(":memory:") as connection:
        found: list[tuple[Any, ...]] = connection.execute(f"DESCRIBE FROM '{folder}/{kind}-*.parquet'").fetchall()
    return found


def test_without_duckdb_parquet_is_refused_with_what_to_do(export, tmp_path, monkeypatch):
    monkeypatch.setattr("service.cli.bulk_writers.find_spec", lambda _: None)

    assert "-m pip install duckdb" in export(tmp_path, "--format", "parquet", code=1)
