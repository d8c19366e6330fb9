"""What is wrong with a TOML file's values, all of it at once: by field, in words, with what is allowed there."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from typing import Final

from msgspec import inspect

_LONGEST: Final = 40


def faults(raw: object, kind: type, path: str = "") -> Mapping[str, str]:
    """Give every value of a raw struct that is not what its field takes: field to reason; `path` goes before each."""
    found: dict[str, str] = {}
    for field, why in _wrong(raw, _bare(inspect.type_info(kind)), path):
        found.setdefault(field, why)
    return found


def no_such(name: str, known: Sequence[str]) -> str:
    """Say that there is no such field, with the nearest one, or else with all."""
    near = difflib.get_close_matches(name, known, n=1)
    return "There is no such field. " + (f"Is it {near[0]}?" if near else f"There are: {', '.join(known)}.")


def _wrong(value: object, kind: inspect.Type, path: str) -> Iterator[tuple[str, str]]:
    match kind:
        case inspect.UnionType(types=types):
            yield from _wrong_union(value, [_bare(each) for each in types], path)
        case inspect.StructType() if isinstance(value, dict):
            yield from _wrong_struct(value, kind, path)
        case inspect.VarTupleType(item_type=item) if isinstance(value, list):
            for number, each in enumerate(value):
                yield from _wrong(each, _bare(item), f"{path}[{number}]")
            if kind.max_length is not None and len(value) > kind.max_length:
                yield path, f"Must have at most {kind.max_length} items, not {len(value)}."
        case _ if not _fits(value, kind):
            yield path, f"Must be {_words(kind, path)}, not {_shown(value)}."


def _wrong_union(value: object, kinds: Sequence[inspect.Type], path: str) -> Iterator[tuple[str, str]]:
    """Where one of the kinds is meant, judge by it: the struct with the value's tag, the list, or the only one."""
    kinds = [kind for kind in kinds if not isinstance(kind, inspect.NoneType)]
    structs = [kind for kind in kinds if isinstance(kind, inspect.StructType)]
    tags = {str(kind.tag): kind for kind in structs if kind.tag_field is not None}
    if isinstance(value, dict) and tags:
        field = str(structs[0].tag_field)
        tag = value.get(field)
        if isinstance(tag, str) and tag in tags:
            yield from _wrong_struct({name: each for name, each in value.items() if name != field}, tags[tag], path)
        else:
            is_there = f", not {_shown(tag)}" if field in value else "; it is missing"
            yield f"{path}.{field}", f"Must be one of: {_tags(tags)}{is_there}."
        return
    meant = [
        kind
        for kind in kinds
        if len(kinds) == 1 or (isinstance(value, list) and isinstance(kind, inspect.VarTupleType))
    ]
    if meant:
        yield from _wrong(value, meant[0], path)
    elif tags:
        yield path, f"Must be a section [{path}] with {structs[0].tag_field}: {_tags(tags)}, not {_shown(value)}."
    elif not any(_fits(value, kind) for kind in kinds):
        yield path, f"Must be {' or '.join(_words(kind, path) for kind in kinds)}, not {_shown(value)}."


def _tags(tags: Mapping[str, object]) -> str:
    return ", ".join(sorted(tags))


def _wrong_struct(value: Mapping[str, object], kind: inspect.StructType, path: str) -> Iterator[tuple[str, str]]:
    fields = {field.encode_name: field for field in kind.fields}
    before = f"{path}." if path else ""
    for name, each in value.items():
        if name in fields:
            yield from _wrong(each, _bare(fields[name].type), before + name)
        else:
            yield before + name, no_such(name, [*fields])
    for name, field in fields.items():
        if field.required and name not in value:
            yield before + name, f"Is missing. It must be {_words(_bare(field.type), before + name)}."


def _fits(value: object, kind: inspect.Type) -> bool:
    match kind:
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType(ge=least, le=most):
            return type(value) is int and (least is None or value >= least) and (most is None or value <= most)
        case inspect.StrType(pattern=pattern):
            return isinstance(value, str) and (pattern is None or re.search(pattern, value) is not None)
        case inspect.LiteralType(values=values):
            return type(value) in (int, str) and value in values
        case inspect.DictType():
            return isinstance(value, dict)
        case _:
            return False


def _words(kind: inspect.Type, path: str) -> str:
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=None, le=None):
            return "a whole number"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.StrType(pattern=None):
            return "text in quotes"
        case inspect.StrType(pattern=pattern):
            return f"text that matches {pattern}"
        case inspect.LiteralType(values=values):
            return f"one of: {', '.join(map(str, values))}"
        case inspect.VarTupleType(item_type=item) if isinstance(_bare(item), inspect.StructType):
            return f"a list, [[{path}]] in two brackets before each"
        case inspect.VarTupleType(item_type=item):
            return f"a list, [...], each {_words(_bare(item), path)}"
        case inspect.StructType(fields=fields, tag_field=tag):
            names = [*([tag] if tag else []), *(field.encode_name for field in fields)]
            return f"a section{'' if '[' in path else f' [{path}]'} with {', '.join(names)}"
        case inspect.UnionType(types=types):
            known = [_bare(each) for each in types if not isinstance(each, inspect.NoneType)]
            return " or ".join(_words(each, path) for each in known)
        case _:
            return f"a section [{path}]"


def _bare(kind: inspect.Type) -> inspect.Type:
    return _bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _shown(value: object) -> str:
    """Name a value as it stands in the file, a long one by its beginning."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f"the text {_short(repr(value))}"
        case int() | float():
            return f"the number {_short(_digits(value))}"
        case date() | time():
            return f"the time {value}"
        case dict():
            return "a section"
        case list():
            return "a list"
        case _:
            return "this"


def _digits(number: float) -> str:
    """Write a number; one with more digits than Python writes (4300) by its size."""
    try:
        return str(number)
    except ValueError:
        return "with thousands of digits"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
