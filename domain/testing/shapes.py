"""JSON shapes compared: what a redacted value may be of the full one, and the cards that a value names."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.history import canonical
from domain.testing.case import expect


def shape(value: object) -> Any:
    """Give a value as the JSON that a client gets, decoded."""
    return msgspec.json.decode(canonical(value))


def strings(value: Any) -> Iterator[str]:
    """Give every string in a JSON value, keys apart."""
    match value:
        case str():
            yield value
        case list():
            for part in value:
                yield from strings(part)
        case dict():
            for part in value.values():
                yield from strings(part)
        case _:
            pass


def difference(part: Any, whole: Any, path: str = "") -> str | None:
    """Say where `part` is more than `whole` with fields left out; None where it is not."""
    match part, whole:
        case dict(), dict():
            for key, value in part.items():
                if key not in whole:
                    return f"{path}.{key} is not in the whole"
                if said := difference(value, whole[key], f"{path}.{key}"):
                    return said
            return None
        case list(), list():
            if len(part) != len(whole):
                return f"{path} has {len(part)} items, not {len(whole)}"
            for place, (one, other) in enumerate(zip(part, whole, strict=True)):
                if said := difference(one, other, f"{path}[{place}]"):
                    return said
            return None
        case _:
            return None if part == whole else f"{path} is {part!r}, not {whole!r}"


def check_counts(whole: Any, path: str = "") -> None:
    """Beside each list `x` with a count `x_count`, and beside `cards` with a `count`, the count is its length."""
    match whole:
        case dict():
            _check_counts_of(whole, path)
            for key, value in whole.items():
                check_counts(value, f"{path}.{key}")
        case list():
            for place, value in enumerate(whole):
                check_counts(value, f"{path}[{place}]")
        case _:
            pass


def _check_counts_of(fields: Mapping[str, Any], path: str) -> None:
    for key, value in fields.items():
        count = fields.get("count" if key == "cards" else f"{key}_count")
        if isinstance(value, list) and isinstance(count, int):
            expect(len(value) == count, f"{path}.{key} has {len(value)} cards beside a count of {count}")
