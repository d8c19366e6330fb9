"""What an export costs: entries a second to JSON Lines and Parquet, against a plain copy of the same records.

    python bench/export.py [--tables 30] [--seed 1]

Tables lie in memory, so that only reading, folding, encoding, packing and writing are measured.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from domain.games import GAMES
from domain.record import encode_record
from service.application.export import Selected
from service.bootstrap import in_memory
from service.cli import bulk
from service.cli.bulk_writers import JsonLines, Parquet
from service.config import load
from tests.support.simulate import TABLE, played


def timed(work: Callable[[], object]) -> float:
    """Give the seconds that it took."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def copy(records: list[bytes], path: Path) -> None:
    """Write records one behind the other, and make sure of it as the export does."""
    with path.open("wb") as file:
        file.writelines(records)
        file.flush()
        os.fsync(file.fileno())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What an export costs.")
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    services = in_memory(load({}))
    records: list[bytes] = []
    entries = 0
    for n in range(options.tables):
        table = played(list(GAMES)[n % len(GAMES)], 2, options.seed + n)
        records.append(encode_record(table.table, TABLE, table.entries, {}))
        entries += len(table.entries)
        services.records.take(records[-1])
    writers: dict[str, bulk.Writer] = {"jsonl": JsonLines()}
    if find_spec("duckdb") is not None:
        writers["parquet"] = Parquet(services.players.names)

    print(f"{options.tables} tables, {entries} entries, {sum(map(len, records)) / 1e6:.1f} MB of records")
    print(f"{'way':<8} {'seconds':>8} {'entries/s':>10} {'MB written':>11}")
    with tempfile.TemporaryDirectory() as folder:
        took = timed(lambda: copy(records, Path(folder) / "copy"))
        size = (Path(folder) / "copy").stat().st_size
        print(f"{'floor':<8} {took:>8.3f} {entries / took:>10.0f} {size / 1e6:>11.1f}")
        for name, writer in writers.items():
            out = Path(folder) / name
            state = bulk.begin(out, name, Selected(), has_end=False)  # type: ignore[arg-type]
            took = timed(
                lambda out=out, writer=writer, state=state: bulk.export(  # type: ignore[misc]
                    services.export, writer, out, state, lambda _: None
                )
            )
            size = sum(path.stat().st_size for path in out.iterdir())
            print(f"{name:<8} {took:>8.3f} {entries / took:>10.0f} {size / 1e6:>11.1f}")


if __name__ == "__main__":
    main()
