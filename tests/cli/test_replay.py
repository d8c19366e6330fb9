"""`starledger replay`: in words, as frames, drawn, and watched key by key."""

import json
import os
import pty
import re
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner

from domain.record import encode_record
from service.cli import main
from service.cli import records as records_
from service.cli.reel import Reel
from service.cli.watching import Player
from tests.cli.test_verify import RECORD, SHORT
from tests.support.simulate import TABLE, Simulation, played, wish
from tests.support.wire import wait_for


@pytest.fixture
def path(tmp_path) -> str:
    file = tmp_path / "a.slr.jsonl"
    file.write_bytes(RECORD)
    return str(file)


def replay(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["replay", *arguments])
    assert code == result.exit_code, result.output
    return result.output


LAST = len(SHORT.entries)


def test_a_table_in_words_has_a_line_for_each_turn_and_the_result(path):
    head, who, *lines, result = replay(path).splitlines()
    frames = [json.loads(line) for line in replay(path, "--json").splitlines()]
    ends = [
        frame["version"]
        for frame, then in zip(frames, [*frames[1:], {"seat": None}], strict=True)
        if frame.get("seat") != then.get("seat") or any(event["type"] == "turn_began" for event in frame["events"])
    ]

    assert head.startswith("Universal Match, 2023-11-14, table t_simulated")
    assert "Seat 0 (random), Seat 1 (random)" == who
    assert ends == [int(line.split()[0]) for line in lines]
    assert len(ends) < LAST
    said = " ".join(line.split(None, 1)[1] for line in lines)
    assert frames[0]["summary"] in said, "who sits down is not yet called by his name"
    assert all(re.sub(r"Seat (\d)", r"Seat \1 (random)", frame["summary"]) in said for frame in frames[1:])
    assert result.startswith("Result: 1. ")


def test_players_are_named_by_the_record(tmp_path):
    table = played("beam-me-up", 2, seed=1, options={"earth_racer": False})
    file = tmp_path / "b"
    file.write_bytes(encode_record(table.table, TABLE, table.entries, {}))

    assert replay(str(file), "--format", "text").startswith("Beam Me Up")


def test_a_terminal_takes_no_orders_from_a_file(tmp_path):
    order = "\x1b[2J"
    table = Simulation(wish("beam-me-up", "greedy", f"bot{order}", chosen_seed="x", options={"earth_racer": False}))
    table.play_out()
    file = tmp_path / "c"
    file.write_bytes(encode_record(table.table, f"t{order}", table.entries, {}))

    assert "\x1b" not in replay(str(file), "--format", "text")


def test_frames_as_json_are_those_of_the_seat(path):
    frames = [json.loads(line) for line in replay(path, "--json", "--as", "1").splitlines()]

    assert list(range(1, LAST + 1)) == [frame["version"] for frame in frames]
    assert ["hand" in seat for seat in frames[5]["view"]["seats"]] == [False, True]
    assert frames[8:9] == [json.loads(replay(path, "--json", "--as", "1", "--at", "9"))]
    every = json.loads(replay(path, "--json", "--at", "9"))
    assert ["hand" in seat for seat in every["view"]["seats"]] == [True, True]


def test_a_version_is_drawn(path):
    drawn = replay(path, "--at", "9", "--as", "1")

    assert f"version 9 of {LAST}" in drawn
    assert "Your hand" in drawn
    assert "holds" in replay(path, "--at", "9")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--at", "9999"), f"the table has 1 to {LAST}"),
        (("--as", "7"), "Must be public, all or a seat from 0 to 1."),
    ],
)
def test_what_is_not_there_is_said_in_a_line(path, arguments, said):
    assert said in replay(path, *arguments, code=1)


def test_a_damaged_record_is_not_shown(path, tmp_path):
    (tmp_path / "c").write_bytes(RECORD[:-40])

    assert "wrong at line" in replay(str(tmp_path / "c"), code=1)
    assert "There is no file" in replay("no/such/file", code=1)


def test_watching_needs_a_terminal(path):
    assert "needs a terminal" in replay(path, "--watch", code=2)


# ---- watching


class Typed:
    """Keys that are typed; None is time that passes."""

    def __init__(self, *keys: str | None) -> None:
        self.left = [*keys, "q"]
        self.waited: list[float | None] = []

    def read(self, seconds: float | None) -> str | None:
        self.waited.append(seconds)
        return self.left.pop(0)


def watched(*keys: str | None, at: int = 1, last: int = 9) -> tuple[list[int], Typed]:
    frames = tuple({"version": version, "summary": "", "view": None} for version in range(1, last + 1))
    reel = Reel("t", "g", "G", "", {}, {}, ("a",), None, frames, None)
    shown: list[int] = []
    typed = Typed(*keys)
    Player(reel, at, 0.5, lambda frame, _: shown.append(frame["version"])).watch(typed)
    return shown, typed


def test_n_and_p_step_and_stop_at_the_ends():
    assert [1, 2, 3, 2, 1] == watched("n", "n", "p", "p", "p")[0]
    assert [9] == watched("n", at=9)[0]


def test_g_jumps_to_the_version_typed():
    assert 7 == watched("g", "7", "\r")[0][-1]
    assert 9 == watched("g", "9", "9", "\n")[0][-1]
    assert 4 == watched("g", "4", "4", "\x7f", "\r")[0][-1]
    assert 1 == watched("g", "8", "x")[0][-1]
    assert 2 == watched("g", "\r", "n")[0][-1]


def test_space_plays_at_the_speed_asked_for_until_the_end_or_a_key():
    shown, typed = watched(" ", None, None, at=8)
    assert [8, 8, 9] == shown
    assert [None, 0.5, None, None] == typed.waited
    shown, typed = watched(" ", None, " ", "n")
    assert (3, [None, 0.5, 0.5, None, None]) == (shown[-1], typed.waited)


@pytest.mark.slow
def test_a_person_watches_in_a_real_terminal(path):
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", "replay", path, "--watch"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        close_fds=True,
    ) as program:
        os.close(theirs)
        seen = b""

        def until(words: bytes) -> None:
            nonlocal seen
            while words not in seen:
                seen += os.read(ours, 65536)
            seen = b""

        until(b"q leave")
        os.write(ours, b"n")
        until(b"version 2 of")
        os.write(ours, b"\x1b[C")
        until(b"version 3 of")
        os.write(ours, b"g12\r")
        until(b"version 12 of")
        os.write(ours, b"q")
        wait_for(lambda: program.poll() is not None)
        assert 0 == program.returncode
    os.close(ours)


# ---- from a server


def test_a_table_is_replayed_from_a_server_too(monkeypatch, services, ada, bob, public):
    table = ada.table("universal-match", "me", "open")["id"]
    bob.sit(table)
    bob.do(table, {"type": "resign"})

    class InProcess:
        def __init__(self, base: str, folder: object) -> None:
            pass

        def recall(self) -> None:
            pass

        def close(self) -> None:
            pass

        def get(self, path: str, query: dict[str, str] | None = None) -> dict[str, Any]:
            words = "&".join(f"{name}={value}" for name, value in (query or {}).items())
            answer: dict[str, Any] = public.get(f"{path}?{words}" if words else path).json
            return answer

    monkeypatch.setattr(records_, "Client", InProcess)
    said = replay(table)

    assert "Ada, Bob" in said
    assert "Bob resigns" in said
    assert "Your hand" not in replay(table, "--at", "2")
    assert "Your hand" in replay(table, "--at", "2", "--as", "0")
