"""A real browser and a real server. Where there is no browser these tests are skipped, and say so."""

import contextlib
import json
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.support.running import Person, Running, person

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}

found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def chromium():
    if found is None:
        pytest.skip("no Chromium on the PATH; on Debian: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("web") / "data") as running:
        yield running


@pytest.fixture(scope="session")
def ada(server):
    """A player who plays over the API where no browser is needed."""
    person = Person(server.base)
    yield person
    person.close()


@pytest.fixture(scope="session")
def cleo(server):
    """A player who sits at the browser."""
    somebody = Person(server.base, "Cleo")
    yield somebody
    somebody.close()


@pytest.fixture
def visit(chromium, server):
    """Open a browser of its own at a path; gives the page. Whatever stands in its console fails the test."""
    with contextlib.ExitStack() as stack:
        complaints = []

        def opened(
            path="/", *, name=None, player=None, viewport=DESKTOP, theme="dark", base=server.base, init="", **more
        ):
            """With a name or a player the browser remembers one, as if the name had been chosen before."""
            look = {"color_scheme": theme, "reduced_motion": "reduce", "viewport": viewport}
            context = chromium.new_context(base_url=base, **look | more)
            stack.callback(context.close)
            context.set_default_timeout(30_000)
            context.add_init_script("localStorage.setItem('starledger.pace', 'fast');" + init)
            if name is not None:
                player = stack.enter_context(person(base, name))
            if player is not None:
                kept = json.dumps(json.dumps(player.kept()))
                key = "starledger.player"
                context.add_init_script(f"localStorage.getItem('{key}') ?? localStorage.setItem('{key}', {kept})")
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda said: _heard(said, complaints))
            page.complaints = complaints
            page.goto(path)
            page.wait_for_selector("h1")
            if more.get("java_script_enabled", True):
                page.wait_for_selector(".top-end > *")  # the script has drawn
            return page

        yield opened
        assert [] == complaints


def _heard(said, complaints):
    """Note what is said, by the page or of it; but not that an answer was no success: there are tests where it can't be."""
    if not said.text.startswith("Failed to load resource"):
        complaints.append(said.text)


def choose_name(page, name):
    page.get_by_role("button", name="Choose a name").first.click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Use this name").click()
    page.wait_for_selector(".who")


def reach(page, wanted, most=150):
    """Press Tab until the focus is on what is wanted."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"not reached by Tab: {wanted}")


TURN = """() => {
  if (document.querySelector(".result")) return "over";
  const mine = document.querySelector("[data-acts=me]");
  return mine && !mine.querySelector(".part:disabled") && mine.querySelector("button.part.can, .dock [data-action]") ? "mine" : "";
}"""
MOVED = (
    "before => document.querySelector('.result') || document.querySelector('[data-version]').dataset.version !== before"
)
CONFIRM = "[data-action=confirm]"
ACTION = ".dock [data-action]:not([data-action=confirm], [data-action=decline_card])"
CARD = ".hand button.can"
LISTED = ".all-moves li button"


def keyboard_move(page):
    """Make one move by Tab, Space and Enter alone; gives whether the table had ended before.

    A card of the hand is chosen by itself; where a move needs more than that, it is taken from the list of all moves.
    """
    if page.wait_for_function(TURN, timeout=60_000).json_value() == "over":
        return True
    before = page.locator("[data-version]").get_attribute("data-version")
    there = "wanted => Boolean(document.querySelector(wanted))"
    while True:
        step = next((each for each in (CONFIRM, ACTION, CARD) if page.evaluate(there, each)), None)
        if step != CARD:
            break
        reach(page, CARD)
        page.keyboard.press("Space")
        page.wait_for_selector(".hand button.picked")
    if step is None and not page.evaluate(there, LISTED):
        reach(page, ".all-moves summary")
        page.keyboard.press("Enter")
        page.wait_for_selector(LISTED)
    reach(page, step or LISTED)
    page.keyboard.press("Enter")
    page.wait_for_function(MOVED, arg=before, timeout=60_000)
    return False


AUTOPILOT = """
async ({most, until}) => {
  // Press what is lit, as a person would, until the table has ended or `until` moves were made.
  const later = (ms) => new Promise((done) => setTimeout(done, ms));
  const layout = () => document.querySelector("[data-version]");
  const end = Date.now() + most * 1000;
  let moves = 0;
  while (Date.now() < end && moves < until) {
    if (document.querySelector(".result")) return {moves, over: true};
    const mine = layout()?.dataset.acts === "me" && !document.querySelector(".dock [data-action]:disabled, .part:disabled");
    const before = layout()?.dataset.version;
    const confirm = document.querySelector("[data-action=confirm]:not(:disabled)");
    const lit = [...document.querySelectorAll("button.part.can")];
    const actions = [...document.querySelectorAll("[data-action]:not([data-action=confirm]):not(:disabled)")];
    if (!mine || !(confirm || lit.length || actions.length)) { await later(15); continue; }
    const hand = lit.filter((part) => (part.dataset.token || "").startsWith("hand:"));
    const discard = actions.find((action) => action.dataset.action === "discard");
    const pick = confirm || (hand.length ? hand[moves % hand.length] : lit.length ? lit[moves % lit.length] : discard || actions[0]);
    pick.click();
    await later(10);
    if (confirm || pick.dataset.action) {
      while (layout()?.dataset.version === before && Date.now() < end && !document.querySelector(".note.bad")) await later(10);
      moves += 1;
    }
  }
  return {moves, over: Boolean(document.querySelector(".result"))};
}
"""


def autopilot(page, most=200, until=100_000):
    """Play by pressing buttons of the page; gives how many moves were made, and whether the table has ended."""
    return page.evaluate(AUTOPILOT, {"most": most, "until": until})


def start_autopilot(page, most=360):
    """Let the page play by itself from now on, to the end of the table."""
    page.evaluate(f"asked => {{ ({AUTOPILOT})(asked); }}", {"most": most, "until": 100_000})
