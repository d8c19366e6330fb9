"""The options of a table of Beam Me Up, with the rulings that they stand for."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.values import Value


class Options(Value, frozen=True):
    """How a table of Beam Me Up is played where the rule sheet can be read in more than one way."""

    launched_aliens: Annotated[
        Literal["home", "discard"],
        Meta(
            description="Where the three aliens of a launched set go: `home` takes them out of the game with the "
            "Space Racer, `discard` lays them on the discard pile (B26).",
            extra_json_schema={"x-ruling": "B26"},
        ),
    ] = "home"
    lines: Annotated[
        Literal["open", "hidden"],
        Meta(
            description="`open`: everybody sees every line. `hidden`: opponents see how many cards a line has; "
            "each pick is public all the same and stands in the log (B34).",
            extra_json_schema={"x-ruling": "B34"},
        ),
    ] = "open"
    earth_racer: Annotated[
        bool,
        Meta(
            description="`true`: all nine Space Racers. `false`: the short game without the Space Racer for Earth; "
            "ties are then more frequent, not rarer (B32).",
            extra_json_schema={"x-ruling": "B32"},
        ),
    ] = True
    tie_break: Annotated[
        Literal["shared", "fewer_in_line"],
        Meta(
            description="`shared`: all seats with the most Space Racers win. `fewer_in_line`: of these the one with "
            "fewer aliens left in its line; the win is shared if that is equal too (B33).",
            extra_json_schema={"x-ruling": "B33"},
        ),
    ] = "shared"
