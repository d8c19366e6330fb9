"""A new table by the form: every option of every game, whatever its schema; and a game that the page doesn't know."""

import functools
import json
import re

import pytest
from playwright.sync_api import expect

from domain.games import GAMES
from service.web.files import STATIC
from tests.support.running import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

OTHERS = {
    "beam-me-up": {"launched_aliens": "discard", "lines": "hidden", "earth_racer": False, "tie_break": "fewer_in_line"},
    "planet-pioneer": {"first_round": "one_lap", "first_seat": 1, "tie_break": "hand_then_craters"},
    "universal-match": {"advanced_a": True, "advanced_b": True, "perfect_match": "neighbouring_suits", "target": 50},
}
KINDS = ("defense", "visit", "attack", "strike", "cap")
DECK = [
    *({"name": f"house_{n}", "kind": "structure", "level": 1 + n % 5, "copies": 3} for n in range(19)),
    *(
        {"name": f"a_{kind}", "kind": kind, "level": {"defense": 2, "cap": 1}.get(kind, 0), "copies": 5}
        for kind in KINDS
    ),
]


def _moved(ada, table, before):
    return ada.get(f"/v1/tables/{table}")["version"] > before


def choose(page, name, value):
    """Set one option, by whatever control it has."""
    control = page.locator(f"#option-{name}")
    if isinstance(value, bool):
        control.set_checked(value)
        return
    words = str(value).replace("_", " ")
    control.select_option(label=words[0].upper() + words[1:])


def create(page):
    page.get_by_role("button", name="Create the table").click()
    page.wait_for_url("**/tables/*")
    return page.url.rsplit("/", 1)[1]


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game_can_be_chosen(visit, ada, game):
    page = visit("/", name="Fay")
    page.goto(f"/new?game={game}")
    page.wait_for_selector("#option-" + next(iter(OTHERS[game])))
    facts = ada.get(f"/v1/games/{game}")["options"]["properties"]
    assert set(facts) == set(OTHERS[game]) | ({"deck"} if game == "planet-pioneer" else set())
    for name, value in OTHERS[game].items():
        choose(page, name, value)
    table = ada.get(f"/v1/tables/{create(page)}")
    assert OTHERS[game] == {name: table["options"][name] for name in OTHERS[game]}


def test_a_deck_of_ones_own_is_written_as_json_and_refused_by_its_field(visit, ada):
    page = visit("/", name="Fay")
    page.goto("/new?game=planet-pioneer")
    page.locator("#option-deck-kind").select_option("own")
    deck = page.get_by_label("Deck, as JSON")
    deck.fill("[{")
    page.wait_for_selector("text=This is not JSON yet")
    deck.fill(json.dumps(DECK[:3]))
    page.get_by_role("button", name="Create the table").click()
    page.wait_for_selector("#option-deck-error")
    deck.fill(json.dumps(DECK))
    table = create(page)
    assert DECK == ada.get(f"/v1/tables/{table}")["options"]["deck"]
    page.wait_for_selector(".hand .part")
    names = page.evaluate(
        "() => [...document.querySelectorAll('.hand .part')].map((part) => part.getAttribute('aria-label'))"
    )
    assert all(name.startswith(("House ", "A ")) for name in names)


def test_seats_clock_and_visibility_are_chosen(visit, ada):
    page = visit("/", name="Fay")
    page.goto("/new?game=universal-match")
    page.get_by_label("How many").select_option("6")
    for seat, kind in ((1, "open"), (2, "ai:easy"), (3, "me"), (4, "ai:random")):
        page.get_by_label(f"Seat {seat}", exact=True).select_option(kind)
    page.get_by_label("Seat 5", exact=True).select_option("player")
    page.get_by_label("Player's id for seat 5").fill(ada.id)
    page.get_by_label("Kind").select_option("bank")
    page.get_by_label(re.compile("^Time")).select_option("600")
    page.get_by_label("Seconds back for each move").fill("7")
    page.get_by_label("When the time is over").select_option("bot")
    page.get_by_label("Leave it out of the lobby").check()
    table = ada.get(f"/v1/tables/{create(page)}")
    seats = [(seat["kind"], seat.get("bot")) for seat in table["seats"]]
    assert [
        ("open", None),
        ("ai", "easy"),
        ("player", None),
        ("ai", "random"),
        ("player", None),
        ("ai", "greedy"),
    ] == seats
    assert ada.id == table["seats"][4]["player"]["id"]
    assert ("unlisted", "open") == (table["visibility"], table["status"])
    clock = {name: table["clock"][name] for name in ("kind", "seconds", "increment", "on_expiry", "bot")}
    assert {"kind": "bank", "seconds": 600, "increment": 7, "on_expiry": "bot", "bot": "greedy"} == clock


def test_a_game_that_the_page_does_not_know_is_played_from_its_view_and_its_list(visit, ada):
    page = visit("/", name="Fay")
    drawn = (STATIC / "table.js").read_text()
    other = drawn.replace('"beam-me-up": beamMeUp', '"another": beamMeUp')
    assert drawn != other
    page.route("**/table.js", lambda route: route.fulfill(body=other, content_type="text/javascript"))
    page.get_by_role("button", name="Play a bot at Beam Me Up").click()
    page.wait_for_selector(".generic-board")
    table = page.url.rsplit("/", 1)[1]
    for _ in range(3):
        page.wait_for_selector("[data-acts=me] .all-moves li button")
        before = ada.get(f"/v1/tables/{table}")["version"]
        page.locator(".all-moves li button").first.click()
        wait_for(functools.partial(_moved, ada, table, before), "the move")
    expect(page.locator(".generic-board")).to_contain_text("Draw count")
