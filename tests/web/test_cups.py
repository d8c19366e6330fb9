"""Tournaments in the page: made, entered, run by their organiser, followed live to the last standings."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.running import person, wait_for
from tests.web.conftest import PHONE, autopilot, sign_in
from tests.web.test_access import complaints

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def made(page, name, **fields):
    """Make a tournament by the form; gives its id."""
    page.goto("/tournaments/new")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label(re.compile("^Game[^s]")).select_option("planet-pioneer")
    page.get_by_label("Format").select_option(fields.pop("format", "round_robin"))
    for label, value in fields.items():
        page.get_by_label(label).fill(str(value))
    page.get_by_label("Results count for ratings").check()
    page.get_by_role("button", name="Create the tournament").click()
    page.get_by_role("heading", name=name).wait_for()
    return page.url.rsplit("/", 1)[1].split("?")[0]


def add_bots(page, *bots):
    for level, name in bots:
        page.get_by_label("Bot", exact=True).select_option(level)
        page.get_by_label("Name of the bot").fill(name)
        page.get_by_role("button", name="Add a bot").click()
        page.locator(".entrants").get_by_text(name, exact=True).first.wait_for()


def show(page, view):
    page.get_by_role("button", name=view, exact=True).click()
    page.get_by_role("region", name=view).wait_for()


def test_an_organiser_makes_and_runs_a_cup_of_bots(visit, ada):
    page = visit("/", name="Olga")
    cup = made(page, "<b>Perseids</b>", **{"Seconds for each move": 0})
    page.wait_for_selector("text=Not enough entrants")
    add_bots(page, ("greedy", "Vega <i>"), ("easy", "Rigel"), ("random", "Mira"))
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".badge >> text=finished", timeout=120_000)
    expect(page.locator("main b >> text=Perseids")).to_have_count(0)

    show(page, "Standings")
    page.wait_for_selector(".figures tbody tr >> nth=2")
    rows = page.locator(".figures.full tbody tr").all_inner_texts()
    wanted = ada.get(f"/v1/tournaments/{cup}/standings")["standings"]
    assert [each["name"] for each in wanted] == [re.split(r"\t|\n", row)[1] for row in rows]
    page.locator("summary >> text=How these figures come about").click()
    assert wanted[0]["tie_breaks"][1]["working"] in page.locator(".working").first.inner_text()

    show(page, "Crosstable")
    expect(page.locator(".cross tbody tr")).to_have_count(3)
    expect(page.locator(".cross td[title]")).to_have_count(6)
    show(page, "Pairings")
    page.get_by_role("heading", name="Round 3").wait_for()
    page.get_by_role("button", name="Round before").click()
    page.get_by_role("heading", name="Round 2").wait_for()
    page.get_by_text(re.compile("^(Bye|Not in this round): ")).wait_for()
    show(page, "Ratings")
    assert "Ratings over time" in page.locator(".plot > svg").get_attribute("aria-label")
    expect(page.locator(".plot > svg .rating-line")).to_have_count(3)
    for view in ("Standings", "Crosstable", "Pairings", "Ratings", "Entrants", "Log"):
        show(page, view)
        assert [] == complaints(page), view
    show(page, "Pairings")
    page.get_by_role("link", name=re.compile("^Replay")).first.click()
    page.wait_for_selector("[data-frame]")


def test_a_person_enters_is_called_to_the_table_and_plays(visit, server):
    with person(server.base) as boss:
        cup = boss.post(
            "/v1/tournaments",
            {"name": "Open", "game": "planet-pioneer", "format": "round_robin", "seats_per_table": 2, "rated": True},
        )["id"]
        boss.post(f"/v1/tournaments/{cup}/entries", {"entry": {"kind": "ai", "bot": "greedy"}})
        page = visit(f"/tournaments/{cup}", viewport=PHONE)
        page.get_by_role("button", name="Choose a name").click()
        page.get_by_label("Name", exact=True).fill("Pia")
        page.get_by_role("button", name="Use this name").click()
        page.get_by_role("button", name="Enter").click()
        page.wait_for_selector("text=You are in")
        assert 360 == page.evaluate("document.documentElement.scrollWidth")
        boss.post(f"/v1/tournaments/{cup}/start", {})
        page.get_by_role("link", name="To your table").click()
        page.get_by_role("button", name="Sit down").click()
        page.wait_for_selector("[data-version] .board")
        assert autopilot(page, most=100)["over"]
        wait_for(lambda: "finished" == boss.get(f"/v1/tournaments/{cup}")["status"], "the end of the cup")
        page.goto(f"/tournaments/{cup}?view=standings")
        page.wait_for_selector(".figures.full")
        assert {"Pia", "greedy"} == set(page.locator(".figures.full tbody th").all_inner_texts())
        page.locator(".who").click()
        page.get_by_role("heading", name="Rating at Planet Pioneer").wait_for()
        assert [] == complaints(page)


def test_a_cup_is_paused_and_cancelled_with_a_second_word(visit, ada):
    page = visit("/")
    sign_in(page, ada)
    cup = made(page, "Short", format="swiss")
    page.get_by_role("button", name="Cancel the tournament").click()
    assert "open" == ada.get(f"/v1/tournaments/{cup}")["status"]
    page.get_by_role("button", name="Yes, cancel it").click()
    page.wait_for_selector(".badge >> text=cancelled")


def test_the_list_shows_tournaments_and_ratings(visit, ada):
    page = visit("/tournaments?game=planet-pioneer")
    ada.post("/v1/tournaments", {"name": "Listed", "game": "beam-me-up", "format": "swiss", "seats_per_table": 2})
    page.wait_for_selector("text=Listed")
    page.wait_for_selector("#ratings")
    assert [] == complaints(page)
