"""The command line as such: help, exit codes, and one clear line where something is wrong."""

import signal
import socket
import sys

import pytest
from click.testing import CliRunner

from domain.record import encode_record
from service.bootstrap import in_memory
from service.cli import main
from service.cli import run as run_
from service.cli import tournament as tournament_
from service.cli.main import INTERRUPTED, _options
from service.config import load
from tests.support.running import free_port
from tests.support.simulate import TABLE, played


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STARLEDGER_DATA", str(tmp_path / "data"))

    def go(*arguments: str, **settings: object):
        for name, value in settings.items():
            monkeypatch.setenv(f"STARLEDGER_{name}", str(value))
        return CliRunner().invoke(main, arguments)

    return go


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and "Traceback" not in text


def test_every_command_has_words_of_help(run):
    listed = run("--help")
    assert 0 == listed.exit_code
    for name, command in main.commands.items():
        assert name in listed.output
        assert command.help
        assert 0 == run(name, "--help").exit_code


def test_a_command_that_there_is_not_is_a_wrong_question(run):
    asked = run("fly")
    assert 2 == asked.exit_code
    assert "No such command 'fly'" in asked.output


@pytest.mark.parametrize("command", [["run"], ["fsck"], ["play"], ["admin", "grant", "p"]])
def test_a_wrong_setting_is_one_line_and_exit_code_2(run, command):
    asked = run(*command, PORT="many")

    assert 2 == asked.exit_code
    assert "STARLEDGER_PORT=many is wrong" in asked.output
    assert one_line(asked.output)


@pytest.mark.parametrize("command", [["fsck"], ["admin", "grant", "p"]])
def test_without_a_running_store_it_is_said_how_to_start_one(run, command):
    asked = run(*command)

    assert 1 == asked.exit_code
    assert "make run" in asked.output
    assert one_line(asked.output)


@pytest.mark.parametrize("command", [["play", "beam-me-up"], ["play"], ["play", "--table", "t"]])
def test_play_starts_no_server_and_says_who_does(run, command):
    asked = run(*command, PORT=1)

    assert 1 == asked.exit_code
    assert "No server answers on http://127.0.0.1:1" in asked.output
    assert "make run" in asked.output
    assert one_line(asked.output)


def test_a_store_that_is_not_there_is_one_line(run):
    asked = run("fsck", REDIS_URL="unix:///nowhere.sock", QUEUE_URL="unix:///nowhere.sock")

    assert 1 == asked.exit_code
    assert "The event store at unix:///nowhere.sock can't be used" in asked.output
    assert one_line(asked.output)


def test_fsck_draws_a_sample_and_knows_what_is_not_there(run, monkeypatch):
    services = in_memory(load({}))
    monkeypatch.setattr(sys.modules["service.cli.main"], "connect", lambda _: services)
    for seed in range(3):
        table = played("planet-pioneer", 2, seed)
        services.records.take(encode_record(table.table, TABLE, table.entries, {}))
    (one, *_) = services.store.tables()

    assert "3 tables checked: all is as it should be." in run("fsck").output
    assert "2 tables checked: all is as it should be." in run("fsck", "--sample", "2").output
    assert "3 tables checked: all is as it should be." in run("fsck", "--sample", "9").output
    assert "1 tables checked: all is as it should be." in run("fsck", one).output
    wrong = run("fsck", one, "nowhere")
    assert (1, ["nowhere: there is no such table", "1 tables checked: see above."]) == (
        wrong.exit_code,
        wrong.output.splitlines(),
    )
    assert 2 == run("fsck", one, "--sample", "1").exit_code


def test_no_password_is_shown(run):
    asked = run("fsck", REDIS_URL="redis://user:geheim@127.0.0.1:1/0", QUEUE_URL="unix:///nowhere.sock")

    assert "geheim" not in asked.output
    assert "redis://***@127.0.0.1:1/0" in asked.output


def test_a_port_that_is_taken_is_said_before_anything_starts(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        asked = run("run", "--port", str(port))

    assert 1 == asked.exit_code
    assert f"The address 127.0.0.1:{port} can't be served on" in asked.output
    assert one_line(asked.output)
    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_cannot_be_written_is_one_line(run, tmp_path):
    (tmp_path / "file").touch()
    asked = run("run", "--port", str(free_port()), "--data", str(tmp_path / "file" / "data"))

    assert 1 == asked.exit_code
    assert "can't be written" in asked.output
    assert one_line(asked.output)


def test_an_interrupted_command_says_so(run, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("service.cli.run.run", interrupted)
    asked = run("run")

    assert (INTERRUPTED, "\nStopped.\n") == (asked.exit_code, asked.output)


def test_options_of_a_game_are_read_as_json_or_text():
    given = ("target=50", "advanced_b=true", "lines=hidden", 'deck=["a"]', "first_seat=null")
    wanted = {"target": 50, "advanced_b": True, "lines": "hidden", "deck": ["a"], "first_seat": None}
    assert wanted == _options(given)


@pytest.mark.parametrize(
    ("before", "is_heard"), [(signal.SIG_IGN, False), (signal.SIG_DFL, True)], ids=["nohup", "terminal"]
)
@pytest.mark.parametrize("handling", [run_._signals, tournament_._ended_in_order])
def test_who_was_started_by_nohup_lives_on_when_the_terminal_is_closed(handling, before, is_heard):
    old = signal.signal(signal.SIGHUP, before)
    try:
        with handling():
            assert is_heard == (signal.getsignal(signal.SIGHUP) not in (signal.SIG_IGN, signal.SIG_DFL))
            assert signal.getsignal(signal.SIGTERM) not in (signal.SIG_IGN, signal.SIG_DFL)
        assert before == signal.getsignal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, old)
