"""JSON Schema out of the domain's structs (2020-12), with what msgspec leaves out said again."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


def standalone(kind: Any) -> dict[str, Any]:
    """Give a schema that needs nothing else: its parts in `$defs`."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "$defs": _closed(parts)}


def components(kinds: Sequence[Any], prefix: str = "") -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Give schemas of these types and the parts they refer to, named with a prefix, for `openapi.yaml`."""
    schemas, parts = msgspec.json.schema_components(kinds, ref_template=f"#/components/schemas/{prefix}{{name}}")
    return list(schemas), {f"{prefix}{name}": part for name, part in parts.items()}


def _closed(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Say that requests may hold no unknown fields."""
    return {
        name: {**part, "additionalProperties": False} if part.get("type") == "object" else part
        for name, part in parts.items()
    }
