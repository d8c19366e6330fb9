"""The file of an event, and what a run makes of it, without a server."""

import json
import os
import sys
from typing import Any

import pytest
from click.testing import CliRunner

from service.bootstrap import NotStarted
from service.cli import main, tournament, tournament_server
from service.cli.tournament_event import BadFile, read_event
from service.cli.tournament_files import write_all

FILE = """\
game = "planet-pioneer"
format = "swiss"
seats_per_table = 3
{more}

[[entrants]]
bot = "random"
count = {count}
"""


def read(tmp_path, more: str = "", count: int = 4):
    path = tmp_path / "event.toml"
    path.write_text(FILE.format(more=more, count=count))
    return read_event(path)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('seed = ""', "4: seed: Must have 1 to 64 characters."),
        (f'seed = "{"s" * 65}"', "4: seed: Must have 1 to 64 characters."),
        ('name = "  "', "4: name: Must have 1 to 40 characters besides spaces around it."),
        ('name = "a\\u0007b"', "4: name: Must stand in one line"),
        ('clock = { kind = "turn", seconds = 9, colour = "red" }', "4: clock.colour: There is no such field."),
        ("rounds = 2 3", "4: This is no TOML: Expected newline or end of document after a statement."),
    ],
)
def test_what_the_server_would_refuse_is_told_by_line_and_field_before_anything_is_written(tmp_path, more, fault):
    with pytest.raises(BadFile) as bad:
        read(tmp_path, more)
    assert f"event.toml:{fault}" in bad.value.message
    assert bad.value.message.endswith("\nNothing was started, nothing was written.")


def test_more_entrants_than_a_tournament_takes_are_told(tmp_path):
    with pytest.raises(BadFile) as bad:
        read(tmp_path, '[[entrants]]\nbot = "easy"', count=2000)
    assert "event.toml:4: entrants: 2001 play; there can be at most 2000." in bad.value.message


def test_programs_have_thirty_seconds_to_sit_down_whatever_else_the_file_says_of_absentees(tmp_path):
    more = 'no_show = { policy = "bot" }\n[[entrants]]\ncommand = "true"'
    assert {"grace": 30, "policy": "bot"} == read(tmp_path, more).wish["no_show"]


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "7", '{"file": 3}', "\x00", '{"key": 1}', '{"key": "\\ud800"}', '{"key": "a,b"}']
)
def test_what_is_left_of_a_damaged_event_stops_nobody_with_a_traceback(tmp_path, text):
    (tmp_path / "event.json").write_text(text)
    path = tmp_path / "event.toml"
    path.write_text(FILE.format(more="", count=4))
    tournament._same_event(tmp_path, path)


def test_a_file_that_was_changed_since_is_another_event(tmp_path):
    path = tmp_path / "event.toml"
    path.write_text(FILE.format(more="", count=4))
    (tmp_path / "event.json").write_text(json.dumps({"key": "k", "where": "own", "file": tournament._digest(path)}))
    tournament._same_event(tmp_path, path)
    path.write_text(FILE.format(more="", count=5))
    with pytest.raises(BadFile, match="was changed since"):
        tournament._same_event(tmp_path, path)


@pytest.mark.parametrize(("rated", "rows"), [(False, 1), (True, 2)])
def test_who_did_not_come_is_rated_in_an_event_only_where_it_says_so(tmp_path, rated, rows):
    result = {"places": [1, 2], "scores": [], "forfeits": [], "by": "table", "reason": ""}
    absent = {**result, "forfeits": [1], "by": "no_show"}
    games = [
        {"leg": 0, "seats": ["e1", "e2"], "result": result, "no_show": False},
        {"leg": 1, "seats": ["e1", "e3"], "result": absent, "no_show": True},
    ]

    class Event:
        def get(self, path: str) -> object:
            return {
                "": {
                    "name": "Cup",
                    "status": "finished",
                    "ended": "all_rounds",
                    "round": 1,
                    "sprt_state": None,
                    "no_show": {"rated": rated},
                    "entrants": [{"entry": f"e{number}", "name": f"N{number}"} for number in (1, 2, 3)],
                },
                "/rounds/1": {"round": 1, "tables": [{"table": 1, "games": games}]},
                "/standings": {"standings": []},
                "/crosstable": {"crossings": []},
            }[path.removeprefix("/v1/tournaments/cup")]

        def raw(self, _path: str) -> bytes:
            return '{"type":"table","table":"t1","round":1,"record":[{"b":1,"a":"ä"},{"c":2}]}\n'.encode()

    event: Any = Event()
    found = write_all(event, "cup", tmp_path)
    assert rows == len(found["ratings"]) - 1
    assert rows == len((tmp_path / "ratings.csv").read_text().splitlines()) - 2
    assert '{"a":"ä","b":1}\n{"c":2}\n' == (tmp_path / "records" / "t1.slr.jsonl").read_text(encoding="utf-8")


def left(tmp_path, pid: int) -> None:
    (tmp_path / tournament_server.SERVER).write_text(json.dumps({"base": "http://127.0.0.1:1", "pid": pid}))


def test_a_server_whose_run_was_killed_is_waited_for_until_it_has_ended(tmp_path, monkeypatch):
    looks = iter([True, True, False])
    monkeypatch.setattr(tournament_server, "_is_ours", lambda _pid, _folder: next(looks))
    monkeypatch.setattr(tournament_server, "_LOOK_S", 0.0)
    left(tmp_path, os.getpid())
    tournament_server._await_end(tmp_path)
    assert [] == [*looks, *tmp_path.iterdir()]


def test_a_server_that_does_not_end_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(tournament_server, "_is_ours", lambda _pid, _folder: True)
    monkeypatch.setattr(tournament_server, "READY_S", 0.0)
    left(tmp_path, os.getpid())
    with pytest.raises(NotStarted, match=f"process {os.getpid()}, does not end"):
        tournament_server._await_end(tmp_path)


@pytest.mark.parametrize(
    "kept", ["", "[]", "7", '{"pid": "x"}', '{"pid": 1e400}', '{"pid": -1}', '{"pid": 99999999999999999999}']
)
def test_a_damaged_note_of_the_server_stops_nobody(tmp_path, kept):
    (tmp_path / tournament_server.SERVER).write_text(kept)
    tournament_server._await_end(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_that_has_the_number_of_the_dead_server_is_left_alone(tmp_path):
    left(tmp_path, os.getpid())
    tournament_server._await_end(tmp_path)


def test_two_runs_of_one_event_do_not_play_at_once(tmp_path):
    again = "Another run plays the event in"
    with tournament._alone(tmp_path), pytest.raises(NotStarted, match=again), tournament._alone(tmp_path):
        pass
    with tournament._alone(tmp_path):
        pass


def run(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(main, ["tournament", "run", *arguments])
    return found.exit_code, found.output


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "event.toml"
    path.write_text(FILE.format(more="", count=4))
    return path


@pytest.mark.parametrize("name", ["standings.csv", "record.jsonl", "records"])
def test_results_that_are_not_of_this_event_are_not_written_over(tmp_path, file, name):
    (tmp_path / "event").mkdir()
    (tmp_path / "event" / name).write_text("mine")
    code, said = run(str(file))
    assert 1 == code
    assert f"{tmp_path}/event has {name}, which are not of this event. Choose another folder by --out" in said
    assert [name] == [each.name for each in (tmp_path / "event").iterdir()]


def test_a_folder_that_can_not_be_written_is_told_in_a_line(tmp_path, file):
    (tmp_path / "event").write_text("a file in the way")
    code, said = run(str(file))
    assert 1 == code
    assert f"{tmp_path}/event can't be written: File exists. Once it can, the same command goes on" in said


@pytest.mark.parametrize("url", ["localhost:8000", "http://", "ftp://server", "http://server:port"])
def test_an_address_that_is_none_is_told_before_anything_is_written(tmp_path, file, url):
    code, said = run(str(file), "--url", url)
    assert 2 == code
    assert "Must be an address such as http://127.0.0.1:8000." in said
    assert not (tmp_path / "event").exists()


def test_a_server_that_is_not_there_is_named_with_what_to_do(file, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    code, said = run(str(file), "--url", "http://127.0.0.1:1")
    assert 1 == code
    assert (
        "No server answers on http://127.0.0.1:1 (ConnectError). The same command goes on where it was; start it, or "
        "name another by --url." in said
    )
