"""Fields that marshmallow lacks or takes too kindly: JSON's own types, exactly."""

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError, fields, validate

from domain.names import name_fault

SEED_LENGTH: Final = 64
_MOST_DIGITS: Final = 9
MOST_IN_A_QUERY: Final = 10**_MOST_DIGITS - 1
"""The largest number that a query may hold: below 2^31."""


class Matches(validate.Validator):
    """A text in which a pattern is found as JSON Schema means it: `$` is its end, not a line break before the end."""

    def __init__(self, pattern: str, error: str | None = None) -> None:
        self.pattern = pattern
        self._wanted = re.compile(re.sub(r"\$$", r"\\Z", pattern))
        self._error = error or f"Must match {pattern}."

    def __call__(self, value: str) -> str:
        """Check a text."""
        if self._wanted.search(value) is None:
            raise ValidationError(self._error)
        return value


class Integer(fields.Integer):
    """A whole number as JSON Schema means it: 8 and 8.0, but not 8.5, "8" or true."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
            raise self.make_error("invalid")
        return int(value)


class Boolean(fields.Boolean):
    """`true` or `false`, and nothing that looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:  # noqa: ARG002 - marshmallow's signature
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class QueryInteger(fields.Integer):
    """A whole number in a query, in plain digits."""

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not value.isascii() or not value.isdigit() or len(value) > _MOST_DIGITS:
            raise self.make_error("invalid")
        return int(value)


class QueryBoolean(fields.Boolean):
    """`true` or `false` in a query."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:  # noqa: ARG002 - marshmallow's signature
        if value not in ("true", "false"):
            raise ValidationError("Must be true or false.")
        return bool(value == "true")


class Name(fields.String):
    """A name as people read it: 1 to 40 characters after trimming, in one line."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        name: str = super()._deserialize(value, attr, data, **kwargs).strip()
        if fault := name_fault(name):
            raise ValidationError(fault)
        return name


def one_of(*choices: Any) -> validate.OneOf:
    """Allow these values, and name them to whoever sends another."""
    return validate.OneOf(choices, error="Must be one of: {choices}.")


def length(least: int, most: int) -> validate.Length:
    """Allow so many characters, or items."""
    return validate.Length(min=least, max=most)
