"""Laws of the cards: none is lost or doubled, and none is shown to a viewer who can't know it."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from domain.game import AnyGame
from domain.testing.case import Case, Zone, expect
from domain.testing.codec import viewers
from domain.testing.playing import Played
from domain.testing.shapes import shape, strings
from domain.values import PUBLIC, Value, Viewer


def check_cards(case: Case, options: Value, state: Any) -> None:
    """Every card of the catalogue lies in the zones as often as it has copies."""
    expected = _expected(case.game, options, case.apart)
    zones = case.zones(state)
    found = Counter[str]()
    for zone in zones:
        found.update(zone.cards)
    for card in case.apart:
        del found[card]
    if found != expected:
        wrong = sorted(card for card in found.keys() | expected.keys() if found[card] != expected[card])
        said = [f"{found[card]} of {card} (not {expected[card]}): {_places(zones, card)}" for card in wrong]
        raise AssertionError(f"cards were lost or doubled: {'; '.join(said)}")


@lru_cache(maxsize=64)
def _expected(game: AnyGame, options: Value, apart: frozenset[str]) -> Counter[str]:
    return Counter({facts.card: facts.copies for facts in game.cards(options) if facts.card not in apart})


def _places(zones: Sequence[Zone], card: str) -> list[str]:
    return [zone.name for zone in zones if card in zone.cards]


def visible(zones: tuple[Zone, ...], viewer: Viewer) -> set[str]:
    """Give the cards in zones that the viewer knows."""
    return {card for zone in zones if zone.seen_by in (PUBLIC, viewer) for card in zone.cards}


def check_no_leak(case: Case, played: Played) -> None:
    """No event and no view names a single card to a viewer who can't know where it is.

    A viewer knows a card that it saw, until a shuffle takes it out of sight. Cards with more than one copy are
    not followed: the two-world law (`privacy.py`) looks after them.
    """
    game, options = case.game, played.options
    single = {facts.card for facts in game.cards(options) if facts.copies == 1}
    known: dict[Viewer, set[str]] = {viewer: set() for viewer in viewers(played.seats)}
    state = game.initial(options, played.seats)
    zones = tuple(case.zones(state))
    for version, step in enumerate(played.steps, 1):
        for event in step.events:
            before = zones
            state = game.evolve(state, event)
            zones = tuple(case.zones(state))
            shuffled = isinstance(getattr(event, "shuffle", None), int)
            for viewer, knows in known.items():
                seen = visible(zones, viewer)
                if shuffled:
                    knows.intersection_update(_stayed(before, zones))
                named = single.intersection(strings(shape(game.redact(event, viewer))))
                said = sorted(named - knows - seen)
                expect(not said, f"entry {version} shows {viewer} hidden cards {said}: {game.redact(event, viewer)}")
                knows.update(seen)
        for viewer, knows in known.items():
            view = game.view(state, viewer, over=False, shown=False)
            said = sorted(single.intersection(strings(shape(view))) - knows)
            expect(not said, f"the view of {viewer} after entry {version} shows hidden cards {said}")


def _stayed(before: tuple[Zone, ...], after: tuple[Zone, ...]) -> set[str]:
    """Give the cards that a shuffle left where somebody knew them."""
    places = {(zone.name, card) for zone in before for card in zone.cards}
    return {card for zone in after if zone.seen_by != "all" for card in zone.cards if (zone.name, card) in places}
