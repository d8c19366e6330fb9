"""The measurement of the bots' levels: its intervals, and that it goes on where it was stopped."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

LADDER = Path(__file__).parents[3] / "bench" / "ladder.py"


@pytest.fixture(scope="module")
def ladder():
    spec = importlib.util.spec_from_file_location("ladder_measured", LADDER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize(("freedom", "point"), [(1, 12.706), (2, 4.303), (9, 2.262), (39, 2.023), (999, 1.962)])
def test_the_interval_is_students(ladder, freedom, point):
    assert point == pytest.approx(ladder.student(freedom), abs=0.001)


def test_blocks_that_all_came_out_alike_prove_no_more_than_their_number_does(ladder):
    assert (1.0, pytest.approx(0.025 ** (1 / 20)), 1.0) == ladder.interval([1.0] * 20)
    assert (0.5, 0.0, 1.0) == ladder.interval([0.5])


def test_a_mean_of_blocks_has_its_interval_around_it(ladder):
    mean, low, high = ladder.interval([0.5, 1.0, 0.5, 1.0])
    assert (0.75, pytest.approx(0.75 - 3.182 * 0.2887 / 2, abs=0.001), 1.0) == (mean, low, high)


def test_a_block_is_played_once_and_stored_ones_of_other_plans_do_not_count(ladder, tmp_path, monkeypatch, capsys):
    out = tmp_path / "ladder.jsonl"
    asked = ["ladder", "--out", str(out), "--game", "planet-pioneer", "--seats", "2", "--pairs", "greedy:easy"]

    def run(*more):
        monkeypatch.setattr(sys, "argv", [*asked, "--workers", "1", *more])
        ladder.main()
        return capsys.readouterr()

    run("--blocks", "2")
    first = out.read_text("utf-8").splitlines()
    again = run("--blocks", "3")
    lines = out.read_text("utf-8").splitlines()
    assert "1 of 1 blocks" in again.err
    assert [1, 2, 3] == [json.loads(line)["seed"] for line in lines]
    assert first == lines[:2]
    assert "| planet-pioneer | 2 | greedy | easy | 3 x 2 |" in run("--table").out

    other = {**json.loads(lines[0]), "plans": ["another", ""]}
    out.write_text("\n".join([json.dumps(other), *lines[1:]]) + "\n", "utf-8")
    assert "| 2 x 2 |" in run("--table").out
