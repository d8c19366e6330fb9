"""Tournaments in the page: made, entered, run by their organiser, followed live to the last standings."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.running import person, wait_for
from tests.web.conftest import PHONE, autopilot
from tests.web.test_access import complaints, complaints_in_both_themes

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]


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
    page.wait_for_selector("text=It can't start yet. 0 of at least 2 entrants are there.")
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
    expect(page.locator(".working").first).to_contain_text(wanted[0]["tie_breaks"][1]["working"])

    show(page, "Crosstable")
    expect(page.locator(".cross tbody tr")).to_have_count(3)
    expect(page.locator(".cross td[title]")).to_have_count(6)
    show(page, "Pairings")
    page.get_by_role("heading", name="Round 3").wait_for()
    page.get_by_role("button", name="Round before").click()
    page.get_by_role("heading", name="Round 2").wait_for()
    page.get_by_text(re.compile("^(Bye|Not in this round): ")).wait_for()
    show(page, "Ratings")
    expect(page.locator(".plot > svg")).to_have_attribute("aria-label", re.compile("^Ratings over time"))
    expect(page.locator(".plot > svg .rating-line")).to_have_count(3)
    for view in ("Standings", "Crosstable", "Pairings", "Ratings", "Entrants", "Log"):
        show(page, view)
        assert [] == complaints_in_both_themes(page), view
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
        assert autopilot(page)["over"]
        wait_for(lambda: "finished" == boss.get(f"/v1/tournaments/{cup}")["status"], "the end of the cup")
        page.goto(f"/tournaments/{cup}?view=standings")
        page.wait_for_selector(".figures.full")
        assert {"Pia", "greedy"} == set(page.locator(".figures.full tbody th").all_inner_texts())
        page.locator(".who").click()
        page.get_by_role("heading", name="Rating at Planet Pioneer").wait_for()
        assert [] == complaints(page)


def judge(page, button, places, reason):
    page.get_by_role("button", name=re.compile(f"^{button}")).first.click()
    for name, place in places.items():
        page.get_by_label(f"Place of {name}").select_option(label=place)
    page.get_by_label("Reason, for all to read").fill(reason)
    page.get_by_role("button", name="Set this result").click()
    expect(page.locator("dialog")).to_have_count(0)


def test_an_organiser_enters_checks_in_takes_out_and_decides(visit, ada, server):
    with person(server.base, "Bo") as bo, person(server.base, "Cy") as cy, person(server.base, "Di") as di:
        plan = {"name": "By hand", "game": "planet-pioneer", "format": "round_robin", "seats_per_table": 2}
        cup = ada.post("/v1/tournaments", {**plan, "check_in": True})["id"]
        page = visit(f"/tournaments/{cup}", player=ada)
        for each in (bo, cy, di):
            page.get_by_label("Player's id").fill(each.id)
            page.get_by_role("button", name="Enter a player").click()
            page.get_by_role("button", name=f"Check in {each.name}").click()
            expect(page.locator(".entrants li", has_text=each.name)).to_contain_text("checked in")
        page.get_by_role("button", name="Preview the pairings").click()
        page.get_by_role("heading", name="Round 1, if it began now").wait_for()
        page.get_by_role("button", name="Take out Di").click()
        page.get_by_role("button", name="Yes, take out Di").click()
        expect(page.locator(".entrants li", has_text="Di")).to_contain_text("withdrawn")
        page.get_by_role("button", name="Start").click()
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Go on").click()
        show(page, "Pairings")
        judge(page, "Decide", {"Bo": "1st", "Cy": "2nd"}, "Cy was ill")
        expect(page.locator("main > .table-head .badge")).to_have_text("finished")
        winners = page.locator(".pairing-seat.winner")
        expect(winners).to_contain_text(["Bo"])
        judge(page, "Correct", {"Bo": "2nd", "Cy": "1st"}, "It was the other way round")
        expect(winners).to_contain_text(["Cy"])
        standings = ada.get(f"/v1/tournaments/{cup}/standings")["standings"]
        assert ["Cy", "Bo"] == [each["name"] for each in standings if not each["withdrawn"]]


def test_a_cup_is_made_with_every_rule_of_the_form(visit, ada):
    page = visit("/", player=ada)
    page.goto("/tournaments/new")
    page.get_by_label("Name", exact=True).fill("All rules")
    page.get_by_label("Format").select_option("knockout")
    page.get_by_label("Seats at a table").select_option("4")
    page.get_by_label("How many go on from a table").fill("2")
    page.get_by_label("Games of each pairing").fill("3")
    page.get_by_label("Seconds for each move").fill("90")
    page.get_by_label("Starts by itself at").fill("2099-05-01T12:00")
    page.get_by_label("Who may enter").select_option("code")
    page.get_by_label("Code", exact=True).fill("open-sesame")
    page.get_by_label("Fewest entrants").fill("8")
    page.get_by_label("Most entrants").fill("16")
    page.get_by_label("Only who has checked in plays").check()
    page.get_by_label("Seconds to sit down in").fill("45")
    page.get_by_label("Who has not sat down").select_option("bot")
    page.get_by_label("A bye is worth").select_option("half")
    page.get_by_label("Which bot").select_option("easy")
    page.get_by_label("More points for a win").fill("2")
    page.get_by_label("Points of your own for each place").check()
    page.get_by_label("Points for the 1st place").fill("7")
    page.get_by_label("Tie-break 1").select_option("total_score")
    page.get_by_label("Tie-break 3").select_option("")
    page.locator("#option-lines").select_option(label="Hidden")
    page.get_by_role("button", name="Create the tournament").click()
    page.get_by_role("heading", name="All rules").wait_for()
    cup = ada.get(f"/v1/tournaments/{page.url.rsplit('/', 1)[1]}")
    wanted = {
        "format": "knockout", "seats_per_table": 4, "legs": 3, "entry": "code", "limits": {"min": 8, "max": 16},
        "check_in": True, "byes": "half", "points": {"by_place": [7, 2, 1, 0], "win_bonus": 2},
        "tie_breaks": ["total_score", "buchholz", "wins", "lot"], "starts_at": "2099-05-01T12:00:00.000Z",
    }  # fmt: skip
    assert wanted == {name: cup[name] for name in wanted}
    assert {"grace": 45, "policy": "bot", "bot": "easy", "rated": False} == cup["no_show"]
    assert (90, "hidden") == (cup["clock"]["seconds"], cup["options"]["lines"])


def test_a_test_between_two_is_made_by_the_form(visit, ada):
    page = visit("/", player=ada)
    page.goto("/tournaments/new")
    page.get_by_label("Name", exact=True).fill("Which is better")
    page.get_by_label("Format").select_option("round_robin")
    page.get_by_label("End as soon as it is shown").check()
    page.get_by_label("Better by (Elo)", exact=True).fill("40")
    page.get_by_label("Risk of a mistake, in percent").fill("10")
    page.get_by_label("Rounds").fill("60")
    page.get_by_label("Results count for ratings").check()
    page.get_by_label("Games lost this way count for ratings too").check()
    page.get_by_role("button", name="Create the tournament").click()
    page.get_by_role("heading", name="Which is better").wait_for()
    cup = ada.get(f"/v1/tournaments/{page.url.rsplit('/', 1)[1]}")
    assert {"elo0": 0, "elo1": 40, "alpha_permille": 100, "beta_permille": 100} == cup["sprt"]
    assert ({"min": 2, "max": 2}, True) == (cup["limits"], cup["no_show"]["rated"])


def test_a_cup_is_paused_and_cancelled_with_a_second_word(visit, ada):
    page = visit("/", player=ada)
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
