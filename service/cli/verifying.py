"""`starledger verify`: records checked without a server."""

from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import UNSET

from domain.game import AnyGame
from domain.values import Value
from service.application.records import RecordReport, report
from service.cli.record_files import FileWrong, records_in


class FileReport(Value, frozen=True):
    """What a verification found in a file: the report on a record, or why the file can't be read."""

    file: str
    valid: bool
    record: RecordReport | None = None
    error: str | None = None


def verify_files(paths: Sequence[str], games: Mapping[str, AnyGame], say: Callable[[FileReport], None]) -> bool:
    """Check every record of every file and say what was found; tell whether all are right."""
    all_right = True
    for path in paths:
        try:
            for found in records_in(path):
                checked = report(found.record, games)
                name = f"{path}: table {found.label}" if found.label else path
                say(FileReport(file=name, valid=checked.valid, record=checked))
                all_right = all_right and checked.valid
        except FileWrong as wrong:
            say(FileReport(file=path, valid=False, error=str(wrong)))
            all_right = False
    return all_right


def in_words(found: FileReport) -> str:
    """Say a report in a line."""
    record = found.record
    if record is None:
        return f"{found.file}: {found.error}"
    wrong = record.first_wrong
    if wrong is UNSET:
        return f"{found.file}: right: {record.game}, {record.entries} entries, every shuffle from the revealed seed"
    version = "" if wrong.version is UNSET else f" (version {wrong.version})"
    return f"{found.file}: wrong at line {wrong.line}{version}: {wrong.reason}"


def as_json(found: FileReport) -> str:
    """Write a report as a line of JSON."""
    return msgspec.json.encode(found).decode()
