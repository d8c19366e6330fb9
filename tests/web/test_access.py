"""For everybody: axe on each page in both themes, names for screen readers, focus, motion, a slow phone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from domain.games import GAMES
from tests.web.conftest import DESKTOP, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]


AXE = Axe().axe_script
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
"""The phone profile of Lighthouse: 150 ms a round trip, 1.6 Mbit/s down."""
ROUNDS = 1
"""Round trips behind the page's own, one after the other: style, scripts and tables are asked for at once."""
NOTE = """new MutationObserver((_, watcher) => {
  if (!document.querySelector(".game-card button.primary")) return;
  watcher.disconnect();
  window.needed = performance.getEntriesByType("resource").filter((each) => !each.name.endsWith(".svg"));
}).observe(document, {childList: true, subtree: true});"""
"""Notes what was fetched before the script had drawn the lobby; the icon is the browser's own affair."""


ALL = {"runOnly": TAGS, "rules": {"target-size": {"enabled": True}}, "resultTypes": ["violations"]}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules that a theme can break."""


def complaints(page, options=ALL):
    """Give what axe finds; it is put into a page once."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE)
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary'].splitlines()[-1].strip()}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def rounds(spans):
    """Give how many requests had to wait for another one: the longest chain of spans that don't overlap."""
    count, end = 0, float("-inf")
    for begins, ends in sorted(spans, key=lambda span: span[1]):
        if begins >= end:
            count, end = count + 1, ends
    return count


def complaints_in_both_themes(page):
    """Give what axe finds in each theme, and whether something is wider than a phone."""
    found = []
    for theme, options in (("dark", ALL), ("light", COLOURS)):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        found += [f"{theme}: {each}" for each in complaints(page, options)]
    page.set_viewport_size(PHONE)
    width = page.evaluate("document.documentElement.scrollWidth")
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    enlarged = page.evaluate("document.documentElement.scrollWidth")
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    page.set_viewport_size(DESKTOP)
    widths = {"on a phone": width, "on a phone with letters of twice the size": enlarged}
    return found + [f"{wide} pixels wide {where}" for where, wide in widths.items() if wide > PHONE["width"]]


@pytest.fixture(scope="module")
def playing(ada):
    """A table of each game that waits for Ada, in the middle of the game."""
    made = {game: ada.table(game, "greedy", "greedy", seed="axe") for game in GAMES}
    for table in made.values():
        ada.play(table, until=lambda now: now["version"] > 12 and 0 in now["to_act"])
    return made


@pytest.fixture(scope="module")
def finished(ada):
    table = ada.table("planet-pioneer", "greedy")
    ada.play(table, until=lambda now: now["version"] > 10)
    ada.move(table, {"type": "resign"})
    return table


@pytest.fixture(scope="module")
def three(ada):
    """A table of three that has ended: places, badges and hands beside each other."""
    table = ada.table("universal-match", "greedy", "easy", options={"target": "one_hand"})
    ada.play(table, until=lambda now: now["version"] > 12)
    ada.move(table, {"type": "resign"})
    ada.play(table)
    return table


@pytest.fixture(scope="module")
def places(ada, playing, finished, three):
    """The addresses of the page by kind, each with what stands there once it is drawn."""
    waiting = ada.post("/v1/tables", {"game": "beam-me-up", "seats": [{"kind": "me"}, {"kind": "open"}]})["id"]
    cup = ada.post(
        "/v1/tournaments", {"name": "W" * 40, "game": "beam-me-up", "format": "swiss", "seats_per_table": 2}
    )["id"]
    names = ("W" * 40, "An entrant of two bots")
    bots = [{"kind": "ai", "bot": "greedy", "name": name} for name in names]
    ada.post(f"/v1/tournaments/{cup}/entries/bulk", {"entries": bots})
    return {
        "around": {
            "/": ".card-row",
            "/new?game=planet-pioneer": ".seat-list",
            f"/players/{ada.id}": ".card-row",
            "/tables/nowhere": ".failed",
            "/tournaments": "#ratings",
            "/tournaments/new": ".create",
            f"/tournaments/{cup}": "#organiser",
        },
        "tables": {
            f"/tables/{waiting}": ".waiting",
            **{f"/tables/{table}": "button.part.can" for table in playing.values()},
            f"/tables/{finished}": ".result",
            f"/tables/{three}": ".result",
        },
        "records": {
            f"/tables/{finished}/replay?at=8&as=all": "[data-frame]",
            f"/tables/{three}/replay?at=8&as=all": "[data-frame]",
            f"/tables/{playing['beam-me-up']}/replay?at=8&as=public": "[data-frame]",
            "/verify": ".drop",
            f"/verify?table={finished}": ".verdict.good",
        },
    }


def test_axe_finds_what_is_wrong(visit):
    page = visit("/verify")
    page.evaluate("() => { document.querySelector('.drop').style.color = '#66749f'; }")
    assert "dark: color-contrast" in " ".join(complaints_in_both_themes(page))
    page.evaluate("() => { document.querySelector('input').setAttribute('role', 'nothing'); }")
    assert any("aria-roles" in each for each in complaints(page))


@pytest.mark.parametrize("kind", ["around", "tables", "records"])
def test_axe_finds_nothing_on_any_page_in_both_themes_and_none_asks_in_vain(visit, ada, places, kind):
    page = visit("/verify", player=ada)
    vain = []
    page.on("response", lambda answer: vain.extend([f"{answer.status} {answer.url}"] * (answer.status >= 400)))
    page.on("requestfailed", lambda gone: vain.extend([f"{gone.failure} {gone.url}"] * (not _given_up(gone))))
    for path, ready in places[kind].items():
        page.goto(path)
        page.wait_for_selector(ready)
        assert [] == complaints_in_both_themes(page), path
        assert [] == [each for each in vain if "nowhere" not in each], path


def _given_up(request):
    """Whether the browser has let go what it was reading, since it went to another page."""
    return request.failure == "net::ERR_ABORTED" and "/v1/" in request.url


def test_axe_finds_nothing_in_the_lobby_before_a_name_is_chosen(visit, playing):
    page = visit("/?status=playing")
    page.wait_for_selector(".card-row")
    assert [] == complaints_in_both_themes(page)


def test_axe_finds_nothing_on_a_phone_and_in_windows(visit, ada, playing):
    page = visit("/", viewport=PHONE)
    page.get_by_role("button", name="Choose a name").click()
    page.wait_for_selector("dialog[open]")
    assert [] == complaints(page)
    page.keyboard.press("Escape")
    page = visit("/verify", player=ada, viewport=PHONE)
    for table in playing.values():
        page.goto(f"/tables/{table}")
        page.wait_for_selector("button.part.can")
        page.locator("button.part.can").first.click()
        page.locator(".all-moves summary").click()
        page.evaluate("() => scrollTo(0, document.body.scrollHeight)")  # the hand covers nothing there
        assert [] == complaints(page)
    page.get_by_role("button", name="Table menu").click()
    page.wait_for_selector("dialog[open]")
    assert [] == complaints(page)


def test_a_window_takes_the_focus_and_gives_it_back(visit):
    page = visit("/")
    button = page.get_by_role("button", name="Choose a name")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    assert page.evaluate("() => document.querySelector('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    assert page.evaluate("() => document.activeElement.textContent").startswith("Choose a name")


CLEAR = """() => {
  const [heading, style] = [document.activeElement, getComputedStyle(document.activeElement)];
  const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
  const below = heading.nextElementSibling.getBoundingClientRect().top;
  return style.outlineStyle !== "none" && heading.getBoundingClientRect().bottom + ring <= below;
}"""


def test_another_page_begins_at_its_heading(visit):
    page = visit("/")
    page.get_by_role("link", name="Verify").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.tagName === 'H1'")
    assert page.evaluate(CLEAR), "the ring lies over what stands below the heading"
    expect(page).to_have_title("Verify a record · Starledger")
    page.go_back()
    page.get_by_role("heading", name="Play among the stars").wait_for()


def test_what_happens_is_said(visit, ada):
    table = ada.table("beam-me-up", "greedy", seed="said")
    page = visit(f"/tables/{table}")
    page.wait_for_selector(".board")
    ada.play(table, until=lambda now: now["version"] > 3 and 0 in now["to_act"])
    spoken = page.locator(".last-thing[aria-live=polite]")
    last = ada.log(table, **{"as": "public"})[-1]
    page.wait_for_function(
        "v => Number(document.querySelector('[data-version]').dataset.version) >= v", arg=last["version"]
    )
    expect(spoken).to_contain_text(last["summary"].split(" ")[-1])
    expect(spoken).not_to_contain_text("Seat 0")


IN_ORDER = """selector => {
  const tops = [...document.querySelectorAll(selector)].map((part) => part.getBoundingClientRect().top);
  return tops.length > 1 && tops.every((top, at) => at === 0 || top >= tops[at - 1]);
}"""


def test_what_is_seen_first_comes_first_for_the_keyboard(visit, ada, playing):
    page = visit("/verify", player=ada)
    for game, table in playing.items():
        page.goto(f"/tables/{table}")
        page.wait_for_selector("button.part.can")
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            page.wait_for_function(IN_ORDER, arg=".board > *" if game != "planet-pioneer" else ".pp-status, .colonies")
            if size is PHONE and game == "beam-me-up":
                page.wait_for_function(IN_ORDER, arg=".bmu-middle > *")


def test_cards_and_cells_have_names_in_words(visit, ada, playing):
    page = visit("/verify", player=ada)
    for table in playing.values():
        page.goto(f"/tables/{table}")
        page.wait_for_selector("button.part.can")
        names = page.evaluate(
            "() => [...document.querySelectorAll('.part')].map((part) => part.getAttribute('aria-label'))"
        )
        assert all((name and " " in name) or name.isalpha() for name in names)


def test_the_theme_is_a_choice_that_lasts(visit):
    page = visit("/")
    background = "() => getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(background)
    page.get_by_role("button", name="Theme: system").click()
    page.get_by_role("button", name="Theme: dark").click()
    light = page.evaluate(background)
    assert dark != light
    page.reload()
    page.wait_for_selector("h1")
    assert light == page.evaluate(background)
    page.goto("/", wait_until="commit")
    assert "light" == page.evaluate("() => document.documentElement.dataset.theme")  # before any script
    page.get_by_role("button", name="Theme: light").click()
    page.reload()
    page.wait_for_selector("h1")
    assert dark == page.evaluate(background)  # the system's, in these tests


def test_nothing_moves_for_who_wants_no_motion(visit, ada, playing):
    page = visit(f"/tables/{playing['beam-me-up']}", reduced_motion="reduce")
    page.wait_for_selector(".dots")
    running = page.evaluate("() => document.getAnimations().filter((each) => each.playState === 'running').length")
    assert 0 == running


def test_the_lobby_can_be_seen_and_used_without_any_script(visit, ada):
    """So it can before the script is there, and nothing moves when it comes."""
    bare = visit("/", java_script_enabled=False)
    parts = ("header .brand", "header nav", ".hero", ".games")
    plain = [bare.locator(part).inner_html().replace("\n", "") for part in parts]
    bare.get_by_role("link", name="Play a bot at Planet Pioneer").click()
    expect(bare).to_have_url(re.compile(r"/new\?game=planet-pioneer$"))

    page = visit("/")
    page.wait_for_selector(".game-card button.primary")
    drawn = [page.locator(part).inner_html() for part in parts]
    links = re.compile(r'<a class="button primary" href="[^"]*">(.*?)</a>')
    assert [links.sub(r'<button class="primary">\1</button>', part) for part in plain] == drawn


def test_the_lobby_is_usable_soon_on_a_slow_phone(visit):
    page = visit("/verify", viewport=PHONE, init=NOTE)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    page.goto("/", wait_until="commit")
    page.wait_for_selector(".game-card button.primary")
    asked = page.evaluate("() => window.needed.map((each) => [each.requestStart, each.responseEnd])")
    assert ROUNDS == rounds(asked)
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate(
        "() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).map((each) => each.encodedBodySize)"
    )
    assert 10_000 < sum(sizes) < 150_000
