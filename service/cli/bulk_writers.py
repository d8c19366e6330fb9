"""The two forms of an export: JSON Lines packed by zstd, and Parquet by DuckDB."""

import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import msgspec
import zstandard

from domain.errors import Refusal
from domain.history import rfc3339
from domain.log import decode_events, summary
from service.application.export import Exported
from service.application.present import Names
from service.application.records import Ended, names_in

_LEVEL: Final = 9

TABLES: Final[Mapping[str, str]] = {
    "table": "VARCHAR",
    "recorded_as": "VARCHAR",
    "game": "VARCHAR",
    "rules_version": "INTEGER",
    "options": "JSON",
    "created": "TIMESTAMPTZ",
    "finished": "TIMESTAMPTZ",
    "entries": "INTEGER",
    "rated": "BOOLEAN",
    "imported": "BOOLEAN",
    "players": "VARCHAR[]",
    "names": "VARCHAR[]",
    "bots": "VARCHAR[]",
    "winners": "INTEGER[]",
    "scores": "INTEGER[]",
    "places": "INTEGER[]",
    "resigned": "INTEGER[]",
    "reason": "VARCHAR",
    "origin_table": "VARCHAR",
    "origin_version": "INTEGER",
    "commitment": "VARCHAR",
    "secret": "VARCHAR",
    "head": "VARCHAR",
}
"""The columns of `tables`, one row a table; the lists `players` to `bots`, `scores` and `places` go by seat."""

ENTRIES: Final[Mapping[str, str]] = {
    "table": "VARCHAR",
    "version": "INTEGER",
    "time": "TIMESTAMPTZ",
    "seat": "INTEGER",
    "events": "JSON",
    "summary": "VARCHAR",
    "salt": "VARCHAR",
    "hash": "VARCHAR",
}
"""The columns of `entries`, one row an entry: everything, as in the record."""


class JsonLines:
    """One table a line, as `GET /v1/export` gives it, packed by zstd."""

    def write(self, tables: Iterable[Exported], number: int, folder: Path) -> list[tuple[Path, str]]:
        """Write one part."""
        name = f"records-{number:05d}.jsonl.zst"
        path = folder / f"{name}.part"
        with (
            path.open("wb") as file,
            zstandard.ZstdCompressor(level=_LEVEL).stream_writer(file, closefd=False) as packed,
        ):
            for each in tables:
                packed.write(each.line())
        return [(path, name)]


class Parquet:
    """Two files a part, `tables` and `entries`; raises `Refusal` where DuckDB is not installed."""

    def __init__(self, names: Names) -> None:
        if find_spec("duckdb") is None:
            raise Refusal(
                "unavailable",
                f"Parquet needs DuckDB, which is an extra. Install it: {sys.executable} -m pip install duckdb",
            )
        self._names = names

    def write(self, tables: Iterable[Exported], number: int, folder: Path) -> list[tuple[Path, str]]:
        """Write one part."""
        rows = {"tables": folder / "tables.rows.part", "entries": folder / "entries.rows.part"}
        with rows["tables"].open("wb") as of_tables, rows["entries"].open("wb") as of_entries:
            for each in tables:
                of_tables.write(_encode(_table(each.ended, names_in(each.ended, self._names))) + b"\n")
                of_entries.writelines(_encode(row) + b"\n" for row in _entries(each.ended))
        written: list[tuple[Path, str]] = []
        for kind, columns in (("tables", TABLES), ("entries", ENTRIES)):
            name = f"{kind}-{number:05d}.parquet"
            path = folder / f"{name}.part"
            _to_parquet(rows[kind], columns, path)
            rows[kind].unlink()
            written.append((path, name))
        return written


_encode: Final = msgspec.json.Encoder().encode


def _to_parquet(rows: Path, columns: Mapping[str, str], path: Path) -> None:
    import duckdb  # noqa: PLC0415 - an extra that need not be there

    typed = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
    source = f"read_json({_quoted(rows)}, format = 'newline_delimited', columns = {{{typed}}})"
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"COPY (FROM {source}) TO {_quoted(path)} (FORMAT parquet, COMPRESSION zstd)")


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _table(of: Ended, names: Mapping[str, str]) -> dict[str, Any]:
    table, origin, outcome = of.table, of.table.origin, of.table.outcome
    if outcome is None:
        raise LookupError(of.id)
    return {
        "table": of.id,
        "recorded_as": of.id if of.imported is None else of.imported.table,
        "game": of.game.name,
        "rules_version": table.rules_version,
        "options": table.raw_options,
        "created": rfc3339(of.entries[0].time_ms),
        "finished": rfc3339(of.entries[-1].time_ms),
        "entries": len(of.entries),
        "rated": table.rated,
        "imported": table.imported,
        "players": [seat.player for seat in table.seats],
        "names": [None if seat.player is None else names.get(seat.player) for seat in table.seats],
        "bots": [seat.bot for seat in table.seats],
        "winners": outcome.winners,
        "scores": outcome.scores,
        "places": outcome.places,
        "resigned": outcome.resigned,
        "reason": outcome.reason,
        "origin_table": None if origin is None else origin.table,
        "origin_version": None if origin is None else origin.version,
        "commitment": table.commitment,
        "secret": table.secret,
        "head": of.entries[-1].hash,
    }


def _entries(of: Ended) -> Iterable[dict[str, Any]]:
    for entry in of.entries:
        yield {
            "table": of.id,
            "version": entry.version,
            "time": rfc3339(entry.time_ms),
            "seat": entry.seat,
            "events": msgspec.Raw(entry.events),
            "summary": summary(of.game, decode_events(of.game, entry.events)),
            "salt": entry.salt.hex(),
            "hash": entry.hash,
        }
