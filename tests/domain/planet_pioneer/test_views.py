"""What each viewer sees: P51, and the shapes of the contract."""

from typing import Any

import msgspec
import pytest

from domain.games.events import CardsDrawn, PileReshuffled
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.commands import Attack, Build, Discard, Visit
from domain.games.planet_pioneer.events import CardsDealt, DealtHand, DealtPile
from domain.testing.shapes import shape
from domain.values import ALL, PUBLIC, Viewer
from tests.domain.planet_pioneer.scenes import BASE, DULL, A, B, C, Scene

DEALT = CardsDealt(
    shuffle=0,
    first_seat=B,
    hands=(DealtHand(A, 2, ("crops", "rover")), DealtHand(B, 2, ("mine", "water"))),
    pile=DealtPile(2, ("oxygen", "school")),
)


def seen(scene: Scene, viewer: Viewer, *, over: bool = False, shown: bool = False) -> dict[str, Any]:
    it: dict[str, Any] = shape(PLANET_PIONEER.view(scene.state, viewer, over=over, shown=shown))
    return it


def test_p51_hands_are_private_and_colonies_top_discard_and_counts_are_public():
    scene = Scene(hands={A: ("oxygen", "mine", *DULL[:3]), B: ("water",)}, pile=("rover",) * 7)
    scene.does(Discard("mine"))
    public = seen(scene, PUBLIC)

    assert "mine" == public["discard_top"]
    assert (1, 6) == (public["discard_count"], public["draw_count"])
    assert [4, 2] == [seat["hand_count"] for seat in public["seats"]]
    assert not any("hand" in seat for seat in public["seats"])
    assert [None, ["rover", "water"]] == [seat.get("hand") for seat in seen(scene, B)["seats"]]
    assert ["factory", "mine", "oxygen", "school"] == seen(scene, A)["seats"][0]["hand"]


def test_p51_hands_are_laid_open_when_the_table_has_ended():
    scene = Scene(hands={A: ("oxygen",), B: ("water",)})

    for viewer in (PUBLIC, A, B):
        it = seen(scene, viewer, over=True, shown=True)
        assert [["oxygen"], ["water"]] == [seat["hand"] for seat in it["seats"]]
        assert ("over", None) == (it["phase"], it["turn"])


def test_a_table_that_is_broken_off_is_over_with_the_hands_still_hidden_where_they_are_not_shown():
    it = seen(Scene(), PUBLIC, over=True)

    assert ("over", None) == (it["phase"], it["turn"])
    assert not any("hand" in seat for seat in it["seats"])


def test_p51_the_deal_shows_each_seat_its_own_hand_and_nobody_the_pile():
    public = shape(PLANET_PIONEER.redact(DEALT, PUBLIC))
    assert [{"count": 2, "seat": 0}, {"count": 2, "seat": 1}] == public["hands"]
    assert {"count": 2} == public["pile"]

    own = shape(PLANET_PIONEER.redact(DEALT, A))
    assert [{"cards": ["crops", "rover"], "count": 2, "seat": 0}, {"count": 2, "seat": 1}] == own["hands"]
    assert {"count": 2} == own["pile"]

    assert PLANET_PIONEER.redact(DEALT, ALL) == DEALT


def test_p51_a_draw_is_seen_by_its_seat_and_a_reshuffled_pile_by_nobody():
    drawn, reshuffled = CardsDrawn(A, 1, ("mine",)), PileReshuffled(1, 2, ("mine", "rover"))

    assert drawn == PLANET_PIONEER.redact(drawn, A)
    assert {"type": "cards_drawn", "seat": 0, "count": 1} == shape(PLANET_PIONEER.redact(drawn, B))
    for viewer in (A, B, PUBLIC):
        assert {"type": "pile_reshuffled", "shuffle": 1, "count": 2} == shape(PLANET_PIONEER.redact(reshuffled, viewer))


def test_a_draw_of_nothing_is_an_empty_list_for_its_seat_and_no_list_for_others():
    drawn = CardsDrawn(A, 0, ())

    assert {"type": "cards_drawn", "seat": 0, "count": 0, "cards": []} == shape(PLANET_PIONEER.redact(drawn, A))
    assert {"type": "cards_drawn", "seat": 0, "count": 0} == shape(PLANET_PIONEER.redact(drawn, PUBLIC))


def test_the_colony_lists_covered_cells_by_row_then_column_with_cards_from_bottom_to_top():
    scene = Scene().colony(
        A, {(1, 2): ["water", "meteor_strike", "meteor_cap"], (0, 1): "school", (0, 0): "alien_visit"}
    )

    assert [
        {"cell": [0, 0], "cards": ["alien_visit"], "level": 0},
        {"cell": [0, 1], "cards": ["school"], "level": 4},
        {"cell": list(BASE), "cards": ["base_station"], "level": 0},
        {"cell": [1, 2], "cards": ["water", "meteor_strike", "meteor_cap"], "level": 1},
    ] == seen(scene, PUBLIC)["seats"][0]["colony"]


def test_the_view_has_every_field_of_the_contract():
    scene = Scene(3, hands={A: ("alien_attack", *DULL)}, pile=("rover",) * 9)
    scene.does(Attack(C, (0, 1)))
    it = seen(scene, B)

    assert {
        "game": "planet-pioneer",
        "phase": "play",
        "round": 6,
        "lap": 1,
        "first_seat": 0,
        "turn": {"seat": 1, "extra": False},
        "final": None,
        "draw_count": 8,
        "discard_count": 0,
        "discard_top": None,
        "dry_rounds": 0,
    } == {name: value for name, value in it.items() if name != "seats"}
    assert {
        "seat": 2,
        "hand_count": 5,
        "waiting": True,
        "placed": False,
        "covered": 2,
        "colony_level": 0,
        "colony": [
            {"cell": [0, 1], "cards": ["alien_attack"], "level": 0},
            {"cell": [0, 2], "cards": ["base_station"], "level": 0},
        ],
    } == it["seats"][2]


def test_all_sees_the_hands_and_the_piles():
    scene = Scene(hands={A: ("mine", "oxygen"), B: ("water",)}, pile=("rover", "crops"))
    scene.does(Discard("mine"))
    it = seen(scene, ALL)

    assert [["oxygen"], ["rover", "water"]] == [seat["hand"] for seat in it["seats"]]
    assert (["crops"], ["mine"]) == (it["draw"], it["discard"])


@pytest.mark.parametrize("command", [Build("mine", (0, 3)), Discard("mine"), Visit((0, 3))])
def test_commands_are_written_as_in_the_contract(command):
    raw = msgspec.to_builtins(command)

    assert command == msgspec.convert(raw, PLANET_PIONEER.commands)
    assert raw["type"] in {"build", "discard", "visit"}


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "build", "card": "Mine", "cell": [0, 1]},
        {"type": "build", "card": "mine", "cell": [4, 0]},
        {"type": "build", "card": "mine", "cell": [0, 5]},
        {"type": "build", "card": "mine", "cell": [-1, 0]},
        {"type": "build", "card": "mine", "cell": [0]},
        {"type": "build", "card": "mine", "cell": [0, 1, 2]},
        {"type": "build", "card": "mine"},
        {"type": "attack", "opponent": -1, "cell": [0, 1]},
        {"type": "attack", "opponent": "1", "cell": [0, 1]},
        {"type": "discard", "card": ""},
        {"type": "discard", "card": "a" * 41},
        {"type": "pass"},
    ],
)
def test_a_command_of_another_shape_is_no_command(raw):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, PLANET_PIONEER.commands)


def test_what_happened_is_said_in_words():
    scene = Scene(3, hands={A: ("alien_attack", "solar_panel", *DULL)})
    words = [PLANET_PIONEER.summary(event) for event in scene.does(Attack(B, (0, 1)))]

    assert [
        "{seat:0} sends an Alien Attack to {seat:1} at [0, 1]",
        "{seat:1} waits a turn after the Alien Attack",
        "",
        "{seat:2} draws Rover",
    ] == words
    assert "{seat:0} draws a card" == PLANET_PIONEER.summary(CardsDrawn(A, 1))
