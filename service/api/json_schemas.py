"""JSON Schema (2020-12) out of the domain's structs, with what msgspec leaves out said again."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

Parts = dict[str, Any]
"""Named schemas, `components.schemas` or `$defs`."""

SECTION: Final = "#/components/schemas/"
_LONG: Final = 12
"""An enumeration with more values is worth a name."""


def standalone(kind: Any) -> dict[str, Any]:
    """Give a schema of what requests may hold that needs nothing else: its own parts in `$defs`."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    parts = {name: closed(tidied(part)) for name, part in sorted(parts.items())}
    own = schema.get("$ref", "").removeprefix("#/$defs/")
    whole = parts.pop(own) if own else tidied(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, **({"$defs": parts} if parts else {})}


def components(kinds: Iterable[Any], rename: Callable[[str], str]) -> tuple[list[dict[str, Any]], Parts]:
    """Give a schema for each type and the parts that these refer to, each under its new name, in its order."""
    schemas, parts = msgspec.json.schema_components(list(kinds), ref_template=f"{SECTION}{{name}}")
    renamed = {rename(name): _referring(_of_one_kind(tidied(part)), rename) for name, part in parts.items()}
    for name, part in renamed.items():
        if "title" in part:
            part["title"] = name
    return [_referring(tidied(schema), rename) for schema in schemas], renamed


def ref(name: str) -> dict[str, Any]:
    """Refer to a part."""
    return {"$ref": f"{SECTION}{name}"}


def tidied(schema: Any) -> Any:
    """Say `oneOf` where a discriminator tells shapes apart, and name an enumeration's default first."""
    if isinstance(schema, list):
        return [tidied(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    tidy = {name: tidied(inner) for name, inner in schema.items()}
    if "discriminator" in tidy and "anyOf" in tidy:
        tidy = {"oneOf" if name == "anyOf" else name: inner for name, inner in tidy.items()}
    if tidy.get("items") is False and tidy.get("maxItems") == len(tidy.get("prefixItems", ())):
        del tidy["items"]  # says nothing new, and generators of clients stumble over it
    if isinstance(tidy.get("enum"), list):
        choices = sorted(tidy["enum"], key=_by_name_and_number)
        default = tidy.get("default")
        tidy["enum"] = [default, *(c for c in choices if c != default)] if default in choices else choices
        if len(choices) == 1:
            del tidy["enum"]
            # openapi-python-client writes code for a constant that is true or false which is no Python.
            tidy |= {"type": "boolean"} if isinstance(choices[0], bool) else {"const": choices[0]}
    return tidy


def _of_one_kind(schema: Any) -> Any:
    """Part enumerations of numbers and words in two: generators of clients make one type of each."""
    if isinstance(schema, list):
        return [_of_one_kind(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    whole = {name: _of_one_kind(inner) for name, inner in schema.items()}
    choices = whole.get("enum")
    if isinstance(choices, list) and len({type(choice) for choice in choices}) > 1:
        del whole["enum"]
        kinds = dict.fromkeys(type(choice) for choice in choices)
        whole["anyOf"] = [{"enum": [choice for choice in choices if type(choice) is kind]} for kind in kinds]
    return whole


def hoisted(schema: Any, name: str, parts: Parts) -> Any:
    """Give a schema whose long enumerations (cards) are parts of their own: `name`, and with a number beyond one."""
    if isinstance(schema, list):
        return [hoisted(each, name, parts) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    inner = {key: hoisted(value, name, parts) for key, value in schema.items()}
    choices = inner.get("enum")
    if not isinstance(choices, list) or len(choices) <= _LONG:
        return inner
    known = next((each for each, part in parts.items() if part["enum"] == choices), None)
    if known is None:
        known = f"{name}{len(parts) + 1}" if parts else name
        parts[known] = {"title": known, "enum": choices}
    return {key: value for key, value in inner.items() if key != "enum"} | ref(known)


def closed(part: Mapping[str, Any]) -> dict[str, Any]:
    """Say that a request may hold no fields but these."""
    return {**part, "additionalProperties": False} if part.get("type") == "object" else dict(part)


def _referring(schema: Any, rename: Callable[[str], str]) -> Any:
    """Give a schema whose references, also those of discriminators, have their new names."""
    if isinstance(schema, list):
        return [_referring(each, rename) for each in schema]
    if isinstance(schema, Mapping):
        return {name: _referring(inner, rename) for name, inner in schema.items()}
    if isinstance(schema, str) and schema.startswith(SECTION):
        return SECTION + rename(schema.removeprefix(SECTION))
    return schema


_NUMBERS: Final = re.compile(r"(\d+)")


def _by_name_and_number(value: Any) -> tuple[bool, list[Any]]:
    """Sort as people do: 2 before 10, A2 before A10."""
    pieces = _NUMBERS.split(str(value))
    return isinstance(value, str), [int(piece) if piece.isdigit() else piece for piece in pieces]
