"""Every golden log as a record: played again at a table with its seed it is the same, and the record is right."""

import json
from pathlib import Path

import msgspec
import pytest

from domain.games import GAMES
from domain.history import canonical
from domain.record import encode_record, lines_of
from domain.table_rules import Play
from domain.values import Seat
from domain.verify import verify
from tests.support.simulate import TABLE, Simulation, wish

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.json"))


def test_there_are_golden_logs_of_every_game() -> None:
    assert set(GAMES) == {path.parent.name for path in GOLDEN}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_log_verifies_as_a_record(path: Path) -> None:
    golden = msgspec.json.decode(path.read_bytes())
    game = GAMES[golden["game"]]
    if golden["rules_version"] != game.rules_version:
        pytest.skip("a record is verified by the rules of its own version")
    seats = ["random"] * golden["seats"]
    table = Simulation(wish(game.name, *seats, options=golden["options"], chosen_seed=golden["seed"]))
    for entry in golden["entries"][1:]:
        seat = Seat(entry["seat"])
        table.do(Play(seat, msgspec.convert(entry["command"], game.commands)), seat)
    for stored, entry in zip(table.entries[1:], golden["entries"][1:], strict=True):
        kept = [event for event in json.loads(stored.events) if event["type"] != "table_finished"]
        assert canonical(entry["events"]) == canonical(kept)

    record = encode_record(table.table, TABLE, table.entries, {})
    assert golden["outcome"]["scores"] == list(verify(lines_of(record), GAMES).record.outcome.scores)
