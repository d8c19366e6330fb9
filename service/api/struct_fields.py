"""marshmallow fields and schemas out of the domain's own structs, so that a new game needs no schema code.

What a struct's annotations say (`Literal`, bounds, patterns, lengths, tags) is checked here, in words; what is left
is for the game's own checks. `load_struct` gives the struct.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from msgspec import inspect

from service.api.fields import Boolean, Integer, Matches

T = TypeVar("T")

_FEW: Final = 12
"""So many choices are named in full to whoever sends another value."""


class Choice(fields.Field[Any]):
    """One of the values of a `Literal`: of the same JSON type, which 1 and true are not."""

    def __init__(self, values: Sequence[Any], **kwargs: Any) -> None:
        self.values = tuple(values)
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ARG002 - marshmallow's signature
        for choice in self.values:
            if choice == value and isinstance(choice, str) is isinstance(value, str) and not isinstance(value, bool):
                return choice
        shown = [str(choice) for choice in self.values]
        if len(shown) > _FEW:
            shown = [*shown[:3], "…", shown[-1]]
        raise ValidationError(f"Must be one of: {', '.join(shown)}.")


class Fixed(fields.Field[Any]):
    """A list of exactly these items."""

    def __init__(self, items: Sequence[fields.Field[Any]], **kwargs: Any) -> None:
        self.items = tuple(items)
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ARG002 - marshmallow's signature
        if not isinstance(value, list) or len(value) != len(self.items):
            raise ValidationError(f"Must be a list of {len(self.items)}.")
        loaded: list[Any] = []
        errors: dict[int, Any] = {}
        for place, (item, inner) in enumerate(zip(self.items, value, strict=True)):
            try:
                loaded.append(item.deserialize(inner))
            except ValidationError as wrong:
                errors[place] = wrong.messages
        if errors:
            raise ValidationError(errors)
        return loaded


class Either(fields.Field[Any]):
    """A value of one of several JSON types, told apart by that type."""

    def __init__(self, choices: Sequence[fields.Field[Any]], **kwargs: Any) -> None:
        self.choices = tuple(choices)
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ARG002 - marshmallow's signature
        fitting = [choice for choice in self.choices if _kind(value) in _kinds(choice)]
        if not fitting:
            raise ValidationError(f"Must be {' or '.join(kind for c in self.choices for kind in sorted(_kinds(c)))}.")
        return fitting[0].deserialize(value)


class Tagged(fields.Field[Any]):
    """An object of one of several shapes, told apart by its tag."""

    def __init__(self, tag: str, shapes: Mapping[str, Schema], **kwargs: Any) -> None:
        self.tag = tag
        self.shapes = shapes
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ARG002 - marshmallow's signature
        if not isinstance(value, dict):
            raise ValidationError("Must be an object.")
        name = value.get(self.tag)
        if not isinstance(name, str) or name not in self.shapes:
            raise ValidationError({self.tag: [f"Must be one of: {', '.join(self.shapes)}."]})
        return {self.tag: name, **load_rest(self.shapes[name], value, self.tag)}


class StructField(fields.Field[Any]):
    """A field that gives a struct of this type, or a value of any type that `field_of` knows."""

    def __init__(self, kind: Any, **kwargs: Any) -> None:
        self.kind = kind
        self._inner = field_of(inspect.type_info(kind))
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ARG002 - marshmallow's signature
        return msgspec.convert(self._inner.deserialize(value), self.kind)


def load_rest(schema: Schema, value: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """Load an object's fields besides its tag."""
    loaded: dict[str, Any] = schema.load({name: inner for name, inner in value.items() if name != tag})
    return loaded


@functools.cache
def schema_of(kind: Any) -> Schema:
    """Give the schema of a struct's fields, its tag left out."""
    info = inspect.type_info(kind)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{kind!r} is no struct")
    return _schema(info)


@functools.cache
def shapes_of(union: Any) -> tuple[str, Mapping[str, tuple[Any, Schema]]]:
    """Give a tagged union's tag field, and its structs with their schemas by tag."""
    info = inspect.type_info(union)
    structs = info.types if isinstance(info, inspect.UnionType) else (info,)
    shapes = {str(each.tag): (each.cls, _schema(each)) for each in structs if isinstance(each, inspect.StructType)}
    tag = next(each.tag_field for each in structs if isinstance(each, inspect.StructType))
    return str(tag), shapes


def field_of(kind: inspect.Type) -> fields.Field[Any]:
    """Give the field that checks a type as `msgspec.inspect` describes it; raises `TypeError` for one unknown here."""
    match kind:
        case inspect.Metadata(type=inner):
            return field_of(inner)
        case inspect.UnionType(types=types):
            return _union(types)
        case inspect.LiteralType(values=values):
            return Choice(_literals(values), required=True)
        case inspect.BoolType():
            return Boolean(required=True)
        case inspect.IntType():
            return Integer(required=True, validate=_bounds(kind))
        case inspect.StrType(min_length=least, max_length=most, pattern=pattern):
            rules: list[Callable[[Any], Any]] = []
            if least is not None or most is not None:
                rules.append(validate.Length(min=least, max=most))
            if pattern is not None:
                rules.append(Matches(pattern))
            return fields.String(required=True, validate=rules)
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            return fields.List(field_of(item), required=True, validate=validate.Length(min=least, max=most))
        case inspect.TupleType(item_types=items):
            return Fixed([field_of(item) for item in items], required=True)
        case inspect.StructType():
            return fields.Nested(_schema(kind), required=True)
        case _:
            raise TypeError(f"no field for {kind!r}; service/api/struct_fields.py wants a case for it")


def _union(types: Sequence[inspect.Type]) -> fields.Field[Any]:
    rest = [each for each in types if not isinstance(each, inspect.NoneType)]
    nullable = any(isinstance(each, inspect.NoneType) for each in types)
    structs = [each for each in rest if isinstance(each, inspect.StructType)]
    field: fields.Field[Any]
    if len(rest) == 1:
        field = field_of(rest[0])
    elif len(structs) == len(rest):
        field = Tagged(str(structs[0].tag_field), {str(each.tag): _schema(each) for each in structs}, required=True)
    else:
        field = Either([field_of(each) for each in rest], required=True)
    field.allow_none = nullable
    return field


def _schema(info: inspect.StructType) -> Schema:
    named: dict[str, fields.Field[Any]] = {}
    for each in info.fields:
        field = field_of(each.type)
        field.required = each.required
        named[each.encode_name] = field
    return Schema.from_dict(named, name=info.cls.__name__)(unknown=RAISE)


def _literals(values: Sequence[Any]) -> list[Any]:
    return sorted(values, key=lambda value: (isinstance(value, str), value))


def _bounds(kind: inspect.IntType) -> list[validate.Validator]:
    least = kind.ge if kind.ge is not None else (None if kind.gt is None else kind.gt + 1)
    most = kind.le if kind.le is not None else (None if kind.lt is None else kind.lt - 1)
    return [] if least is None and most is None else [validate.Range(min=least, max=most)]


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return "null"


def _kinds(field: fields.Field[Any]) -> set[str]:
    match field:
        case Choice(values=values):
            return {_kind(value) for value in values}
        case Boolean():
            return {"true or false"}
        case Integer():
            return {"a number"}
        case fields.String():
            return {"a text"}
        case fields.List() | Fixed():
            return {"a list"}
        case Either(choices=choices):
            return {kind for choice in choices for kind in _kinds(choice)}
        case _:
            return {"an object"}
