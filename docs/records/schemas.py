"""Write the JSON Schemas of a record's lines anew from the code.

Run `python docs/records/schemas.py` from the root.
A test compares the files with what this writes, so they can't go stale.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.record import EntryLine, Header, NamesLine, OutcomeLine, Trailer
from service.api.json_schemas import standalone
from service.application.export import ExportTrailer, RecordLine

FOLDER = Path(__file__).parent / "schemas"
EVENTS = {
    "type": "array",
    "minItems": 1,
    "items": {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]},
    "description": "The events as stored; openapi.yaml has the shape of each (`Event`), `v` is there from version 2 on.",
}
LINES = {
    "header": Header,
    "entry": EntryLine,
    "outcome": OutcomeLine,
    "trailer": Trailer,
    "names": NamesLine,
    "export-record": RecordLine,
    "export-trailer": ExportTrailer,
}


def files() -> Iterator[tuple[Path, str]]:
    """Give each file with what must stand in it."""
    for name, kind in LINES.items():
        schema: dict[str, Any] = standalone(kind)
        if kind is EntryLine:
            schema["properties"]["events"] = EVENTS
        if kind is RecordLine:
            schema["properties"]["record"] = {
                "type": "array",
                "minItems": 5,
                "items": {"type": "object", "description": "A line of the record; the other schemas here say which."},
            }
        yield FOLDER / f"{name}.schema.json", json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, encoding="utf-8")
        print(path)
