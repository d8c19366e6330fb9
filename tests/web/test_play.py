"""A person plays: with the mouse, the keyboard, on a phone, each game to its end."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE, autopilot, keyboard_move, reach

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

SHORT = {
    "beam-me-up": {"earth_racer": False},
    "planet-pioneer": {"first_round": "one_lap"},
    "universal-match": {"target": "one_hand", "advanced_b": True},
}
SEEDS = {"beam-me-up": "j", "planet-pioneer": "keys", "universal-match": "keys"}
"""Deals that are played soon."""
BOTS = {"beam-me-up": 1, "planet-pioneer": 1, "universal-match": 3}
"""Bots at a table; with more of them a hand of Universal Match has fewer turns for the person."""


@pytest.fixture
def made(visit, cleo):
    """Open a table with Cleo in the first seat, and bots; gives the page and the table's id."""

    def opened(game, bots=("greedy",), *, look=None, **more):
        table = cleo.table(game, *bots, **more)
        page = visit(f"/tables/{table}", player=cleo, **(look or {}))
        page.wait_for_selector("[data-version]")
        return page, table

    return opened


def first_card(page):
    """Give the first card of the hand, whatever becomes of it."""
    page.wait_for_selector(".hand button.can")
    token = page.locator(".hand button.can").first.get_attribute("data-token")
    return page.locator(f".hand [data-token='{token}']")


@pytest.mark.parametrize("game", SHORT)
def test_a_person_plays_each_game_to_its_end_by_the_keyboard_alone(made, ada, game):
    page, table = made(game, ("greedy",) * BOTS[game], seed=SEEDS[game], options=SHORT[game])
    moves = 0
    while not keyboard_move(page):
        moves += 1
    assert moves > 5
    expect(page.locator(".connection")).to_have_text("Finished")
    outcome = ada.get(f"/v1/tables/{table}")["outcome"]
    assert "resignation" != outcome["reason"]
    shown = page.locator(".places li b").all_inner_texts()
    assert sorted(map(str, outcome["scores"])) == sorted(shown)
    assert ("Cleo wins" in page.locator(".result h2").inner_text()) == (outcome["winners"] == [0])
    for name in ("Play again", "Replay", "Download the record"):
        expect(page.locator(".result").get_by_text(name, exact=True)).to_be_visible()


@pytest.mark.parametrize("look", [{}, {"viewport": PHONE, "has_touch": True}], ids=["mouse", "phone"])
def test_a_person_plays_to_the_end_by_pressing_what_is_lit(made, ada, look):
    page, table = made("planet-pioneer", ("greedy", "easy"), look=look)
    played = autopilot(page, most=200)
    assert played["over"]
    assert played["moves"] > 5
    assert {0, 1, 2} == {entry["seat"] for entry in ada.log(table) if "seat" in entry}
    scores = ada.get(f"/v1/tables/{table}")["outcome"]["scores"]
    told = [re.findall(r"\d+", words) for words in page.locator(".places li .small-text").all_inner_texts()]
    assert sorted(scores) == sorted(int(levels) - int(held) for levels, held in told)


def test_a_card_is_chosen_with_the_mouse_and_laid_with_the_button(made):
    page, _ = made("beam-me-up", seed="mouse")
    card = first_card(page)
    say = card.get_attribute("aria-label")
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".prompt")).to_contain_text(f"Lay {say}?")
    page.get_by_role("button", name="Do it").click()
    page.wait_for_function("say => document.querySelector('.log').innerText.includes(`Cleo lays ${say}`)", arg=say)


def test_escape_and_clear_take_a_choice_back(made):
    page, _ = made("beam-me-up", seed="clear")
    card = first_card(page)
    card.click()
    page.keyboard.press("Escape")
    expect(card).to_have_attribute("aria-pressed", "false")
    card.click()
    page.get_by_role("button", name="Clear").click()
    expect(card).to_have_attribute("aria-pressed", "false")


def test_the_keyboard_alone_leads_from_the_lobby_to_a_table(visit):
    page = visit("/")
    page.locator("body").focus()
    page.wait_for_selector(".game-card button.primary")
    reach(page, ".game-card button.primary")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] input:focus")
    page.keyboard.type("Kay")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-version]")
    for _ in range(2):
        assert not keyboard_move(page)
    reach(page, "button.part.can")
    assert "none" != page.evaluate("getComputedStyle(document.activeElement).outlineStyle")


def test_every_move_stands_in_a_list_in_words(made, ada):
    page, table = made("universal-match", seed="list")
    page.locator(".all-moves summary").click()
    moves = page.locator(".all-moves li button")
    expect(moves).to_have_count(20)  # three of six cards
    moves.first.click()
    page.wait_for_selector(".own .um-cards [data-token], .own .um-cards .card")
    log = ada.log(table)
    assert "board_chosen" in {event["type"] for entry in log for event in entry["events"]}


def test_three_cards_are_chosen_on_a_phone_and_can_be_changed(made):
    page, _ = made("universal-match", seed="phone", look={"viewport": PHONE, "has_touch": True})
    hand = page.locator(".hand button")
    for at in (0, 1, 2):
        hand.nth(at).tap()
    expect(page.locator(".hand button.picked")).to_have_count(3)
    hand.nth(2).tap()
    expect(page.locator(".hand button.picked")).to_have_count(2)
    hand.nth(5).tap()
    expect(page.locator(".prompt")).to_contain_text("Lay ")
    page.get_by_role("button", name="Do it").tap()
    page.wait_for_selector(".own .um-cards .part")


@pytest.mark.parametrize("game", SHORT)
def test_nothing_is_wider_than_a_phone(made, game):
    bots = ("greedy",) * {"beam-me-up": 3, "planet-pioneer": 3, "universal-match": 5}[game]
    page, _ = made(game, bots, look={"viewport": PHONE})
    page.wait_for_selector(".board")
    assert 360 == page.evaluate("document.documentElement.scrollWidth")
    autopilot(page, until=3)
    assert 360 == page.evaluate("document.documentElement.scrollWidth")
    ends = page.evaluate(
        "() => [...document.querySelectorAll('.hand .part')].map((part) => part.getBoundingClientRect().right)"
    )
    assert ends
    assert max(ends) <= 360


def test_giving_up_wants_a_second_word(made, ada):
    page, table = made("planet-pioneer", seed="giving up")
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("button", name="Give up").click()
    assert "playing" == ada.get(f"/v1/tables/{table}")["status"]
    page.get_by_role("button", name="Yes, give up").click()
    page.wait_for_selector(".result")
    assert "resignation" == ada.get(f"/v1/tables/{table}")["outcome"]["reason"]


def test_a_rematch_is_played_with_the_same_players(made):
    page, table = made("planet-pioneer", seed="again")
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, give up").click()
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: "/tables/" in url and table not in url)
    page.wait_for_selector(".board")


def test_a_clock_counts_down(made):
    page, _ = made("beam-me-up", clock={"kind": "turn", "seconds": 600, "on_expiry": "default_move"})
    clock = page.locator(".own .clock")
    expect(clock).to_have_text(re.compile(r"^9:\d\d$"))
    first = clock.inner_text()
    page.wait_for_function("first => document.querySelector('.own .clock').innerText < first", arg=first)


def test_a_refusal_is_shown_with_its_ruling(made):
    page, table = made("beam-me-up", seed="refused")
    page.route(
        f"**/v1/tables/{table}/commands",
        lambda route: (
            route.continue_(post_data='{"type":"play_card","card":"A1"}')
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    page.locator(".hand button.can:not([data-token='hand:A1'])").first.click()
    page.get_by_role("button", name="Do it").click()
    note = page.locator(".note.bad")
    expect(note).to_contain_text("B37")
