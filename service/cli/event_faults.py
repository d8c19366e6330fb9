"""All that is wrong with the file of an event, at once: by field, with what is allowed there."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import structs

from domain.bots import BOTS
from domain.clock import BankClock, TurnClock
from domain.errors import Refusal
from domain.game import AnyGame
from domain.games import GAMES
from domain.names import NAME_LENGTH, name_fault
from domain.options import parse_options
from domain.tournament.plan import MOST_ENTRANTS, Crowd, NoShow, Points, Sprt, check_plan
from service.cli.event_file import Entrant, EventFile, Json, plan_of
from service.cli.toml_faults import faults

_SEED: Final = 64
_GAMES: Final = f"Must be one of: {', '.join(GAMES)}."
_SECTIONS: Final[Mapping[str, tuple[type, ...]]] = {
    "clock": (TurnClock, BankClock),
    "limits": (Crowd,),
    "no_show": (NoShow,),
    "points": (Points,),
    "sprt": (Sprt,),
    "entrants": (Entrant,),
}
_OF_THE_SERVER: Final = frozenset({"entry", "starts_at", "check_in"})
_STAND_INS: Final[Json] = {"format": "swiss", "seats_per_table": 2, "game": "", "entrants": ()}
_SHAPE: Final = frozenset({"game", "format", "seats_per_table"})
"""Where one of these is wrong, what a plan may be is not known."""


def event_faults(raw: Json, stem: str) -> Mapping[str, str]:
    """Give what is wrong with the file of an event, called `stem`: field to reason; empty where it can be played."""
    found = {field: _better(field, why) for field, why in faults(raw, EventFile).items()}
    game = GAMES.get(raw["game"]) if isinstance(raw.get("game"), str) else None
    if game is not None and isinstance(raw.get("options"), dict):
        found |= {field: _better(field, why) for field, why in faults(raw["options"], game.options, "options").items()}
    wrong = {field.partition(".")[0].partition("[")[0] for field in found}
    good = {name: value for name, value in raw.items() if name in _FIELDS and name not in wrong}
    entrants = _good_entrants(raw, found)
    event = msgspec.convert({**_STAND_INS, **good, "entrants": [each for _, each in entrants]}, EventFile)
    for field, why in _more(event, stem, [number for number, _ in entrants], wrong):
        if field.partition(".")[0] not in wrong - {"entrants"}:
            found.setdefault(field, why)
    return found


_FIELDS: Final = tuple(field.name for field in structs.fields(EventFile))
_TAG: Final = {"clock": ("kind",)}
_HOME: Final = {
    name: section
    for section, kinds in _SECTIONS.items()
    for kind in kinds
    for name in (*(field.name for field in structs.fields(kind)), *_TAG.get(section, ()))
    if name not in _FIELDS
}


def _better(field: str, why: str) -> str:
    """Say where a field belongs that stands in the wrong place: TOML gives all behind a section's head to it."""
    if field == "game":
        return ("Is missing. " if why.startswith("Is missing") else "") + _GAMES
    if not why.startswith("There is no such field."):
        return why
    section, _, name = field.rpartition(".")
    if not section and name in _OF_THE_SERVER:
        return "An event from a file begins at once, with its [[entrants]]; leave it out."
    if not section and name in _HOME:
        home = _HOME[name]
        return f"It belongs to [[{home}]]." if home == "entrants" else f"It belongs to [{home}]."
    if section and name in _FIELDS:
        return "It belongs to the event itself: put it above the first section in [brackets]."
    return why


def _good_entrants(raw: Json, found: Mapping[str, str]) -> Sequence[tuple[int, Any]]:
    given = raw.get("entrants")
    if not isinstance(given, list):
        return ()
    bad = [field for field in found if field.startswith("entrants[")]
    return [
        (number, each)
        for number, each in enumerate(given)
        if not any(field.startswith((f"entrants[{number}].", f"entrants[{number}]")) for field in bad)
    ]


def _more(event: EventFile, stem: str, numbers: Sequence[int], wrong: set[str]) -> Iterator[tuple[str, str]]:
    """Give what is wrong in meaning; of fields that are `wrong` in form already it may be anything."""
    yield from _entrant_faults(event, numbers)
    yield from _word_faults(event, stem)
    game = GAMES.get(event.game)
    if game is None:
        yield "game", _GAMES
        return
    if not wrong & _SHAPE:
        yield from _plan_faults(event, stem, game, wrong)
    yield from _option_faults(game, event, () if "options" in wrong else game.seats)


def _plan_faults(event: EventFile, stem: str, game: AnyGame, wrong: set[str]) -> Iterator[tuple[str, str]]:
    plan = plan_of(event, stem)
    for name, why in check_plan(plan, game.seats).items():
        if name != "sprt" or not wrong & {"entrants", "limits"}:
            yield name.replace("entrants.", "limits."), why.replace("entrants.max 2", "two entrants")
    count = sum(each.count for each in event.entrants)
    if "entrants" in wrong or any(not 1 <= each.count <= MOST_ENTRANTS for each in event.entrants):
        return
    if not event.entrants:
        yield "entrants", "There must be [[entrants]], each with a bot or a command."
    elif count > MOST_ENTRANTS:
        yield "entrants", f"{count} play; there can be at most {MOST_ENTRANTS}."
    elif not plan.entrants.min <= count <= plan.entrants.max:
        yield "entrants", f"{count} play; there must be {plan.entrants.min} to {plan.entrants.max}."
    if event.duplicate and any(each.command for each in event.entrants) and (event.legs > 1 or event.seed is not None):
        yield "duplicate", "With programs it goes with one leg and no seed: none may be dealt the same cards twice."


def _entrant_faults(event: EventFile, numbers: Sequence[int]) -> Iterator[tuple[str, str]]:
    for number, each in zip(numbers, event.entrants, strict=True):
        where = f"entrants[{number}]"
        if (each.bot is None) == (each.command is None):
            yield where, "Must have either a bot or a command."
        if each.bot is not None and each.bot not in BOTS:
            yield f"{where}.bot", f"Must be one of: {', '.join(BOTS)}."
        if each.command is not None and (fault := _command_fault(each)):
            yield f"{where}.command", fault
        if not 1 <= each.count <= MOST_ENTRANTS:
            yield f"{where}.count", f"Must be a whole number from 1 to {MOST_ENTRANTS}, not {_many(each.count)}."
        if each.name is not None and (fault := name_fault(each.name.strip())):
            yield f"{where}.name", fault


def _command_fault(entrant: Entrant) -> str | None:
    """Tell why a program can't be started; whoever leaves the event alone overnight wants to know now."""
    if not entrant.words or not entrant.words[0]:
        return "Must name a program."
    if any("\0" in word for word in entrant.words):
        return "Must not have a character of number 0."
    program = entrant.words[0]
    if shutil.which(program) is not None:
        return None
    if isinstance(entrant.command, str) and " " in program:
        words = ", ".join(f'"{word}"' for word in program.split())
        return f"There is no program with spaces in its name. Write each word by itself: [{words}]."
    if Path(program).exists():
        return f"{program} is no program that this user may run."
    return f"There is no program {program}."


def _word_faults(event: EventFile, stem: str) -> Iterator[tuple[str, str]]:
    if event.clock is not None and (event.clock.on_expiry == "bot") != (event.clock.bot in BOTS):
        yield "clock.bot", f"Goes with on_expiry: bot, and must be one of: {', '.join(BOTS)}."
    if event.no_show is not None and event.no_show.bot not in BOTS:
        yield "no_show.bot", f"Must be one of: {', '.join(BOTS)}."
    if fault := name_fault((event.name or stem).strip()[: None if event.name else NAME_LENGTH]):
        yield "name", fault
    if event.seed is not None and not 1 <= len(event.seed) <= _SEED:
        yield "seed", f"Must have 1 to {_SEED} characters."


def _option_faults(game: AnyGame, event: EventFile, seats: Sequence[int]) -> Iterator[tuple[str, str]]:
    kind: Any = game.options
    try:
        options = parse_options(kind, event.options)
    except Refusal as refused:
        yield from refused.errors.items()
        return
    for number in seats:
        if number <= event.seats_per_table:
            for name, why in game.check_options(options, number).items():
                yield f"options.{name}", why


def _many(count: int) -> str:
    return str(count) if abs(count) < 10**12 else "a number with very many digits"
