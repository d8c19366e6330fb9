"""The header `Accept` (RFC 9110 12.5.1): whether a format is wanted."""

import re
from typing import Final

_WEIGHT: Final = re.compile(r";[ \t]*q=([01](?:\.\d{0,3})?)[ \t]*(?:;|$)", re.IGNORECASE)


def accepts(header: str, media: str) -> bool:
    """Tell whether a header takes a media type; of the ranges that fit, the most exact counts.

    Parameters besides the weight are not looked at: `application/json; charset=utf-8` asks for JSON.
    """
    best, weight = -1, 0.0
    kind = media.partition("/")[0]
    exactness = {"*/*": 0, f"{kind}/*": 1, media: 2}
    for part in header.split(","):
        exact = exactness.get(part.partition(";")[0].strip().lower(), -1)
        if exact > best:
            found = _WEIGHT.search(part)
            best, weight = exact, float(found[1]) if found else 1.0
    return weight > 0
