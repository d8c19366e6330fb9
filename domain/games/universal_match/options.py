"""The options of a table, with the rulings that explain them."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.values import Value

PerfectMatch = Literal["one_of_each_value", "neighbouring_suits"]
Target = Literal[100, 50, "one_hand"]

DEFAULT_PERFECT: Final = "one_of_each_value"


class Options(Value, frozen=True):
    """What can be agreed before the first deal; everything else is fixed."""

    advanced_a: Annotated[
        bool,
        Meta(
            description="Advanced version A: whoever switches a card with another player's board or with the discard "
            "pile must give a card that is worth at least as much as the one taken.",
            extra_json_schema={"x-ruling": "U32"},
        ),
    ] = False
    advanced_b: Annotated[
        bool,
        Meta(
            description="Advanced version B: a perfect match earns 7 extra points, and another player who can make "
            "a match perfect with one card of his own may take it.",
            extra_json_schema={"x-ruling": "U34"},
        ),
    ] = False
    perfect_match: Annotated[
        PerfectMatch,
        Meta(
            description="When a three of a kind or a rainbow run is perfect: its cards have the values 3, 2 and 1 "
            "(`one_of_each_value`), or three suits that follow each other in the order E, J, M, N, S, V "
            "(`neighbouring_suits`). Only with advanced version B.",
            extra_json_schema={"x-ruling": "U34"},
        ),
    ] = DEFAULT_PERFECT
    target: Annotated[
        Target,
        Meta(
            description="The total, checked after each hand, that ends the game; or `one_hand`: a single hand is "
            "played and the most points win, a tie being shared at once.",
            extra_json_schema={"x-ruling": "U31"},
        ),
    ] = 100


def check_options(options: Options, seats: int) -> Mapping[str, str]:  # noqa: ARG001 - no option depends on the seats
    """Tell what is wrong with well-typed options: field to reason."""
    if options.perfect_match != DEFAULT_PERFECT and not options.advanced_b:
        return {"perfect_match": "Perfect matches exist only in advanced version B: set advanced_b to true."}
    return {}
