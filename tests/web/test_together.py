"""Two browsers play each other, a third one watches; the server restarts in the middle."""

import json
import re

import pytest
from playwright.sync_api import expect

from domain.games import GAMES
from tests.support import running
from tests.support.running import Running, person, wait_for
from tests.web.conftest import autopilot, choose_name, start_autopilot

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

NASTY = "<img src=x onerror=alert(1)><b>Bo</b>"

HEARD = """
window.heard = [];
const fetched = window.fetch;
window.fetch = async (...asked) => {
  const answer = await fetched(...asked);
  if (!answer.body || String(asked[0]).includes("/v1/games")) return answer;
  const [one, two] = answer.body.tee();
  (async () => {
    const reader = one.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const {value, done} = await reader.read().catch(() => ({done: true}));
      if (done) return;
      window.heard.push(value);
    }
  })();
  return new Response(two, {status: answer.status, headers: answer.headers});
};
"""


def seat_free(page, game, options=None):
    """Make a table with a free seat by the page's own form."""
    page.goto(f"/new?game={game}")
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_role("button", name="Create the table").click()
    page.wait_for_selector("text=Waiting for players")
    return page.url.rsplit("/", 1)[1]


def play_on(one, two, moves):
    """Let the two play, each when it is his turn, for so many moves."""
    for _ in range(moves):
        page = wait_for(lambda: next((each for each in (one, two) if is_ready(each)), None), "somebody's turn", 60)
        autopilot(page, until=1)


def is_ready(page):
    page.wait_for_timeout(5)
    return page.locator("[data-acts=me]").count() > 0


def test_two_browsers_play_each_other_and_go_on_after_a_restart(visit, tmp_path, monkeypatch):
    data = tmp_path / "data"
    with Running(data, WORKERS=1) as first:
        monkeypatch.setattr(running, "free_port", lambda: first.port)
        one = visit("/", name="Ann", base=first.base)
        two = visit("/", name=NASTY, base=first.base)
        table = seat_free(one, "planet-pioneer")
        two.goto("/")
        two.get_by_role("button", name=re.compile("Sit down")).click()
        for page in (one, two):
            page.wait_for_selector("[data-version] .board")
        play_on(one, two, moves=6)
        before = int(one.locator("[data-version]").get_attribute("data-version"))
        assert 0 == first.stop()
        for page in (one, two):
            page.wait_for_selector("text=Connection lost")
    with Running(data, WORKERS=1) as again:
        assert first.base == again.base
        for page in (one, two):
            page.wait_for_selector("text=Live", timeout=40_000)
        for page in (one, two):
            start_autopilot(page)
        for page in (one, two):
            page.wait_for_selector(".result", timeout=360_000)
        ends = [page.locator(".result").inner_text().replace("Play again", "") for page in (one, two)]
        assert ends[0] == ends[1]
        assert NASTY in ends[0]
        expect(one.locator(".result img, .result b b")).to_have_count(0)
        with person(again.base) as clerk:
            log = clerk.log(table)
            assert len(log) > before
            assert {0, 1} == {entry["seat"] for entry in log if "seat" in entry}
            entropies = clerk.get(f"/v1/tables/{table}")["fairness"]["entropy"]
            assert [False, True] == [entropy is not None for entropy in entropies]
        one.get_by_role("button", name="Play again").click()
        one.wait_for_url(lambda url: table not in url)


ELEMENTALS = {"A": "Air", "E": "Earth", "F": "Fire", "W": "Water"}
RANKS = {"G": "Galaxy", "S": "Sun", "M": "Moon"}
SUITS = {"E": "Earth", "J": "Jupiter", "M": "Mars", "N": "Neptune", "S": "Saturn", "V": "Venus"}
PIONEER = GAMES["planet-pioneer"]
LAID = [card.card for card in PIONEER.cards(PIONEER.options())]
CARDS = {
    "beam-me-up": (r"[AEFW]\d+", lambda card: rf"{ELEMENTALS[card[0]]} {card[1:]}(?!\d)"),
    "planet-pioneer": ("|".join(LAID), lambda card: rf"(?i)\b{card.replace('_', ' ')}\b(?! works)"),
    "universal-match": (r"[GSM1-7][EJMNSV]", lambda card: rf"{RANKS.get(card[0], card[0])} of {SUITS[card[1]]}"),
}
"""How a card is written in the API, and what the page calls it."""


@pytest.mark.parametrize("game", CARDS)
def test_a_watcher_sees_no_hidden_card_in_page_or_network(visit, server, ada, game):
    pattern, named = CARDS[game]
    table = ada.table(game, "greedy", "greedy", seed="watched")
    watcher = visit(f"/tables/{table}", init=HEARD)
    watcher.wait_for_selector(".board")
    ada.play(table, until=lambda now: now["version"] > 25 and 0 in now["to_act"])
    now = ada.get(f"/v1/tables/{table}")
    watcher.wait_for_function(
        "v => Number(document.querySelector('[data-version]').dataset.version) >= v", arg=now["version"]
    )
    shown = set(re.findall(rf'"({pattern})"', json.dumps(ada.log(table, **{"as": "public"}))))
    hidden = [card for card in now["view"]["seats"][0]["hand"] if card not in shown]
    assert hidden, "a hand with a card that nobody has seen"
    heard = "".join(watcher.evaluate("window.heard"))
    assert f'"version":{now["version"]}' in heard
    page = watcher.content()
    for card in hidden:
        assert f'"{card}"' not in heard
        assert not re.search(named(card), page)
    assert f'"{min(shown)}"' in heard
    assert any(re.search(named(card), page) for card in shown)


def test_a_seat_sees_nothing_of_the_others(visit, server, ada):
    page = visit("/", name="Dora", init=HEARD)
    table = seat_free(page, "universal-match")
    ada.post(f"/v1/tables/{table}/seats", {})
    page.wait_for_selector(".board")
    mine = page.evaluate(
        "async id => (await (await fetch(`/v1/tables/${id}`, {headers: {Authorization: `Bearer "
        "${JSON.parse(localStorage['starledger.player']).token}`}})).json()).view.seats[0].hand",
        table,
    )
    others = ada.get(f"/v1/tables/{table}")["view"]["seats"][1]["hand"]
    heard = "".join(page.evaluate("window.heard"))
    assert all(f'"{card}"' in heard for card in mine)
    assert not any(f'"{card}"' in heard for card in others)


def test_a_name_with_markup_is_shown_as_it_is(visit, server):
    page = visit("/", name=NASTY)
    expect(page.locator(".who-name")).to_have_text(NASTY)
    table = seat_free(page, "beam-me-up")
    page.goto("/")
    row = page.locator(".card-row", has=page.locator(f"a[href='/tables/{table}']")).first
    expect(row).to_contain_text(NASTY)
    expect(page.locator("main img")).to_have_count(0)
    expect(page).to_have_title("Lobby · Starledger")


def test_who_has_no_name_yet_may_sit_down_and_is_asked_for_one(visit, server, ada):
    table = ada.post("/v1/tables", {"game": "planet-pioneer", "seats": [{"kind": "me"}, {"kind": "open"}]})["id"]
    page = visit("/")
    row = page.locator(".card-row", has=page.locator(f"a[href='/tables/{table}']"))
    expect(row.get_by_role("button", name="Sit down")).to_be_visible()
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Name", exact=True).fill("Nova")
    page.get_by_role("button", name="Use this name").click()
    page.wait_for_selector("[data-version] .board")
    assert "Nova" == ada.get(f"/v1/tables/{table}")["seats"][1]["player"]["name"]


def test_the_lobby_shows_a_new_table_by_itself(visit, server, ada):
    page = visit("/")
    made = ada.post("/v1/tables", {"game": "beam-me-up", "seats": [{"kind": "open"}, {"kind": "open"}]})
    page.wait_for_selector(f"a[href='/tables/{made['id']}']")


def test_the_lobby_goes_on_below_its_first_page(visit, server, ada):
    made = [
        ada.post("/v1/tables", {"game": "universal-match", "seats": [{"kind": "open"}] * 2})["id"] for _ in range(25)
    ]
    page = visit("/?game=universal-match")
    page.get_by_role("button", name="Show more").click()
    page.wait_for_selector(f".card-row-title[href='/tables/{made[0]}']")
    listed = [link.get_attribute("href") for link in page.locator("[aria-labelledby=tables] .card-row-title").all()]
    assert len(listed) == len(set(listed))
    assert {f"/tables/{each}" for each in made} <= set(listed)


def test_a_name_that_the_server_lost_is_said_so(visit, server):
    kept = json.dumps({"id": "gone", "name": "Gone", "token": "slt.gone.gone"})
    page = visit(
        "/",
        init=f"sessionStorage.first || (localStorage.setItem('starledger.player', {json.dumps(kept)}), sessionStorage.first = 1);",
    )
    page.wait_for_selector("text=does not know your name any more")
    choose_name(page, "Eve")
    expect(page.locator(".who-name")).to_have_text("Eve")
