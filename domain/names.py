"""Names as people read them: in one line, and never able to move what stands beside them."""

import unicodedata
from typing import Final

NAME_LENGTH: Final = 40
_BREAKS: Final = ("Cc", "Zl", "Zp", "Cs")
"""Categories of Unicode: control characters, line and paragraph separators, halves of pairs."""
_BIDI: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def name_fault(name: str) -> str | None:
    """Tell what is wrong with a name, None where nothing is; spaces around it count."""
    if not 1 <= len(name) <= NAME_LENGTH:
        return f"Must have 1 to {NAME_LENGTH} characters besides spaces around it."
    if any(_is_odd(c) for c in name):
        return "Must stand in one line: no control characters, no marks that turn its direction."
    if all(unicodedata.category(c)[0] in "ZC" for c in name):
        return "Must have a character that can be seen."
    return None


def in_one_line(text: str) -> str:
    """Give a text of whatever origin as it can be shown: a terminal takes no orders from it."""
    return "".join("\ufffd" if _is_odd(c) else c for c in text)


def _is_odd(c: str) -> bool:
    return unicodedata.category(c) in _BREAKS or c in _BIDI
