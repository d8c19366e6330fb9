"""Schemas out of structs: what they take, and that the short way takes nothing else."""

import random
from typing import Annotated, Any, Literal

import msgspec
import pytest
from marshmallow import ValidationError
from msgspec import UNSET, Meta, UnsetType

from domain.games import GAMES
from domain.testing.commands import Vocabulary
from domain.values import Value
from service.api.accept import accepts
from service.api.problems import flat
from service.api.schemas.commands import PlainCommand, _strictly
from service.api.struct_fields import StructField, load_rest, schema_of, shapes_of

ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    -1,
    8.0,
    8.5,
    10**18,
    "",
    "A1",
    "0",
    [],
    [0],
    [0, 0],
    [0.0, 1.0],
    {},
    {"a": 1},
    [None],
    "é",
)


@pytest.mark.parametrize("game", GAMES)
def test_the_short_way_takes_only_what_the_schema_takes_and_makes_the_same_of_it(game):
    rules, rng = GAMES[game], random.Random(game)
    _, plain = shapes_of(PlainCommand)
    _, own = shapes_of(rules.commands)
    made = Vocabulary(rules, rules.options(), min(rules.seats), ()).commands([], rng)
    bodies = [msgspec.to_builtins(command) for command in rng.sample(made, min(80, len(made)))]
    bodies += [{"type": tag} for tag in {**own, **plain}]
    taken = 0
    for body in bodies:
        for _ in range(12):
            changed = dict(body)
            for name in (*body, "replace", "seat"):
                if name != "type" and rng.random() < 0.3:
                    changed[name] = rng.choice(ODD)
            struct, schema = {**own, **plain}[changed["type"]]
            names = frozenset({"type", *(field.encode_name for field in msgspec.structs.fields(struct))})
            short = _strictly(struct, names, changed)
            try:
                long = msgspec.convert(load_rest(schema, changed, "type"), struct)
            except ValidationError:
                long = None
            assert short is None or short == long, changed
            taken += short is not None
    assert taken > len(bodies)


class Part(Value, frozen=True):
    """A part."""

    name: Annotated[str, Meta(pattern="^[a-z]{2,4}$", min_length=2, max_length=4)]
    size: Annotated[int, Meta(gt=0, lt=10)] = 1


class One(Value, frozen=True, tag_field="kind", tag="one"):
    """One shape."""

    a: int


class Two(Value, frozen=True, tag_field="kind", tag="two"):
    """Another shape."""

    b: str | UnsetType = UNSET


class Whole(Value, frozen=True):
    """All that a struct for requests may be made of."""

    word: Literal["x", "y", 3]
    flag: bool
    pair: tuple[int, str]
    parts: Annotated[tuple[Part, ...], Meta(min_length=1, max_length=2)]
    shape: One | Two
    some: int | Literal["none"] | None = None
    more: Part | UnsetType = UNSET


GOOD: dict[str, Any] = {
    "flag": True,
    "word": "x",
    "pair": [1, "a"],
    "parts": [{"name": "ab", "size": 9}],
    "shape": {"kind": "two"},
}


def errors_of(body: Any) -> set[str]:
    try:
        schema_of(Whole).load(body)
    except ValidationError as wrong:
        return set(flat(wrong.messages))
    return set()


def test_a_good_body_becomes_the_struct():
    whole = msgspec.convert(schema_of(Whole).load({**GOOD, "some": "none", "more": {"name": "zz"}}), Whole)
    assert (True, "x", (1, "a"), (Part("ab", 9),)) == (whole.flag, whole.word, whole.pair, whole.parts)
    assert (Two(), "none", Part("zz", 1)) == (whole.shape, whole.some, whole.more)


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"flag": 1}, {"flag"}),
        ({"word": "z"}, {"word"}),
        ({"word": True}, {"word"}),
        ({"word": 3}, set()),
        ({"word": 3.0}, set()),
        ({"pair": [1]}, {"pair"}),
        ({"pair": ["a", 1]}, {"pair[0]", "pair[1]"}),
        ({"parts": []}, {"parts"}),
        ({"parts": [{"name": "a"}, {"name": "abcde"}]}, {"parts[0].name", "parts[1].name"}),
        ({"parts": [{"name": "AB"}]}, {"parts[0].name"}),
        ({"parts": [{"name": "ab", "size": 0}]}, {"parts[0].size"}),
        ({"parts": [{"name": "ab", "size": 10}]}, {"parts[0].size"}),
        ({"parts": [{}]}, {"parts[0].name"}),
        ({"shape": {"kind": "one"}}, {"shape.a"}),
        ({"shape": {"kind": "three"}}, {"shape.kind"}),
        ({"shape": {"kind": "two", "a": 1}}, {"shape.a"}),
        ({"shape": []}, {"shape"}),
        ({"some": 5}, set()),
        ({"some": None}, set()),
        ({"some": "all"}, {"some"}),
        ({"some": []}, {"some"}),
        ({"more": None}, {"more"}),
        ({"more": {"name": "ab", "x": 1}}, {"more.x"}),
        ({"x": 1}, {"x"}),
    ],
)
def test_what_is_wrong_is_said_where_it_is(change, fields):
    assert fields == errors_of({**GOOD, **change})


def test_a_type_that_no_field_knows_is_refused_when_the_schema_is_made():
    class Odd(Value, frozen=True):
        """Holds a float."""

        ratio: float

    with pytest.raises(TypeError, match="no field for"):
        schema_of(Odd)
    with pytest.raises(TypeError, match="no field for"):
        StructField(Odd)
    with pytest.raises(TypeError, match="no struct"):
        schema_of(int)


@pytest.mark.parametrize(
    ("header", "media", "taken"),
    [
        ("application/json", "application/json", True),
        ("text/html, application/json;q=0.5", "application/json", True),
        ("text/html", "application/json", False),
        ("*/*;q=0", "application/json", False),
        ("*/*, application/json;q=0", "application/json", False),
        ("*/*;q=0, application/json", "application/json", True),
        ("application/*;q=0.001", "application/json", True),
        ("application/json;charset=utf-8; q=0", "application/json", False),
        ("text/*", "text/event-stream", True),
    ],
)
def test_accept_is_read_as_it_is_meant(header, media, taken):
    assert taken == accepts(header, media)
