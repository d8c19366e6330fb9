"""What fails is said in words, and the page goes on by itself when it can."""

import json
import re
import time
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.support.running import person, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

EVERYTHING = "**/v1/**"


@pytest.fixture(scope="module")
def table(ada):
    return ada.table("beam-me-up", "greedy", seed="failures")


def hurry_until(page, wanted):
    """Let the time of the page run ahead until something stands there: what it tries again, it tries at once."""
    wait_for(lambda: wanted.is_visible() or page.clock.run_for(400), f"{wanted}", 60)


def test_a_page_without_a_server_says_so_and_comes_when_it_can(visit, ada, table):
    page = visit("/verify")
    page.clock.install()
    places = {
        f"/tables/{table}": "Beam Me Up",
        f"/tables/{table}/replay": "Replay of Beam Me Up",
        f"/players/{ada.id}": "Ada",
    }
    for path, heading in places.items():
        page.route(EVERYTHING, lambda route: route.abort())
        page.goto(path)
        hurry_until(page, page.get_by_role("heading", name="No connection"))
        expect(page.get_by_role("alert")).to_contain_text("The page goes on trying")
        page.unroute(EVERYTHING)
        hurry_until(page, page.get_by_role("heading", name=heading, exact=True))


def test_a_lobby_without_a_server_fills_when_it_is_back(visit, ada):
    page = visit("/verify")
    page.clock.install()
    page.route(EVERYTHING, lambda route: route.abort())
    page.goto("/")
    hurry_until(page, page.get_by_role("alert"))
    expect(page.get_by_role("alert")).to_contain_text("The server can't be reached")
    page.unroute(EVERYTHING)
    hurry_until(page, page.locator("[aria-labelledby=tables] :is(.card-row, .empty)").first)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_is_not_there_is_asked_for_once_and_said_with_a_way_on(visit):
    page = visit("/verify?table=nowhere")
    page.get_by_role("alert").wait_for()
    page.clock.install()
    asked = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    for path in ("/tables/nowhere", "/tables/nowhere/replay", "/players/nowhere", "/tournaments/nowhere"):
        page.goto(path)
        page.get_by_role("heading", name="There is nothing here").wait_for()
        expect(page).to_have_title(re.compile("There is nothing here"))
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
        page.clock.run_for(6_000)
        page.evaluate("() => fetch('/v1/games').then((answer) => answer.text())")
        assert ["/v1" + path.removesuffix("/replay")] == [each for each in asked if "/v1" in each and "nowhere" in each]
        page.locator(".failed a.button").click()
        page.get_by_role("heading", name=re.compile("^(Play among the stars|Tournaments)$")).wait_for()
        asked.clear()


def test_a_busy_server_is_asked_again_when_it_wants(visit, ada):
    page = visit("/verify")
    asked = []

    def busy(route):
        asked.append(time.monotonic())
        if len(asked) > 1:
            route.continue_()
            return
        problem = {"code": "rate_limited", "status": 429, "title": "Too many requests", "retryable": True}
        kind = "application/problem+json"
        route.fulfill(status=429, headers={"Retry-After": "2"}, content_type=kind, body=json.dumps(problem))

    page.route("**/v1/tables?**", busy)
    page.goto("/")
    page.wait_for_selector("[aria-labelledby=tables] :is(.card-row, .empty)")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert asked[1] - asked[0] >= 2


def test_a_player_whose_token_is_revoked_goes_on_as_a_spectator(visit, server):
    with person(server.base, "Eve") as eve:
        table = eve.table("beam-me-up", "greedy", seed="revoked")
        page = visit(f"/tables/{table}", player=eve)
        page.locator(".hand button.can").first.click()
        (token,) = eve.get("/v1/me/tokens")["items"]
        eve._http.delete(f"{server.base}/v1/me/tokens/{token['id']}").raise_for_status()
        page.get_by_role("button", name="Do it").click()
        page.wait_for_selector("text=does not know your name any more")
        page.wait_for_selector("text=you watch")
        expect(page.locator(".hand")).to_have_count(0)
        expect(page.locator(".board")).to_be_visible()
