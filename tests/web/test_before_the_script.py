"""What is there before the page's script has come, while it comes, and when it does not come."""

import contextlib
import re

import pytest
from playwright.sync_api import Error, expect

from tests.support.running import wait_for
from tests.web.conftest import DESKTOP, PHONE
from tests.web.test_access import complaints, complaints_in_both_themes
from tests.web.test_failures import hurry_until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

SCRIPT = "**/first.js"
SMALL = {"width": 320, "height": 640}
SCRIPT_RAN = """() => performance.getEntriesByType("resource").some((each) => each.name.endsWith("/first.js") && each.responseEnd)"""
BACKGROUND = """Object.defineProperty(Document.prototype, "hidden", {get: () => true});
window.requestAnimationFrame = () => 0;"""
"""A tab that nobody looks at is not painted, so that no frame of it ever comes."""


def held_back(page, path="/"):
    """Open the lobby, its script held back; gives what lets the script come."""
    asked = []
    page.route(SCRIPT, lambda route: asked.append(route))  # noqa: PLW0108 - Playwright writes on what it is given
    page.goto(path, wait_until="commit")
    page.wait_for_selector(".game-card a.primary")

    def let_come():
        wait_for(lambda: asked or page.wait_for_timeout(10), "the script is asked for")
        page.unroute(SCRIPT)

    return let_come


def drawn(page):
    page.wait_for_selector(".top-end > *")


def test_what_has_the_focus_keeps_it_when_the_script_draws(visit):
    page = visit("/verify")
    for name, before, after in (
        ("Tournaments", "link", "link"),
        ("Play a bot at Planet Pioneer", "link", "button"),
        ("New table of Universal Match", "link", "link"),
    ):
        let_come = held_back(page)
        page.get_by_role(before, name=name, exact=True).focus()
        page.evaluate("() => { window.heading = document.querySelector('h1'); }")
        let_come()
        drawn(page)
        expect(page.get_by_role(after, name=name, exact=True)).to_be_focused()
        assert page.evaluate("() => window.heading.isConnected"), "who reads by ear begins anew at the top"


LAID_OUT = """() => [...document.querySelectorAll("header, nav[aria-label=Main] a, .hero, .game-card, .game-card .primary")]
  .map((part) => JSON.stringify(part.getBoundingClientRect()))"""


@pytest.mark.parametrize("is_named", [True, False])
def test_nothing_moves_when_the_script_draws(visit, ada, is_named):
    page = visit("/verify", player=ada if is_named else None)
    for size in (DESKTOP, PHONE, SMALL):
        page.set_viewport_size(size)
        let_come = held_back(page)
        before = page.evaluate(LAID_OUT)
        let_come()
        drawn(page)
        assert before == page.evaluate(LAID_OUT), size


def test_a_press_that_begins_before_the_script_draws_is_not_lost(visit):
    page = visit("/verify")
    let_come = held_back(page)
    page.get_by_role("link", name="Play a bot at Universal Match").hover()
    page.mouse.down()
    let_come()
    page.wait_for_function(SCRIPT_RAN)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"/new\?game=universal-match$"))
    page.wait_for_selector(".seat-list")


def test_axe_finds_nothing_in_the_lobby_before_its_script(visit):
    page = visit("/verify")
    let_come = held_back(page)
    assert [] == complaints_in_both_themes(page)
    page.set_viewport_size(PHONE)
    assert [] == complaints(page)
    let_come()
    drawn(page)


def test_a_script_that_cannot_be_had_is_said_and_asked_for_again(visit):
    page = visit("/verify")
    page.clock.install()
    for path in ("/", "/tables/nowhere"):
        page.route(SCRIPT, lambda route: route.abort())
        page.goto(path, wait_until="commit")
        note = page.get_by_role("status").filter(has_text="Not all of this page has come yet")
        hurry_until(page, note)
        expect(note).to_be_in_viewport()
        if path == "/":
            assert [] == complaints(page)
        page.unroute(SCRIPT)
        hurry_until(page, page.locator(".top-end > *").first)
        expect(page.locator(".boot, .late")).to_have_count(0)


def test_where_no_script_comes_at_all_the_style_says_so(visit):
    page = visit("/verify")
    page.route("**/early.js", lambda route: route.abort())
    page.goto("/?game=beam-me-up")
    note = page.locator(".late")
    expect(note).to_be_hidden()
    page.evaluate(
        "() => document.getAnimations().find((each) => each.animationName === 'late').finish()"
    )  # ten seconds
    expect(note).to_be_in_viewport()
    page.unroute("**/early.js")
    note.get_by_role("link", name="Load anew").click()
    page.wait_for_selector(".top-end > *")
    expect(page).to_have_url(re.compile(r"/\?game=beam-me-up$"))


def test_without_javascript_the_page_says_that_it_needs_it(visit):
    page = visit("/", java_script_enabled=False, viewport=PHONE)
    for path in ("/", "/new"):
        page.goto(path)
        expect(page.locator("noscript p")).to_be_in_viewport()
        expect(page.locator(".boot, .late").filter(visible=True)).to_have_count(0)


def test_a_tab_in_the_background_gets_its_script_too(visit):
    page = visit("/", init=BACKGROUND)
    expect(page).to_have_title("Lobby · Starledger")


def test_a_tab_from_before_an_update_gets_the_new_page_where_the_two_do_not_fit(visit):
    page = visit("/")
    page.evaluate("() => { window.isOld = true; }")
    newer = 'import { lib_nowhere } from "./first.js";'
    page.route("**/more.js", lambda route: route.fulfill(content_type="text/javascript", body=newer))
    page.get_by_role("link", name="Verify").click()
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    page.get_by_role("button", name="Try again").click()
    page.route("**/verify", lambda route: route.abort())  # a server that is away: the page stays
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    page.unroute("**/verify")
    page.unroute("**/more.js")
    wait_for(
        lambda: page.locator(".drop").is_visible() or press(page.get_by_role("button", name="Try again")),
        "another page",
    )
    assert page.evaluate("() => window.isOld === undefined")


def press(button):
    """Press a button that is there, unless the page is loaded anew at this moment."""
    with contextlib.suppress(Error):
        if button.is_visible():
            button.click(timeout=1_000)
