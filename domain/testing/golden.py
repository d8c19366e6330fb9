"""Golden logs: games that were played once and must fold to the same views for ever.

A golden log is one JSON object, one entry or frame a line: the game with its rules version, options and seats, the
chosen seed, the entries (seat, command, events as stored), frames (a version, a viewer, the view and how the newest
entry looks to that viewer) and the outcome. It is written once by `record_golden`, kept as
`tests/golden/<game>/<name>.json` and never edited: recorded meaning may not change, whatever the rules become.
"""

import random
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.chance import chosen_secret
from domain.game import AnyGame
from domain.history import canonical, upcast
from domain.options import options_dict, parse_options
from domain.testing.case import Case, expect
from domain.testing.codec import viewers
from domain.testing.playing import Played, Policy, by_rate, play
from domain.testing.shapes import difference, shape
from domain.values import ALL, Event, Seat, Value, Viewer

FRAMES: Final = 5
"""A log keeps the views of so many versions, the first and the last among them."""


def record_golden(case: Case, options: Value, seats: int, seed: str, policies: Sequence[Policy] = ()) -> bytes:
    """Play a game from a chosen seed (greedy seats, unless `policies` are given) and give it as a golden log."""
    game = case.game
    chance = chosen_secret(seed).chance("", [])
    rng = random.Random(seed)  # noqa: S311 - a simulated table
    played = play(case, options, seats, chance, policies or [by_rate] * seats, rng)
    last = len(played.steps)
    versions = sorted({1 + round(part * (last - 1) / (FRAMES - 1)) for part in range(FRAMES)})
    head = {
        "game": game.name,
        "options": dict(options_dict(options)),
        "outcome": game.outcome(played.steps[-1].after),
        "rules_version": game.rules_version,
        "seats": seats,
        "seed": seed,
    }
    entries = [
        canonical({"seat": step.seat, "command": step.command, "events": list(step.events)}) for step in played.steps
    ]
    frames = [canonical(_frame(game, played, version, viewer)) for version in versions for viewer in _all(seats)]
    return b"\n".join(
        [canonical(head)[:-1] + b',"entries":[', b",\n".join(entries), b'],"frames":[', b",\n".join(frames), b"]}\n"]
    )


def check_golden(game: AnyGame, stored: bytes) -> None:
    """Fold a golden log: every recorded field of every view, redacted event and outcome must be there unchanged.

    Fields may have been added since. Under the rules version of the log its commands must also decide the same
    events: a game whose behaviour changes raises `rules_version`.
    """
    golden = msgspec.json.decode(stored)
    options = parse_options(game.options, golden["options"])
    seats: int = golden["seats"]
    frames: dict[int, list[Any]] = {}
    for frame in golden["frames"]:
        frames.setdefault(frame["version"], []).append(frame)
    chance = chosen_secret(golden["seed"]).chance("", [])
    same_rules = golden["rules_version"] == game.rules_version
    state = game.initial(options, seats)
    for version, entry in enumerate(golden["entries"], 1):
        events = _decode(game, entry["events"])
        if same_rules:
            seat, raw = entry["seat"], entry["command"]
            if seat is None:
                decided = game.deal(state, chance)
            else:
                decided = game.decide(state, Seat(seat), msgspec.convert(raw, game.commands), chance)
            said = difference(entry["events"], shape(decided))
            expect(
                said is None,
                f"entry {version}: under the same rules version the command {raw} decides another thing: {said}. "
                "Raise rules_version where the game's behaviour is meant to change",
            )
        for event in events:
            state = game.evolve(state, event)
        for frame in frames.pop(version, ()):
            _check_frame(game, state, events, frame)
    expect(not frames, f"frames of versions that the log hasn't: {sorted(frames)}")
    said = difference(golden["outcome"], shape(game.outcome(state)))
    expect(said is None, f"the outcome is not the recorded one: outcome{said}")


def _all(seats: int) -> tuple[Viewer, ...]:
    return (*viewers(seats), ALL)


def _frame(game: AnyGame, played: Played, version: int, viewer: Viewer) -> dict[str, object]:
    step = played.steps[version - 1]
    return {
        "events": [game.redact(event, viewer) for event in step.events],
        "version": version,
        "view": game.view(step.after, viewer, over=False, shown=False),
        "viewer": viewer,
    }


def _decode(game: AnyGame, raws: list[dict[str, Any]]) -> tuple[Event, ...]:
    events: list[Event] = [msgspec.convert(upcast(raw), game.events) for raw in raws]
    return tuple(events)


def _check_frame(game: AnyGame, state: Any, events: Sequence[Event], frame: dict[str, Any]) -> None:
    viewer, version = frame["viewer"], frame["version"]
    said = difference(frame["view"], shape(game.view(state, viewer, over=False, shown=False)))
    expect(said is None, f"version {version}: the view of {viewer} is not the recorded one: view{said}")
    seen = shape([game.redact(event, viewer) for event in events])
    said = difference(frame["events"], seen)
    expect(said is None, f"version {version}: the entry as {viewer} sees it is not the recorded one: events{said}")
    whole = shape(list(events))
    hidden = difference(seen, whole)
    expect(hidden is None, f"version {version}: {viewer} is shown what the entry does not say: events{hidden}")
