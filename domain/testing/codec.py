"""Laws of JSON and of redaction: what is stored comes back the same, and a viewer gets it with parts left out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.game import AnyGame
from domain.history import canonical
from domain.testing.case import Case, expect
from domain.testing.playing import Played
from domain.testing.shapes import check_counts, difference, shape, strings
from domain.values import ALL, PUBLIC, Event, Seat, Value, Viewer


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Give the public and every seat."""
    return (PUBLIC, *(Seat(seat) for seat in range(seats)))


def check_round_trip(kinds: Any, values: Iterable[msgspec.Struct]) -> None:
    """Each value comes back from its JSON the same, and its JSON is the same when encoded again."""
    decoder = msgspec.json.Decoder(kinds)
    for value in values:
        stored = canonical(value)
        try:
            again = decoder.decode(stored)
        except msgspec.ValidationError as wrong:
            raise AssertionError(f"{stored.decode()} is not read again: {wrong}") from wrong
        expect(again == value, f"{value} comes back from its JSON as {again}")
        expect(canonical(again) == stored, f"{value} has another JSON when it is encoded again")


def check_codec(case: Case, played: Played) -> None:
    """Events and commands of a game survive the store, redacted ones too; the fold of the stored log is the state."""
    game = case.game
    check_round_trip(game.commands, [step.command for step in played.steps if step.command is not None])
    events = [event for step in played.steps for event in step.events]
    check_round_trip(game.events, events)
    for viewer in viewers(played.seats):
        check_round_trip(game.events, [game.redact(event, viewer) for event in events])
    stored = canonical(events)
    state = game.initial(played.options, played.seats)
    for event in msgspec.json.decode(stored, type=tuple.__class_getitem__((game.events, ...))):
        state = game.evolve(state, event)
    expect(state == played.steps[-1].after, "the fold of the stored events is not the state that was played")


def check_views(game: AnyGame, state: Any, seats: int) -> None:
    """Views survive JSON, name the game, show hands to their owners and to `all`, and leave out rather than blank."""
    everything = shape(game.view(state, ALL, over=False, shown=False))
    public = shape(game.view(state, PUBLIC, over=False, shown=False))
    hands = game.hands(state)
    over = game.outcome(state) is not None
    for viewer in (*viewers(seats), ALL):
        view = game.view(state, viewer, over=False, shown=False)
        check_round_trip(game.views, [view])
        it = shape(view)
        expect(it.get("game") == game.name, f"a view says game {it.get('game')!r}, not {game.name!r}")
        expect((it.get("phase") == "over") == over, f"phase is {it.get('phase')!r} with outcome {game.outcome(state)}")
        check_counts(it)
        said = difference(public, it)
        expect(said is None, f"what the public sees is not all in what {viewer} sees: view{said}")
        for seat, hand in enumerate(hands):
            shown = it["seats"][seat].get("hand")
            if viewer in (ALL, seat):
                expect(shown == list(hand or ()), f"viewer {viewer} sees hand {seat} as {shown}, not {hand}")
            else:
                expect("hand" not in it["seats"][seat], f"viewer {viewer} sees the hand of seat {seat}: {shown}")
        ended = shape(game.view(state, viewer, over=True, shown=True))
        expect(ended["phase"] == "over", f"the phase of an ended table is {ended['phase']!r}, not 'over'")
        laid_open = [seat.get("hand") for seat in ended["seats"]]
        expect(laid_open == [list(hand or ()) for hand in hands], f"hands are not laid open for {viewer}: {laid_open}")
    said = difference(public, everything)
    expect(said is None, f"what the public sees is not all in what `all` sees: view{said}")


def check_redaction(case: Case, events: Sequence[Event], options: Value, seats: int) -> None:
    """Redaction leaves out and changes nothing; twice is once; `all` sees everything; words say no more."""
    game = case.game
    titles = {facts.title: facts.card for facts in game.cards(options) if facts.copies == 1}
    for event in events:
        expect(game.redact(event, ALL) == event, f"redacted for `all` it is another event: {event}")
        whole = shape(event)
        check_counts(whole)
        public = game.redact(event, PUBLIC)
        for viewer in viewers(seats):
            redacted = game.redact(event, viewer)
            part = shape(redacted)
            said = difference(part, whole)
            expect(said is None, f"redacted for {viewer}, {whole['type']} says other things: event{said}")
            expect(game.redact(redacted, viewer) == redacted, f"redacted twice for {viewer} it changes: {redacted}")
            expect(game.redact(redacted, PUBLIC) == public, f"{viewer} sees less than the public of {whole['type']}")
            _check_words(game.summary(redacted), titles, set(strings(part)), seats)


_SEAT: Final = re.compile(r"\{seat:(\d+)\}")


def _check_words(words: str, titles: Mapping[str, str], named: set[str], seats: int) -> None:
    expect(not words.endswith("."), f"a summary ends in a full stop: {words!r}")
    expect(
        all(int(seat) < seats for seat in _SEAT.findall(words)) and "{" not in _SEAT.sub("", words),
        f"a summary names seats as {{seat:N}} only: {words!r}",
    )
    longest_first = "|".join(re.escape(title) for title in sorted(titles, key=len, reverse=True))
    for title in re.findall(rf"\b(?:{longest_first})\b", words) if titles else ():
        expect(titles[title] in named, f"a summary names {title}, which the event does not show: {words!r}")
