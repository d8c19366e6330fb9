"""The whole server as a user starts it: one command, a table with bots, a restart, an end that leaves nothing."""

import functools
import os
import signal
import sys

import pytest

from tests.support.running import Running, cli, free_port, person, wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def test_a_person_plays_with_two_bots_across_a_restart_to_the_end(data):
    with Running(data) as server, person(server.base) as ada:
        table = ada.table("beam-me-up", "greedy", "easy")
        middle = ada.play(table, until=lambda now: now["version"] > 30)
        before = ada.log(table)
        assert 0 == server.stop()
        assert f"Stopped. Everything is kept in {data}." in server.said()

        with Running(data) as again:
            ada.base = again.base
            assert "playing" == middle["status"]
            assert before == ada.log(table)[: len(before)]
            ended = ada.play(table)

            assert "finished" == ended["status"]
            assert 3 == len(ended["outcome"]["scores"])
            log = ada.log(table)
            assert list(range(1, len(log) + 1)) == [entry["version"] for entry in log]
            assert [] == [event for entry in log for event in entry["events"] if event["type"] == "bot_replaced"]
            mine = {entry["version"] for entry in log if entry.get("seat") == 0}
            assert mine == {version for _, version in ada.acknowledged} | {1}
            checked = cli("fsck", data=data)
            assert (0, "1 tables checked: all is as it should be.\n") == (checked.returncode, checked.stdout)


def test_the_other_games_are_played_to_the_end_too(shared):
    with person(shared.base) as ada:
        for game in ("planet-pioneer", "universal-match"):
            table = ada.table(game, "greedy", "random")
            assert "finished" == ada.play(table)["status"]
            assert ["greedy", "random"] == [seat["bot"] for seat in ada.get(f"/v1/tables/{table}")["seats"][1:]]


@needs_proc
def test_it_says_where_it_serves_and_leaves_no_process(data):
    with Running(data, WORKERS=1) as server:
        assert [f"Starledger serves on {server.base}", f"  data       {data}", "  workers    1"] == [
            line for line in server.said().splitlines() if line.startswith(("Starledger serves", "  data", "  workers"))
        ]
        assert 4 <= len(server.processes())
        assert 0 == server.stop()
        assert [] == server.processes()


@needs_proc
def test_a_child_that_dies_is_started_again(data):
    with Running(data, WORKERS=1) as server:
        for words in ("-m workers worker", "-m workers relay", "-m workers sender", "-m service.api.server"):
            (before,) = server.processes(words)
            os.kill(before, signal.SIGKILL)
            wait_for(functools.partial(_others, server, words, before), f"another {words}")
        assert "worker 1 ended by itself (SIGKILL); it is started again in 0.2 s" in server.said()
        with person(server.base) as ada:
            assert "finished" == ada.play(ada.table("planet-pioneer", "greedy"))["status"]


def _others(server, words, before):
    return set(server.processes(words)) - {before}


@needs_proc
def test_servers_that_are_killed_again_and_again_come_back_and_none_is_left_after_the_end(data):
    with Running(data, WORKERS=1) as server, person(server.base) as ada:
        for _ in range(2):
            for socket in ("events.sock", "queue.sock"):
                (before,) = server.processes(socket)
                os.kill(before, signal.SIGKILL)
                wait_for(functools.partial(_others, server, socket, before), f"another server at {socket}")
        assert "finished" == ada.play(ada.table("planet-pioneer", "greedy"))["status"]
        assert [1, 1] == [len(server.processes(socket)) for socket in ("events.sock", "queue.sock")]
        assert 0 == server.stop()
        assert [] == server.processes()


@needs_proc
def test_a_launcher_that_is_killed_takes_everything_with_it(data):
    with Running(data, WORKERS=1) as server:
        server.process.kill()
        server.process.wait()
        wait_for(lambda: not server.processes(), "all processes are gone", 30)


def test_a_second_one_on_the_same_folder_or_port_is_told_so_in_one_line(shared, tmp_path):
    same_folder = cli("run", "--port", str(free_port()), data=shared.data)
    same_port = cli("run", "--port", str(shared.port), data=tmp_path / "other")

    assert (1, "") == (same_folder.returncode, same_folder.stdout)
    assert f"The data folder {shared.data} is in use by process" in same_folder.stderr
    assert (1, "") == (same_port.returncode, same_port.stdout)
    assert f"The address 127.0.0.1:{shared.port} can't be served on" in same_port.stderr
    assert 1 == same_folder.stderr.count("\n") == same_port.stderr.count("\n")


def test_the_doctor_finds_nothing_wrong_with_a_running_server(shared):
    healthy = cli("doctor", data=shared.data, PORT=shared.port)

    assert 0 == healthy.returncode, healthy.stdout
    assert "wrong" not in healthy.stdout
    assert "note" not in healthy.stdout


def test_the_operator_gives_the_admin_scope_and_nobody_else(shared):
    with person(shared.base) as ada:
        assert "admin" not in ada.get("/v1/me")["scopes"]
        granted = cli("admin", "grant", ada.id, data=shared.data)
        assert 0 == granted.returncode, granted.stderr

        ada._http.headers["Authorization"] = f"Bearer {granted.stdout.split()[-1]}"
        assert "admin" in ada.get("/v1/me")["scopes"]
        unknown = cli("admin", "grant", "nobody", data=shared.data)
        assert (1, "There is no player 'nobody'.\n") == (unknown.returncode, unknown.stderr)
