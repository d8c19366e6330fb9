"""`starledger verify`: offline, the first wrong line, exit code 1."""

import gzip
import json

import pytest
import zstandard
from click.testing import CliRunner

from domain.record import encode_record
from service.cli import main
from tests.support.simulate import TABLE, played

SHORT = played("universal-match", 2, options={"target": "one_hand"})
RECORD = encode_record(SHORT.table, TABLE, SHORT.entries, {"p_me": "Ada"})
LINES = RECORD.splitlines(keepends=True)
TRAILER = b'{"type":"trailer","tables":%d,"entries":0,"complete":true,"next_cursor":null}\n'


def bulk(*records: bytes) -> bytes:
    lines = [
        b'{"type":"record","table":"t%d","game":"g","created":"","finished":"","cursor":"","record":[%b]}\n'
        % (n, b",".join(record.splitlines()))
        for n, record in enumerate(records)
    ]
    return b"".join(lines) + TRAILER % len(records)


@pytest.fixture
def verify(tmp_path):
    def run(*contents: bytes, code: int, options: tuple[str, ...] = (), name: str = "file") -> list[str]:
        paths = []
        for n, content in enumerate(contents):
            path = tmp_path / f"{name}{n}"
            path.write_bytes(content)
            paths.append(str(path))
        result = CliRunner().invoke(main, ["verify", *options, *paths])
        assert code == result.exit_code, result.output
        return [line.replace(f"{tmp_path}/", "") for line in result.output.splitlines()]

    return run


def test_a_right_record(verify):
    (line,) = verify(RECORD, code=0)

    assert f"file0: right: universal-match, {len(SHORT.entries)} entries" in line


@pytest.mark.parametrize("pack", [zstandard.compress, gzip.compress])
def test_a_packed_record(verify, pack):
    assert "right" in verify(pack(RECORD), code=0)[0]


def test_the_first_wrong_line_is_named_and_the_other_files_are_checked_all_the_same(verify):
    salted = json.loads(LINES[4]) | {"salt": "0" * 32}
    wrong = b"".join(
        [*LINES[:4], json.dumps(salted, sort_keys=True, separators=(",", ":")).encode() + b"\n", *LINES[5:]]
    )
    lines = verify(wrong, RECORD, code=1)

    assert lines[0].startswith("file0: wrong at line 5 (version 4): the hash")
    assert "right" in lines[1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1"),
        (b"junk", "line 1"),
        (RECORD[:-1], f"line {len(LINES)}"),
        (b"".join(LINES[:-1]), f"line {len(LINES)}"),
        (zstandard.compress(RECORD)[:-50], "wrong at line"),
        (gzip.compress(RECORD)[:-50], "can't be read"),
        (zstandard.compress(b"\n" * (200 << 20)), "line 1"),
        (bulk(RECORD)[:-5], "line 2"),
        (bulk(RECORD).replace(b'"tables":1', b'"tables":2'), "counts 2 tables; the file has 1"),
        (bulk(RECORD)[:100], "line 1 is cut off"),
        (b'{"type":"record"}\n', "no line of an export"),
    ],
    ids=[
        "empty",
        "junk",
        "cut-in-a-line",
        "cut-at-a-line",
        "cut-zstd",
        "cut-gzip",
        "zstd-bomb",
        "cut-bulk",
        "bulk-that-counts-wrong",
        "cut-bulk-in-a-line",
        "foreign-bulk",
    ],
)
def test_a_file_that_is_cut_foreign_or_too_large_is_refused(verify, content, said):
    assert said in verify(content, code=1)[-1]


def test_a_file_that_is_not_there_is_said_in_a_line():
    result = CliRunner().invoke(main, ["verify", "no/such/file"])

    assert (1, "no/such/file: can't be read: No such file or directory\n") == (result.exit_code, result.output)


def test_an_export_is_checked_table_by_table(verify):
    cut = b"".join(LINES[:-1])
    lines = verify(zstandard.compress(bulk(RECORD, cut, RECORD)), code=1)

    assert ["file0: table t0: right", "file0: table t1: wrong", "file0: table t2: right"] == [
        line[: len("file0: table t0: right")] for line in lines
    ]


def test_reports_as_json(verify):
    good, bad = map(json.loads, verify(RECORD, b"junk", code=1, options=("--json",)))

    assert (True, False) == (good["valid"], bad["valid"])
    assert 1 == bad["record"]["first_wrong"]["line"]
    assert len(LINES) == good["record"]["lines"]
