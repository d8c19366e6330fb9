"""docs/records: schemas are those of the code, examples are right, and both agree."""

import importlib.util
import json
from pathlib import Path

import jsonschema_rs
import pytest

from domain.games import GAMES
from domain.record import lines_of
from domain.verify import verify
from service.application.export import ExportTrailer
from service.cli.bulk_writers import ENTRIES, TABLES
from tests.support.running import ROOT

RECORDS = ROOT / "docs" / "records"
EXAMPLES = sorted((RECORDS / "examples").iterdir())
README = (RECORDS / "README.md").read_text(encoding="utf-8")


def generated() -> dict[Path, str]:
    spec = importlib.util.spec_from_file_location("schemas", RECORDS / "schemas.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.files())


def test_the_schemas_are_those_of_the_code():
    """Where this fails: python docs/records/schemas.py writes them anew."""
    assert generated() == {path: path.read_text(encoding="utf-8") for path in sorted((RECORDS / "schemas").iterdir())}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_right_and_every_line_is_what_its_schema_says(example):
    record = example.read_bytes()
    verify(lines_of(record), GAMES)
    kinds = set()
    for line in map(json.loads, record.splitlines()):
        kinds.add(line["type"])
        schema = json.loads((RECORDS / "schemas" / f"{line['type']}.schema.json").read_bytes())
        jsonschema_rs.validate(schema, line)
        with pytest.raises(jsonschema_rs.ValidationError):
            jsonschema_rs.validate(schema, {**line, "zzz": 1})
    assert {"header", "entry", "outcome", "trailer", "names"} == kinds


def test_there_is_an_example_of_every_game_and_the_page_names_them_all():
    assert set(GAMES) == {json.loads(path.read_bytes().splitlines()[0])["game"] for path in EXAMPLES}
    assert [] == [path.name for path in EXAMPLES if f"(examples/{path.name})" not in README]


def test_the_page_names_every_column_and_every_schema():
    for column in (*TABLES, *ENTRIES, *ExportTrailer.__struct_fields__):
        assert f"`{column}`" in README or column in README.partition('`{"type": "trailer"')[2][:80], column
    assert [] == [path.name for path in generated() if f"(schemas/{path.name})" not in README]
