"""`starledger verify`: records checked without a server."""

from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from domain.game import AnyGame
from domain.names import in_one_line
from domain.values import Value
from service.application.records import RecordReport, report
from service.cli.event_check import EventCheck, EventReport
from service.cli.record_files import EventLine, FileWrong, files_of, parts_in
from service.cli.tournament_course import counted


class FileReport(Value, frozen=True):
    """What a verification found in a file: the report on a record, or why the file can't be read."""

    file: str
    valid: bool
    record: RecordReport | None = None
    error: str | None = None
    event: EventReport | UnsetType = UNSET


def verify_files(paths: Sequence[str], games: Mapping[str, AnyGame], say: Callable[[FileReport], None]) -> bool:
    """Check every record of every file and say what was found; tell whether all are right."""
    all_right = True

    def told(found: FileReport) -> None:
        nonlocal all_right
        all_right = all_right and found.valid
        say(found)

    for path in paths:
        try:
            for file in files_of(path):
                _verify_file(file, games, told)
        except FileWrong as wrong:
            told(FileReport(file=path, valid=False, error=str(wrong)))
    return all_right


def _verify_file(path: str, games: Mapping[str, AnyGame], told: Callable[[FileReport], None]) -> None:
    event, last = None, 0
    try:
        for part in parts_in(path):
            last = part.number
            if isinstance(part, EventLine):
                event = event or EventCheck()
                event.line(part)
                continue
            checked = report(part.record, games)
            name = f"{path}: table {part.label}" if part.label else path
            told(FileReport(file=name, valid=checked.valid, record=checked))
            if event is not None:
                event.table(part, is_right=checked.valid)
    except FileWrong as wrong:
        told(FileReport(file=path, valid=False, error=str(wrong)))
    else:
        if event is not None:
            whole = event.report(last)
            told(FileReport(file=path, valid=whole.first_wrong is UNSET, event=whole))


def in_words(found: FileReport) -> str:
    """Say a report in a line."""
    record = found.record
    if found.event is not UNSET:
        return f"{found.file}: {_of_event(found.event)}"
    if record is None:
        return f"{found.file}: {found.error}"
    wrong = record.first_wrong
    if wrong is UNSET:
        return f"{found.file}: right: {record.game}, {record.entries} entries, every shuffle from the revealed seed"
    version = "" if wrong.version is UNSET else f" (version {wrong.version})"
    return f"{found.file}: wrong at line {wrong.line}{version}: {wrong.reason}"


def _of_event(event: EventReport) -> str:
    if event.first_wrong is not UNSET:
        return f"wrong at line {event.first_wrong.line}: {event.first_wrong.reason}"
    return (
        f"right: the event {in_one_line(event.name)}, {counted(event.rounds, 'round')}, {counted(event.games, 'game')}, "
        f"{event.tables} of them with their records; standings and deals follow"
    )


def as_json(found: FileReport) -> str:
    """Write a report as a line of JSON."""
    return msgspec.json.encode(found).decode()
