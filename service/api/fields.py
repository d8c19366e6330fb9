"""Fields that marshmallow lacks or takes too kindly: JSON's own types, exactly."""

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError, fields, validate

from domain.history import ms_of
from domain.names import in_one_line, name_fault

SEED_LENGTH: Final = 64
_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)", re.ASCII
)
LAST_MS: Final = 253_402_300_799_999
"""The end of the year 9999."""
_MOST_DIGITS: Final = 9
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,14}")
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


def path_number(text: str) -> int | None:
    """Read a whole number in an address, which is exact: no sign, no zero before it; None for anything else."""
    return int(text) if _NUMBER.fullmatch(text) else None


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


class Moment(fields.String):
    """A time in RFC 3339, given in ms since 1970."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        text: str = super()._deserialize(value, attr, data, **kwargs).upper()
        try:
            at = ms_of(text) if _MOMENT.fullmatch(text) else None
        except (ValueError, OverflowError):
            at = None
        if at is None:
            raise ValidationError("Must be a time in RFC 3339, like 2026-05-01T12:00:00Z.")
        return at


class Date(Moment):
    """A time of our own age: not before 1970, and in a year of four digits also in UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        at = super()._deserialize(value, attr, data, **kwargs)
        if not 0 <= at <= LAST_MS:
            raise ValidationError("Must be a time from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z.")
        return at


class Sentence(fields.String):
    """A text for all to read, in one line; trimmed."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        text: str = super()._deserialize(value, attr, data, **kwargs).strip()
        if in_one_line(text) != text:
            raise ValidationError("Must stand in one line: no control characters, no marks that turn its direction.")
        return text


def one_of(*choices: Any) -> validate.OneOf:
    """Allow these values, and name them to whoever sends another."""
    return validate.OneOf(choices, error="Must be one of: {choices}.")


def length(least: int, most: int) -> validate.Length:
    """Allow so many characters, or items."""
    return validate.Length(min=least, max=most)
