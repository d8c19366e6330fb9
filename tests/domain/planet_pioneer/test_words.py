"""What happened, in words."""

import pytest

from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.events import (
    AttackLaid,
    CapLaid,
    CardBuilt,
    CardDiscarded,
    CardsDealt,
    DealtPile,
    FinalRoundBegan,
    PlanetPioneerEvent,
    RoundBegan,
    StrikeLaid,
    TurnBegan,
    TurnSkipped,
    VisitLaid,
)
from tests.domain.planet_pioneer.scenes import A, B, C


@pytest.mark.parametrize(
    ("words", "event"),
    [
        ("Five cards are dealt to each player, {seat:1} begins", CardsDealt(0, B, (), DealtPile(94))),
        ("Round 3 begins", RoundBegan(3, 1)),
        ("Round 1 goes on with lap 2", RoundBegan(1, 2)),
        ("", TurnBegan(A, extra=False, final=False)),
        ("{seat:0} takes an extra turn", TurnBegan(A, extra=True, final=False)),
        ("{seat:2} takes the final turn", TurnBegan(C, extra=False, final=True)),
        ("{seat:0} waits a turn after the Alien Attack", TurnSkipped(A, "attacked")),
        ("{seat:0} waits until all have placed a card", TurnSkipped(A, "placed")),
        ("{seat:0} has no card and is passed over", TurnSkipped(A, "no_card")),
        ("{seat:0} draws Solar Panel", CardsDrawn(A, 1, ("solar_panel",))),
        ("{seat:0} draws a card", CardsDrawn(A, 1)),
        ("{seat:0} has nothing to draw", CardsDrawn(A, 0, ())),
        ("{seat:0} has nothing to draw", CardsDrawn(A, 0)),
        ("The discard pile is shuffled into a new draw pile of 7 cards", PileReshuffled(1, 7)),
        ("{seat:0} builds Force Field at [1, 2]", CardBuilt(A, "force_field", (1, 2))),
        ("{seat:0} receives an Alien Visit at [1, 2]", VisitLaid(A, (1, 2))),
        ("{seat:0} caps the crater at [1, 2]", CapLaid(A, (1, 2))),
        ("{seat:0} sends an Alien Attack to {seat:1} at [1, 2]", AttackLaid(A, B, (1, 2))),
        (
            "{seat:0} destroys City Hall of {seat:1} at [1, 2] with a Meteor Strike",
            StrikeLaid(A, B, (1, 2), "city_hall"),
        ),
        ("{seat:0} discards Oxygen", CardDiscarded(A, "oxygen")),
        ("{seat:0} has a full grid: the final round begins", FinalRoundBegan((A,), (B,))),
    ],
)
def test_every_event_is_said_in_words(words: str, event: PlanetPioneerEvent):
    assert words == PLANET_PIONEER.summary(event)
