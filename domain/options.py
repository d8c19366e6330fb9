"""Options of a game from raw JSON values, with what is wrong said by field."""

import types
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from domain.errors import invalid
from domain.values import Value

O = TypeVar("O", bound=Value)  # noqa: E741 - O as in options


def parse_options(kind: type[O], raw: Mapping[str, object], path: str = "options") -> O:
    """Give the options struct with defaults filled in; raises `Refusal` (`validation_failed`) by field."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    errors = {f"{path}.{name}": "There is no such option." for name in raw if name not in fields}
    values: dict[str, object] = {}
    for name, value in raw.items():
        if name in fields:
            try:
                values[fields[name].name] = msgspec.convert(value, fields[name].type)
            except msgspec.ValidationError as wrong:
                reason, _, inside = str(wrong).partition(" - at `$")
                errors[f"{path}.{name}{inside.removesuffix('`')}"] = f"{reason}."
    if errors:
        raise invalid(errors)
    return kind(**values)


def options_dict(options: Value) -> Mapping[str, object]:
    """Give all options, defaults included, as JSON values (G11)."""
    built = msgspec.to_builtins(options)
    return types.MappingProxyType(dict(built))
