"""JSON Schema out of marshmallow's schemas: what requests may hold."""

from collections.abc import Iterable
from typing import Any

from marshmallow import Schema, fields, missing, validate

from domain.names import NAME_LENGTH
from service.api.fields import MOST_IN_A_QUERY, Boolean, Integer, Matches, Moment, Name, QueryBoolean, QueryInteger
from service.api.paging import BothWays, Cursor
from service.api.schemas.events import QuerySeconds
from service.api.short_lists import AfterKey
from service.api.struct_fields import StructField


def struct_kinds(schema: type[Schema]) -> list[Any]:
    """Give the types of the structs that a schema's fields hold."""
    found: list[Any] = []
    for field in schema().fields.values():
        inner = field.inner if isinstance(field, fields.List) else field
        if isinstance(inner, StructField):
            found.append(inner.kind)
    return found


def object_schema(schema: type[Schema], parts: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """Give the schema of an object; `parts` holds those of the structs in it."""
    loaded = schema().fields
    required = [name for name, field in loaded.items() if field.required]
    described: dict[str, Any] = {
        "type": "object",
        "description": (schema.__doc__ or "").strip(),
        "properties": {
            field.data_key or name: _or_null(field, field_schema(field, parts)) for name, field in loaded.items()
        },
    }
    if required:
        described["required"] = required
    described["additionalProperties"] = False
    return described


def _or_null(field: fields.Field[Any], described: dict[str, Any]) -> dict[str, Any]:
    """Say that null is the same as leaving a field out, where it is."""
    return {**described, "type": [described["type"], "null"]} if field.allow_none and "type" in described else described


def parameters(schema: type[Schema]) -> list[dict[str, Any]]:
    """Give the query parameters that a schema describes."""
    found: list[dict[str, Any]] = []
    for name, field in schema().fields.items():
        described = field_schema(field, {})
        text = described.pop("description", "")
        found.append(
            {
                "name": field.data_key or name,
                "in": "query",
                "required": field.required,
                "description": text,
                "schema": described,
            }
        )
    return found


def field_schema(field: fields.Field[Any], parts: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """Give the schema of a field."""
    described = _kind(field, parts)
    if field.metadata:
        described |= {"description": field.metadata["description"]}
    for rule in field.validators:
        described |= _rule(rule, is_list=isinstance(field, fields.List))
    if field.load_default is not missing and not callable(field.load_default) and field.load_default is not None:
        described["default"] = field.load_default
    return described


def _kind(field: fields.Field[Any], parts: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    match field:
        case StructField(kind=kind):
            part = parts[kind]
            return {"anyOf": [part, {"type": "null"}]} if field.allow_none else dict(part)
        case Name():
            return {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH}
        case Cursor() | BothWays() | AfterKey():
            return {"type": "string", "minLength": 1}
        case Moment():
            return {"type": "string", "format": "date-time"}
        case fields.String():
            return {"type": "string"}
        case QueryInteger():
            return {"type": "integer", "maximum": MOST_IN_A_QUERY}
        case Integer():
            return {"type": "integer"}
        case QuerySeconds():
            return {"type": "number"}
        case Boolean() | QueryBoolean():
            return {"type": "boolean"}
        case fields.List():
            return {"type": "array", "items": field_schema(field.inner, parts)}
        case fields.Dict():
            return {"type": "object"}
        case _:
            raise TypeError(f"the contract has no words for {field!r}")


def _rule(rule: Any, *, is_list: bool) -> dict[str, Any]:
    match rule:
        case validate.OneOf(choices=choices):
            return {"enum": list(choices)}
        case validate.Range(min=least, max=most):
            return _given({"minimum": least, "maximum": most})
        case validate.Length(min=least, max=most):
            names = ("minItems", "maxItems") if is_list else ("minLength", "maxLength")
            return _given(dict(zip(names, (least, most), strict=True)))
        case Matches(pattern=pattern):
            return {"pattern": pattern}
        case _:
            raise TypeError(f"the contract has no words for {rule!r}")


def _given(bounds: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in bounds.items() if value is not None}


def all_kinds(schemas: Iterable[type[Schema]]) -> list[Any]:
    """Give the types of the structs in several schemas, each once."""
    return list(dict.fromkeys(kind for schema in schemas for kind in struct_kinds(schema)))
