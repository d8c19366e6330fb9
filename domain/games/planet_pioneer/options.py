"""The options of a table and what can be wrong with them."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.games.planet_pioneer.cards import (
    BASE_STATION,
    KINDS,
    LEVEL_KINDS,
    MAX_LEVEL,
    SINGLE_KINDS,
    STANDARD,
    DeckCard,
)
from domain.values import Seat, Value

MIN_CARDS: Final = 60
MAX_CARDS: Final = 400
MIN_NAMES: Final = 18
"""So many different cards fill a grid, since identical ones may not be repeated (P19)."""
NEEDED_LEVELS: Final = (1, 2, 3, 4, 5)


class Options(Value, frozen=True):
    """What may be chosen for a table of Planet Pioneer."""

    first_round: Annotated[
        Literal["until_all_placed", "one_lap"],
        Meta(
            description="`until_all_placed`: the first round goes on, lap after lap, until every player has a card in "
            "his colony, and who has one waits; 13 laps at most. `one_lap`: the first round is one turn each (P11).",
            extra_json_schema={"x-ruling": "P11"},
        ),
    ] = "until_all_placed"
    first_seat: Annotated[
        Annotated[Seat, Meta(ge=0, le=3)] | None,
        Meta(
            description="The seat that begins; null: chance names it (P4).",
            extra_json_schema={"x-ruling": "P4"},
        ),
    ] = None
    tie_break: Annotated[
        Literal["shared", "hand_then_craters"],
        Meta(
            description="`shared`: equal scores share the win. `hand_then_craters`: first the lower total of Levels in "
            "hand decides, then the fewer craters (P47).",
            extra_json_schema={"x-ruling": "P47"},
        ),
    ] = "shared"
    deck: Annotated[
        Literal["standard"] | Annotated[tuple[DeckCard, ...], Meta(max_length=MAX_CARDS)],
        Meta(
            description="`standard`, or a deck list of your own: at least 18 names of structures and defenses with each "
            "of the Levels 1 to 5 among them, at least one structure and one defense, exactly one name each of visit, "
            "attack, strike and cap, 60 to 400 cards in all; all of it is used at every number of seats (P52).",
            extra_json_schema={"x-ruling": "P52"},
        ),
    ] = "standard"

    @property
    def deck_list(self) -> tuple[DeckCard, ...]:
        """The deck as a list, whether it is the standard one or an own."""
        return STANDARD if self.deck == "standard" else self.deck


def check_options(options: Options, seats: int) -> Mapping[str, str]:
    """Give what is wrong at a table of so many seats, by field."""
    errors: dict[str, str] = {}
    if options.first_seat is not None and options.first_seat >= seats:
        errors["first_seat"] = f"This table has seats 0 to {seats - 1}."
    if options.deck != "standard":
        errors |= _check_cards(options.deck)
        if whole := _check_whole(options.deck):
            errors["deck"] = whole
    return errors


def _check_cards(deck: tuple[DeckCard, ...]) -> dict[str, str]:
    errors: dict[str, str] = {}
    first: dict[str, int] = {}
    single: dict[str, int] = {}
    for place, card in enumerate(deck):
        field = f"deck[{place}]"
        if card.name == BASE_STATION:
            errors[f"{field}.name"] = "The Base Station lies in every colony and is in no deck."
        elif first.setdefault(card.name, place) != place:
            errors[f"{field}.name"] = f"Each name stands once; deck[{first[card.name]}] has this one."
        if card.kind in SINGLE_KINDS and single.setdefault(card.kind, place) != place:
            errors[f"{field}.kind"] = f"A deck has one name of kind {card.kind}; deck[{single[card.kind]}] is it."
        if wrong := _wrong_level(card):
            errors[f"{field}.level"] = wrong
    return errors


def _wrong_level(card: DeckCard) -> str | None:
    if card.kind in LEVEL_KINDS:
        return None if 1 <= card.level <= MAX_LEVEL else f"A {card.kind} has a Level from 1 to {MAX_LEVEL}."
    if card.kind == "cap":
        return None if card.level == 1 else "A cap has Level 1."
    return None if card.level == 0 else f"A card of kind {card.kind} has no Level: write 0."


def _check_whole(deck: tuple[DeckCard, ...]) -> str:
    wrong: list[str] = []
    names = {card.name: card for card in deck if card.kind in LEVEL_KINDS}
    if len(names) < MIN_NAMES:
        wrong.append(f"A deck has at least {MIN_NAMES} names of structures and defenses; this one has {len(names)}.")
    levels = {card.level for card in names.values()}
    if missing := [str(level) for level in NEEDED_LEVELS if level not in levels]:
        wrong.append(f"No structure or defense has Level {', '.join(missing)}.")
    kinds = Counter(card.kind for card in deck)
    wrong += [f"There is no card of kind {kind}." for kind in KINDS if not kinds[kind]]
    total = sum(card.copies for card in deck)
    if not MIN_CARDS <= total <= MAX_CARDS:
        wrong.append(f"A deck has {MIN_CARDS} to {MAX_CARDS} cards; this one has {total}.")
    return " ".join(wrong)
